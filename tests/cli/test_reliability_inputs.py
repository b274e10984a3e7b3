"""Bad input: one line that names it, never "please report this", never a word to the terminal."""

import json
import os
import subprocess
import time

import pytest

from places import BUILD


@pytest.mark.parametrize("text", ['{"limber": 1e400}', '{"limber": 1, "time_step": -1e999}'])
def test_numbers_beyond_range_are_named(program, tmp_path, text):
    (tmp_path / "s.json").write_text(text)
    line = program.refuses("info", "s.json")
    assert "too large: '" in line and "unexpected" not in line


def test_latin_1_names_become_utf_8(program, tmp_path):
    (tmp_path / "a.obj").write_bytes(
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl caf\xe9\nf 1 2 3\n")
    described = json.loads(program.ok("info", "a.obj", "--json"))
    assert described["materials"] == ["caf�"] or "caf" in str(described["materials"])
    program.ok("convert", "a.obj", "b.glb")
    program.ok("info", "b.glb", "--json")


def test_files_cannot_drive_the_terminal(program, tmp_path):
    evil = b"\x1b]0;owned\x07\x1b[2J"
    (tmp_path / "a.obj").write_bytes(
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl " + evil + b"\nf 1 2 3\n")
    raw = subprocess.run([str(BUILD / "limber"), "info", "a.obj"], cwd=tmp_path, check=True,
                         capture_output=True).stdout
    assert b"\x1b" not in raw and b"\x07" not in raw
    (tmp_path / "b.obj").write_bytes(b"v 0 0 " + evil + b"\n")
    (tmp_path / "c.json").write_bytes(b'{"limber": 1, "\\u001b[2J": 2, "bodies": []}')
    for name in ("b.obj", "c.json"):
        assert "\x1b" not in program.refuses("info", name)
    assert "\x1b" not in program.refuses("info", "\x1b[2J.obj")


@pytest.mark.parametrize("times", [
    {"time_step": 1e308}, {"time_step": 1e-300}, {"duration": 1e300}, {"frame_rate": 1e-300},
    {"time_step": 1e-9, "duration": 1e6},
])
def test_times_that_cannot_be_counted_are_refused(program, bar_scene, times):
    program.refuses("simulate", bar_scene(times))


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_counts_out_of_range_are_told_in_few_words(program, bar_scene, count):
    line = program.refuses("simulate", bar_scene(), "--frames", count)
    assert "--frames" in line and count in line and len(line) < 200


def test_modes_beyond_the_range_of_numbers_are_named(program, tmp_path):
    program.ok("character", "hat", "-o", "a.obj", "--vertices", "500")
    program.ok("mesh", "a.obj", "-o", "a.msh", "--cells", "4")
    for young in ("1e307", "1e308"):
        line = program("modes", "a.msh", "--young", young, "--json")
        assert line.returncode in (0, 1, 2)
        assert "inf" not in line.stderr.replace("infinite", "") and "nan" not in line.stderr
        if line.returncode == 0:
            assert "null" not in line.stdout


def test_inputs_that_shrink_while_they_are_read_never_end_in_a_signal(program, tmp_path):
    program.ok("character", "hat", "-o", "a.ply", "--vertices", "100000")
    whole = (tmp_path / "a.ply").read_bytes()
    codes = set()
    for turn in range(12):
        (tmp_path / "a.ply").write_bytes(whole)
        process = subprocess.Popen([str(BUILD / "limber"), "info", "a.ply"], cwd=tmp_path,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.01 * turn)
        os.truncate(tmp_path / "a.ply", 1000)
        codes.add(process.wait(60))
    assert codes <= {0, 1, 2}, codes
