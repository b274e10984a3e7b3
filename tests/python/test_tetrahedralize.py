"""Surfaces filled with tets from Python."""

import numpy
import pytest

limber = pytest.importorskip("limber")


def test_a_surface_is_filled_and_bound():
    surface = limber.boundary_surface(limber.sphere(1, 5))
    made = limber.tetrahedralize(surface, cells=8, mode="conforming")
    assert made.report["tets"] == len(made.mesh.T)
    assert made.report["min_dihedral_degrees"] >= 10
    assert made.embedding.weights.shape == (len(surface.V), 4)
    # Weights sum to one, and the surface is where it was.
    assert numpy.abs(made.embedding.weights.sum(axis=1) - 1).max() < 1e-12
    assert numpy.abs(made.embedding.positions(made.mesh.V) - surface.V).max() < 1e-12


def test_a_surface_is_bound_to_any_mesh():
    mesh = limber.bar([1, 1, 1], [3, 3, 3])
    surface = limber.TriMesh(limber.boundary_surface(limber.sphere(0.3, 3)).V + 0.5,
                             limber.boundary_surface(limber.sphere(0.3, 3)).F)
    bound = limber.embed(mesh, surface)
    turn = numpy.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert numpy.abs(bound.positions(mesh.V @ turn.T) - surface.V @ turn.T).max() < 1e-14


def test_bad_options_are_errors():
    surface = limber.boundary_surface(limber.sphere(1, 2))
    for options in ({"mode": "best"}, {"cells": -3}, {"cells": 4, "tets": 9}, {"refine": ["q>1"]}):
        with pytest.raises(limber.Error):
            limber.tetrahedralize(surface, **options)
