"""A scene's budget: who gets how much detail is in the report, and nothing is passed over in silence."""

import json

CUBE = {"shape": "bar", "size": [0.2, 0.4, 0.2], "cells": [2, 4, 2], "modes": 12, "fixed": "y<=0.001",
        "material": {"young": 5e6, "poisson": 0.4, "density": 1000}, "damping": {"mass": 0.5, "stiffness": 0.001},
        "initial_modes": {"displacement": [0.05, 0.02]}}
VIEW = {"eye": [0, 1, 5], "at": [0, 0, 0]}


def scene_of(program, bodies=12, **keys):
    scene = {"limber": 1, "time_step": 1 / 60, "duration": 0.5,
             "bodies": [{**CUBE, "name": f"b{k}", "position": [0, 0, -k], "collides": False} for k in range(bodies)], **keys}
    path = program.folder / "scene.json"
    path.write_text(json.dumps(scene))
    return path


def report_of(program, path, *arguments):
    report = program.folder / "report.json"
    out = program("simulate", path, "--report", report, *arguments)
    assert out.returncode == 0, out.stderr
    return json.loads(report.read_text()), out


def test_without_a_budget_nothing_is_said_of_detail(program):
    report, out = report_of(program, scene_of(program))
    assert "detail" not in report["frames"][-1]["bodies"][0]
    assert "budget" not in report["summary"] and "budget" not in out.stdout


def test_a_large_budget_changes_nothing(program):
    plain, _ = report_of(program, scene_of(program))
    rich, _ = report_of(program, scene_of(program, budget=1e9))
    for a, b in zip(plain["frames"], rich["frames"], strict=True):
        assert [x["modal"] for x in a["bodies"]] == [x["modal"] for x in b["bodies"]]


def test_who_is_far_away_gets_less_and_the_budget_is_held_by_the_model(program):
    _, full = report_of(program, scene_of(program, budget={"microseconds": 1e9, "view": VIEW}))
    rich = json.loads((program.folder / "report.json").read_text())["summary"]["budget"]["estimated"]
    report, out = report_of(program, scene_of(program, budget={"microseconds": 0.6 * rich, "view": VIEW}))
    budget = report["summary"]["budget"]
    assert budget["refused"] == 0 and budget["steps"] == 30
    assert budget["estimated"] <= 0.6 * rich
    assert "budget of" in out.stdout
    bodies = report["frames"][-1]["bodies"]
    rungs = [body["detail"]["rung"] for body in bodies]
    assert rungs[-1] > 0
    # In a row away from the eye: never more for who stands behind, but for a rung by how they move.
    assert all(later >= earlier - 1 for earlier, later in zip(rungs, rungs[1:]))
    assert all(frame["estimated_microseconds"] <= 0.6 * rich for frame in report["frames"][1:])


def test_importance_counts_as_size(program):
    path = scene_of(program, budget={"microseconds": 10, "view": VIEW})
    scene = json.loads(path.read_text())
    scene["bodies"][-1]["importance"] = 1000
    path.write_text(json.dumps(scene))
    report, _ = report_of(program, path)
    rungs = [body["detail"]["rung"] for body in report["frames"][-1]["bodies"]]
    assert rungs[-1] <= min(rungs[:-1])


def test_a_budget_that_cannot_be_held_and_bodies_without_a_choice_are_said(program):
    path = scene_of(program, bodies=2, budget=0.1)
    scene = json.loads(path.read_text())
    scene["bodies"][0].update(method="corotational")
    del scene["bodies"][0]["initial_modes"], scene["bodies"][0]["modes"]
    path.write_text(json.dumps(scene))
    report, out = report_of(program, path)
    budget = report["summary"]["budget"]
    assert budget["refused"] == budget["steps"] > 0
    assert (budget["bodies_that_choose"], budget["bodies_that_cannot"]) == (1, 1)
    assert "even with the least detail" in out.stderr
    assert "1 of 2 awake bodies have no cheaper version" in out.stdout


def test_every_run_is_the_same(program):
    path = scene_of(program, budget={"microseconds": 30, "view": VIEW})
    modal = []
    for _ in range(2):
        report, _ = report_of(program, path)
        modal.append([[body["modal"] for body in frame["bodies"]] for frame in report["frames"]])
    assert modal[0] == modal[1]


def test_bad_budgets_are_refused_by_name(program):
    for budget, word in ((0, "positive"), ({"view": VIEW}, "microseconds"), ({"microseconds": 5, "eye": [0, 0, 0]}, "eye"),
                         ({"microseconds": 5, "view": {"eye": [0, 0, 0], "angle": 30}}, "direction"),
                         ({"microseconds": 5, "view": {"eye": [0, 0, 0], "at": [0, 0, 0]}}, "where the eye is"),
                         ({"microseconds": 5, "machine": "fast"}, "measure")):
        assert word in program.refuses("simulate", scene_of(program, budget=budget))
    path = scene_of(program)
    scene = json.loads(path.read_text())
    scene["bodies"][0]["importance"] = 2
    path.write_text(json.dumps(scene))
    assert "no budget" in program.refuses("simulate", path)
