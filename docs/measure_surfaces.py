"""Fills surfaces of many kinds, shakes the bodies, and writes docs/surfaces.md with a picture of each.

    /usr/bin/python3 docs/measure_surfaces.py [--creatures N] [--only TEXT] [SURFACE...]

The surfaces are made by code (reproduction/wild_surfaces.py); SURFACEs are files to go through as
well, whose pictures, being other people's, go to build/surfaces.png alone. Each goes as a user's would: `limber mesh` with its defaults, a scene that shakes it, the picture,
and the animation through Khronos' validator where `npm ci` was run in tests/web/formats.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

from reproduction.common import BUILD, IMAGES, ROOT, plt, scene_file
from reproduction.shapes import write_obj
from reproduction.wild_surfaces import all_surfaces

SHAKE = 0.25   # s from the blow to the picture
COLUMNS = 10   # of the pictures
HELD = 0.15    # of the height, at the bottom
FIRST = 2.0    # Hz, the slowest mode: what is held swings alike, whatever its size and shape
FORMATS = ROOT / "tests" / "web" / "formats"

HEAD = """# Surfaces from the wild

By `docs/measure_surfaces.py`, which makes them by code: each goes through `limber mesh` with its defaults, then a scene holds its lowest
part (one end of what lies flat), moves it by modal warping with a slowest mode of {first:g} Hz, and gives all of it a blow sideways; loose pieces fall. *Time* is that of the processor and *memory* the peak of `limber mesh`, reading, examining and writing with it. *Angle* is the
smallest between two faces of a tet. *Outside* are vertices of the surface that no tet holds; they move with the nearest one, and *farthest* says how far
that is extended (1: a whole tet away). *Volume* is the body's after the blow, beside rest. A surface that cannot be a body would say why in the last column. Rows without a picture are files of other people, given to the script.

![Each surface as a body, {shake} s after a blow](images/surfaces.png)

| | surface | triangles | mode | tets | time, s | memory, MB | angle | pieces | outside | farthest | volume | |
|---:|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---|
"""


def run(*arguments):
    """Exit code, the error's line, processor seconds and peak memory (MB) of the program."""
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen([str(BUILD / "limber"), "--quiet", *map(str, arguments)],
                                 stdout=subprocess.DEVNULL, stderr=errors)
        peak, ended = 0, 0
        while ended == 0:  # what the kernel keeps for a child counts this interpreter's memory too
            peak = max(peak, memory_of(child.pid))
            time.sleep(0.005)
            ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = [line for line in errors.read().splitlines() if line]
    said = lines[-1] if lines else ""
    return child.returncode, said, usage.ru_utime + usage.ru_stime, peak


def memory_of(process):
    """Peak so far, MB; 0 where it has ended."""
    try:
        lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0)


def axis_of(size):
    """What is held is the lowest part; of what lies flat, that of the longest side."""
    return 1 if size[1] > 0.2 * size.max() else int(size.argmax())


def held(low, size):
    """SELECT of the part that is held."""
    axis = axis_of(size)
    return f"{'xyz'[axis]}<={float(low[axis] + HELD * size[axis])!r}"


def shaken(surface, mesh, made, low, size, young):
    """A scene of a surface's body, of which one part is held and the rest gets a blow across. Loose
    pieces fall. A blow is forces and no gravity: against that would be up in the picture."""
    scale = float(np.linalg.norm(size))
    body = {"name": "body", "mesh": mesh.name, "surface": surface.name, "collides": False,
            "material": {"young": young, "poisson": 0.33, "density": 1000}}
    gravity = [0, 0, 0]
    if made["pieces"] > 1:
        body["modes"] = "auto"
        gravity = [0, -4 * scale, 0]
    else:
        of_a_node = 1000 * made["volume"] / made["nodes"] * scale
        blow = np.roll([12, 0, 35], axis_of(size) - 1) * of_a_node
        body |= {"fixed": [held(low, size)], "modes": 15,
                 "forces": [{"nodes": f"y>={float(low[1] - scale)!r}", "from": 0, "to": 0.06,
                             "force": blow.tolist()}]}
    return {"limber": 1, "time_step": 0.01, "duration": SHAKE, "gravity": gravity, "bodies": [body]}


def first_eigenvalue(mesh, fixed):
    """Of a body of 1 Pa, 1/s²."""
    done = subprocess.run([str(BUILD / "limber"), "--quiet", "modes", str(mesh), "--young", "1", "--modes", "1",
                           "--json", *fixed], capture_output=True, text=True)
    return json.loads(done.stdout)["modes"][0]["eigenvalue"] if done.returncode == 0 else None


def validated(path):
    """How many errors Khronos' validator finds; None where it is not installed."""
    if not (FORMATS / "node_modules").exists():
        return None
    done = subprocess.run(["node", "check_validity.mjs", str(path)], cwd=FORMATS, capture_output=True,
                          text=True, check=True)
    return sum(issue["severity"] == 0 for issue in json.loads(done.stdout)["messages"])


def measured(folder, surface, low, size):
    """The cells of a row, and the picture's file or None."""
    mesh, report, motion = folder / "body.msh", folder / "mesh.json", folder / "motion.json"
    code, said, seconds, megabytes = run("mesh", surface, "-o", mesh, "--report", report)
    if code != 0:
        return ["–"] * 9 + [said], None
    made = json.loads(report.read_text())
    cells = [made["mode"], f"{made['tets']:,}", f"{seconds:.2f}", f"{megabytes:.0f}",
             f"{made['min_dihedral_degrees']:.0f}°", str(made["pieces"]), f"{made['vertices_outside']:,}",
             f"{made['worst_extrapolation']:.2f}"]
    fixed = ["--fix", held(low, size)] if made["pieces"] == 1 else []
    slowest = first_eigenvalue(mesh, fixed)
    young = (2 * np.pi * FIRST) ** 2 / slowest if slowest else 1e5
    scene = scene_file(folder, shaken(surface, mesh, made, low, size, young))
    film = folder / "motion.glb"
    code, said, *_ = run("simulate", scene, "--report", motion, "-o", film)
    if code != 0:
        return [*cells, "–", said], None
    bodies = json.loads(motion.read_text())["frames"][-1]["bodies"]
    ratios = [body["volume_ratio"] for body in bodies]
    worst = max(ratios, key=lambda ratio: abs(ratio - 1))
    errors = validated(film)
    remarks = [] if not errors else [f"{errors} errors of the validator"]
    picture = folder / "picture.png"
    code, said, *_ = run("render", scene, "--time", SHAKE, "--frame", "moment", "--camera", "35,15",
                         "--no-labels", "--size", "220x220", "--samples", "8", "-o", picture)
    if code != 0:
        remarks.append(said)
    return [*cells, f"{100 * worst:.1f} %", "; ".join(remarks)], plt.imread(picture) if code == 0 else None


def contact_sheet(pictures, path):
    rows = -(-len(pictures) // COLUMNS)
    figure, grid = plt.subplots(rows, COLUMNS, squeeze=False, figsize=(1.25 * COLUMNS, 1.25 * rows))
    for axes in grid.flat:
        axes.axis("off")
    for axes, (number, picture) in zip(grid.flat, pictures):
        if picture is not None:
            axes.imshow(picture)
        axes.text(0.03, 0.97, str(number), transform=axes.transAxes, va="top", fontsize=7, color="#555")
    figure.subplots_adjust(0, 0, 1, 1, 0.01, 0.01)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def surfaces(scratch, given):
    """(name, file, vertices, whether it is a given one) of all."""
    for name, v, t in all_surfaces(scratch, given.creatures):
        yield name, write_obj(scratch / "surface.obj", v, t), v, False
    for path in map(pathlib.Path, given.surfaces):
        copy = scratch / path.name
        copy.write_bytes(path.read_bytes())
        as_obj = scratch / "surface.obj"
        code, said, *_ = run("convert", copy, as_obj)
        if code != 0:
            sys.exit(said)
        v = np.array([[float(x) for x in line.split()[1:4]] for line in open(as_obj) if line.startswith("v ")])
        yield path.stem, as_obj, v, True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--creatures", type=int, default=6)
    parser.add_argument("--only", default="", help="names with this in them")
    parser.add_argument("surfaces", nargs="*")
    given = parser.parse_args()
    rows, pictures = [], {False: [], True: []}
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name, path, v, is_given in surfaces(scratch, given):
            if given.only not in name:
                continue
            low, size = v.min(axis=0), np.ptp(v, axis=0)
            triangles = sum(line.startswith("f ") for line in open(path))
            cells, picture = measured(scratch, path, low, size)
            pictures[is_given].append((len(rows) + 1, picture))
            rows.append(f"| {len(rows) + 1} | {name} | {triangles:,} | {' | '.join(cells)} |\n")
            print(rows[-1], end="", flush=True)
    bodies = sum(picture is not None for _, picture in pictures[False] + pictures[True])
    summary = f"\n{len(rows)} surfaces, {bodies} bodies.\n"
    print(summary)
    if not given.only:
        contact_sheet(pictures[False], IMAGES / "surfaces.png")
        if pictures[True]:
            contact_sheet(pictures[True], ROOT / "build" / "surfaces.png")
        (ROOT / "docs" / "surfaces.md").write_text(HEAD.format(shake=SHAKE, first=FIRST) + "".join(rows) + summary)


if __name__ == "__main__":
    main()
