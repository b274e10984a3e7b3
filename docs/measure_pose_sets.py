"""Measures in-betweens of pose sets against straight lines and writes docs/pose-sets.md.

    /usr/bin/python3 docs/measure_pose_sets.py [--options "--swing 0.3"] [--creatures N] [FOLDER...]

Our characters are posed here by code, creatures with thin limbs and their poses come from seeds. A
FOLDER holds one more set: rest.obj and poses of the same surface, taken in alphabetical order.
Every two poses that follow each other are interpolated with the default options of
`limber interpolate`, and all poses of a set in one motion. The frames that come out are measured here.
"""

import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from reproduction.common import BUILD, ROOT
from reproduction.creatures import Creature
from reproduction.pictures import strip
from reproduction.quality import Quality
from reproduction.shapes import bent, character, read_obj, stick, twisted, write_obj

FRAMES = 16  # between two poses
HEAD = """# In-betweens beside straight lines

By `docs/measure_pose_sets.py`: default options, {frames} frames from pose to pose, measured from the frames in numpy. *Straying* is the factor by which the
worst edge leaves the range of its lengths in the two poses around (1: none does); *longest* the largest edge over its length at rest (straight lines never stretch an edge
beyond its poses, so theirs is the poses' own); *volume* how far it leaves the range of the two poses', in % (open surfaces have none). All beside positions blended in straight
lines. What a motion must not be is worse than straight lines in any; a thousandth is rounding.

![A creature between two wild poses, and the same by straight lines](images/pose-sets.png)

| set | poses | straying | lines | longest | lines | volume | lines | |
|---|---|---:|---:|---:|---:|---:|---:|---|
"""
SCALES = """
## Units, times and stiffness

The same creature in other units, with other times between its poses, and of another stiffness: how far any vertex of any frame is from where it was, over the size.

| | straying | volume off, % | difference |
|---|---:|---:|---:|
"""


def characters(folder):
    """Each character bent, twisted and leaned by code; a stick wrung by one and a half turns."""
    for name, vertices in (("dino", 3000), ("elephant", 3000), ("flubber", 3000), ("belly", 2000),
                           ("jelly-box", 1500), ("tube", 2000), ("brain", 3000), ("hat", 1500)):
        rest, triangles, _ = character(folder, name, vertices)
        size, low = np.ptp(rest, axis=0), rest.min(axis=0)
        middle = low + 0.5 * size
        foot = [middle[0], low[1], middle[2]]
        yield name, triangles, {
            "rest": rest,
            "leaning": bent(rest, foot, [0, 1, 0], [1, 0, 0], size[1], 1.6),
            "wrung": twisted(rest, foot, [0, 1, 0], size[1], 2.6),
            "curled": bent(rest, [middle[0], middle[1], low[2]], [0, 0, 1], [0, 1, 0], size[2], 2.2),
        }
    rest, triangles = stick((1, 0.12, 0.12), (40, 5, 5))
    origin, axis = [0, 0.06, 0.06], [1, 0, 0]
    yield "stick", triangles, {
        "rest": rest,
        "bent": bent(rest, origin, axis, [0, 1, 0], 1, 3.5),
        "twisted 540°": twisted(rest, origin, axis, 1, 3 * np.pi),
    }


def creatures(count):
    for seed in range(count):
        creature = Creature(seed)
        yield f"creature {seed}", creature.triangles, {
            "rest": creature.rest, "at ease": creature.pose(seed + 100, 0.8),
            "wild": creature.pose(seed + 200, 2.2)}
    creature = Creature(0)
    rest = creature.rest
    for name, pose in (("larger", 1.6 * rest), ("longer", rest * [1.8, 1, 1]),
                       ("sheared", rest + np.outer(rest[:, 1], [0.8, 0, 0])),
                       ("rippled", rest + np.random.default_rng(7).normal(size=rest.shape) * 0.004),
                       ("turned", rest @ np.diag([-1.0, 1, -1]) + [2, 0, 1])):
        yield "creature 0", creature.triangles, {"rest": rest, name: pose}


def given_sets(folders):
    for folder in map(pathlib.Path, folders):
        rest, triangles = read_obj(folder / "rest.obj")
        files = sorted(p for p in folder.glob("*.obj") if p.stem != "rest")
        yield folder.name, triangles, {"rest": rest, **{p.stem: read_obj(p)[0] for p in files}}


def frames_of(folder, triangles, rest, poses, options, spacing=1.0):
    """Frames (f, v, 3) of the default motion, FRAMES from pose to pose."""
    files = [write_obj(folder / f"pose-{k}.obj", p, triangles) for k, p in enumerate(poses)]
    rest_file = write_obj(folder / "rest.obj", rest, triangles)
    done = subprocess.run(
        [str(BUILD / "limber"), "--quiet", "interpolate", str(rest_file), *map(str, files), "--times",
         ",".join(str(spacing * k) for k in range(len(poses))), "--fps", str(FRAMES / spacing),
         "--modes", "20", "--no-check", "-o", str(folder / "frames.npz"), *options],
        capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip().splitlines()[-1])
    with np.load(folder / "frames.npz") as data:
        return next(data[n] for n in data.files if data[n].ndim == 3 and data[n].shape[1] == len(rest))


def row(name, label, quality, frames):
    ours, lines = quality.of(frames), quality.of(quality.straight_lines(len(frames)))
    cells = []
    for a, b, form in zip(ours, lines, ("{:.3f}", "{:.2f}", "{:.2f}")):
        cells += [form.format(a) if a is not None else "–", form.format(b) if b is not None else "–"]
    return f"| {name} | {label} | {' | '.join(cells)} | {quality.verdict(ours, lines)} |\n"


def scales(scratch, options):
    creature = Creature(3)
    poses = [creature.rest, creature.pose(1, 1.2), creature.pose(2, 1.2)]
    first = None
    for unit, spacing, young in itertools.product((1, 0.01, 100), (1, 0.05, 20), (1e6, 1e2, 1e11)):
        if [unit, spacing, young].count(1) + (young == 1e6) < 2:
            continue
        frames = frames_of(scratch, creature.triangles, creature.rest * unit, [p * unit for p in poses],
                           [*options, "--young", f"{young:g}"], spacing) / unit
        first = frames if first is None else first
        straying, _, volume = Quality(creature.rest, creature.triangles, poses).of(frames)
        off = np.linalg.norm(frames - first, axis=2).max()
        yield (f"| units ×{unit:g}, {spacing:g} s, {young:g} Pa | {straying:.3f} | {volume:.3f} | "
               f"{off:.1e} |\n")


def picture(scratch, options):
    creature = Creature(0)
    poses = [creature.pose(1, 2.2), creature.pose(2, 2.2)]
    frames = frames_of(scratch, creature.triangles, creature.rest, poses, options)
    lines = Quality(creature.rest, creature.triangles, poses).straight_lines(len(frames))
    rows = [list(frames)[::4], list(lines)[::4]]
    strip("pose-sets.png", rows, creature.triangles, labels=("limber", "straight lines"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--options", default="", help="more options of limber interpolate")
    parser.add_argument("--creatures", type=int, default=12)
    parser.add_argument("--no-characters", action="store_true")
    parser.add_argument("--output", default=str(ROOT / "docs" / "pose-sets.md"))
    parser.add_argument("folders", nargs="*")
    given = parser.parse_args()
    options = given.options.split()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        sets = [given_sets(given.folders), creatures(given.creatures)]
        if not given.no_characters:
            sets.append(characters(scratch))
        for name, triangles, poses in itertools.chain(*sets):
            names = list(poses)
            motions = list(zip(names, names[1:]))
            if len(names) > 2:
                motions.append(tuple(names))
            for chosen in motions:
                shapes = [poses[n] for n in chosen]
                label = " → ".join(chosen) if len(chosen) < 3 else f"all {len(chosen)}"
                frames = frames_of(scratch, triangles, poses["rest"], shapes, options)
                rows.append(row(name, label, Quality(poses["rest"], triangles, shapes), frames))
                print(rows[-1], end="", flush=True)
        bad = sum("worse" in text for text in rows)
        summary = f"\n{len(rows)} motions, {bad} worse than straight lines.\n"
        print(summary)
        picture(scratch, options)
        lines = []
        for text in scales(scratch, options):
            lines.append(text)
            print(text, end="", flush=True)
    pathlib.Path(given.output).write_text(HEAD.format(frames=FRAMES) + "".join(rows) + summary + SCALES +
                                          "".join(lines))


if __name__ == "__main__":
    main()
