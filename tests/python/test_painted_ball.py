"""Rigged, painted assets through the program: by hand computed places, and materials, pictures, shading and vertices
that come out as they went in."""

import json
import struct

import numpy as np
import pytest

from export_support import node
from painted_ball import EXTENSIONS, GlbFile, pictures, places, used, write_ball

SIZE = 2 * np.sqrt(3)  # of the box around the ball at rest
SCENE = {"limber": 1, "gravity": [0, -9.81, 0], "time_step": 0.02, "duration": 0.1}
BODY = {"name": "ball", "surface": "ball.glb", "fill": {"cells": 6}, "method": "modal-warping", "modes": 8}


@pytest.fixture
def ball(tmp_path):
    write_ball(tmp_path / "ball.glb")
    return GlbFile(tmp_path / "ball.glb")


def converted(program):
    program.ok("convert", "ball.glb", "out.glb")


def posed(program):
    program.ok("pose", "ball.glb", "--clip", "turn", "--time", 0.5, "-o", "out.glb")


def simulated(program):
    (program.folder / "scene.json").write_text(json.dumps({**SCENE, "bodies": [BODY]}))
    program.ok("simulate", "scene.json", "-o", "out.glb")


def baked_and_simulated(program):
    program.ok("mesh", "ball.glb", "--cells", 6, "-o", "ball.msh")
    program.ok("bake", "ball.msh", "--surface", "ball.glb", "--modes", 8, "-o", "ball.limber")
    body = {"name": "ball", "body": "ball.limber", "method": "modal-warping"}
    (program.folder / "scene.json").write_text(json.dumps({**SCENE, "bodies": [body]}))
    program.ok("simulate", "scene.json", "-o", "out.glb")


def interpolated(program):
    program.ok("interpolate", "ball.glb", "--clip", "turn", "--keys", 2, "--cells", 6, "--modes", 8, "-o", "out.glb")


WAYS = [converted, posed, simulated, baked_and_simulated, interpolated]


@pytest.mark.parametrize("seconds", [0, 0.37, 1, 3])
def test_skins_stand_where_a_hand_computation_puts_them(program, ball, seconds):
    program.ok("pose", "ball.glb", "--clip", "turn", "--time", seconds, "-o", "pose.glb")
    found = GlbFile(program.folder / "pose.glb").attribute("POSITION")
    expected = places(seconds)
    assert found.shape == expected.shape
    # The clip's quaternions are keyed every 1/24 s about one axis, so that slerp is exact between them;
    # they and the positions are single precision numbers.
    assert np.abs(found - expected).max() < 1e-6 * SIZE


def test_rest_is_where_the_joints_stand(program, ball):
    program.ok("convert", "ball.glb", "rest.glb")
    assert np.abs(GlbFile(program.folder / "rest.glb").attribute("POSITION") - places(0)).max() < 1e-6 * SIZE
    bounds = program.json("info", "ball.glb", "--json")
    assert bounds["clips"] == [{"name": "Turn", "from": 0, "to": 1, "frame_rate": 24}]
    assert bounds["bones"] == ["near", "far"]


@pytest.mark.parametrize("way", WAYS)
def test_materials_and_pictures_come_out_as_they_went_in(program, ball, way):
    way(program)
    out = GlbFile(program.folder / "out.glb")
    assert out.materials() == ball.materials()
    assert sorted(out.view(image["bufferView"]) for image in out.json["images"]) == sorted(pictures())
    assert sorted(out.json["extensionsUsed"]) == EXTENSIONS


@pytest.mark.parametrize("way", WAYS)
def test_vertices_seams_and_smooth_shading_are_those_of_the_file(program, ball, way):
    way(program)
    out = GlbFile(program.folder / "out.glb")
    assert len(out.attribute("POSITION")) == len(ball.attribute("POSITION"))
    # v is turned upside down and back, in single precision.
    assert np.abs(out.attribute("TEXCOORD_0") - ball.attribute("TEXCOORD_0"))[used()].max() < 1.2e-7
    for ours, theirs in zip(out.primitives(), ball.primitives(), strict=True):
        assert ours["material"] == theirs["material"]
        assert np.array_equal(out.accessor(ours["indices"]), ball.accessor(theirs["indices"]))
    # Both sides of the texture's seam have one normal: no crease is seen there.
    normals = out.attribute("NORMAL")
    rest = ball.attribute("POSITION")
    _, number = np.unique(np.round(rest, 5), axis=0, return_inverse=True)
    for vertex in np.unique(number):
        same = normals[number == vertex]
        assert np.abs(same - same[0]).max() < 1e-6


@pytest.mark.parametrize("way", WAYS)
def test_the_validator_finds_no_error(program, ball, way):
    way(program)
    issues = json.loads(node("check_validity.mjs", program.folder / "out.glb"))
    assert issues["numErrors"] == 0, issues["messages"]


def test_point_caches_have_the_files_vertices_in_their_order(program, ball):
    (program.folder / "scene.json").write_text(json.dumps({**SCENE, "bodies": [BODY]}))
    program.ok("simulate", "scene.json", "-o", "out.mdd", "-o", "out.glb")
    content = (program.folder / "out.mdd").read_bytes()
    frames, points = struct.unpack(">II", content[:8])
    assert points == len(ball.attribute("POSITION"))
    cache = np.frombuffer(content[8 + 4 * frames:], ">f4").reshape(frames, points, 3)
    assert np.abs(cache[0] - places(0)).max() < 1e-6 * SIZE
    assert np.array_equal(cache[0], GlbFile(program.folder / "out.glb").attribute("POSITION"))


def test_a_picture_shows_the_texture(program, tmp_path):
    write_ball(tmp_path / "ball.glb", skinned=False)
    (tmp_path / "scene.json").write_text(json.dumps({**SCENE, "bodies": [BODY]}))
    program.ok("render", "scene.json", "-o", "ball.png", "--size", "320x240")
    image = pytest.importorskip("PIL.Image").open(tmp_path / "ball.png").convert("RGB")
    pixels = np.asarray(image, float).reshape(-1, 3)
    red = (pixels[:, 0] > 1.8 * pixels[:, 1]) & (pixels[:, 0] > 60)
    green = (pixels[:, 1] > 1.8 * pixels[:, 0]) & (pixels[:, 1] > 30)
    # The chequer covers half of the ball, each colour half of that; green counts half (baseColorFactor).
    assert red.sum() > 500 and green.sum() > 500


def test_scenes_of_other_tools_are_refused_with_the_way_round(program, tmp_path):
    for ending in ("fbx", "FBX", "dae", "blend"):
        (tmp_path / f"a.{ending}").write_bytes(b"Kaydara FBX Binary  \0")
        line = program.refuses("mesh", f"a.{ending}", "-o", "a.msh")
        assert "Blender" in line and ".glb" in line
