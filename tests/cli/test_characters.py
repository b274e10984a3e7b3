"""Characters from the command line, in scenes and as the surface of baked bodies."""

import base64
import json

import pytest

NAMES = ["flubber", "dino", "elephant", "bird", "bunny", "belly", "jelly-box", "tube", "brain", "hat", "bowl"]


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


def glb_json(path):
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    return json.loads(data[20:20 + size])


@pytest.mark.parametrize("fin", [False, True])  # with it, four triangles meet in an edge
def test_a_textured_surface_is_simulated_with_its_picture(program, fin):
    picture = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR42mP4z8DAAMIM/4EAAB/uBfvxq7p3AAAA"
        "AElFTkSuQmCC")
    (program.folder / "four.png").write_bytes(picture)
    (program.folder / "cube.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl map\nmap_Kd four.png\n")
    sides = [(1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6), (3, 4, 8), (3, 8, 7), (4, 1, 5), (4, 5, 8)]
    ends = [(1, 4, 3), (1, 3, 2), (5, 6, 7), (5, 7, 8)] + [(5, 6, 9), (6, 5, 9)] * fin
    lines = ["mtllib cube.mtl"]
    lines += [f"v {x} {y} {z}" for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    lines += ["v 0.5 0 1.5"] * fin + ["vt 0 0", "vt 1 0", "vt 1 1"]
    for name, faces in (("red", ends), ("map", sides)):
        lines += [f"usemtl {name}"] + [f"f {a}/1 {b}/2 {c}/3" for a, b, c in faces]
    (program.folder / "cube.obj").write_text("\n".join(lines) + "\n")
    path = program.folder / "scene.json"
    path.write_text(json.dumps(scene_of(surface="cube.obj", fill={"cells": 6})))
    program.ok("simulate", path, "-o", "it.glb")
    found = glb_json(program.folder / "it.glb")
    assert [m["name"] for m in found["materials"]] == ["red", "map"]
    assert found["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] == [1, 0, 0, 1]
    assert "baseColorTexture" in found["materials"][1]["pbrMetallicRoughness"]
    assert len(found["images"]) == 1
    assert picture in (program.folder / "it.glb").read_bytes()
    counts = [found["accessors"][p["indices"]]["count"] for p in found["meshes"][0]["primitives"]]
    assert counts == [3 * len(ends), 3 * len(sides)]
    assert all("TEXCOORD_0" in p["attributes"] for p in found["meshes"][0]["primitives"])
