"""Surfaces filled with tets from Python."""

import shutil

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


@pytest.mark.skipif(shutil.which("netgen") is None, reason="Netgen is not installed")
def test_netgen_fills_a_closed_surface():
    surface = limber.boundary_surface(limber.bar([1, 0.5, 0.5], [4, 2, 2]))
    made = limber.tetrahedralize(surface, cells=4, backend="netgen")
    assert made.report["mode"] == "conforming"
    assert abs(made.report["volume"] / 0.25 - 1) < 1e-5  # its surface goes in single precision
    V = made.mesh.V
    numpy.testing.assert_allclose(made.embedding.positions(V), surface.V, atol=1e-6)


def test_netgen_refuses_what_it_does_not_know():
    surface = limber.boundary_surface(limber.bar([1, 0.5, 0.5], [4, 2, 2]))
    for options in ({"tets": 1000}, {"mode": "cage"}, {"refine": ["x<=0.1"]}, {"open": "fill"},
                    {"thickness": 0.1}, {"time_limit": -1.0}, {"time_limit": float("nan")}):
        with pytest.raises(limber.Error):
            limber.tetrahedralize(surface, backend="netgen", **options)
    with pytest.raises(limber.Error, match="limber or netgen"):
        limber.tetrahedralize(surface, backend="tetgen")
