"""limber.simulate, render and compare: what the program gives, from Python."""

import json

import numpy as np
import pytest

limber = pytest.importorskip("limber")

BAR = {"name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [5, 1, 1], "fixed": ["x<=0.001"], "modes": 4,
       "probes": {"tip": [1, 0.2, 0.2]}, "material": {"young": 2e5}}
SCENE = {"limber": 1, "duration": 0.1, "time_step": 0.02, "bodies": [BAR]}


def test_simulate_gives_the_report_of_the_program(program, tmp_path):
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    program.ok("simulate", "scene.json", "--report", "report.json")
    told = json.loads((tmp_path / "report.json").read_text())
    for scene in (tmp_path / "scene.json", SCENE):
        report = limber.simulate(scene, [tmp_path / "a.glb", tmp_path / "a.npz"])
        assert report["frames"] == told["frames"]
    assert (tmp_path / "a.glb").stat().st_size > 100
    assert len(np.load(tmp_path / "a.npz").files) > 0
    assert len(limber.simulate(SCENE, frames=2)["frames"]) == 2
    assert len(limber.simulate(SCENE, settle=True)["frames"]) == 1


def test_files_of_a_description_start_from_the_present_folder(tmp_path, monkeypatch):
    limber.write_mesh(tmp_path / "bar.msh", limber.bar([1, 0.2, 0.2], [5, 1, 1]))
    monkeypatch.chdir(tmp_path)
    body = {key: value for key, value in BAR.items() if key not in ("shape", "size", "cells")}
    report = limber.simulate({**SCENE, "bodies": [{**body, "mesh": "bar.msh"}]}, frames=2)
    assert report["frames"] == limber.simulate(SCENE, frames=2)["frames"]


def test_render_draws_a_picture(tmp_path):
    path = limber.render(SCENE, tmp_path / "bar.png", time=0.1, size=(160, 90), samples=4, camera=(30, 20, 1.2),
                         methods=("linear-modal", "modal-warping"), apart=True, labels=False)
    head = path.read_bytes()[:24]
    assert head[:4] == b"\x89PNG" and head[16:] == (160).to_bytes(4, "big") + (90).to_bytes(4, "big")


def test_compare_gives_its_tables(tmp_path):
    table = limber.compare(SCENE, tmp_path / "compared", methods=["linear-modal"], truth="modal-warping",
                           motion=False, pictures=False)
    assert table == json.loads((tmp_path / "compared" / "comparison.json").read_text())
    assert "linear-modal" in json.dumps(table)
    assert (tmp_path / "compared" / "summary.csv").exists()


def test_what_the_program_refuses_is_an_error(tmp_path):
    with pytest.raises(limber.Error, match="modal-warpin"):
        limber.simulate({**SCENE, "bodies": [{**BAR, "method": "modal-warpin"}]})
    with pytest.raises(limber.Error, match="nowhere"):
        limber.simulate(tmp_path / "nowhere.json")
    with pytest.raises(limber.Error, match="picture"):
        limber.render(SCENE, tmp_path / "a.txt")
    with pytest.raises(limber.Error, match="neither"):
        limber.compare(SCENE, tmp_path / "c", rest=False, motion=False)
