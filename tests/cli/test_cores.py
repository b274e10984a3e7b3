"""Bone cores in scenes (Müller et al. 2002, 4.3 and 4.4): what they take, refuse and do."""

import json

import pytest

BLOCK = {"shape": "bar", "size": [0.5, 0.3, 0.3], "cells": [5, 3, 3], "method": "stiffness-warping",
         "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "probes": {"bone": [0.2, 0.1, 0.1], "end": [0.5, 0, 0]}}
BONE = "box:0.19,0.09,0.09,0.31,0.21,0.21"
AXIS = {"point": [0.25, 0.15, 0.15], "direction": [0, 1, 0]}


def block(core, **more):
    return {"limber": 1, "gravity": [0, 0, 0], "time_step": 0.01, "frame_rate": 20, "duration": 1,
            **more.pop("scene", {}), "bodies": [{"name": "block", **BLOCK, "core": {"nodes": BONE, **core}, **more}]}


def written(program, scene):
    (program.folder / "scene.json").write_text(json.dumps(scene))
    return "scene.json"


def last_body(program, scene):
    program.ok("simulate", written(program, scene), "--report", "report.json")
    return json.loads((program.folder / "report.json").read_text())["frames"][-1]["bodies"][0]


def hand(target, **more):
    return {"stiffness": 500, "damping": 20, "path": [{"time": 0, "target": [0.45, 0.15, 0.15]},
                                                      {"time": 0.5, "target": target}], **more}


def test_a_free_core_falls_with_its_skin(program):
    body = last_body(program, block({"free": True}, scene={"gravity": [0, -9.8, 0]}, position=[0, 7, 0]))
    fallen = 9.8 * 0.01 * 0.01 * 100 * 101 / 2  # implicit Euler's sum
    # Stiffness warping stops its solver at 3e-3 of a step's impulses and passes on the rest.
    assert body["probes"]["end"][1] == pytest.approx(7 - fallen, abs=1e-3)
    assert body["momentum"][1] == pytest.approx(-9.8 * 45 * 1.0, rel=1e-6)


def test_a_core_on_an_axis_follows_the_hand(program):
    # From +x to the diagonal between +x and −z: an eighth of a turn about y.
    core = {"axis": AXIS, "hand": hand([0.25 + 0.2, 0.15, 0.15 - 0.2])}
    scene = block(core, damping={"mass": 6, "stiffness": 0.005}, scene={"duration": 4})
    x, y, z = last_body(program, scene)["probes"]["bone"]
    c = 0.5**0.5  # (−0.05, −0.05) about the axis, turned by 45 degrees: (x + z, z − x) c
    assert [x, y, z] == pytest.approx([0.25 - 0.1 * c, 0.1, 0.15], abs=2e-4)


@pytest.mark.parametrize("core, more, says", [
    ({"free": True, "axis": AXIS}, {}, "not free"),
    ({"axis": {**AXIS, "speed": 2}, "hand": hand([1, 0, 0])}, {}, "speed"),
    ({"free": True}, {"method": "stvk"}, "stiffness-warping"),
    ({"free": True}, {"method": "modal-warping"}, "core"),
    ({"free": True}, {"full_space": {"explicit": True}}, "implicit"),
    ({"free": True}, {"full_space": {"linearisations": 2}}, "linearisation"),
    ({"free": True}, {"support": [{"time": 0, "position": [0, 1, 0]}]}, "support"),
    ({"axis": AXIS}, {"position": [0, 1, 0]}, "position"),
    ({"free": True}, {"fixed": [BONE]}, "fixed"),
    ({"axis": {"point": [0, 0, 0], "direction": [0, 0, 0]}}, {}, "direction"),
    ({"nodes": "y<=0.001&&z<=0.001", "free": True}, {}, "line"),
    ({"nodes": "x<=0.001", "hand": hand([1, 0, 0])}, {}, "flat"),
    ({"nodes": "x>=-1", "free": True}, {}, "skin"),
])
def test_what_a_core_cannot_be_is_refused_by_name(program, core, more, says):
    assert says in program.refuses("simulate", written(program, block(core, **more)))


def test_settling_a_core_that_moves_by_itself_is_refused(program):
    assert "core" in program.refuses("simulate", written(program, block({"free": True})), "--settle")
