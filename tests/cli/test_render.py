"""limber render: what pictures show, what is refused, films where ffmpeg is."""

import os
import subprocess
import sys

import pytest

sys.path.insert(0, os.path.dirname(__file__))
from pictures import is_blue, is_bluish, is_reddish, read_png, share  # noqa: E402

SMALL = ("--size", "96x64", "--samples", "4")


def picture(program, scene, *arguments):
    program.ok("render", scene, "-o", "out.png", *SMALL, *arguments)
    return read_png(program.folder / "out.png")


def test_picture_has_the_size_asked_and_a_body_on_a_bright_ground(program, bar_scene):
    width, height, rows = picture(program, bar_scene())
    assert (width, height) == (96, 64)
    assert 0.03 < share(rows, is_blue) < 0.6
    assert all(min(corner) > 200 for corner in (rows[0][0], rows[0][-1], rows[-1][0]))


def test_same_seed_same_bytes_on_any_threads(program, bar_scene):
    scene = bar_scene()
    program.ok("render", scene, "-o", "a.png", *SMALL, "--threads", "1", "--time", "0.05")
    program.ok("render", scene, "-o", "b.png", *SMALL, "--threads", "3", "--time", "0.05")
    program.ok("render", scene, "-o", "c.png", *SMALL, "--seed", "7", "--time", "0.05")
    a, b, c = ((program.folder / name).read_bytes() for name in ("a.png", "b.png", "c.png"))
    assert a == b != c


def test_the_body_sags_with_time(program, bar_scene):
    scene = bar_scene(scene={"duration": 0.5})

    def lowest(time):
        rows = picture(program, scene, "--time", time)[2]
        return max(y for y, row in enumerate(rows) if any(is_blue(*pixel) for pixel in row))

    assert lowest("0.4") > lowest("0") + 5


def test_methods_are_overlaid_in_their_colours(program, bar_scene):
    scene = bar_scene(scene={"gravity": [0, -6, 0]})

    def both(*look):
        rows = picture(program, scene, "--settle", "--methods", "linear-modal,modal-warping", *look)[2]
        return share(rows, is_bluish), share(rows, is_reddish)

    # The legend's dots are 0.5 % each.
    assert min(both()) > 0.02
    assert min(both("--apart")) > 0.03


@pytest.mark.parametrize("look", [["--rest"], ["--edges"], ["--colour", "displacement"],
                                  ["--colour", "volume"], ["--camera", "200,50"],
                                  ["--camera", "3,2,5,0,0,0"], ["--frame", "moment"]])
def test_every_look_changes_the_picture(program, bar_scene, look):
    scene = bar_scene(scene={"duration": 0.3})
    plain = picture(program, scene, "--time", "0.2")
    assert picture(program, scene, "--time", "0.2", *look) != plain


def test_a_sudden_camera_or_z_up_needs_no_care(program, bar_scene):
    scene = bar_scene(scene={"gravity": [0, 0, -9.81]})
    assert share(picture(program, scene)[2], is_blue) > 0.03


@pytest.mark.parametrize("arguments, words", [
    (["--time", "9"], "beyond the scene"), (["--time", "-1"], "before the start"),
    (["--time", "nan"], "--time"), (["--methods", "modal-waping"], 'did you mean "modal-warping"'),
    (["--methods", "linear-modal,linear-modal"], "twice"), (["--methods", "stvk,"], "--methods"),
    (["--size", "big"], "--size"), (["--size", "0x10"], "--size"),
    (["--size", "99999x99999"], "--size"), (["--samples", "0"], "--samples"),
    (["--camera", "1"], "--camera"), (["--camera", "1,x"], "--camera"),
    (["--camera", "1,2,0"], "--camera"), (["--camera", "1,1,1,1,1,1"], "--camera"),
    (["--colour", "pink"], "--colour"), (["-o", "out.jpg"], ".png"), (["-o", "no/out.png"], "folder"),
])
def test_bad_options_are_refused_in_one_line(program, bar_scene, arguments, words):
    output = [] if "-o" in arguments else ["-o", "out.png"]
    assert words in program.refuses("render", bar_scene(), *output, *arguments)
    assert not list(program.folder.glob("out*"))


def test_film_without_ffmpeg_is_refused_with_a_remedy(program, bar_scene, monkeypatch):
    scene = bar_scene()
    monkeypatch.setenv("PATH", "/nowhere")
    line = program.refuses("render", scene, "-o", "out.mp4", *SMALL)
    assert "ffmpeg" in line and "apt-get install ffmpeg" in line


def test_film_has_all_frames(program, bar_scene):
    program.ok("render", bar_scene(), "-o", "out.mp4", "--size", "65x33", "--samples", "1")
    shown = subprocess.run(
        ["ffmpeg", "-i", "out.mp4", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        cwd=program.folder, capture_output=True, check=True, timeout=60)
    assert len(shown.stdout) == 11 * 66 * 34 * 3  # sides made even
    assert [path.name for path in program.folder.glob("*.mp4")] == ["out.mp4"]
    assert not list(program.folder.glob(".out*"))
