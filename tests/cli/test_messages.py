"""What the program says to those who mistype: the word they meant, or the words there are."""

import json


def test_a_mistyped_command_is_suggested(program):
    line = program.refuses("bakee", "bar.msh")
    assert 'no command "bakee"' in line and 'did you mean "bake"?' in line


def test_a_command_that_is_near_none_gets_the_list(program):
    line = program.refuses("xylophone")
    assert "did you mean" not in line and "simulate" in line and "studio" in line


def test_a_target_outside_the_path_is_told_where_it_goes(program, bar_scene):
    constraint = {"type": "position", "node": "tip", "target": [1, 0, 0]}
    line = program.refuses("simulate", bar_scene(constraints=[constraint]), "-o", "bar.glb")
    assert "constraints[0]" in line and '"path": [{"time": 0, "target": [x, y, z]}]' in line


def test_an_unknown_key_is_suggested_only_when_near(program, bar_scene):
    near = program.refuses("simulate", bar_scene(metod="stvk"), "-o", "bar.glb")
    assert 'did you mean "method"?' in near
    far = program.refuses("simulate", bar_scene(xyzzy=1), "-o", "bar.glb")
    assert "did you mean" not in far and "there are:" in far and "method" in far


def test_benchmarks_that_measure_no_time_print_none(program, tmp_path):
    text = program.ok("bench", "--filter", "pose-fit", "--json", "fit.json")
    assert " 0 ns" not in text
    for result in json.loads((tmp_path / "fit.json").read_text()):
        assert result["seconds"] is None and result["ratio"] > 0
