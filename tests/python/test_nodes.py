"""Masks mean masks wherever nodes are given, and what is neither numbers nor a mask is refused."""

import json

import numpy as np
import pytest

limber = pytest.importorskip("limber")

MATERIAL = {"young": 2e5}


@pytest.fixture(scope="module")
def mesh():
    return limber.bar([1, 0.2, 0.2], [6, 1, 1])


@pytest.fixture(scope="module")
def mask(mesh):
    return mesh.V[:, 0] < 1e-3


WAYS = {"a mask": lambda mask: mask, "a list of truth values": lambda mask: mask.tolist(),
        "numbers": lambda mask: np.flatnonzero(mask), "a list of numbers": lambda mask: np.flatnonzero(mask).tolist()}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_every_way_to_name_nodes_means_the_same(mesh, mask, way):
    nodes = way(mask)
    wanted = sorted(limber.select_nodes(mesh, "x<=0.001"))
    assert sorted(limber.bake(mesh, MATERIAL, fixed=nodes, modes=4).fixed_nodes) == wanted

    by_name = limber.World().add(mesh, fixed="x<=0.001", material=MATERIAL, modes=4)
    world = limber.World()
    given = world.add(mesh, fixed=nodes, material=limber.Material(2e5), modes=4,
                      forces=[{"nodes": nodes, "force": [0, 0, 0]}])
    world.step(0.1)
    assert np.array_equal(given.positions[mask], by_name.positions[mask])
    assert not np.array_equal(given.positions[~mask], by_name.positions[~mask])

    bent = limber.bend(mesh.V, 0.5)
    frames = [limber.interpolate(mesh, [mesh.V, bent], [0, 0.2], modes=6, fps=10, **{key: which})
              for key in ("fixed", "hold", "turn") for which in (nodes, wanted)]
    for one, other in zip(frames[::2], frames[1::2]):
        assert np.array_equal(one, other)


def test_forces_by_a_mask_are_the_same_as_by_numbers(mesh, mask):
    def fall(nodes):
        world = limber.World(gravity=(0, 0, 0))
        body = world.add(mesh, modes=6, material=MATERIAL, forces=[{"nodes": nodes, "force": [0, 1, 0]}])
        world.step(0.1)
        return body.positions

    assert np.array_equal(fall(mask), fall(np.flatnonzero(mask).tolist()))
    assert not np.array_equal(fall(mask), fall([0, 1]))


WRONG = {"a short mask": lambda n: [True, False], "a long mask": lambda n: np.ones(n + 1, bool),
         "truth values among numbers": lambda n: [True, 3], "fractions": lambda n: [0.5, 1.0],
         "a node too many": lambda n: [0, n], "a negative node": lambda n: [-1],
         "a mask of two dimensions": lambda n: np.ones((n, 3), bool)}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_what_is_neither_is_refused(mesh, wrong):
    nodes = wrong(len(mesh.V))
    bent = limber.bend(mesh.V, 0.5)
    for use in (lambda: limber.bake(mesh, fixed=nodes), lambda: limber.World().add(mesh, fixed=nodes),
                lambda: limber.interpolate(mesh, [mesh.V, bent], [0, 1], fixed=nodes),
                lambda: limber.interpolate(mesh, [mesh.V, bent], [0, 1], hold=nodes)):
        with pytest.raises(limber.Error, match="node|mask"):
            use()


def test_a_single_node_is_a_number(mesh):
    world = limber.World()
    body = world.add(mesh, modes=4)
    for wrong in (True, np.True_, [True, False, True], np.ones(3, bool)):
        with pytest.raises(TypeError):
            body.hold(wrong, (0, 0, 0))
        with pytest.raises(TypeError):
            body.apply_impulse(wrong, (0, 0, 0))
    for wrong in (-1, len(mesh.V)):
        with pytest.raises(limber.Error, match="does not exist"):
            body.hold(wrong, (0, 0, 0))


def test_exercised_nodes_take_masks(bar_scene):
    scene = limber.Scene.load(bar_scene(scene={"gravity": [0, 0, 0]}))
    n = len(scene.positions("bar"))
    with pytest.raises(limber.Error, match="mask of 3"):
        scene.add_constraint("bar", "position", 50, [0, 0, 0], exercised=[True, False, False])
    mask = np.zeros(n, bool)
    mask[50] = True
    scene.add_constraint("bar", "position", 50, scene.positions("bar")[50], exercised=mask)
    scene.step()
    assert [force[1] for force in scene.constraint_forces("bar")] == [50]


def test_nodes_of_a_mesh_to_come_have_no_numbers():
    surface = limber.character("jelly-box", vertices=500)
    for wrong in ({"fixed": [0, 1]}, {"fixed": [True]}, {"forces": [{"nodes": [True], "force": [0, 0, 0]}]}):
        with pytest.raises(limber.Error, match="not made yet"):
            limber.World().add(surface, **wrong)


def test_truth_values_in_scene_files_are_refused():
    body = {"shape": "bar", "size": [1, 1, 1], "cells": [1, 1, 1], "modes": 2,
            "forces": [{"nodes": [True, False], "force": [0, 0, 0]}]}
    with pytest.raises(limber.Error):
        limber.Scene.parse(json.dumps({"limber": 1, "bodies": [body]}))
