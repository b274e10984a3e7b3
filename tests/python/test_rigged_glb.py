"""three.js places skins, morph targets, instances and clips where Limber does."""

import json
import subprocess

import numpy as np
import pytest

from export_support import BUILD, node
from rigged_glb import write_rigged

SEEDS = range(6)


def limber(*arguments):
    return subprocess.run([BUILD / "limber", *map(str, arguments)], check=True,
                          capture_output=True, text=True)


def placed(path, *moment):
    return np.array(json.loads(node("place_glb.mjs", path, *moment)))


def expect_same_places(ours, theirs):
    assert ours.shape == theirs.shape
    size = np.linalg.norm(theirs.max(0) - theirs.min(0))
    # three.js works in single precision, and so are our files: 1e-7 of the largest coordinate,
    # which scales of 100 and back may multiply.
    assert np.abs(ours - theirs).max() < 1e-4 * size


@pytest.mark.parametrize("seed", SEEDS)
def test_rest_stands_where_three_js_shows_it(tmp_path, seed):
    rigged = write_rigged(tmp_path / "rigged.glb", seed)
    limber("convert", rigged, tmp_path / "rest.glb")
    expect_same_places(placed(tmp_path / "rest.glb"), placed(rigged))


@pytest.mark.parametrize("seed", SEEDS)
def test_clips_move_as_in_three_js(tmp_path, seed):
    rigged = write_rigged(tmp_path / "rigged.glb", seed)
    for seconds in (0, 0.37, 0.9, 1.66, 5):
        limber("pose", rigged, "--clip", "move", "--time", seconds, "-o", tmp_path / "pose.glb")
        # The last key is at most 1.95 s, in single precision a little later.
        expect_same_places(placed(tmp_path / "pose.glb"), placed(rigged, 0, min(seconds, 1.9500001)))


def test_output_has_the_vertices_of_the_file_in_their_order(tmp_path):
    rigged = write_rigged(tmp_path / "rigged.glb", 1)
    limber("convert", rigged, tmp_path / "again.glb")
    limber("convert", tmp_path / "again.glb", tmp_path / "thrice.glb")
    assert np.array_equal(placed(tmp_path / "again.glb"), placed(tmp_path / "thrice.glb"))


def test_validator_finds_nothing_wrong(tmp_path):
    rigged = write_rigged(tmp_path / "rigged.glb", 2)
    limber("pose", rigged, "--clip", "0", "--time", 0.5, "-o", tmp_path / "pose.glb")
    issues = json.loads(node("check_validity.mjs", tmp_path / "pose.glb"))
    assert issues["numErrors"] == 0, issues["messages"]
