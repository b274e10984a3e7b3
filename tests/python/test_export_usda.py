"""tinyusdz, a USD reader that is not Pixar's nor ours, opens .usda animations."""

import ast
import json
import re

import numpy as np
import pytest

from export_support import FRAMES, SINGLE, TIMES, node, swaying_bar, write_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_samples(tmp_path_factory.mktemp("usda"))


@pytest.fixture(scope="module")
def two(folder):
    return json.loads(node("check_usda.mjs", folder / "two.usda"))


def samples(text, prim, attribute):
    """The time samples of an attribute, as tinyusdz wrote them out again."""
    body = text[text.index(f'def Mesh "{prim}"') :]
    block = re.search(re.escape(attribute) + r"\.timeSamples = \{(.*?)\}", body, re.DOTALL)
    return {
        float(time): np.array(ast.literal_eval(value))
        for time, value in re.findall(r"([\d.]+): (\[.*?\]),\n", block.group(1))
    }


def test_scene_is_understood(two):
    assert two["loaded"] and two["error"] == ""
    assert [mesh["absPath"] for mesh in two["meshes"]] == ["/two/bar", "/two/b_ll"]


@pytest.mark.parametrize(
    "line",
    ['upAxis = "Y"', "metersPerUnit = 1", "timeCodesPerSecond = 30", "startTimeCode = 0",
     "endTimeCode = 30", 'defaultPrim = "two"'],
)
def test_stage_says_units_axis_and_rate(two, line):
    assert f"    {line}\n" in two["text"]


def test_points_move_as_simulated(two):
    points = samples(two["text"], "bar", "point3f[] points")
    assert list(points) == list(range(FRAMES))
    for frame, time in enumerate(TIMES):
        expected = swaying_bar(points[0], time)
        assert np.allclose(points[frame], expected, rtol=0, atol=SINGLE)


def test_extents_bound_the_points(two):
    points = samples(two["text"], "bar", "point3f[] points")
    extents = samples(two["text"], "bar", "float3[] extent")
    for frame in range(FRAMES):
        assert np.allclose(extents[frame][0], points[frame].min(axis=0), rtol=0, atol=SINGLE)
        assert np.allclose(extents[frame][1], points[frame].max(axis=0), rtol=0, atol=SINGLE)


def test_normals_are_sharp_on_the_bar_and_smooth_on_the_ball(two):
    bar, ball = two["meshes"]
    # The bar at rest: every normal, one a corner of a triangle, is that of its side.
    normals = np.array(bar["normals"]).reshape(-1, 3)
    assert np.allclose(np.sort(np.abs(normals), axis=1), [0, 0, 1], atol=1e-6)
    normals = np.array(ball["normals"]).reshape(-1, 3)
    points = np.array(ball["points"]).reshape(-1, 3) - [0, 0.6, 0]
    outward = points / np.linalg.norm(points, axis=1, keepdims=True)
    # Triangles of some 20 degrees: a vertex normal is off the sphere's by a small part of that.
    assert np.einsum("ij,ij->i", normals, outward).min() > np.cos(np.radians(5))


def test_materials_are_bound(two):
    for name in ["upper", "lower"]:
        assert f"rel material:binding = </two/Looks/b_ll/{name}>" in two["text"]
        assert f'def Material "{name}"' in two["text"]
