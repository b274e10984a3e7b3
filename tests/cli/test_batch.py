"""limber bake --batch: many bodies, one report, and no work twice."""

import json

import pytest

limber = pytest.importorskip("limber")

LINES = ["# three bars", "", "bar.msh -o a.limber --fix 'x<=0.001' --modes 4",
         'bar.msh --output=b.limber --fix "x<=0.001 && y<=0.1" --modes 5', "bar.msh -o c.limber --modes 6"]


@pytest.fixture
def batch(tmp_path):
    limber.write_mesh(tmp_path / "bar.msh", limber.bar([1, 0.2, 0.2], [8, 2, 2]))

    def write(lines, name="list.txt"):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return name

    return write


def report_of(folder, name="list.txt.report.json"):
    return json.loads((folder / name).read_text())


def test_bodies_are_baked_and_reported(program, batch, tmp_path):
    assert "3 bodies: 3 baked" in program.ok("bake", "--batch", batch(LINES), "--jobs", 2)
    report = report_of(tmp_path)
    assert (report["done"], report["failed"], report["waiting"]) == (3, 0, 0)
    assert [body["line"] for body in report["bodies"]] == [3, 4, 5]
    assert "5 modes" in report["bodies"][1]["message"]
    for name in ("a", "b", "c"):
        program.ok("info", f"{name}.limber")


def test_a_failed_body_stops_no_other_and_the_rest_is_kept(program, batch, tmp_path):
    bad = [*LINES, "bar.msh -o d.limber --poisson 0.7"]
    line = program("bake", "--batch", batch(bad), "--report", "r.json")
    assert line.returncode == 1 and "1 of 4 bodies failed (r.json)" in line.stderr
    failed = report_of(tmp_path, "r.json")["bodies"][3]
    assert failed["status"] == "failed" and "Poisson" in failed["message"]
    before = (tmp_path / "a.limber").stat().st_mtime_ns
    mended = [*LINES, "bar.msh -o d.limber --poisson 0.4 --modes 3"]
    assert "1 baked, 3 kept" in program.ok("bake", "--batch", batch(mended), "--report", "r.json")
    assert (tmp_path / "a.limber").stat().st_mtime_ns == before


def test_changed_lines_lost_files_and_newer_meshes_are_baked_again(program, batch, tmp_path):
    program.ok("bake", "--batch", batch(LINES))
    (tmp_path / "c.limber").unlink()
    changed = [line.replace("--modes 4", "--modes 3") for line in LINES]
    assert "2 baked, 1 kept" in program.ok("bake", "--batch", batch(changed))
    (tmp_path / "bar.msh").touch()
    assert "3 baked, 0 kept" in program.ok("bake", "--batch", "list.txt")


@pytest.mark.parametrize("lines, words", [
    (["bar.msh --modes 3"], "line 1"),
    (["-o a.limber"], "no mesh"),
    (["bar.msh -o a.limber", "bar.msh -o a.limber"], "the same output as line 1"),
    (["bar.msh -o 'a.limber"], "quote"),
    (["# nothing"], "no bodies"),
])
def test_lists_that_cannot_be_meant_are_refused_before_any_work(program, batch, tmp_path, lines, words):
    assert words in program.refuses("bake", "--batch", batch(lines))
    assert not list(tmp_path.glob("*.limber")) and not list(tmp_path.glob("*.json"))


def test_options_of_one_body_and_a_batch_do_not_mix(program, batch):
    assert "--batch" in program.refuses("bake", "--batch", batch(LINES), "--young", "1e5")
    program.refuses("bake", "bar.msh", "--batch", "list.txt", "-o", "x.limber")
    program.refuses("bake", "bar.msh", "-o", "x.limber", "--jobs", 2)
    program.refuses("bake", "--batch", "nowhere.txt")
