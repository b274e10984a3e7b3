#!/usr/bin/env python3
"""Fills surfaces of many kinds, shakes each and takes its picture; writes a table of what happened.

    PYTHONPATH= docs/make_surfaces_table.py build/release/limber OUT [SURFACE ...]

OUT gets table.md, a PNG of each surface after a shake and sheet.html with all of them. Surfaces are those made here by
code from seeds, and the files given.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import time

import numpy as np


def ball(across, bumps=0.0, seed=0):
    random = np.random.default_rng(seed)
    waves = random.integers(2, 9, 4)
    polar = np.linspace(0, math.pi, across + 1)[1:-1]
    around = np.arange(2 * across) * math.pi / across
    T, P = np.meshgrid(polar, around, indexing="ij")
    r = 1 + bumps * np.sin(waves[0] * P) * np.sin(waves[1] * T) ** 2
    V = np.stack([r * np.sin(T) * np.cos(P), r * np.cos(T), r * np.sin(T) * np.sin(P)], -1)
    V = np.vstack([V.reshape(-1, 3), [0, 1, 0], [0, -1, 0]])
    grid = np.arange((across - 1) * 2 * across).reshape(across - 1, -1)
    a, c = grid[:-1], grid[1:]
    b, d = np.roll(a, -1, 1), np.roll(c, -1, 1)
    poles = len(V) - 2
    F = [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([b, d, c], -1).reshape(-1, 3),
         np.stack([np.full(2 * across, poles), np.roll(grid[0], -1), grid[0]], -1),
         np.stack([np.full(2 * across, poles + 1), grid[-1], np.roll(grid[-1], -1)], -1)]
    return V, np.vstack(F)


def tube(points, radius, sides=12):
    """Around a line of points, closed at both ends."""
    points = np.asarray(points, float)
    tangents = np.gradient(points, axis=0)
    V, F = [], []
    normal = np.cross(tangents[0], [0.3, 0.5, 0.8])
    for p, t in zip(points, tangents):
        t = t / np.linalg.norm(t)
        normal = normal - t * (t @ normal)
        normal /= np.linalg.norm(normal)
        side = np.cross(t, normal)
        V += [p + radius * (math.cos(a) * normal + math.sin(a) * side)
              for a in 2 * math.pi * np.arange(sides) / sides]
    for i in range(len(points) - 1):
        for k in range(sides):
            a, b = i * sides + k, i * sides + (k + 1) % sides
            F += [[a, b, a + sides], [b, b + sides, a + sides]]
    ends = len(V)
    V += [points[0], points[-1]]
    last = (len(points) - 1) * sides
    F += [[ends, (k + 1) % sides, k] for k in range(sides)]
    F += [[ends + 1, last + k, last + (k + 1) % sides] for k in range(sides)]
    return np.array(V), np.array(F)


def moved(part, by, scale=1.0):
    return part[0] * scale + by, part[1]


def together(parts):
    V, F, first = [], [], 0
    for v, f in parts:
        V.append(v)
        F.append(f + first)
        first += len(v)
    return np.vstack(V), np.vstack(F)


def made_surfaces():
    """Name and surface, thirty-odd kinds."""
    for seed in range(8):
        yield f"bumpy ball {seed}", ball(12 + 6 * seed, 0.05 + 0.04 * seed, seed)
    for seed in range(6):
        random = np.random.default_rng(100 + seed)
        line = np.cumsum(random.normal(size=(24, 3)) * 0.1 + [0.08, 0, 0], 0)
        yield f"worm {seed}", tube(line, 0.04 + 0.02 * seed)
    for seed in range(6):
        random = np.random.default_rng(200 + seed)
        parts = [moved(ball(10), random.normal(size=3) * 0.7, random.uniform(0.3, 0.8))
                 for _ in range(2 + 2 * seed)]
        yield f"overlapping balls {seed}", together(parts)
    for gap in (0.3, 0.05, -0.02, -0.1):
        yield f"two balls, gap {gap}", together([ball(16), moved(ball(16), [2 + gap, 0, 0])])
    for seed in range(4):
        random = np.random.default_rng(300 + seed)
        V, F = ball(24, 0.2, seed)
        yield f"with holes {seed}", (V, F[random.random(len(F)) > 0.02 * (seed + 1)])
        yield f"turned triangles {seed}", (V, np.where(random.random((len(F), 1)) < 0.3, F[:, ::-1], F))
        yield f"noisy {seed}", (V + 0.01 * (seed + 1) * random.normal(size=V.shape), F)
    for count in (50, 2000, 20000):
        random = np.random.default_rng(count)
        centres = random.normal(size=(count, 1, 3))
        centres /= np.linalg.norm(centres, axis=2, keepdims=True)
        V = (centres + 0.05 * random.normal(size=(count, 3, 3))).reshape(-1, 3)
        yield f"{count} loose triangles", (V, np.arange(3 * count).reshape(-1, 3))
    yield "comb", together([tube([[x, 0, 0], [x, 0.5, 0], [x, 1, 0]], 0.03) for x in np.arange(8) / 10]
                           + [tube([[-0.1, 0, 0], [0.4, 0, 0], [0.8, 0, 0]], 0.05)])
    yield "ball in a shell", together([(ball(24)[0], ball(24)[1]), moved((ball(24)[0], ball(24)[1][:, ::-1]), 0, 0.9),
                                       moved(ball(16), [0, -0.3, 0], 0.5)])


def write_off(path, V, F):
    with open(path, "w") as file:
        print(f"OFF\n{len(V)} {len(F)} 0", file=file)
        np.savetxt(file, V, "%.9g")
        np.savetxt(file, np.column_stack([np.full(len(F), 3), F]), "%d")


def run(*command):
    """Exit code, seconds and peak memory in MB of a command, and what it said."""
    start = time.perf_counter()
    with open(os.devnull) as nothing:
        process = subprocess.Popen([str(part) for part in command], stdin=nothing,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), time.perf_counter() - start, usage.ru_maxrss / 1024, text


def shaken(folder, name, mesh, surface):
    """A scene in which the body's lower end is shaken sideways."""
    scene = {"limber": 1, "gravity": [0, -9.81, 0], "time_step": 1 / 60, "duration": 0.5,
             "bodies": [{"name": "body", "mesh": mesh.name, "surface": str(surface),
                         "material": {"young": 2e5, "poisson": 0.4, "density": 1000},
                         "damping": {"stiffness": 0.01}, "method": "modal-warping", "modes": 20,
                         "fixed": ["FIX"],
                         "support": [{"time": t / 60, "position": [0.1 * math.sin(t / 3), 0, 0],
                                      "rotation": [0, 0, 0, 1]} for t in range(0, 31, 3)]}]}
    low, high = bounds_of(folder, mesh)
    scene["bodies"][0]["fixed"] = [f"y<={low[1] + 0.1 * (high[1] - low[1])}"]
    size = max(h - l for l, h in zip(low, high))
    for key in scene["bodies"][0]["support"]:
        key["position"][0] *= size
    path = folder / f"{name}.json"
    path.write_text(json.dumps(scene))
    return path


def bounds_of(folder, mesh):
    box = json.loads(run(LIMBER, "info", mesh, "--json")[3])["bounds"]
    return box["min"], box["max"]


def row_of(folder, label, surface):
    name = label.replace(" ", "-").replace(",", "").replace("/", "-")
    mesh, report = folder / f"{name}.msh", folder / f"{name}.report.json"
    code, seconds, memory, text = run(LIMBER, "mesh", surface, "-o", mesh, "--report", report, "--quiet")
    if code != 0:
        return f"| {label} | | {seconds:.1f} | {memory:.0f} | | | | | {text.strip().splitlines()[-1][:120]} |"
    found = json.loads(report.read_text())
    picture = folder / f"{name}.png"
    code, _, _, text = run(LIMBER, "render", shaken(folder, name, mesh, surface), "--time", 0.5,
                           "-o", picture, "--size", "320x240", "--quiet")
    shown = f"![]({picture.name})" if code == 0 else text.strip().splitlines()[-1][:120]
    return (f"| {label} | {found['surface']['triangles']} | {seconds:.1f} | {memory:.0f} | {found['tets']} | "
            f"{found['min_dihedral_degrees']:.0f} | {found['pieces']} | {found['vertices_outside']} | {shown} |")


def main():
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["| surface | triangles | s | MB | tets | least angle | pieces | vertices outside | after a shake |",
            "|---|---|---|---|---|---|---|---|---|"]
    for label, (V, F) in made_surfaces():
        surface = folder / (label.replace(" ", "-").replace(",", "") + ".off")
        write_off(surface, V, F)
        rows.append(row_of(folder, label, surface.resolve()))
    for given in sys.argv[3:]:
        rows.append(row_of(folder, pathlib.Path(given).stem, pathlib.Path(given).resolve()))
    (folder / "table.md").write_text("\n".join(rows) + "\n")
    pictures = "".join(f"<figure><img src='{p.name}'><figcaption>{p.stem}</figcaption></figure>"
                       for p in sorted(folder.glob("*.png")))
    (folder / "sheet.html").write_text(f"<body style='display:flex;flex-wrap:wrap'>{pictures}</body>")
    print(f"{len(rows) - 2} surfaces: {folder / 'table.md'}")


if __name__ == "__main__":
    LIMBER = pathlib.Path(sys.argv[1]).resolve()
    main()
