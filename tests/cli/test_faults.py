"""Every write, rename and sync fails in turn: the old outputs stay whole, nothing is left behind."""

import os
import subprocess

import pytest

from conftest import BUILD

LIBRARY = BUILD / "failing_calls.so"
OUTPUTS = ["-o", "a.glb", "-o", "b.mdd", "-o", "d.pvd", "-o", "f.npz", "--report", "r.json"]


def run(folder, kind, number, *arguments, forever=False):
    environment = dict(os.environ, LD_PRELOAD=str(LIBRARY), LIMBER_FAIL=f"{kind}:{number}")
    if forever:
        environment["LIMBER_FAIL_FOREVER"] = "1"
    return subprocess.run([str(BUILD / "limber"), *map(str, arguments)], cwd=folder, check=False,
                          capture_output=True, text=True, timeout=60, env=environment)


def state(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def without_times(files):
    """Reports hold seconds, which differ from run to run."""
    return {name: content for name, content in files.items() if name != "r.json"}


@pytest.mark.parametrize("kind, most", [("write", 60), ("pwrite", 40), ("fsync", 12)])
def test_calls_that_fail_leave_all_old_or_all_new(program, bar_scene, tmp_path, kind, most):
    scene = bar_scene()
    program.ok("simulate", scene, "--frames", "3", *OUTPUTS)
    old = state(tmp_path)
    failures = 0
    for number in range(1, most + 1):
        result = run(tmp_path, kind, number, "simulate", scene, "--frames", "4", *OUTPUTS)
        now = state(tmp_path)
        if result.returncode == 0:
            assert set(now) == set(old) | {"d_frames/bar_000003.vtu"}
            break
        failures += 1
        assert result.returncode == 1, (kind, number, result)
        assert len(result.stderr.splitlines()) == 1, (kind, number, result.stderr)
        assert now == old, (kind, number, sorted(set(now) ^ set(old)))
    assert failures >= 3, f"{kind} was hardly ever called"
    program.ok("simulate", scene, "--frames", "3", *OUTPUTS)
    assert without_times(state(tmp_path)) == without_times(old)
