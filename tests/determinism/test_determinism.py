"""The same scene gives the same bits: from run to run, beside others, after a snapshot."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "build/release/tests"
PROGRAMS = [ROOT / "build" / build / "tests/determinism/state_hashes" for build in ("asan", "release")]


def hashes(way="plain"):
    program = next(path for path in PROGRAMS if path.exists())
    environment = dict(os.environ, LD_LIBRARY_PATH=str(LIBRARY))
    result = subprocess.run([str(program), way], capture_output=True, text=True, timeout=600,
                            check=True, env=environment)
    found = {name: value for value, name in map(str.split, result.stdout.splitlines())}
    assert len(found) == 10 and len(set(found.values())) == 10
    return found


@pytest.fixture(scope="module")
def first():
    return hashes()


@pytest.mark.parametrize("way", ["plain", "snapshot", "threads"])
def test_every_way_to_a_thousand_steps_gives_the_same_bits(first, way):
    assert hashes(way) == first
