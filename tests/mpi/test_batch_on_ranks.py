"""Many bodies over ranks: one list, one report."""

import json

from bodies import bar, write_msh2


def test_ranks_share_a_list_and_go_on_where_it_stopped(on_ranks, tmp_path):
    write_msh2(tmp_path / "bar.msh", *bar([1, 0.2, 0.2], [8, 2, 2]))
    lines = [f"bar.msh -o {k}.limber --fix 'x<=0.001' --modes {k + 2}" for k in range(4)]
    (tmp_path / "list.txt").write_text("\n".join([*lines, "missing.msh -o x.limber"]) + "\n")
    first = on_ranks(3, "--batch", "list.txt")
    assert first.returncode == 1 and "1 of 5 bodies failed" in first.stderr, first.stderr
    report = json.loads((tmp_path / "list.txt.report.json").read_text())
    assert report["done"] == 4 and report["failed"] == 1
    assert all((tmp_path / f"{k}.limber").exists() for k in range(4))

    (tmp_path / "list.txt").write_text("\n".join(lines) + "\n")
    assert "0 baked, 4 kept" in on_ranks.ok(2, "--batch", "list.txt")
