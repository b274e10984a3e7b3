"""Khronos' validator finds nothing wrong with .glb animations; three.js shows the motion."""

import functools
import json

import numpy as np
import pytest

from export_support import FPS, SINGLE, flying_ball, node, swaying_bar, write_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_samples(tmp_path_factory.mktemp("glb"))


@functools.cache
def opened(path, seconds=0.0):
    return json.loads(node("check_glb.mjs", path, seconds))


def unique(points):
    """Points without regard to order and to copies along creases."""
    return np.unique(np.round(np.asarray(points), 5), axis=0)


def bar_rest(folder):
    data = np.load(folder / "two.npz")
    return data["bar/rest"][np.unique(data["bar/F"])]


@pytest.mark.parametrize("name", ["one", "two", "long", "still", "compact"])
def test_validator_has_neither_errors_nor_warnings(folder, name):
    issues = opened(folder / f"{name}.glb")["issues"]
    assert issues["numErrors"] == 0, issues["messages"]
    assert issues["numWarnings"] == 0, issues["messages"]


@pytest.mark.parametrize("frame", [0, 4, 15, 22, 30])
def test_frames_show_the_motion(folder, frame):
    bar = opened(folder / "one.glb", frame / FPS)["meshes"][0]
    rest = np.array(opened(folder / "one.glb", 0)["meshes"][0]["vertices"])
    # three.js weighs the key times in single precision: at 1 s they are off by 6e-8 s, which moves
    # the tip by that times its speed of 2 pi / 2 m/s.
    expected = swaying_bar(rest, frame / FPS)
    assert np.allclose(bar["vertices"], expected, rtol=0, atol=SINGLE + 2e-7)


def test_between_frames_vertices_move_on_straight_lines(folder):
    before, middle, after = (
        np.array(opened(folder / "one.glb", frame / FPS)["meshes"][0]["vertices"])
        for frame in (3, 3.5, 4)
    )
    assert np.abs(after - before).max() > 0.01
    assert np.allclose(middle, (before + after) / 2, rtol=0, atol=SINGLE + 2e-7)


def test_bar_has_all_surface_vertices(folder):
    bar = opened(folder / "one.glb")["meshes"][0]
    assert np.allclose(unique(bar["vertices"]), unique(bar_rest(folder)), rtol=0, atol=1e-5)


def test_several_bodies_with_materials_colours_and_uv(folder):
    found = opened(folder / "two.glb", 0.25)
    assert found["animations"] == [{"name": "two", "duration": 1}]
    assert [m["material"] for m in found["meshes"]] == ["bar", "upper", "lower"]
    data = np.load(folder / "two.npz")
    rest = data["bäll/rest"]
    expected = flying_ball(rest[np.unique(data["bäll/F"])], 0.25)
    for mesh in found["meshes"][1:]:
        assert mesh["parent"] == "bäll"
        assert mesh["uv"] == mesh["colours"] == mesh["normals"] == len(mesh["vertices"])
        assert np.allclose(unique(mesh["vertices"]), unique(expected), rtol=0, atol=2e-5)


def test_long_animation_has_one_target_for_each_different_frame(folder):
    bar = opened(folder / "long.glb", 250 / FPS)["meshes"][0]
    assert bar["targets"] > 256
    rest = np.array(opened(folder / "one.glb", 0)["meshes"][0]["vertices"])
    # Times near 8 s are rounded to 5e-7 s, and the tip moves at up to 3.2 m/s.
    assert np.allclose(bar["vertices"], swaying_bar(rest, 250 / FPS), rtol=0, atol=2e-6)


@pytest.mark.parametrize("frame", [4, 15, 22])
def test_compact_files_show_the_motion_within_the_error_allowed(folder, frame):
    bar = opened(folder / "compact.glb", frame / FPS)["meshes"][0]
    assert 0 < bar["targets"] <= 15
    rest = np.array(opened(folder / "one.glb", 0)["meshes"][0]["vertices"])
    assert np.allclose(bar["vertices"], swaying_bar(rest, frame / FPS), rtol=0, atol=1.2e-5)


def test_one_frame_needs_no_animation(folder):
    found = opened(folder / "still.glb")
    assert found["animations"] == []
    assert all(mesh["targets"] == 0 for mesh in found["meshes"])
