"""Figures of docs/methods/local.md: how near local detail comes to corotational elements, and what it costs.

    /usr/bin/python3 docs/measure_local.py [--cells N] [--young PA] [--methods NAMES] [press] [ball] [bake]

A dino stands on its feet. `press`: a ball is pushed slowly into its back; `ball`: one is thrown at it. Both by
every method, against corotational elements at the same steps; errors are of the displacements of the surface, as
a share of the reference's, near the contact (within two radii of the ball) and elsewhere. `bake`: time and file
with and without residual modes. Times are processor times of one thread where the machine is quiet.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("LIMBER_BUILD", ROOT / "build" / "release")) / "limber"
RADIUS = 0.05  # m, of the ball; the dino is 1 m high
METHODS = {
    "corotational": {"method": "corotational"},
    "linear": {"method": "linear"},
    "modes alone": {"method": "modal-warping"},
    "1 ring": {"local": {"mode": "rings", "rings": 1}},
    "2 rings": {"local": {"mode": "rings", "rings": 2}},
    "4 rings": {"local": {"mode": "rings", "rings": 4}},
    "residual modes": {"local": {"mode": "auto"}},
    "corotational in 2 rings": {"local": {"mode": "corotational", "rings": 2}},
}


def body(options, keys):
    described = {"name": "dino", "shape": "dino", "size": [1], "cells": [options.cells], "vertices": 6000,
                 "material": {"young": options.young, "poisson": 0.3, "density": 1000}, "fixed": "y<=0.02",
                 "damping": {"mass": 1, "stiffness": 0.002}, "method": "global-local", **keys}
    if described["method"] not in ("corotational", "linear"):
        described["modes"] = 20
    return described


def simulate(folder, scene):
    path, report, frames = folder / "s.json", folder / "r.json", folder / "f.npz"
    path.write_text(json.dumps(scene))
    subprocess.run([PROGRAM, "--quiet", "simulate", path, "--report", report, "-o", frames], check=True,
                   stdout=subprocess.DEVNULL)
    with np.load(frames) as data:
        name = "dino/surface" if "dino/surface" in data.files else "dino/positions"
        return json.loads(report.read_text()), data[name]


def back_of(options, folder):
    """The highest point of the back: of the surface, in the middle third along x."""
    scene = {"limber": 1, "gravity": [0, 0, 0], "time_step": 0.01, "duration": 0.01, "bodies": [body(options, METHODS["modes alone"])]}
    _, frames = simulate(folder, scene)
    x = frames[0]
    low, high = np.quantile(x[:, 0], [1 / 3, 2 / 3])
    middle = x[(x[:, 0] > low) & (x[:, 0] < high)]
    return middle[middle[:, 1].argmax()]


def scene_of(options, kind, place, keys):
    above = place + [0, RADIUS + 0.001, 0]
    ball = {"name": "ball", "shape": "sphere", "size": [RADIUS], "friction": 0}
    if kind == "press":
        down = list(above - [0, 0.001 + 0.02, 0])
        ball["path"] = [{"time": 0, "position": list(above)}, {"time": 0.8, "position": down}, {"time": 9, "position": down}]
    else:
        ball.update(mass=0.5, position=list(above + [0, 0.02, 0]), velocity=[0, -3, 0])
    return {"limber": 1, "gravity": [0, 0, 0], "time_step": round(1 / 60, 9), "frame_rate": 60,
            "duration": 1.0 if kind == "press" else 0.2, "obstacles": [ball], "bodies": [body(options, keys)]}


def compare(options, kind, folder):
    place = back_of(options, folder)
    results = {}
    chosen = options.methods.split(",") if options.methods else METHODS
    for name, keys in METHODS.items():
        if name not in chosen and name != "corotational":
            continue
        results[name] = simulate(folder, scene_of(options, kind, place, keys))
        report, frames = results[name]
        truth_report, truth = results["corotational"]
        near = np.linalg.norm(truth[0] - place, axis=1) < 2 * RADIUS
        count = min(len(frames), len(truth))

        def error(where):
            wrong = frames[:count, where] - truth[:count, where]
            return 100 * np.linalg.norm(wrong) / np.linalg.norm(truth[:count, where] - truth[0, where])

        def peak(of):
            return max(np.linalg.norm(f["bodies"][0]["contact_force"]) for f in of["frames"])

        seconds = report["summary"]["seconds"]
        steps = len(report["frames"]) - 1
        print(f"{kind}: {name}: error near {error(near):.1f} %, elsewhere {error(~near):.1f} %, "
              f"peak force {100 * (peak(report) / peak(truth_report) - 1):+.0f} %, "
              f"local nodes {max(f['bodies'][0]['local_nodes'] for f in report['frames'])}, "
              f"frame {1e3 * seconds['dynamics'] / steps:.2f} ms, of it detail {1e3 * seconds['local'] / steps:.3f} ms",
              flush=True)


def bake(options, folder):
    subprocess.run([PROGRAM, "--quiet", "character", "dino", "-o", folder / "dino.obj"], check=True)
    subprocess.run([PROGRAM, "--quiet", "mesh", folder / "dino.obj", "--cells", str(options.cells), "-o", folder / "dino.msh"],
                   check=True, stdout=subprocess.DEVNULL)
    for name, extra in (("plain", []), ("local", ["--local"])):
        out = folder / f"{name}.limber"
        start = time.time()
        user = os.times().children_user
        subprocess.run([PROGRAM, "--quiet", "bake", folder / "dino.msh", "--fix", "y<=0.02", "--modes", "20", *extra, "-o", out],
                       check=True, stdout=subprocess.DEVNULL)
        print(f"bake {name}: {time.time() - start:.1f} s, {os.times().children_user - user:.1f} processor s, "
              f"{out.stat().st_size / 1e6:.1f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=40)
    parser.add_argument("--young", type=float, default=2e5)
    parser.add_argument("--methods", help="names of METHODS, joined by commas; all unless given")
    parser.add_argument("what", nargs="*", default=["press", "ball", "bake"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what in options.what:
            bake(options, folder) if what == "bake" else compare(options, what, folder)


if __name__ == "__main__":
    main()
