"""Measures in-betweens of pose sets against straight lines and writes docs/pose-sets.md.

    /usr/bin/python3 docs/measure_pose_sets.py [--options "--swing 0.3"] [FOLDER...]

Our characters are posed here by code. A FOLDER holds one more set: rest.obj and poses of the same
surface, taken in alphabetical order. Every two poses that follow each other are interpolated with
the default options of `limber interpolate`, and all poses of a set in one motion.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from reproduction.common import BUILD, ROOT
from reproduction.shapes import bent, character, read_obj, stick, twisted, write_obj

FRAMES = 16  # between two poses
HEAD = """# In-betweens beside straight lines

By `docs/measure_pose_sets.py`: default options, {frames} frames from pose to pose. *Straying* is the factor by which the worst edge leaves the range
of its lengths in the two poses around (1: none does); *volume* the smallest and largest volume, over the smaller and the larger of the
two poses'. Both beside positions blended in straight lines. Open surfaces have no volume. What a motion must not be is worse than
straight lines in either.

| set | poses | straying | straight lines | volume | straight lines | |
|---|---|---:|---:|---:|---:|---|
"""


def own_sets(folder):
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


def given_sets(folders):
    for folder in map(pathlib.Path, folders):
        rest, triangles = read_obj(folder / "rest.obj")
        files = sorted(p for p in folder.glob("*.obj") if p.stem != "rest")
        yield folder.name, triangles, {"rest": rest, **{p.stem: read_obj(p)[0] for p in files}}


def measured(folder, triangles, rest, poses, options):
    files = [write_obj(folder / f"pose-{k}.obj", p, triangles) for k, p in enumerate(poses)]
    report = folder / "report.json"
    rest_file = write_obj(folder / "rest.obj", rest, triangles)
    done = subprocess.run([str(BUILD / "limber"), "--quiet", "interpolate", str(rest_file),
                           *map(str, files), "--fps", str(FRAMES), "--modes", "40", "--no-check",
                           "--report", str(report), *options], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip().splitlines()[-1]
    return json.loads(report.read_text())["summary"]["quality"]


def off(quality):
    """How far the volume leaves its range."""
    return max(1 - quality["shrinking"], quality["swelling"] - 1, 0) if "swelling" in quality else 0


def row(name, poses, quality):
    ours, lines = quality["motion"], quality["straight_lines"]
    volumes = [f"{q['shrinking']:.3f} to {q['swelling']:.3f}" if "swelling" in q else "–"
               for q in (ours, lines)]
    # A thousandth of rounding: motions that hardly move have nothing to better.
    worse = ours["straying"] > 1.001 * lines["straying"] or off(ours) > off(lines) + 1e-3
    return (f"| {name} | {poses} | {ours['straying']:.2f} | {lines['straying']:.2f} | {volumes[0]} | "
            f"{volumes[1]} | {'worse' if worse else ''} |\n"), worse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--options", default="", help="more options of limber interpolate")
    parser.add_argument("--output", default=str(ROOT / "docs" / "pose-sets.md"))
    parser.add_argument("folders", nargs="*")
    given = parser.parse_args()
    rows, bad = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name, triangles, poses in itertools.chain(given_sets(given.folders), own_sets(scratch)):
            names = list(poses)
            pairs = [(a, b) for a, b in zip(names, names[1:])]
            for chosen in [*pairs, tuple(names)]:
                found = measured(scratch, triangles, poses["rest"], [poses[n] for n in chosen],
                                 given.options.split())
                label = " → ".join(chosen) if len(chosen) < 3 else f"all {len(chosen)}"
                if isinstance(found, str):
                    sys.exit(f"{name}, {label}: {found}")
                text, worse = row(name, label, found)
                rows.append(text)
                bad += worse
                print(text, end="", flush=True)
                pathlib.Path(given.output).write_text(
                    HEAD.format(frames=FRAMES) + "".join(rows) +
                    f"\n{len(rows)} motions, {bad} worse than straight lines.\n")


if __name__ == "__main__":
    main()
