"""The same scene gives the same bits: from run to run, beside others, after a snapshot, by both compilers."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/asan/tests/determinism/state_hashes"
LIBRARIES = {"gcc": ROOT / "build/release/tests", "clang": ROOT / "build/asan/tests"}


def hashes(compiler, way="plain"):
    environment = dict(os.environ, LD_LIBRARY_PATH=str(LIBRARIES[compiler]),
                       OPENBLAS_CORETYPE="Haswell")
    result = subprocess.run([str(PROGRAM), way], capture_output=True, text=True, timeout=600,
                            check=True, env=environment)
    found = {name: value for value, name in map(str.split, result.stdout.splitlines())}
    assert len(found) == 10
    return found


@pytest.fixture(scope="module")
def first():
    return hashes("gcc")


@pytest.mark.parametrize("way", ["plain", "snapshot", "threads"])
def test_every_way_to_a_thousand_steps_gives_the_same_bits(first, way):
    assert hashes("gcc", way) == first


def test_both_compilers_give_the_same_bits(first):
    assert hashes("clang") == first
