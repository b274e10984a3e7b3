"""limber modes and bake through the command line."""

import json
import math

import pytest

limber = pytest.importorskip("limber")


@pytest.fixture
def bar(tmp_path):
    path = tmp_path / "bar.msh"
    limber.write_mesh(path, limber.bar([1, 0.2, 0.2], [10, 2, 2]))
    return path


def test_modes_json_has_the_agreed_keys(program, bar):
    report = program.json("modes", bar, "--fix", "x<=0.001", "--modes", 12, "--json")
    assert report["nodes"] == 99 and report["tets"] == 240 and report["fixed_nodes"] == 9
    assert report["rigid_modes"] == 0 and report["max_residual"] < 1e-8
    assert len(report["modes"]) == 12
    values = [m["eigenvalue"] for m in report["modes"]]
    assert values == sorted(values)
    for mode in report["modes"]:
        assert math.isclose(mode["frequency_hz"], math.sqrt(mode["eigenvalue"]) / (2 * math.pi))
    assert set(report["seconds"]) == {"assemble", "factorize", "eigensolve"}


def test_free_body_has_six_rigid_modes_and_lists_none(program, bar):
    report = program.json("modes", bar, "--modes", 5, "--json")
    assert report["rigid_modes"] == 6
    assert report["modes"][0]["frequency_hz"] > 1


def test_frequencies_scale_with_the_root_of_stiffness_over_density(program, bar):
    def first(*material):
        return program.json("modes", bar, "--fix", "x<=0.001", "--modes", 1, "--json",
                            *material)["modes"][0]["frequency_hz"]

    base = first("--young", 1e6, "--density", 1000)
    assert math.isclose(first("--young", 4e6, "--density", 1000), 2 * base, rel_tol=1e-9)
    assert math.isclose(first("--young", 1e6, "--density", 4000), base / 2, rel_tol=1e-9)


def test_automatic_count_stays_below_half_the_display_rate(program, bar):
    report = program.json("modes", bar, "--fix", "x<=0.001", "--young", 2e5, "--modes", "auto", "--json")
    assert report["modes"]
    assert all(m["frequency_hz"] <= 30 * 1.001 for m in report["modes"])


@pytest.mark.parametrize("arguments, words", [
    (["--poisson", 0.5], "Poisson"),
    (["--young", 0], "Young"),
    (["--young", "nan"], "Young"),
    (["--density", -3], "density"),
    (["--fix", "x<=-7"], ""),
    (["--fix", "x<=7"], "fixed"),
    (["--fix", "x<"], ""),
    (["--fix", "nodes:99999"], ""),
    (["--modes", 100000], "modes"),
    (["--modes", 0], "modes"),
    (["--modes", "many"], "modes"),
    (["--mass", "heavy"], "mass"),
    (["--nonsense"], "nonsense"),
])
def test_bad_requests_are_one_clear_line(program, bar, arguments, words):
    assert words in program.refuses("modes", bar, *arguments)


def test_missing_mesh_and_directory_are_refused(program, tmp_path):
    program.refuses("modes", "nowhere.msh")
    program.refuses("modes", tmp_path)
    program.refuses("modes")


def test_disconnected_mesh_says_how_many_parts(program, tmp_path):
    import numpy as np
    one = limber.bar([1, 0.2, 0.2], [4, 2, 2])
    V = np.vstack([one.V, one.V + [0, 1, 0]])
    T = np.vstack([one.T, one.T + len(one.V)])
    limber.write_mesh(tmp_path / "two.msh", limber.TetMesh(V, T))
    assert "2 separate parts" in program.refuses("modes", "two.msh")


def test_bake_writes_a_body_that_plays(program, bar, tmp_path):
    program.ok("bake", bar, "-o", "bar.limber", "--fix", "x<=0.001", "--modes", 8, "--young", 2e5)
    scene = {"limber": 1, "duration": 0.1, "time_step": 0.01,
             "bodies": [{"name": "bar", "body": "bar.limber", "probes": {"tip": [1, 0.1, 0.1]}}]}
    (tmp_path / "baked.json").write_text(json.dumps(scene))
    program.ok("simulate", "baked.json", "--report", "baked.report.json")
    report = json.loads((tmp_path / "baked.report.json").read_text())
    tip = [f["bodies"][0]["probes"]["tip"][1] for f in report["frames"]]
    assert tip[-1] < tip[0]


def test_damaged_bodies_are_refused(program, bar, tmp_path):
    program.ok("bake", bar, "-o", "bar.limber", "--fix", "x<=0.001", "--modes", 4)
    whole = (tmp_path / "bar.limber").read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    for name, content, word in [("cut.limber", whole[:-100], "cut short"),
                                ("short.limber", whole[:20], "not a baked body"),
                                ("flipped.limber", bytes(damaged), "checksum"),
                                ("empty.limber", b"", "not a baked body"),
                                ("text.limber", b"hello" * 100, "not a baked body")]:
        (tmp_path / name).write_bytes(content)
        assert word in program.refuses("info", name)


def test_nothing_is_left_behind_when_writing_fails(program, bar, tmp_path):
    before = set(tmp_path.iterdir())
    program.refuses("bake", bar, "-o", "no/such/folder/bar.limber", "--modes", 4, code=1)
    assert set(tmp_path.iterdir()) == before


def test_help_of_every_command_ends_with_an_example(program):
    text = program.ok("--help")
    commands = [line.split()[0] for line in text.split("Subcommands:")[1].splitlines() if line.strip()
                and line.startswith("  ") and not line.startswith("   ")]
    assert {"info", "convert", "modes", "bake", "simulate"} <= set(commands)
    for command in commands:
        assert "Example:\n  limber " + command in program.ok(command, "--help")
