"""Ended by a signal: nothing half written stays, and the user is told what was not written."""

import json
import random
import resource
import signal
import subprocess
import time

import pytest

from places import BUILD

LIMBER = str(BUILD / "limber")
ALL = ["-o", "a.glb", "-o", "b.mdd", "-o", "c.pc2", "-o", "d.pvd", "-o", "e.usda", "-o", "f.npz",
       "--report", "r.json"]


def long_scene(bar_scene):
    """Minutes of work, first frames at once."""
    return bar_scene({"duration": 3000, "time_step": 0.001}, method="linear-modal", modes=4)


def as_in_a_terminal():
    """A shell's background jobs have SIGINT ignored, those of nohup SIGHUP, and children inherit it."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def start():
    """Starts the program; what still runs when a test ends, ends too."""
    started = []

    def run(folder, *arguments, preexec_fn=as_in_a_terminal, **options):
        started.append(subprocess.Popen([LIMBER, *map(str, arguments)], cwd=folder, stderr=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, text=True, preexec_fn=preexec_fn, **options))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()


def wait_for_temporary(folder, process):
    for _ in range(600):
        if any(p.name.startswith(".limber-") for p in folder.iterdir()):
            return
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    pytest.fail("the work never began")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_nothing_and_exit_with_their_number(start, bar_scene, tmp_path, number):
    scene = long_scene(bar_scene)
    process = start(tmp_path, "simulate", scene, *ALL)
    wait_for_temporary(tmp_path, process)
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    line = process.stderr.read()
    assert line.startswith(f"limber: ended by {number.name}: not written: ") and "a.glb" in line
    assert len(line.splitlines()) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


def test_file_size_limit_leaves_nothing(start, bar_scene, tmp_path):
    scene = bar_scene()
    process = start(tmp_path, "simulate", scene, "-o", "a.npz", "-o", "d.pvd",
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert process.wait(60) == 128 + signal.SIGXFSZ
    assert [p.name for p in tmp_path.iterdir()] == ["scene.json"]


def test_bake_says_what_was_not_written(start, program, tmp_path):
    program.ok("character", "elephant", "-o", "e.obj", "--vertices", "4000")
    program.ok("mesh", "e.obj", "-o", "e.msh", "--cells", "40")
    process = start(tmp_path, "bake", "e.msh", "-o", "e.limber", "--modes", "400")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stderr.read() == "limber: ended by SIGINT: not written: e.limber\n"
    assert not list(tmp_path.glob(".limber-*")) and not (tmp_path / "e.limber").exists()


def test_ignored_signals_stay_ignored(start, bar_scene, tmp_path):
    scene = long_scene(bar_scene)
    process = start(tmp_path, "simulate", scene, "-o", "d.pvd",
                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for_temporary(tmp_path, process)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 143


def test_next_run_removes_what_a_killed_one_left(start, program, bar_scene, tmp_path):
    process = start(tmp_path, "simulate", long_scene(bar_scene), "-o", "d.pvd")
    wait_for_temporary(tmp_path, process)
    process.kill()
    process.wait(30)
    assert list(tmp_path.glob(".limber-*"))
    program.ok("simulate", bar_scene(), "-o", "d.pvd")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d.pvd", "d_frames", "scene.json"]


def generation(folder):
    """How many frames each output holds."""
    import numpy
    files = {"r.json": lambda p: json.loads(p.read_text())["summary"]["frames"],
             "f.npz": lambda p: len(numpy.load(p)["times"]),
             "d_frames": lambda p: len(list(p.iterdir()))}
    return {read(folder / name) for name, read in files.items() if (folder / name).exists()}


def test_kills_at_any_time_leave_all_old_or_all_new(start, program, bar_scene, tmp_path):
    """SIGKILL cannot be caught: only the microseconds between two renames could mix them."""
    short, long = bar_scene(name="short.json"), bar_scene({"duration": 0.3}, name="long.json")
    outputs = ["-o", "d.pvd", "-o", "f.npz", "--report", "r.json"]
    began = time.monotonic()
    program.ok("simulate", short, *outputs)
    length = time.monotonic() - began
    random.seed(22)
    seen = set()
    for turn in range(30):
        process = start(tmp_path, "simulate", (long, short)[turn % 2], *outputs)
        time.sleep(random.uniform(0.3, 1.3) * length)
        process.kill()
        process.wait(30)
        process.stderr.close()
        now = generation(tmp_path)
        assert len(now) == 1, now
        seen |= now
    program.ok("simulate", short, *outputs)
    assert not list(tmp_path.glob(".limber-*"))
