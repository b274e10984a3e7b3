"""Scenes with reduced bodies: made from meshes, from baked files, and refused by name."""

import json

import pytest

BAR = {"name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2], "modes": 16, "fields": 20,
       "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "fixed": ["x<=0.001"], "method": "reduced",
       "probes": {"tip": [1, 0.1, 0.1]}}


@pytest.fixture
def scene(program):
    def write(*, gravity=6.0, **keys):
        body = {key: value for key, value in {**BAR, **keys}.items() if value is not None}
        path = program.folder / "s.json"
        path.write_text(json.dumps({"limber": 1, "gravity": [0, -gravity, 0], "time_step": 1 / 120, "duration": 0.05,
                                    "bodies": [body]}))
        return path

    return write


def tip(program, path, *options):
    program.ok("simulate", path, "--report", "r.json", *options)
    return json.loads((program.folder / "r.json").read_text())["frames"][-1]["bodies"][0]["probes"]["tip"]


@pytest.mark.parametrize("law", ["corotational", "stvk", "neo-hookean"])
def test_it_hangs_as_the_whole_mesh_does(program, scene, law):
    reduced = tip(program, scene(elasticity=law), "--settle")
    whole = tip(program, scene(method=law, modes=None, fields=None), "--settle")
    assert 0.35 < 0.1 - whole[1] < 0.65
    assert reduced == pytest.approx(whole, abs=0.015 * 0.5)


def test_a_baked_body_plays_the_same(program, scene, cube_in_a_file):
    material = ("--young", "2e5", "--poisson", "0.3", "--density", "1000")
    keys = {"shape": None, "size": None, "cells": None, "probes": {"tip": [0.4, 0.2, 0.2]}}
    made = tip(program, scene(mesh=cube_in_a_file, **keys))
    printed = program.ok("bake", cube_in_a_file, *material, "--fix", "x<=0.001", "--modes", "16", "--reduced", "20",
                         "-o", "bar.limber")
    assert "reduced: 20 fields" in printed
    baked = tip(program, scene(body="bar.limber", modes=None, fixed=None, material=None, fields=None, **keys))
    assert baked == pytest.approx(made, abs=1e-12)
    program.ok("bake", cube_in_a_file, *material, "--fix", "x<=0.001", "--modes", "16", "-o", "bar.limber")
    line = program.refuses("simulate", scene(body="bar.limber", modes=None, fixed=None, material=None, fields=None, **keys))
    assert "without a reduced space" in line and "--reduced" in line


@pytest.fixture
def cube_in_a_file(program):
    """A bar of 4×2×2 cells, its faces closed by tets, in MEDIT's format."""
    (program.folder / "box.obj").write_text("".join(
        f"v {x} {y} {z}\n" for x in (0, 0.4) for y in (0, 0.2) for z in (0, 0.2)) +
        "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
    program.ok("mesh", "box.obj", "-o", "box.mesh", "--cells", "6")
    return "box.mesh"


@pytest.mark.parametrize("keys, word", [
    ({"fast": True}, "fast"),
    ({"coriolis": True}, "coriolis"),
    ({"loads": "rotated"}, "loads"),
    ({"integrator": "newmark"}, "integrator"),
    ({"fields": 0}, "fields"),
    ({"method": "modal-warping"}, "fields"),
    ({"method": "modal-warping", "fields": None, "elasticity": "stvk"}, "elasticity"),
    ({"constraints": [{"type": "orientation", "node": [1, 0.1, 0.1], "path": [{"time": 0, "target": [0, 0, 1]}]}]},
     "turned"),
])
def test_what_it_cannot_do_is_refused_by_name(program, scene, keys, word):
    assert word in program.refuses("simulate", scene(**keys))
