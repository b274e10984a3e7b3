"""Bodies in a scene that fall, rest, slide, are joined, and refuse what cannot be."""

import json
import math

import pytest

GRAVITY = 9.81
EDGE = 0.2
MASS = 1000 * EDGE ** 3
CUBE = {"name": "cube", "shape": "bar", "size": [EDGE] * 3, "cells": [3, 3, 3], "modes": 12,
        "material": {"young": 1e6, "poisson": 0.3, "density": 1000}, "damping": {"mass": 0.5, "stiffness": 1e-3}}


def cube(**keys):
    return {**CUBE, **keys}


@pytest.fixture
def frames(program):
    """Simulates a scene and returns the frames of its report."""

    def run(bodies, *options, **scene):
        (program.folder / "s.json").write_text(json.dumps(
            {"limber": 1, "time_step": 1 / 60, "duration": 1, "gravity": [0, -GRAVITY, 0], "bodies": bodies, **scene}))
        program.ok("simulate", "s.json", "--report", "r.json", *options)
        return json.loads((program.folder / "r.json").read_text())["frames"]

    return run


@pytest.fixture
def refused(program):
    def run(bodies, **scene):
        (program.folder / "s.json").write_text(json.dumps(
            {"limber": 1, "duration": 0.1, "bodies": bodies, **scene}))
        return program.refuses("simulate", "s.json")

    return run


@pytest.mark.parametrize("method", ["linear-modal", "modal-warping", "rotation-strain", "reduced", "corotational"])
def test_a_body_of_every_method_rests_on_the_ground(frames, method):
    last = frames([cube(position=[0, 0.01, 0], method=method)], ground={"friction": 0.5}, duration=2)[-1]["bodies"][0]
    assert last["contacts"] >= 4
    assert last["contact_force"][1] == pytest.approx(MASS * GRAVITY, rel=0.01)
    assert last["penetration"] < 0.02 * EDGE


def test_a_cube_falls_asleep_and_says_so(frames):
    result = frames([cube(position=[0, 0.05, 0])], ground={}, duration=3)
    assert not result[0]["bodies"][0]["asleep"]
    assert result[-1]["bodies"][0]["asleep"]
    kinds = [event["kind"] for frame in result for event in frame["events"]]
    assert kinds.count("begin") >= 1


@pytest.mark.parametrize("method", ["modal-warping", "corotational"])
@pytest.mark.parametrize("young", [2e5, 1e7])
@pytest.mark.parametrize("share", [0.95, 1.02, 1.2])
def test_friction_holds_on_a_slope_up_to_its_angle(frames, method, young, share):
    friction = 0.4
    angle = math.atan(share * friction)
    result = frames([cube(method=method, friction=friction, damping={"mass": 0, "stiffness": 2e-3},
                          material={"young": young, "poisson": 0.3, "density": 1000})],
                    ground={"friction": friction}, duration=1.5, time_step=1 / 240,
                    gravity=[GRAVITY * math.sin(angle), -GRAVITY * math.cos(angle), 0])
    times = [frame["time"] for frame in result]
    places = [frame["bodies"][0]["position"][0] for frame in result]

    def speed(k):
        return (places[k] - places[k - 1]) / (times[k] - times[k - 1])

    middle, last = len(times) // 2, len(times) - 1
    acceleration = (speed(last) - speed(middle)) / (times[last] - times[middle])
    held = friction * GRAVITY * math.cos(angle)
    pull = GRAVITY * math.sin(angle) - held
    assert acceleration == pytest.approx(max(pull, 0), abs=0.02 * held)
    if share < 1:
        assert abs(places[last] - places[middle]) < 0.002 * EDGE


def test_a_slow_press_takes_the_same_force_by_modes_and_by_fem(frames):
    start, touched = 0.1502 + EDGE, 0.1492 + EDGE
    ball = {"name": "ball", "shape": "sphere", "size": [0.15], "position": [0.9, start, 0.1],
            "path": [{"time": time, "position": [0.9, height, 0.1]}
                     for time, height in ((0, start), (0.3, touched), (3, touched - 0.1))]}

    def forces(method):
        bar = cube(name="bar", size=[1, EDGE, EDGE], cells=[10, 3, 3], method=method, modes=20, fixed="x<=0.001",
                   damping={"mass": 5, "stiffness": 5e-3})
        result = frames([bar], obstacles=[ball], gravity=[0, 0, 0], duration=3, time_step=1 / 240)
        return [frame["bodies"][0]["contact_force"][1] for frame in result]

    full, modal = forces("corotational"), forces("modal-warping")
    peak = max(map(abs, full))
    assert peak > 50
    assert max(abs(a - b) for a, b in zip(full, modal)) < 0.1 * peak


def test_bodies_rest_on_each_other_and_on_obstacles(frames):
    table = {"name": "table", "shape": "box", "size": [1, 0.1, 1], "position": [0, -0.05, 0]}
    lower = cube(name="lower", position=[-0.1, 0.001, -0.1])
    upper = cube(name="upper", position=[-0.1, EDGE + 0.002, -0.1])
    last = frames([lower, upper], obstacles=[table], duration=2)[-1]
    low, high = last["bodies"]
    assert low["position"][1] == pytest.approx(0, abs=0.02 * EDGE)
    assert high["position"][1] == pytest.approx(EDGE, abs=0.05 * EDGE)
    assert high["contact_force"][1] == pytest.approx(MASS * GRAVITY, rel=0.02)
    assert [o["name"] for o in last["obstacles"]] == ["table"]


@pytest.mark.parametrize("method", ["corotational", "stiffness-warping", "stvk"])
def test_bodies_at_full_resolution_rest_on_obstacles_and_carry_modal_ones(frames, method):
    table = {"name": "table", "shape": "box", "size": [1, 0.1, 1], "position": [0, -0.05, 0]}
    lower = cube(name="lower", position=[-0.1, 0.001, -0.1], method=method)
    del lower["modes"]
    upper = cube(name="upper", position=[-0.1, EDGE + 0.002, -0.1])
    low, high = frames([lower, upper], obstacles=[table], duration=1.5)[-1]["bodies"]
    assert high["contact_force"][1] == pytest.approx(MASS * GRAVITY, rel=0.02)
    assert low["contact_force"][1] == pytest.approx(MASS * GRAVITY, rel=0.02)  # twice up, once down
    assert max(low["penetration"], high["penetration"]) < 0.01 * EDGE


def test_what_does_not_collide_falls_through(frames):
    def ghost(**keys):
        return frames([cube(position=[0, 0.1, 0], **keys)], ground={}, duration=1)[-1]["bodies"][0]["position"][1]

    assert ghost(collides=False) < -1
    assert ghost(collides=["ground"]) < -1
    assert ghost() > -0.01


def test_a_rigid_ball_rolls_and_pushes(frames):
    ball = {"name": "ball", "shape": "sphere", "size": [0.1], "mass": 5, "position": [-0.5, 0.1, 0.1],
            "velocity": [3, 0, 0]}
    last = frames([cube()], ground={"friction": 0.3}, obstacles=[ball], duration=0.5)[-1]
    assert last["bodies"][0]["position"][0] > 0.05
    assert last["obstacles"][-1]["name"] == "ball"
    assert last["obstacles"][-1]["position"][0] < last["bodies"][0]["position"][0]


def test_an_obstacle_on_keys_carries_a_body(frames):
    lift = {"name": "lift", "shape": "box", "size": [1, 0.1, 1], "friction": 0.8,
            "path": [{"time": 0, "position": [0, -0.05, 0]}, {"time": 1, "position": [0, 0.45, 0]}]}
    last = frames([cube(position=[-0.1, 0, -0.1])], obstacles=[lift], duration=1)[-1]
    assert last["bodies"][0]["position"][1] == pytest.approx(0.5, abs=0.02)


def test_joints_hold_and_report_what_they_carry(frames):
    result = frames([cube(name="bob", position=[-0.1, -0.2, -0.1])], duration=2,
                    joints=[{"type": "ball", "bodies": ["bob", None], "at": [0, 0, 0]}])
    joint = result[-1]["joints"][0]
    assert joint["error"] < 1e-4 * EDGE
    assert joint["force"] == pytest.approx(MASS * GRAVITY, rel=0.02)
    assert not joint["broken"]


def test_a_joint_breaks_under_its_load(frames):
    result = frames([cube(name="bob", position=[-0.1, -0.2, -0.1])], duration=1,
                    joints=[{"type": "ball", "bodies": ["bob", None], "at": [0, 0, 0], "break_force": 0.5 * MASS * GRAVITY}])
    assert result[-1]["joints"][0]["broken"]
    assert result[-1]["bodies"][0]["position"][1] < -1


def test_settle_lays_a_body_on_the_ground(frames):
    only = frames([cube(position=[0, 0.3, 0])], "--settle", ground={"friction": 0.5})
    assert len(only) == 1
    body = only[0]["bodies"][0]
    assert abs(body["position"][1]) < 0.03 * EDGE
    assert body["contact_force"][1] == pytest.approx(MASS * GRAVITY, rel=1e-2)
    assert body["kinetic_energy"] < 1e-9 * MASS * GRAVITY * EDGE


@pytest.mark.parametrize("scene,names", [
    ({"obstacles": [{"shape": "sphere", "size": [0]}]}, "obstacles[0].size"),
    ({"obstacles": [{"shape": "sphere", "size": [1, 2]}]}, "[radius]"),
    ({"obstacles": [{"shape": "cone", "size": [1]}]}, "obstacles[0].shape"),
    ({"obstacles": [{"shape": "plane", "mass": 2}]}, "a plane has no mass"),
    ({"obstacles": [{"shape": "sphere", "size": [1], "velocity": [1, 0, 0]}]}, "mass"),
    ({"obstacles": [{"name": "cube", "shape": "sphere", "size": [1]}]}, "two things are called"),
    ({"joints": [{"type": "ball", "bodies": ["cub", None], "at": [0, 0, 0]}]}, 'did you mean "cube"'),
    ({"joints": [{"type": "ball", "bodies": ["cube", "cube"], "at": [0, 0, 0]}]}, "with itself"),
    ({"joints": [{"type": "ball", "bodies": [None, None], "at": [0, 0, 0]}]}, "without a body"),
    ({"joints": [{"type": "hinge", "bodies": ["cube", None], "at": [0, 0, 0], "axis": [0, 0, 0]}]}, "axis"),
    ({"joints": [{"type": "ball", "bodies": ["cube", None], "at": [0, 0, 0], "motor": {"speed": 1, "torque": 1}}]},
     "hinge"),
    ({"contact": {"self": 1}}, "contact.self"),
    ({"contact": {"substeps": 0}}, "contact.substeps"),
    ({"contact": {"substep": 4}}, "substeps"),
    ({"ground": {"normal": [0, 0, 0]}}, "ground.normal"),
])
def test_what_cannot_be_is_refused_by_name(refused, scene, names):
    assert names in refused([cube()], **scene)


@pytest.mark.parametrize("keys,names", [
    ({"friction": -1}, "bodies[0].friction"),
    ({"restitution": 2}, "bodies[0].restitution"),
    ({"collides": ["nobody"]}, "nobody"),
    ({"self_contact": "yes"}, "bodies[0].self_contact"),
])
def test_bad_keys_of_bodies_are_refused(refused, keys, names):
    assert names in refused([cube(**keys)])
