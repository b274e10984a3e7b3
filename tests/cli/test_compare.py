"""limber compare: files, numbers that agree with each other, bad input."""

import csv
import json
import os
import sys
import xml.etree.ElementTree

import pytest

sys.path.insert(0, os.path.dirname(__file__))
from pictures import is_bluish, is_reddish, read_png, share  # noqa: E402

QUICK = ("--size", "96x64", "--samples", "2")
PAIR = ("--methods", "linear-modal,modal-warping")


def test_all_files_are_there_and_agree(program, bar_scene):
    printed = program.ok("compare", bar_scene(), *PAIR, "--truth", "modal-warping", "-o", "out", *QUICK)
    folder = program.folder / "out"
    data = json.loads((folder / "comparison.json").read_text())
    rows = list(csv.DictReader((folder / "summary.csv").open()))
    frames = list(csv.DictReader((folder / "frames.csv").open()))
    assert [row["method"] for row in rows] == ["linear-modal", "modal-warping"]
    assert len(frames) == 2 * 11
    linear = data["methods"][0]
    assert float(rows[0]["rest_error"]) == pytest.approx(linear["rest"]["error"], rel=1e-8)
    assert float(rows[1]["rest_error"]) == 0
    assert linear["seconds"]["step"] > 0
    for name in ("rest_error", "rest_volume", "error", "volume", "energy", "path_tip", "step_time"):
        xml.etree.ElementTree.parse(folder / f"{name}.svg")
        width, _, rows = read_png(folder / f"{name}.png")
        assert width in (1280, 1120)
        assert len({pixel for row in rows for pixel in row}) > 20
    assert "linear-modal" in printed and "modal-warping (truth)" in printed
    page = (folder / "README.md").read_text()
    assert all(f"]({name}.png)" in page for name in ("shapes_at_rest", "shapes_in_motion", "volume"))


def test_overlaid_shapes_have_the_colours_of_both_methods(program, bar_scene):
    scene = bar_scene(scene={"gravity": [0, -6, 0]})
    program.ok("compare", scene, *PAIR, "--truth", "modal-warping", "--rest-only", "-o", "out",
               "--size", "120x80", "--samples", "4")
    rows = read_png(program.folder / "out" / "shapes_at_rest.png")[2]
    # The legend's dots are 0.3 % each.
    assert share(rows, is_bluish) > 0.02 and share(rows, is_reddish) > 0.02
    assert not (program.folder / "out" / "frames.csv").exists()


def test_default_truth_is_one_that_survives_every_load(program, bar_scene):
    # Green's strain gives way here.
    scene = bar_scene(scene={"duration": 1.6, "time_step": 0.02}, material={"young": 3e4})
    program.ok("compare", scene, "--methods", "linear-modal,modal-warping", "--no-pictures", "-o", "out")
    data = json.loads((program.folder / "out" / "comparison.json").read_text())
    assert data["truth"] == "neo-hookean"
    linear, warped, truth = data["methods"]
    assert truth["method"] == "neo-hookean" and truth["motion"]["complete"] and truth["failure"] is None
    # It hangs down: linear modes swell beyond all measure.
    assert truth["rest"]["error"] == 0 and 0 < warped["rest"]["error"] < 0.3 < linear["rest"]["error"]
    rows = list(csv.DictReader((program.folder / "out" / "summary.csv").open()))
    assert all(float(row["rest_elastic_energy"]) > 0 for row in rows)
    # The linear body's swing is longer than the scene.
    assert [row["method"] for row in rows if 0.2 < float(row["first_swing"] or 9) < 2] == ["modal-warping", "neo-hookean"]


def test_stvk_as_truth_gives_the_papers_errors(program, bar_scene):
    scene = bar_scene(scene={"gravity": [0, -1, 0]}, loads="rotated")
    program.ok("compare", scene, "--truth", "stvk", "--rest-only", "--no-pictures", "-o", "out")
    data = json.loads((program.folder / "out" / "comparison.json").read_text())
    errors = {method["method"]: method["rest"]["error"] for method in data["methods"]}
    # Choi & Ko's bar at 1 m/s2, half a unit of the last printed digit.
    assert errors["linear-modal"] == pytest.approx(0.054, abs=5e-4)
    assert errors["modal-warping"] == pytest.approx(0.007, abs=5e-4)
    assert errors["stvk"] == 0


def test_a_truth_that_stops_early_is_marked_everywhere(program, bar_scene):
    # Green's strain gives way in a swinging bar of this softness; the linear body swings on.
    scene = bar_scene(scene={"duration": 1, "time_step": 0.02}, material={"young": 3e4})
    printed = program.ok("compare", scene, "--methods", "linear", "--truth", "stvk",
                         "--motion-only", "-o", "out", *QUICK)
    folder = program.folder / "out"
    linear, truth = json.loads((folder / "comparison.json").read_text())["methods"]
    until = truth["motion"]["ran_until"]
    assert linear["motion"]["complete"] and linear["motion"]["ran_until"] == pytest.approx(1)
    assert not truth["motion"]["complete"] and 0 < until < 1
    assert linear["motion"]["error_until"] == until and linear["motion"]["error"] > 0
    errors = [frame["error"] for frame in linear["motion"]["frames"] if frame["time"] > until + 1e-9]
    assert errors and set(errors) == {None}
    rows = list(csv.DictReader((folder / "summary.csv").open()))
    assert float(rows[0]["error_until"]) == float(rows[1]["ran_until"]) == pytest.approx(until)
    assert rows[1]["failure"].startswith(f"stopped at {until:.3g} s of 1 s: ")
    for text in (printed, (folder / "README.md").read_text()):
        assert f"{until:.3g} of 1 s" in text and f" to {until:.3g} s" in text
        assert f"Errors in motion are those up to {until:.3g} s" in text


def test_shapes_stand_apart_when_asked(program, bar_scene):
    scene = bar_scene(scene={"gravity": [0, 0, 0]})
    arguments = (scene, *PAIR, "--truth", "modal-warping", "--rest-only", "--size", "240x160",
                 "--samples", "4")
    program.ok("compare", *arguments, "-o", "over")
    program.ok("compare", *arguments, "--apart", "-o", "apart")
    over, apart = (read_png(program.folder / name / "shapes_at_rest.png")[2]
                   for name in ("over", "apart"))
    # Equal shapes at one place hide each other; apart, both are seen.
    assert share(apart, is_bluish) > 0.02 and share(apart, is_reddish) > 0.02
    assert over != apart


def test_truth_may_be_missing(program, bar_scene):
    program.ok("compare", bar_scene(), *PAIR, "--truth", "none", "--no-pictures", "-o", "out")
    data = json.loads((program.folder / "out" / "comparison.json").read_text())
    assert data["truth"] is None and data["methods"][0]["rest"]["error"] is None
    assert not (program.folder / "out" / "error.svg").exists()


@pytest.mark.parametrize("arguments, words", [
    (["--methods", "linear-model"], 'did you mean "linear-modal"'), (["--truth", "svtk"], "stvk"),
    (["--truth", "stvk,linear"], "--truth"), (["--rest-only", "--motion-only"], "excludes"),
    (["--frames", "0"], "--frames"), (["--size", "10"], "--size"), (["-o", "scene.json"], "folder"),
    (["-o", "/proc/nothing/here"], "folder"),
])
def test_bad_options_are_refused_in_one_line(program, bar_scene, arguments, words):
    output = [] if "-o" in arguments else ["-o", "out"]
    assert words in program.refuses("compare", bar_scene(), *output, *arguments)
    assert not (program.folder / "out").exists()


@pytest.mark.parametrize("body", [{"fixed": ["x<=-7"]}, {"mesh": "missing.msh", "shape": "bar"}])
def test_a_scene_that_cannot_be_built_leaves_no_folder(program, bar_scene, body):
    program.refuses("compare", bar_scene(**body), *PAIR, "-o", "new/inner/out")
    assert not (program.folder / "new").exists()
    (program.folder / "kept").mkdir()
    program.refuses("compare", bar_scene(**body), *PAIR, "-o", "kept")
    assert (program.folder / "kept").is_dir()


def test_a_method_without_equilibrium_is_named_in_the_legend(program, bar_scene):
    # So soft that Green's strain gives way under the bar's weight.
    scene = bar_scene(scene={"bodies": [
        {"name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [6, 2, 2],
         "material": {"young": 3e4}, "fixed": ["x<=0.001"]}]})
    size = ("--size", "320x200", "--samples", "2", "--rest-only")
    printed = program.ok("compare", scene, "--methods", "corotational", "--truth", "stvk", "-o", "out", *size)
    assert "stvk: no rest: " in printed
    alone = program.ok("compare", scene, "--methods", "corotational", "--truth", "none", "-o", "alone", *size)
    assert "no rest" not in alone
    with_note, without = (read_png(program.folder / name / "shapes_at_rest.png")[2]
                          for name in ("out", "alone"))
    # The green dot of the absent method; no green body stands in the picture.
    green = lambda red, green, blue: green > red + 60 and green > blue + 20  # noqa: E731
    assert 0 < share(with_note, green) < 0.01 and share(without, green) == 0
