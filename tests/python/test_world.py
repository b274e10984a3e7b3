"""limber.World: bodies in memory that fall, touch, are held and joined."""

import json

import numpy as np
import pytest

limber = pytest.importorskip("limber")

EDGE = 0.2
MASS = 1000 * EDGE ** 3
MATERIAL = {"young": 1e6, "poisson": 0.3, "density": 1000}
OPTIONS = {"material": MATERIAL, "modes": 12, "damping": {"mass": 0.5, "stiffness": 1e-3}}


def cube_mesh():
    return limber.bar([EDGE] * 3, [3, 3, 3])


@pytest.fixture
def world():
    world = limber.World(gravity=(0, -9.81, 0))
    world.add_ground(friction=0.5)
    return world


def run(world, seconds, h=1 / 60):
    for _ in range(round(seconds / h)):
        world.step(h)


def test_a_cube_rests_on_the_ground(world):
    cube = world.add(cube_mesh(), name="cube", position=[0, 0.01, 0], **OPTIONS)
    run(world, 2)
    assert cube.positions[:, 1].min() == pytest.approx(0, abs=0.02 * EDGE)
    assert cube.contact_force[1] == pytest.approx(MASS * 9.81, rel=0.01)
    contacts = world.contacts()
    assert len(contacts) >= 4
    assert {world.name_of(int(n)) for n in np.concatenate([contacts.a, contacts.b])} == {"cube", "ground"}
    assert np.allclose(contacts.normal, [0, 1, 0])


def test_a_baked_body_needs_no_mesh(world):
    body = limber.bake(cube_mesh(), limber.Material(1e6, 0.3, 1000), modes=12)
    cube = world.add(body, position=[0, 0.3, 0], velocity=np.array([1, 0, 0]))
    assert cube.surface_faces.shape[1] == 3
    assert cube.surface_positions[:, 1].min() == pytest.approx(0.3)
    run(world, 0.1)
    assert cube.momentum[0] == pytest.approx(MASS, rel=1e-6)


def test_a_reduced_body_falls_and_rests(world):
    cube = world.add(cube_mesh(), position=[0, 0.01, 0], method="reduced", fields=14, **OPTIONS)
    run(world, 2)
    assert cube.contact_force[1] == pytest.approx(MASS * 9.81, rel=0.01)
    plain = limber.bake(cube_mesh(), limber.Material(1e6, 0.3, 1000), modes=12)
    with pytest.raises(limber.Error, match="without a reduced space"):
        world.add(plain, method="reduced")


def test_a_snapshot_is_restored_bit_for_bit(world):
    cube = world.add(cube_mesh(), position=[0, 0.05, 0], rotation=[0.2, 0, 0, 1], **OPTIONS)
    run(world, 0.3)
    saved, time = world.snapshot(), world.time
    run(world, 0.5)
    end = cube.positions
    world.restore(saved)
    assert world.time == time
    run(world, 0.5)
    assert np.array_equal(cube.positions, end)


def test_what_is_held_hangs_and_falls_when_let_go(world):
    cube = world.add(cube_mesh(), position=[0, 1, 0], **OPTIONS)
    hold = cube.hold(0, (0, 1, 0))
    run(world, 0.5)
    assert cube.positions[0] == pytest.approx([0, 1, 0], abs=2e-3)
    hold.move((0, 1.1, 0))
    run(world, 0.2)
    hold.release()
    run(world, 0.3)
    assert cube.positions[0, 1] < 0.9


def test_an_impulse_wakes_a_sleeper(world):
    cube = world.add(cube_mesh(), **OPTIONS)
    run(world, 2)
    assert cube.asleep
    cube.apply_impulse((0.1, 0.1, 0.1), (0, 2 * MASS, 0))
    run(world, 0.1)
    assert not cube.asleep
    assert cube.position[1] > 0.1


def test_joints_obstacles_events_and_casts(world):
    world.add_obstacle(name="ball", shape="sphere", size=[0.1], mass=1, position=[0, 0.5, 0])
    begun = []
    for _ in range(60):
        world.step(1 / 60)
        begun += [event for event in world.events() if event[0] == "begin"]
    assert ("begin", "ball", "ground") in begun
    hit = world.cast((0, 2, 0), (0, -1, 0))
    assert hit["name"] == "ball"
    assert hit["distance"] == pytest.approx(1.8, abs=1e-3)
    world.add(cube_mesh(), name="bob", position=[1, 1, 0], **OPTIONS)
    joint = world.add_joint(type="ball", bodies=["bob", None], at=[1.1, 1.2, 0.1])
    run(world, 2)
    assert world.joint(joint)["error"] < 1e-4


def test_bad_input_is_refused_with_its_place(world):
    with pytest.raises(limber.Error, match="positon"):
        world.add(cube_mesh(), positon=[0, 0, 0])
    with pytest.raises(limber.Error, match="given already"):
        world.add(cube_mesh(), shape="bar")
    with pytest.raises(limber.Error, match="radius"):
        world.add_obstacle(shape="sphere", size=[1, 2, 3])
    with pytest.raises(limber.Error, match="nothing is called"):
        world.add_joint(type="ball", bodies=["nobody", None], at=[0, 0, 0])
    with pytest.raises(limber.Error):
        world.step(-1)


def test_a_scene_is_a_world():
    scene = limber.Scene.parse(json.dumps({"limber": 1, "ground": {}, "bodies": [
        {"name": "cube", "shape": "bar", "size": [EDGE] * 3, "cells": [2, 2, 2], "modes": 6, **{"material": MATERIAL}}]}))
    assert isinstance(scene, limber.World)
    scene.step()
    assert scene.time == pytest.approx(scene.time_step)
    assert len(scene.contacts()) > 0
    assert scene.body("cube").name == "cube"


def test_a_world_is_saved_as_a_picture_of_now(world, tmp_path):
    world.add(cube_mesh(), **OPTIONS)
    world.save(tmp_path / "x.glb")
    assert (tmp_path / "x.glb").stat().st_size > 100
