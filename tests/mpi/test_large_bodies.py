"""`limber modes` and `bake` hand bodies over to limber-modes-mpi when a factor would not fit."""

import shutil

import numpy as np
import pytest
from bodies import bar, read_limber, write_msh2
from places import BUILD

MODES = ["--fix", "x<=0.001", "--modes", 6]


@pytest.fixture
def mesh(tmp_path):
    return write_msh2(tmp_path / "body.msh", *bar([1, 0.2, 0.2], [15, 4, 4]))


def test_modes_says_so_and_finds_the_same(program, mesh):
    direct = program.json("modes", mesh, *MODES, "--json")
    result = program("modes", mesh, *MODES, "--json", "--memory", "0.003")
    assert result.returncode == 0, result.stderr
    assert "GB, and 0.003 GB are free: running limber-modes-mpi" in result.stderr
    import json
    iterative = json.loads(result.stdout)
    assert iterative["solver"].startswith("slepc-lobpcg") and direct["solver"].startswith("block-lanczos")
    assert np.allclose([m["eigenvalue"] for m in iterative["modes"]],
                       [m["eigenvalue"] for m in direct["modes"]], rtol=1e-8)


def test_bake_of_a_text_mesh_goes_through_a_temporary_file(program, mesh, tmp_path):
    program.ok("convert", mesh, "text.msh")
    program.ok("bake", "text.msh", *MODES, "-o", "a.limber", "--solver", "iterative")
    program.ok("bake", "text.msh", *MODES, "-o", "b.limber")
    a, b = (read_limber(tmp_path / name) for name in ("a.limber", "b.limber"))
    assert np.array_equal(a["tets"], b["tets"])
    assert np.allclose(a["eigenvalues"], b["eigenvalues"], rtol=1e-8)


def test_progress_for_programs_comes_from_the_other_one_too(program, mesh):
    result = program("--progress-lines", "modes", mesh, *MODES, "--solver", "iterative")
    assert result.returncode == 0, result.stderr
    assert [line for line in result.stderr.splitlines() if line.startswith("limber: progress: 0.") and "modes" in line]


def test_errors_of_the_other_program_are_told_once(program, mesh):
    line = program.refuses("--quiet", "modes", mesh, "--mass", "one-point", "--solver", "iterative")
    assert "one-point" in line


def test_without_the_other_program_the_estimate_and_the_remedy(mesh, tmp_path):
    import subprocess
    lonely = tmp_path / "bin" / "limber"
    lonely.parent.mkdir()
    shutil.copy(BUILD / "limber", lonely)
    result = subprocess.run([lonely, "modes", mesh, *map(str, MODES), "--memory", "0.003"],
                            capture_output=True, text=True, timeout=60, check=False,
                            env={"PATH": "/usr/bin:/bin"})
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("limber: error: around a factor"), result.stderr
    assert "GB" in lines[0] and "docs/scale.md" in lines[0]
