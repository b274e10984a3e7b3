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


@pytest.mark.parametrize("kind, most", [("write", 60), ("pwrite", 40), ("fsync", 12),
                                        ("rename", 12), ("open", 40)])
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


@pytest.mark.parametrize("arguments", [
    ["bake", "a.msh", "-o", "a.limber", "--modes", "4"], ["convert", "a.obj", "b.glb"],
    ["convert", "a.obj", "b.obj"], ["mesh", "a.obj", "-o", "b.msh", "--cells", "4"],
])
def test_memory_that_runs_out_ends_in_one_line(program, tmp_path, arguments):
    program.ok("character", "hat", "-o", "a.obj", "--vertices", "500")
    program.ok("mesh", "a.obj", "-o", "a.msh", "--cells", "4")
    before = state(tmp_path)
    for number in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181):
        result = run(tmp_path, "malloc", number, *arguments, forever=True)
        assert result.returncode in (0, 1, 127), (number, result)
        if result.returncode == 1:
            assert len(result.stderr.splitlines()) == 1, (number, result.stderr)
        if result.returncode != 0:
            assert state(tmp_path) == before, number
