"""limber pose and limber interpolate through the command line."""

import json

import numpy as np
import pytest

limber = pytest.importorskip("limber")


@pytest.fixture
def bar(tmp_path):
    path = tmp_path / "bar.msh"
    limber.write_mesh(path, limber.bar([1, 0.12, 0.12], [10, 2, 2]))
    return path


@pytest.fixture
def bent(program, bar, tmp_path):
    program.ok("pose", bar, "--twist", "60deg", "--bend", "180deg", "-o", "bent.msh")
    return tmp_path / "bent.msh"


def positions(path):
    return limber.read_mesh(path).V


def test_bending_keeps_the_length_of_the_middle_line(program, bar, tmp_path):
    program.ok("pose", bar, "--bend", "90deg", "-o", "half.msh")
    rest, pose = positions(bar), positions(tmp_path / "half.msh")
    middle = np.all(np.isclose(rest[:, 1:], 0.06), axis=1)
    line = pose[middle][np.argsort(rest[middle][:, 0])]
    arc = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    # Ten chords of nine degrees each fall short of the arc by (0.157²)/24 of it.
    assert arc == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_bending_about_any_axis_needs_no_direction(program, bar, tmp_path, axis):
    program.ok("pose", bar, "--axis", axis, "--bend", "5deg", "-o", "bent.msh")
    assert np.abs(positions(tmp_path / "bent.msh") - positions(bar)).max() > 1e-3


def test_dragging_moves_the_node_and_keeps_the_fixed_ones(program, bar, tmp_path):
    program.ok("pose", bar, "--drag", "10+=0,0.3,0", "--fix", "x<=0", "-o", "pulled.msh")
    rest, pose = positions(bar), positions(tmp_path / "pulled.msh")
    assert np.allclose(pose[10] - rest[10], [0, 0.3, 0], atol=1e-9)
    fixed = rest[:, 0] == 0
    assert (pose[fixed] == rest[fixed]).all()


def test_frames_run_from_pose_to_pose(program, bar, bent, tmp_path):
    out = program.ok("interpolate", bar, bar, bent, "--times", "0,1.5", "--modes", 20, "--fps", 20,
                     "-o", "motion.npz", "-o", "motion.glb", "--report", "report.json")
    assert "31 frames" in out
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["nodes"] == 99 and report["tets"] == 240 and report["modes"] == 20
    assert [key["time"] for key in report["keys"]] == [0, 1.5]
    assert [key["volume_ratio"] for key in report["keys"]] == pytest.approx(
        [report["frames"][k]["volume_ratio"] for k in (0, -1)])
    assert all(key["position_error"] < 1e-6 and key["inverted"] == 0 for key in report["keys"])
    assert len(report["frames"]) == 31
    assert all(0.95 < frame["volume_ratio"] < 1.05 for frame in report["frames"])
    assert (tmp_path / "motion.glb").stat().st_size > 1000
    with np.load(tmp_path / "motion.npz") as data:
        arrays = [data[name] for name in data.files]
    frames = next(a for a in arrays if a.ndim == 3 and a.shape[:2] == (31, 99))
    assert np.abs(frames[0] - positions(bar)).max() < 1e-6
    assert np.abs(frames[-1] - positions(bent)).max() < 1e-6


def test_inserted_keys_and_given_motions_are_passed(program, bar, bent, tmp_path):
    program.ok("pose", bar, "--bend", "90deg", "-o", "half.msh")
    program.ok("interpolate", bar, bar, bent, "--insert", "0.4=half.msh", "--modes", 10, "--fps", 10,
               "-o", "motion.npz")
    with np.load(tmp_path / "motion.npz") as data:
        frames = next(data[n] for n in data.files if data[n].ndim == 3 and data[n].shape[0] == 11)
    assert np.abs(frames[4] - positions(tmp_path / "half.msh")).max() < 1e-6
    program.ok("interpolate", bar, bar, "half.msh", bent, "--gamma", 0, "--modes", 10, "--fps", 1,
               "-o", "given.npz")
    with np.load(tmp_path / "given.npz") as data:
        frames = next(data[n] for n in data.files if data[n].ndim == 3 and data[n].shape[0] == 3)
    assert np.abs(frames[1] - positions(tmp_path / "half.msh")).max() < 1e-6


def test_shells_move_too(program, tmp_path):
    n = 8
    vertices = [f"v {i / n} {j / n} 0" for j in range(n + 1) for i in range(n + 1)]
    faces = []
    for j in range(n):
        for i in range(n):
            a = 1 + i + (n + 1) * j
            faces += [f"f {a} {a + 1} {a + n + 2}", f"f {a} {a + n + 2} {a + n + 1}"]
    (tmp_path / "sheet.obj").write_text("\n".join(vertices + faces) + "\n")
    program.ok("pose", "sheet.obj", "--axis", "x", "--towards", "z", "--bend", "200deg", "-o",
               "rolled.obj")
    program.ok("interpolate", "sheet.obj", "sheet.obj", "rolled.obj", "--shell", "--modes", 20,
               "--damping", -0.7, "-o", "sheet.glb", "--report", "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["triangles"] == 2 * n * n
    assert all(key["position_error"] < 1e-6 for key in report["keys"])


def test_posed_surfaces_carry_the_tets(program, bar, tmp_path):
    skin = limber.boundary_surface(limber.bar([1, 0.12, 0.12], [30, 4, 4]))
    limber.write_mesh(tmp_path / "skin.obj", skin)
    program.ok("pose", "skin.obj", "--bend", "150deg", "--twist", "60deg", "-o", "posed.obj")
    program.ok("pose", "skin.obj", "--bend", "60deg", "-o", "half.obj")
    program.ok("interpolate", bar, "skin.obj", "posed.obj", "--surface", "skin.obj", "--modes", 20,
               "--fps", 10, "--insert", "0.4=half.obj", "-o", "skin.npz", "-o", "skin.glb",
               "--report", "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    assert all(key["position_error"] < 1e-6 and key["inverted"] == 0 for key in report["keys"])
    assert all(0.9 < frame["volume_ratio"] < 1.1 for frame in report["frames"])
    program.ok("interpolate", bar, "skin.obj", "half.obj", "posed.obj", "--surface", "skin.obj",
               "--gamma", 0.3, "--modes", 20, "-o", "skin.mdd")
    assert "--surface" in program.refuses("interpolate", bar, bar, "posed.obj")


def test_closed_surfaces_are_filled_and_open_ones_are_shells(program, tmp_path):
    box = limber.boundary_surface(limber.bar([1, 0.2, 0.2], [20, 4, 4]))
    limber.write_mesh(tmp_path / "box.obj", box)
    program.ok("pose", "box.obj", "--bend", "90deg", "-o", "bent.obj")
    program.ok("interpolate", "box.obj", "box.obj", "bent.obj", "--cells", 8, "--modes", 20, "--fps",
               10, "-o", "box.npz", "--report", "box.json")
    report = json.loads((tmp_path / "box.json").read_text())
    assert report["tets"] > 100
    assert all(key["position_error"] < 1e-6 for key in report["keys"])
    assert all(0.9 < frame["volume_ratio"] < 1.1 for frame in report["frames"])
    box = limber.TriMesh(box.V, box.F[2:])
    limber.write_mesh(tmp_path / "open.obj", box)
    program.ok("pose", "open.obj", "--bend", "90deg", "-o", "bent.obj")
    program.ok("interpolate", "open.obj", "open.obj", "bent.obj", "--modes", 20, "--report",
               "open.json")
    assert "triangles" in json.loads((tmp_path / "open.json").read_text())


@pytest.mark.parametrize("arguments, words", [
    (["--times", "0,0"], "not later"),
    (["--times", "0"], "1 times for 2 poses"),
    (["--times", "0,x"], "not a number"),
    (["--frequency", "2"], "frequency"),
    (["--frequency", "0:0.1,0:0.2"], "ascend"),
    (["--damping", "0.1,0.2"], "damping"),
    (["--fps", "0"], "frames a second"),
    (["--hold", "x<=-7"], ""),
    (["--insert", "0.5"], "TIME=FILE"),
    (["--insert", "2=bar.msh"], "between"),
    (["--seed", "100000"], "seed"),
    (["--shell"], "shell"),
    (["-o", "motion.xyz"], "animation format"),
    (["--weights", "1,2"], "3"),
    (["--weights", "0:1;2"], "3 curves"),
    (["--barycentre", "magic"], "no path"),
    (["--barycentre", "0:1,2"], "3"),
    (["--barycentre", "1:0,0,0;0:0,0,0"], "later"),
    (["--move", "5"], "no path"),
    (["--move", "x=0:0,0,0"], "not a node"),
    (["--move", "99999=0:0,0,0"], "99999"),
    (["--move", "3=0:0,0,0", "--hold", "nodes:3"], "node 3"),
    (["--turn", "5=now"], "TIME:X,Y,Z"),
    (["--still", "7"], "pose 7"),
])
def test_bad_requests_are_one_line(program, bar, bent, arguments, words):
    assert words in program.refuses("interpolate", bar, bar, bent, "--modes", 5, *arguments)


def test_poses_that_are_not_finite_are_refused(program, tmp_path):
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (tmp_path / "nan.obj").write_text("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n")
    assert "nan.obj" in program.refuses("interpolate", "flat.obj", "flat.obj", "nan.obj", "--shell")


def test_poses_of_another_mesh_are_refused(program, bar, tmp_path):
    limber.write_mesh(tmp_path / "other.msh", limber.bar([1, 0.12, 0.12], [9, 2, 2]))
    assert "same mesh" in program.refuses("interpolate", bar, bar, "other.msh")
    assert program.refuses("interpolate", bar, bar)
    assert program.refuses("interpolate", bar, bar, "missing.msh")
    assert not (tmp_path / "motion.glb").exists()


@pytest.mark.parametrize("arguments, words", [
    (["--bend", "much"], "not a number"),
    (["--twist", "1080deg"], "inside out"),
    (["--bend", "1", "--axis", "x", "--towards", "x"], "axis"),
    (["--twist", "1", "--axis", "0,0,0"], "direction"),
    (["--twist", "1", "--range", "1,0"], "range"),
    (["--drag", "5"], "NODE"),
    (["--drag", "5000=0,0,0"], "does not exist"),
    (["--drag", "5=0,0"], "3"),
])
def test_bad_poses_are_one_line(program, bar, arguments, words):
    assert words in program.refuses("pose", bar, "-o", "pose.msh", *arguments)


def test_the_report_measures_frames_beside_straight_lines(program, bar, bent, tmp_path):
    out = program.ok("interpolate", bar, bar, bent, "--modes", 10, "--fps", 8, "--report", "r.json")
    assert "straight lines" in out
    quality = json.loads((tmp_path / "r.json").read_text())["summary"]["quality"]
    # A bend by half a turn: straight lines shorten edges along the bar and lose volume.
    assert quality["motion"]["straying"] < 1.1 < quality["straight_lines"]["straying"]
    assert quality["motion"]["shrinking"] > 0.97 > quality["straight_lines"]["shrinking"]
    assert quality["self_intersections"]["times"] == []


def test_frames_that_go_through_themselves_are_listed(program, tmp_path):
    # Two strips joined at one end: their free ends change places.
    bar = limber.bar([1, 0.1, 0.1], [20, 2, 2])
    angle = 2.2 * np.pi * bar.V[:, 0]
    radius = 1 / (2.2 * np.pi) - (bar.V[:, 1] - 0.05)
    ring = np.c_[radius * np.sin(angle), 1 - radius * np.cos(angle), bar.V[:, 2]]
    for name, side in (("front", 1), ("behind", -1)):
        pose = ring + np.outer(side * 0.5 * (bar.V[:, 0] - 0.5), [0, 0, 1])
        limber.write_mesh(tmp_path / f"{name}.msh", limber.TetMesh(pose, bar.T))
    limber.write_mesh(tmp_path / "rest.msh", bar)
    out = program.ok("interpolate", "rest.msh", "front.msh", "behind.msh", "--modes", 10, "--fps", 16,
                     "--report", "r.json")
    assert "goes through itself" in out
    report = json.loads((tmp_path / "r.json").read_text())
    times = report["summary"]["quality"]["self_intersections"]["times"]
    assert times and 0 < times[0] <= 0.5 <= times[-1] < 1
    crossed = [f for f in report["frames"] if f["self_intersections"]]
    assert len(crossed) == len(times) and all(f["crossing_triangles"] for f in crossed)
    listed = report["summary"]["quality"]["self_intersections"]["frames"]
    assert [(f["time"], f["pairs"]) for f in listed] == [(f["time"], f["self_intersections"]) for f in crossed]
    assert all(report["frames"][f["frame"]]["time"] == f["time"] for f in listed)
    out = program.ok("interpolate", "rest.msh", "front.msh", "behind.msh", "--modes", 10, "--no-check")
    assert "goes through itself" not in out


def test_swinging_is_asked_for(program, bar, bent, tmp_path):
    def modal(*options):
        program.ok("interpolate", bar, bar, bent, "--modes", 10, "--fps", 20, "--report", "r.json",
                   *options)
        return np.array([f["modal"] for f in json.loads((tmp_path / "r.json").read_text())["frames"]])

    line = np.linspace(0, 1, 21)[:, None]
    calm = modal()
    assert np.abs(calm - (calm[0] + line * (calm[-1] - calm[0]))).max() < 1e-9
    lively = modal("--swing", 0.5)
    assert np.abs(lively - calm).max() > 0.1 * np.abs(calm[-1] - calm[0]).max()
    assert np.abs(modal("--frequency", 0) - calm).max() > 1e-3
    assert "calm" in program.refuses("interpolate", bar, bar, bent, "--modes", 5, "--trajectory",
                                     "calm", "--swing", 1)
    assert program.refuses("interpolate", bar, bar, bent, "--swing", -1)


def test_held_faces_keep_their_size(program, bar, tmp_path):
    program.ok("pose", bar, "--twist", "150deg", "-o", "wrung.msh")
    program.ok("interpolate", bar, bar, "wrung.msh", "--modes", 10, "--fps", 4, "--hold", "x<=0",
               "--hold", "x>=1", "--report", "r.json")
    frames = json.loads((tmp_path / "r.json").read_text())["frames"]
    assert min(f["volume_ratio"] for f in frames) > 0.97
