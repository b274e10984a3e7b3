"""Outputs: devices and links as the shell would treat them, several as one, none lost in silence."""

import json
import os
import stat
import subprocess
import threading

import pytest

from places import BUILD

LIMBER = str(BUILD / "limber")


def entries(folder):
    return sorted(p.name for p in folder.iterdir())


def shell(command, folder):
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True,
                          timeout=120, check=False)


def test_report_goes_through_devices_and_pipes(program, bar_scene, tmp_path):
    scene = bar_scene()
    program.ok("simulate", scene, "--report", "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    program.ok("simulate", scene, "--report", pipe)
    reader.join(30)
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert json.loads(received[0])["summary"]["frames"] == 11
    out = shell(f"'{LIMBER}' --quiet simulate scene.json --report /dev/stdout | head -c 1", tmp_path)
    assert out.stdout == "{"
    shell(f"'{LIMBER}' simulate scene.json --report /dev/stdout > both.txt", tmp_path)
    both = (tmp_path / "both.txt").read_text()
    assert '"summary"' in both and "11 frames" in both


def test_full_device_as_report_is_a_failure(program, bar_scene):
    line = program.refuses("simulate", bar_scene(), "--report", "/dev/full", code=1)
    assert "No space left" in line


def test_links_are_followed_and_permissions_stay(program, bar_scene, tmp_path):
    real = tmp_path / "real.json"
    real.write_text("old")
    real.chmod(0o600)
    (tmp_path / "link.json").symlink_to("real.json")
    program.ok("simulate", bar_scene(), "--report", "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads(real.read_text())["frames"]
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_read_only_outputs_are_refused_before_the_work(program, bar_scene, tmp_path):
    report = tmp_path / "r.json"
    report.write_text("precious")
    report.chmod(0o444)
    assert "read-only" in program.refuses("simulate", bar_scene(), "--report", report)
    assert report.read_text() == "precious"


@pytest.mark.parametrize("length", [250, 251, 254, 255])
def test_longest_names_work(program, bar_scene, tmp_path, length):
    name = "n" * (length - 4) + ".npz"
    program.ok("simulate", bar_scene(), "-o", name)
    assert (tmp_path / name).exists()


def test_longer_names_are_refused_by_that_reason(program, bar_scene):
    scene = bar_scene()
    for arguments in (["-o", "n" * 300 + ".glb"], ["--report", "n" * 300]):
        line = program.refuses("simulate", scene, *arguments)
        assert "name is too long" in line and "unexpected" not in line


@pytest.mark.parametrize("arguments", [
    ["-o", "a.glb", "-o", "a.glb"],
    ["-o", "a.npz", "--report", "./a.npz"],
    ["--report", "scene.json"],
])
def test_same_file_twice_or_an_input_is_refused(program, bar_scene, tmp_path, arguments):
    before = bar_scene().read_text()
    program.refuses("simulate", "scene.json", *arguments)
    assert (tmp_path / "scene.json").read_text() == before
    assert entries(tmp_path) == ["scene.json"]


@pytest.mark.parametrize("arguments", [["--report", ""], ["--report="], ["-o", ""]])
def test_empty_names_are_refused_not_ignored(program, bar_scene, arguments):
    assert "is empty" in program.refuses("simulate", bar_scene(), *arguments)


def test_other_commands_do_not_write_over_their_inputs(program, tmp_path):
    program.ok("character", "hat", "-o", "a.obj", "--vertices", "500")
    before = (tmp_path / "a.obj").read_bytes()
    program.refuses("convert", "a.obj", "a.obj")
    program.refuses("mesh", "a.obj", "-o", "a.msh", "--cells", "4", "--report", "a.obj")
    program.refuses("mesh", "a.obj", "-o", "a.msh", "--cells", "4", "--report", "a.msh")
    assert (tmp_path / "a.obj").read_bytes() == before


def test_no_report_beside_an_animation_that_failed(program, bar_scene, tmp_path):
    """The series of files is refused when it is put in place, after everything else is written."""
    scene = bar_scene()
    program.ok("simulate", scene, "-o", "a.pvd", "--report", "r.json")
    old = (tmp_path / "r.json").read_bytes()
    (tmp_path / "a_frames" / "folder").mkdir()
    program.refuses("simulate", scene, "--frames", "3", "-o", "b.glb", "-o", "a.pvd", "--report",
                    "r.json")
    assert (tmp_path / "r.json").read_bytes() == old
    assert entries(tmp_path) == ["a.pvd", "a_frames", "r.json", "scene.json"]


def test_lost_results_are_a_failure(program, bar_scene, tmp_path):
    scene = bar_scene()
    for target in (">/dev/full", ">&-"):
        for command in (f"info {scene}", f"info {scene} --json", "--help", "character --help"):
            result = shell(f"'{LIMBER}' {command} {target}", tmp_path)
            assert result.returncode == 1, (command, target, result)
            assert len(result.stderr.splitlines()) == 1
            assert "standard output" in result.stderr and "unexpected" not in result.stderr


def test_closed_or_full_stderr_changes_nothing(bar_scene, tmp_path):
    bar_scene()
    for target in ("2>&-", "2>/dev/full"):
        good = shell(f"'{LIMBER}' simulate scene.json -o a.glb {target}", tmp_path)
        assert good.returncode == 0
        bad = shell(f"'{LIMBER}' simulate missing.json -o a.glb {target}", tmp_path)
        assert bad.returncode == 2
        assert b"limber:" not in (tmp_path / "a.glb").read_bytes()


def test_standard_streams_closed_do_not_mix_with_files(bar_scene, tmp_path):
    bar_scene()
    program = f"'{LIMBER}' simulate scene.json --report r.json <&- >&- 2>&-"
    assert shell(program, tmp_path).returncode == 1  # the results on stdout were lost
    text = (tmp_path / "r.json").read_text()
    assert json.loads(text)["frames"] and "limber" not in text


def test_comparison_is_whole_or_not_there(program, bar_scene, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    scene = bar_scene(name="out/comparison.json")
    before = scene.read_text()
    program.refuses("compare", scene, "--methods", "linear-modal", "--truth", "none", "--no-pictures",
                    "-o", folder)
    assert entries(folder) == ["comparison.json"] and scene.read_text() == before
