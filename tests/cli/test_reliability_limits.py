"""Little memory, few processes: an answer in seconds, never a signal, never a hang."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

import pytest

from places import BUILD

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
    program.ok("character", "hat", "-o", "a.obj", "--vertices", "500")
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
    # nobody may enter neither the build nor pytest's folders.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="limber-nobody-"))
    folder.chmod(0o777)
    program = shutil.copy(BUILD / "limber", folder / "limber")
    scene = shutil.copy(bar_scene(), folder / "scene.json")
    bar_mesh = shutil.copy(bar_mesh, folder / "a.msh")
    for path in folder.iterdir():
        path.chmod(0o777)

    def apply():
        if os.geteuid() == 0:
            os.setgroups([])
            os.setuid(NOBODY)
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))

    for arguments in (["modes", bar_mesh, "--modes", "10"], ["bake", bar_mesh, "-o", "a.limber"],
                      ["simulate", scene, "-o", "a.glb"]):
        result = subprocess.run([program, *map(str, arguments)], cwd=folder, check=False,
                                capture_output=True, text=True, timeout=120, preexec_fn=apply)
        assert result.returncode == 0, (arguments, result)


ONE_TET = """MeshVersionFormatted 2
Dimension 3
Vertices
4
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
Tetrahedra
1
1 2 3 4 0
End
"""


@pytest.mark.parametrize("fixed", [["nodes:0"], []])
@pytest.mark.parametrize("method", ["linear", "stiffness-warping", "corotational", "stvk", "neo-hookean"])
def test_rest_of_next_to_no_stiffness_is_no_endless_search(program, tmp_path, method, fixed):
    # Squares of such stiffnesses are nothing, and so was the inertia that should hold the body: for ever.
    (tmp_path / "one.mesh").write_text(ONE_TET)
    body = {"name": "t", "mesh": "one.mesh", "method": method, "fixed": fixed,
            "material": {"young": 1e-300, "poisson": 0.3, "density": 1000},
            "constraints": [{"type": "position", "node": 3, "path": [{"time": 0, "target": [1, 1, 1]}]}]}
    (tmp_path / "s.json").write_text(json.dumps({"limber": 1, "duration": 0.1, "bodies": [body]}))
    result = subprocess.run([str(BUILD / "limber"), "simulate", "s.json", "--settle", "--report", "r.json"],
                            cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and "stiffness is too small" in result.stderr, result
    assert len(result.stderr.splitlines()) == 1 and not (tmp_path / "r.json").exists()
