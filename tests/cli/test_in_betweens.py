"""Frames of `limber interpolate` beside straight lines, on pose sets made from seeds, measured in numpy."""

import json
import sys

import numpy as np
import pytest
from places import ROOT

sys.path.insert(0, str(ROOT / "docs"))
from reproduction.creatures import Creature, rotation  # noqa: E402
from reproduction.quality import Quality  # noqa: E402

limber = pytest.importorskip("limber")


def frames_of(program, rest, triangles, poses, *options, frames=8):
    """Frames (f, v, 3) from pose to pose, evenly."""
    for name, shape in [("rest", rest), *((f"pose-{k}", p) for k, p in enumerate(poses))]:
        limber.write_mesh(program.folder / f"{name}.obj", limber.TriMesh(shape, triangles))
    program.ok("interpolate", "rest.obj", *(f"pose-{k}.obj" for k in range(len(poses))), "--modes", 10,
               "--fps", frames, "--no-check", "-o", "frames.npz", "--report", "report.json", *options)
    with np.load(program.folder / "frames.npz") as data:
        return next(data[n] for n in data.files if data[n].ndim == 3 and data[n].shape[1] == len(rest))


def assert_beats_straight_lines(rest, triangles, poses, frames):
    quality = Quality(rest, triangles, poses)
    ours, lines = quality.of(frames), quality.of(quality.straight_lines(len(frames)))
    assert not quality.verdict(ours, lines), (ours, lines)
    return ours


@pytest.mark.parametrize("seed", [0, 3, 4])
def test_creatures_with_thin_limbs_beat_straight_lines(program, seed):
    creature = Creature(seed)
    poses = [creature.rest, creature.pose(10 * seed + 1, 2.2), creature.pose(10 * seed + 2, 2.2)]
    frames = frames_of(program, creature.rest, creature.triangles, poses)
    straying, _, volume = assert_beats_straight_lines(creature.rest, creature.triangles, poses, frames)
    # Joints turned by up to 126°: rotations alone let the worst edges stray by 1.57, 1.11 and 1.39.
    assert straying < 1.06 and volume < 1e-3


def changed(rest):
    return {"larger": 1.6 * rest, "longer": rest * [1.8, 1, 1],
            "sheared": rest + np.outer(rest[:, 1], [0.8, 0, 0]),
            "rippled": rest + np.random.default_rng(7).normal(size=rest.shape) * 0.004,
            "turned": rest @ rotation([0, 3.1, 0]).T + [2, 0, 1]}


@pytest.mark.parametrize("name", ["larger", "longer", "sheared", "rippled", "turned"])
def test_what_straight_lines_do_well_is_no_worse(program, name):
    """A shear by rotations loses 5 % of the volume, ripples 1 %, straight lines none."""
    creature = Creature(3)
    poses = [creature.rest, changed(creature.rest)[name]]
    frames = frames_of(program, creature.rest, creature.triangles, poses)
    assert_beats_straight_lines(creature.rest, creature.triangles, poses, frames)


def test_units_times_and_stiffness_change_nothing(program):
    creature = Creature(4)
    poses = [creature.rest, creature.pose(1, 1.2)]
    first = frames_of(program, creature.rest, creature.triangles, poses)
    for unit, end, young in ((0.01, 1, 1e6), (100, 1, 1e6), (1, 0.05, 1e6), (1, 40, 1e6), (1, 1, 1e2)):
        frames = frames_of(program, unit * creature.rest, creature.triangles, [unit * p for p in poses],
                           "--times", f"0,{end}", "--young", young, frames=8 / end)
        # Nine digits in the files and single precision in the frames.
        assert np.abs(frames / unit - first).max() < 2e-5


@pytest.mark.parametrize("degrees", [120, 180])
def test_held_faces_turn_as_one_and_the_body_keeps_its_volume(program, tmp_path, degrees):
    bar = limber.bar([1, 0.12, 0.12], [30, 4, 4])
    limber.write_mesh(tmp_path / "bar.msh", bar)
    program.ok("pose", "bar.msh", "--twist", f"{degrees}deg", "-o", "wrung.msh")
    wrung = limber.read_mesh(tmp_path / "wrung.msh")
    program.ok("interpolate", "bar.msh", "bar.msh", "wrung.msh", "--modes", 10, "--fps", 8, "--hold", "x<=0",
               "--hold", "x>=1", "-o", "frames.npz", "--report", "r.json")
    with np.load(tmp_path / "frames.npz") as data:
        frames = next(data[n] for n in data.files if data[n].ndim == 3 and data[n].shape[1] == len(bar.V))
    for face in (bar.V[:, 0] == 0, bar.V[:, 0] == 1):
        apart = [np.linalg.norm(p[face][:, None] - p[face], axis=2) for p in (bar.V, *frames)]
        assert max(np.abs(a - apart[0]).max() for a in apart[1:]) < 1e-6
    volumes = np.array([f["volume_ratio"] for f in json.loads((tmp_path / "r.json").read_text())["frames"]])
    assert np.abs(np.interp(range(9), [0, 8], volumes[[0, 8]]) - volumes).max() <= abs(1 - volumes[8]) + 1e-6
    assert volumes.min() > min(1, volumes[8]) - 1e-6 and volumes.max() < 1 + 1e-6
    assert np.abs(frames[-1] - wrung.V).max() < 1e-6


@pytest.mark.parametrize("degrees", [120, 180])
def test_held_parts_of_posed_surfaces_keep_their_distances(program, degrees):
    """A limb turned about itself at its root, its end held by place and by number."""
    box = limber.boundary_surface(limber.bar([1, 0.2, 0.2], [20, 4, 4]))
    rest, triangles = np.array(box.V), np.array(box.F)
    share = np.clip((rest[:, 0] - 0.3) / 0.4, 0, 1)
    turns = np.array([rotation([s * np.radians(degrees), 0, 0]) for s in share])
    middle = np.array([0, 0.1, 0.1])
    pose = np.einsum("vij,vj->vi", turns, rest - middle) + middle
    end = rest[:, 0] >= 0.7 - 1e-9
    for option in ("x>=0.699", "vertices:" + ",".join(map(str, np.flatnonzero(end)))):
        frames = frames_of(program, rest, triangles, [rest, pose], "--hold", option)
        apart = [np.linalg.norm(p[end][:, None] - p[end], axis=2) for p in (rest, *frames)]
        assert max(np.abs(a - apart[0]).max() for a in apart[1:]) < 1e-6
        assert_beats_straight_lines(rest, triangles, [rest, pose], frames)
        assert Quality(rest, triangles, [rest, pose]).of(frames)[2] < 1e-4
