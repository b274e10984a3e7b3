"""The examples run as they stand and find what they promise."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from places import BUILD, ROOT

pytest.importorskip("limber")
EXAMPLES = ROOT / "examples" / "python"


def run(name, *arguments, folder):
    done = subprocess.run([sys.executable, EXAMPLES / name, *arguments], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=300, env={**os.environ, "PYTHONPATH": str(BUILD / "python")})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_modes_and_warping(tmp_path):
    told = run("modes_and_warping.py", folder=tmp_path)
    linear, warped = map(float, re.findall(r"volume ([+-][\d.]+) %", told))
    assert linear > 10 and abs(warped) < linear / 3


def test_world_of_bodies(tmp_path):
    told = run("world_of_bodies.py", "world.glb", folder=tmp_path)
    # Three cubes of 8 kg stand; a contact force is that of the last step.
    assert [float(kg) for kg in re.findall(r"with ([\d.]+) kg", told)] == pytest.approx([8, 8, 8], rel=0.1)
    assert "the same bits again: True" in told
    assert (tmp_path / "world.glb").stat().st_size > 1000


def test_poses_to_motion(tmp_path):
    told = run("poses_to_motion.py", "frames.npz", folder=tmp_path)
    assert "41 frames" in told and (tmp_path / "frames.npz").exists()
    assert all(float(missed) < 1e-6 for missed in re.findall(r"met to (\S+) m", told))


def test_polyscope_world_without_a_window(tmp_path):
    told = run("polyscope_world.py", "--frames", "20", folder=tmp_path)
    assert told.count("triangles") == 4


def test_the_lines_of_the_readme_hold():
    blocks = [block for page in ("README.md", "docs/python.md")
              for block in re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)]
    assert len(blocks) >= 4
    for block in blocks:
        exec(compile(block, "page", "exec"), {})  # noqa: S102


def test_every_example_is_tested():
    tested = pathlib.Path(__file__).read_text() + (ROOT / "tests" / "c" / "test_c.py").read_text()
    assert [path.name for path in EXAMPLES.glob("*.py") if path.name not in tested] == []
