"""Adaptive detail in scenes (Debunne et al. 2001; Müller et al. 2002, 1.1): what it takes, refuses and does."""

import json

import pytest

BAR = {"name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [5, 1, 1], "fixed": ["x<=0.001"], "method": "corotational",
       "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "damping": {"mass": 0.5, "stiffness": 0.005}}


def scene(program, scene=None, **more):
    bodies = [{**BAR, **more}]
    for key in [key for key, value in bodies[0].items() if value is None]:
        del bodies[0][key]
    (program.folder / "scene.json").write_text(json.dumps({"limber": 1, "time_step": 0.01, "duration": 0.3, "bodies": bodies, **(scene or {})}))
    return "scene.json"


def frames_of(program, **more):
    program.ok("simulate", scene(program, **more), "--report", "report.json")
    return [f["bodies"][0] for f in json.loads((program.folder / "report.json").read_text())["frames"]]


def test_probes_are_those_of_the_finest_mesh_and_leaves_are_counted(program):
    # 24 coarse nodes; node 100 comes with the levels. 30 tets make 30 · 64 at most.
    probes = {"coarse": 23, "fine": 100}
    adaptive = frames_of(program, subdivide=2, adaptive={}, probes=probes)
    whole = frames_of(program, subdivide=2, probes=probes)
    assert adaptive[0]["probes"] == whole[0]["probes"]
    assert adaptive[0]["leaves"] == {"nodes": 24, "tets": 30}
    assert 30 < adaptive[-1]["leaves"]["tets"] < 1920
    assert "leaves" not in whole[0]


def test_without_detail_it_is_the_coarse_body(program):
    tip = {"tip": 23}
    coarse = frames_of(program, probes=tip)[-1]["probes"]["tip"]
    nothing = frames_of(program, subdivide=1, adaptive={"refine": 1000}, probes=tip)[-1]["probes"]["tip"]
    fine = frames_of(program, subdivide=1, probes=tip)[-1]["probes"]["tip"]
    assert nothing == pytest.approx(coarse, abs=1e-12)  # rounding
    assert fine[1] < coarse[1] - 0.01  # coarse elements are too stiff


def test_subdivided_meshes_serve_modes_too(program):
    frames = frames_of(program, method="modal-warping", modes=8, subdivide=1, probes={"tip": 23})
    assert frames[-1]["probes"]["tip"][1] < -0.01  # it hangs


def test_comparing_takes_the_truth_on_the_whole_mesh(program):
    program.ok("compare", scene(program, subdivide=1, adaptive={"refine": 5e-4}), "--methods", "corotational", "--truth", "stvk",
               "--motion-only", "--no-pictures", "-o", "compared")
    data = json.loads((program.folder / "compared" / "comparison.json").read_text())
    errors = {entry["method"]: entry["motion"]["error"] for entry in data["methods"]}
    assert 0 < errors["corotational"] < 0.2


@pytest.mark.parametrize("more, says", [
    ({"adaptive": {}}, "subdivide"),
    ({"subdivide": 5}, "subdivide"),
    ({"subdivide": 1, "adaptive": {"refine": 1e-3, "coarsen": 1e-3}}, "coarsen"),
    ({"subdivide": 1, "adaptive": {"levels": 2}}, "levels"),
    ({"subdivide": 1, "adaptive": {}, "method": "modal-warping"}, "adaptive"),
    ({"subdivide": 1, "adaptive": {}, "fixed": None, "core": {"nodes": "x<=0.5", "free": True}}, "core"),
    ({"subdivide": 4, "cells": [20, 10, 10]}, "fewer levels"),
])
def test_what_cannot_be_is_refused_by_name(program, more, says):
    assert says in program.refuses("simulate", scene(program, **more))
