"""What goes wrong on ranks is one line and an exit code, and no file is left."""

import os
import pathlib
import signal
import struct
import time

import numpy as np
import pytest
from bodies import bar, read_limber, write_msh2

CLAMP = ["--fix", "x<=0.001"]


@pytest.fixture
def mesh(tmp_path):
    return write_msh2(tmp_path / "body.msh", *bar([1, 0.2, 0.2], [10, 2, 2]))


@pytest.mark.parametrize("arguments, words", [
    (["--modes", 0], "modes"),
    (["--modes", 100000], "modes"),
    (["--poisson", 0.5], "Poisson"),
    (["--fix", "x<=-7"], "picks no node"),
    (["--fix", "x<=7"], "every node is fixed"),
    (["--fix", "region:8"], "no region 8"),
    (["--fix", "nodes:5,99999"], "no node 99999"),
    (["--region", "3:young=1e9"], "no region 3"),
    (["--region", "0:colour=1"], "colour"),
    (["--mass", "one-point"], "one-point"),
    (["--nonsense"], "nonsense"),
])
def test_bad_requests_are_one_line(mesh, on_ranks, arguments, words):
    assert words in on_ranks.refuses(2, mesh, *arguments, "-o", "out.limber")


def test_bad_meshes_are_one_line(mesh, on_ranks, tmp_path):
    whole = mesh.read_bytes()
    V, T = bar([1, 0.2, 0.2], [10, 2, 2])
    (tmp_path / "cut.msh").write_bytes(whole[:-1000])
    (tmp_path / "text.msh").write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
    flat = V.copy()
    flat[T[17, 1]] = flat[T[17, 0]]
    write_msh2(tmp_path / "flat.msh", flat, T)
    end = b"\n$EndElements\n"
    (tmp_path / "astray.msh").write_bytes(whole[:-len(end) - 4] + struct.pack("<i", 5000) + end)
    W = np.vstack([V, V + [0, 1, 0]])
    write_msh2(tmp_path / "gap.msh", W, np.vstack([T, T + len(V)]))
    for name, words in [("cut.msh", "cut.msh"), ("text.msh", "limber convert"), ("flat.msh", "is flat"),
                        ("astray.msh", "names node 5000, which is not there"),
                        ("gap.msh", "2 separate parts"), ("nowhere.msh", "nowhere.msh")]:
        assert words in on_ranks.refuses(2, name, "--modes", 4, "-o", "out.limber"), name


def test_too_many_ranks_for_the_mesh(mesh, on_ranks):
    assert "use at most 6" in on_ranks.refuses(7, mesh, *CLAMP, "--modes", 4, "-o", "out.limber")


def test_a_full_disk_leaves_nothing(mesh, on_ranks):
    # A limit on the size of files stands in for the disk: the baked body has some 90 kB.
    assert "cannot write" in on_ranks.refuses(2, mesh, *CLAMP, "--modes", 8, "-o", "out.limber", code=1,
                                              limit_blocks=20)


def children_of(parent):
    children = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return sorted(map(int, children.split()))


@pytest.mark.parametrize("killed", [0, 1])
def test_a_killed_rank_ends_all_and_the_work_goes_on_from_its_checkpoint(killed, on_ranks, tmp_path):
    mesh = write_msh2(tmp_path / "body.msh", *bar([1, 0.2, 0.2], [40, 8, 8]))
    about = [mesh, *CLAMP, "--modes", 12, "--solver", "iterative", "-o", "out.limber"]
    running = on_ranks.start(2, *about, "--checkpoint", "part.check", "--checkpoint-every", 0.05)
    deadline = time.monotonic() + on_ranks.patience
    while not (tmp_path / "part.check").exists() and time.monotonic() < deadline:
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    ranks = children_of(running.pid)
    assert len(ranks) == 2
    os.kill(ranks[killed], signal.SIGKILL)
    _, errors = running.communicate(timeout=on_ranks.patience)
    assert running.returncode != 0
    if killed != 0:  # the first one speaks for all
        assert errors.startswith("limber: error: stopped") and len(errors.splitlines()) == 1, errors
    assert not list(tmp_path.glob("out.limber*")), errors
    assert {p.name for p in tmp_path.iterdir()} == {"body.msh", "part.check"}

    result = on_ranks(3, *about, "--checkpoint", "part.check")
    assert result.returncode == 0 and "goes on from part.check" in result.stderr, result.stderr
    assert not (tmp_path / "part.check").exists()
    plain = on_ranks(1, *about[:-1], "plain.limber")
    assert plain.returncode == 0, plain.stderr
    assert np.allclose(read_limber(tmp_path / "out.limber")["eigenvalues"],
                       read_limber(tmp_path / "plain.limber")["eigenvalues"], rtol=1e-8)


def test_checkpoints_of_other_meshes_are_refused(mesh, on_ranks, tmp_path):
    (tmp_path / "some.check").write_bytes(b"nothing of ours" * 10)
    assert "some.check" in on_ranks.refuses(2, mesh, *CLAMP, "--modes", 4, "--checkpoint", "some.check")
