"""Little memory, few processes: an answer in seconds, never a signal, never a hang."""

import os
import resource
import shutil
import subprocess

import pytest

from conftest import BUILD

NOBODY = 65534


def limited(folder, arguments, limit, amount, as_nobody=False):
    def apply():
        resource.setrlimit(limit, (amount, amount))
        if as_nobody and os.geteuid() == 0:  # limits of processes do not bind root
            os.setgroups([])
            os.setuid(NOBODY)

    # Another environment than the user's: nothing chosen about threads.
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith(("OPENBLAS", "LIMBER_BLAS"))}
    return subprocess.run([str(BUILD / "limber"), *map(str, arguments)], cwd=folder, check=False,
                          capture_output=True, text=True, timeout=60, preexec_fn=apply,
                          env=environment)


@pytest.fixture
def bar_mesh(program, tmp_path):
    program.ok("character", "ball", "-o", "a.obj", "--vertices", "500")
    program.ok("mesh", "a.obj", "-o", "a.msh", "--cells", "6")
    return tmp_path / "a.msh"


@pytest.mark.parametrize("kilobytes", [120_000, 160_000, 200_000, 300_000, 500_000])
def test_little_memory_ends_in_an_answer(bar_mesh, tmp_path, kilobytes):
    for arguments in (["--version"], ["info", bar_mesh], ["modes", bar_mesh, "--modes", "10"]):
        result = limited(tmp_path, arguments, resource.RLIMIT_AS, kilobytes * 1024)
        # 127: the loader had no room for the libraries themselves.
        assert result.returncode in (0, 1, 127), (arguments, result)
        if result.returncode == 1:
            assert len(result.stderr.splitlines()) == 1, result.stderr


def test_one_process_is_enough(bar_mesh, bar_scene, tmp_path):
    program = shutil.copy(BUILD / "limber", tmp_path / "limber")  # nobody may not enter the build
    scene = bar_scene()
    for path in [tmp_path, *tmp_path.iterdir()]:
        path.chmod(0o777)
    parent = tmp_path
    while parent != parent.parent:
        if not os.access(parent, os.X_OK) or parent.stat().st_mode & 0o001 == 0:
            try:
                parent.chmod(parent.stat().st_mode | 0o001)
            except PermissionError:
                pytest.skip("nobody cannot enter the folder of this test")
        parent = parent.parent

    def apply():
        if os.geteuid() == 0:
            os.setgroups([])
            os.setuid(NOBODY)
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))

    for arguments in (["modes", bar_mesh, "--modes", "10"], ["bake", bar_mesh, "-o", "a.limber"],
                      ["simulate", scene, "-o", "a.glb"],
                      ["render", scene, "-o", "a.png", "--size", "64x64", "--samples", "1"]):
        result = subprocess.run([program, *map(str, arguments)], cwd=tmp_path, check=False,
                                capture_output=True, text=True, timeout=120, preexec_fn=apply)
        assert result.returncode in (0, 1), (arguments, result)
        if result.returncode == 1:
            assert len(result.stderr.splitlines()) == 1, result.stderr
        if arguments[0] != "render":
            assert result.returncode == 0, (arguments, result)
