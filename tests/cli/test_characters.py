"""Characters from the command line, in scenes and as the surface of baked bodies."""

import json

import pytest

NAMES = ["flubber", "dino", "elephant", "belly", "jelly-box", "tube", "brain", "hat"]


@pytest.mark.parametrize("name", NAMES)
def test_a_character_is_written_and_read_again(program, name):
    program.ok("character", name, "-o", "it.ply", "--vertices", 1000, "--height", 2)
    info = program.json("info", "it.ply", "--json")
    assert abs(info["vertices"] - 1000) < 150
    assert "colours" in json.dumps(info)


def test_an_unknown_character_is_refused_with_the_known_ones(program):
    line = program.refuses("character", "dodo", "-o", "it.ply")
    assert all(name in line for name in NAMES)
    assert not (program.folder / "it.ply").exists()


def test_too_few_vertices_are_refused(program):
    program.refuses("character", "dino", "-o", "it.ply", "--vertices", 4)


def scene_of(**body):
    return {"limber": 1, "time_step": 0.01, "duration": 0.05,
            "bodies": [{"name": "it", "modes": 4, **body}]}


def test_a_scene_fills_a_character_and_keeps_the_result(program):
    path = program.folder / "scene.json"
    path.write_text(json.dumps(scene_of(shape="jelly-box", cells=[8], vertices=800,
                                        fixed=["y<=0.05"])))
    program.ok("simulate", path, "-o", "it.glb", "--report", "it.json")
    kept = list((program.folder / ".limber-cache").iterdir())
    assert len(kept) == 1
    before = kept[0].stat().st_mtime_ns
    program.ok("simulate", path, "-o", "it.glb")
    assert kept[0].stat().st_mtime_ns == before


def test_a_surface_file_alone_makes_a_body(program):
    program.ok("character", "tube", "-o", "tube.obj", "--vertices", 900)
    path = program.folder / "scene.json"
    path.write_text(json.dumps(scene_of(surface="tube.obj", fill={"cells": 10, "mode": "cage"})))
    program.ok("simulate", path, "-o", "it.glb")


def test_painted_regions_have_materials(program):
    path = program.folder / "scene.json"
    body = dict(shape="flubber", cells=[10], vertices=800, fixed=["y<=0.05"])
    path.write_text(json.dumps(scene_of(**body, regions={"arms": {"young": 1e8}})))
    program.ok("simulate", path)
    path.write_text(json.dumps(scene_of(**body, regions={"wings": {"young": 1e8}})))
    assert "wings" in program.refuses("simulate", path)


def test_a_baked_body_shows_its_own_surface(program, root):
    program.ok("character", "tube", "-o", "tube.ply", "--vertices", 900, "--height", 1)
    mesh = root / "tests" / "reference" / "bar.msh"
    program.ok("bake", mesh, "-o", "bar.limber", "--modes", 4, "--surface", "tube.ply")
    path = program.folder / "scene.json"
    path.write_text(json.dumps(scene_of(body="bar.limber")))
    program.ok("simulate", path, "-o", "it.npz")


def test_both_cells_and_tets_are_refused(program):
    path = program.folder / "scene.json"
    path.write_text(json.dumps(scene_of(shape="hat", fill={"cells": 8, "tets": 1000})))
    program.refuses("simulate", path)
