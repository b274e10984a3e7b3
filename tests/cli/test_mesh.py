"""limber mesh through the command line."""

import json

import pytest

limber = pytest.importorskip("limber")


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.obj"
    limber.write_mesh(path, limber.boundary_surface(limber.sphere(1, 6)))
    return path


def report_of(program, tmp_path, *arguments):
    program.ok("mesh", *arguments, "--report", tmp_path / "report.json")
    return json.loads((tmp_path / "report.json").read_text())


@pytest.mark.parametrize("mode", ["auto", "cage", "conforming"])
def test_a_ball_becomes_a_body_with_six_rigid_modes(program, ball, tmp_path, mode):
    report = report_of(program, tmp_path, ball, "-o", "ball.msh", "--mode", mode, "--cells", 10)
    assert report["tets"] > 100 and report["pieces"] == 1 and report["warnings"] == []
    assert report["min_dihedral_degrees"] >= 10
    assert report["surface"]["parts"] == 1 and report["surface"]["holes"] == 0
    modes = program.json("modes", "ball.msh", "--modes", 8, "--json")
    assert modes["tets"] == report["tets"] and modes["nodes"] == report["nodes"]
    assert modes["rigid_modes"] == 6 and len(modes["modes"]) == 8


def test_the_number_of_tets_is_met_within_a_fifth(program, ball, tmp_path):
    report = report_of(program, tmp_path, ball, "-o", "ball.vtu", "--tets", 3000)
    assert 2400 <= report["tets"] <= 3600


def test_refining_adds_tets_where_asked(program, ball, tmp_path):
    plain = report_of(program, tmp_path, ball, "-o", "a.mesh", "--cells", 8)
    finer = report_of(program, tmp_path, ball, "-o", "b.mesh", "--cells", 8, "--refine", "x>=0.2")
    assert finer["tets"] > 1.5 * plain["tets"]


def test_warnings_are_sentences_with_a_remedy_on_stderr(program, tmp_path):
    sheet = limber.boundary_surface(limber.bar([1, 1, 0.005], [8, 8, 1]))
    limber.write_mesh(tmp_path / "plate.ply", sheet)
    result = program("mesh", "plate.ply", "-o", "plate.msh", "--cells", 10)
    assert result.returncode == 0
    assert "limber: warning: " in result.stderr and "--cells" in result.stderr


def test_thin_parts_are_named_and_cured_by_the_remedy(program, tmp_path):
    # A rod of a third of a cell through a block, both one body: halved once it is still too thin.
    import numpy
    block = limber.boundary_surface(limber.bar([1, 1, 1], [2, 2, 2]))
    rod = limber.boundary_surface(limber.bar([2, 0.03, 0.03], [8, 1, 1]))
    both = limber.TriMesh(numpy.vstack([block.V, rod.V + [0.5, 0.5, 0.5]]),
                          numpy.vstack([block.F, rod.F + len(block.V)]))
    limber.write_mesh(tmp_path / "rod.obj", both)
    arguments = ["rod.obj", "-o", "rod.msh", "--mode", "conforming", "--cells", 28]
    coarse = report_of(program, tmp_path, *arguments)
    assert coarse["unresolved_share"] > 0
    thin = [w for w in coarse["warnings"] if "thinner than a cell" in w]
    assert len(thin) == 1 and "near (2." in thin[0] and "try --thin-levels 2" in thin[0]
    fine = report_of(program, tmp_path, *arguments, "--thin-levels", 3)
    assert fine["unresolved_share"] == 0


def test_parts_apart_get_a_region_each(program, tmp_path):
    ball = limber.boundary_surface(limber.sphere(1, 4))
    count = len(ball.V)
    import numpy
    both = limber.TriMesh(numpy.vstack([ball.V, ball.V + [2.1, 0, 0]]),
                          numpy.vstack([ball.F, ball.F + count]))
    limber.write_mesh(tmp_path / "two.obj", both)
    report = report_of(program, tmp_path, "two.obj", "-o", "two.msh", "--cells", 12)
    assert report["pieces"] == 2
    assert program.json("modes", "two.msh", "--modes", 4, "--json")["rigid_modes"] == 12


@pytest.mark.parametrize("arguments, words", [
    (["--cells", 0], "cells"),
    (["--cells", 8, "--tets", 100], "tets"),
    (["--mode", "best"], "mode"),
    (["--refine", "nodes:3"], "selection"),
    (["--refine", "x<"], "selection"),
    (["--thickness", -1], "thickness"),
])
def test_bad_options_are_refused_in_one_line(program, ball, tmp_path, arguments, words):
    assert words in program.refuses("mesh", ball, "-o", "ball.msh", *arguments)
    assert not (tmp_path / "ball.msh").exists()


def test_surfaces_that_are_none_are_refused(program, ball, tmp_path):
    assert ".msh" in program.refuses("mesh", ball, "-o", "ball.obj")
    (tmp_path / "line.obj").write_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    assert "area" in program.refuses("mesh", "line.obj", "-o", "line.msh")
    program.refuses("mesh", "missing.obj", "-o", "x.msh")


def test_help_ends_with_examples(program):
    assert "limber mesh bunny.obj" in program.ok("mesh", "--help")


def test_netgen_that_is_missing_is_named_with_its_package(program, ball, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    result = program("mesh", ball, "-o", "ball.msh", "--backend", "netgen")
    assert result.returncode == 1 and "install the package netgen" in result.stderr
    assert not (tmp_path / "ball.msh").exists()


@pytest.mark.parametrize("arguments, words", [
    (["--tets", 1000], "--tets"),
    (["--mode", "cage"], "cages"),
    (["--refine", "x>0"], "--refine"),
])
def test_netgen_refuses_what_only_the_own_mesher_knows(program, ball, arguments, words):
    assert words in program.refuses("mesh", ball, "-o", "b.msh", "--backend", "netgen", *arguments)


def test_netgen_fills_a_ball(program, ball, tmp_path):
    report = report_of(program, tmp_path, ball, "-o", "n.msh", "--backend", "netgen", "--cells", 8)
    assert report["backend"] == "netgen" and report["pieces"] == 1
    assert program.json("modes", "n.msh", "--modes", 3, "--json")["rigid_modes"] == 6
