"""Makes the figures and numbers of docs/reproductions.md with the program itself.

    apt-get install python3-matplotlib
    PYTHONPATH=build/release/python /usr/bin/python3 docs/make_reproductions.py [NAME...]

Pictures come from `limber render`, numbers from `limber compare`; curves over a series of runs are
drawn here. Without names, all are made.
"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
BUILD = pathlib.Path(os.environ.get("LIMBER_BUILD", ROOT / "build" / "release"))
# The colours of `limber render`.
COLOURS = {"linear-modal": "#D55E00", "linear": "#882255", "modal-warping": "#0072B2",
           "stiffness-warping": "#56B4E9", "stvk": "#009E73"}
TUBE_TIMES = (0.2, 0.36, 0.6)
MODAL = ["linear-modal", "modal-warping", "stvk"]
# Choi & Ko's long bar: 11×3×3 nodes. Size, material and number of modes are not printed there.
BAR = {
    "limber": 1, "gravity": [0, -9.8, 0], "time_step": 0.01, "frame_rate": 50, "duration": 2,
    "bodies": [{
        "name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2],
        "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "fixed": ["x<=0.001"],
        "modes": 8, "probes": {"tip": [1, 0.1, 0.1]}}],
}


def limber(*arguments):
    subprocess.run([str(BUILD / "limber"), "--quiet", *map(str, arguments)], check=True,
                   stdout=subprocess.DEVNULL)


def scene_file(folder, scene):
    path = pathlib.Path(folder) / "scene.json"
    path.write_text(json.dumps(scene))
    return path


def compared(scene, methods, *options):
    """The comparison as JSON, by method."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        limber("compare", scene_file(folder, scene), "--methods", ",".join(methods), "--truth",
               methods[-1], "--no-pictures", "-o", out, *options)
        data = json.loads((out / "comparison.json").read_text())
        return {entry["method"]: entry for entry in data["methods"]}


def axes_of(figure_size=(5.2, 3.4)):
    figure, axis = plt.subplots(figsize=figure_size)
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(axis="y", color="#E3E6EA", linewidth=0.8)
    axis.set_axisbelow(True)
    return figure, axis


def save(figure, axis, name, x_label, y_label):
    axis.set_xlabel(x_label)
    axis.set_ylabel(y_label)
    axis.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(IMAGES / name, dpi=130)
    plt.close(figure)


def under_gravity(gravity, scene=None):
    changed = copy.deepcopy(scene or BAR)
    changed["gravity"] = [0, -gravity, 0]
    return changed


def choi_ko_4():
    """Three shapes at equilibrium, side by side, under three gravities."""
    for gravity in (1, 5, 9.8):
        with tempfile.TemporaryDirectory() as folder:
            limber("render", scene_file(folder, under_gravity(gravity)), "--settle", "--methods",
                   ",".join(MODAL), "--apart", "--size", "560x440", "--samples", "64",
                   "-o", IMAGES / f"choi-ko-4-{gravity:g}.png")


def choi_ko_5():
    """Error against nonlinear FEM and change of volume, over gravity."""
    gravities = [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9.8]
    runs = [compared(under_gravity(g), MODAL, "--rest-only") for g in gravities]
    for name, key, label, shown in (
            ("choi-ko-5a.png", "error", "relative L2 error, %", MODAL[:2]),
            ("choi-ko-5b.png", "volume_change", "change of volume, %", MODAL)):
        figure, axis = axes_of()
        for method in shown:
            values = [100 * run[method]["rest"][key] for run in runs]
            axis.plot(gravities, values, "o-", markersize=3.5, color=COLOURS[method], label=method)
        save(figure, axis, name, "gravity, m/s²", label)
    for g, run in zip(gravities, runs):
        print(f"choi-ko 5: g = {g:g}: " + "; ".join(
            f"{m} {100 * run[m]['rest']['error']:.2f} %, volume {100 * run[m]['rest']['volume_change']:+.2f} %"
            for m in MODAL))


def free_vibration(gravity):
    scene = copy.deepcopy(BAR)
    scene.update(gravity={"acceleration": [0, -gravity, 0], "from": 0, "to": 0.1},
                 time_step=0.002, frame_rate=100, duration=2)
    return scene


def choi_ko_6():
    """Gravity for a tenth of a second, then free vibration: error and mean displacement."""
    gravities = [1, 3, 5, 7, 9.8]
    runs = [compared(free_vibration(g), MODAL, "--motion-only") for g in gravities]
    figure, axis = axes_of()
    for method in MODAL[:2]:
        values = [100 * run[method]["motion"]["error"] for run in runs]
        axis.plot(gravities, values, "o-", markersize=3.5, color=COLOURS[method], label=method)
        print(f"choi-ko 6a: {method}: " + ", ".join(f"{v:.2f} %" for v in values))
    save(figure, axis, "choi-ko-6a.png", "gravity, m/s²", "relative L2 error, %")
    figure, axis = axes_of()
    for method in MODAL:
        scene = free_vibration(9.8)
        scene["bodies"][0]["method"] = method
        with tempfile.TemporaryDirectory() as folder:
            cache = pathlib.Path(folder) / "bar.mdd"
            limber("simulate", scene_file(folder, scene), "-o", cache)
            points, times = read_mdd(cache)
        mean = np.linalg.norm(points - points[0], axis=2).mean(axis=1)
        axis.plot(times, 1e3 * mean, color=COLOURS[method], label=method)
    save(figure, axis, "choi-ko-6b.png", "time, s", "mean displacement of vertices, mm")


def read_mdd(path):
    """Positions (frames, vertices, 3) and times of a point cache."""
    data = path.read_bytes()
    frames, vertices = np.frombuffer(data, ">i4", 2)
    times = np.frombuffer(data, ">f4", frames, 8)
    points = np.frombuffer(data, ">f4", frames * vertices * 3, 8 + 4 * frames)
    return points.reshape(frames, vertices, 3).astype(float), times.astype(float)


def choi_ko_11():
    """How far the rotations of nodes fail to commute with the mass matrix."""
    import limber as module
    import scipy.sparse as sparse

    figure, axis = axes_of()
    angles = np.linspace(0, 1, 11)
    for cells, colour in (((10, 2, 2), "#D55E00"), ((18, 3, 3), "#009E73"), ((20, 4, 4), "#0072B2")):
        mesh = module.bar([1, 0.2, 0.2], list(cells))
        material = {"young": 2e5, "poisson": 0.3, "density": 1000}
        mass = module.mass(mesh, material)
        body = module.bake(mesh, material, fixed="x<=0.001", modes=8)
        rotation = body.modal_rotations[:, 0].reshape(-1, 3)
        rotation = rotation / np.linalg.norm(rotation, axis=1).max()
        total = mass.sum() / 3
        errors = []
        for angle in angles:
            turned = sparse.block_diag([rotation_matrix(angle * w) for w in rotation]).T
            errors.append(100 * sparse.linalg.norm(turned @ mass - mass @ turned) / total)
        name = "×".join(str(c + 1) for c in cells)
        axis.plot(angles, errors, color=colour, label=name)
        print(f"choi-ko 11: {name}: {errors[-1]:.3f} % at 1 rad")
    save(figure, axis, "choi-ko-11.png", "largest rotation of a node, rad", "error over total mass, %")


def rotation_matrix(w):
    angle = np.linalg.norm(w)
    cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if angle < 1e-9:
        return np.eye(3) + cross
    return np.eye(3) + np.sin(angle) / angle * cross + (1 - np.cos(angle)) / angle**2 * cross @ cross


def mueller(name, volume_name, picture_name):
    scene = json.loads((ROOT / "scenes" / name).read_text())
    methods = ["linear", "stiffness-warping", "stvk"]
    runs = compared(scene, methods, "--motion-only")
    figure, axis = axes_of()
    for method in methods:
        frames = runs[method]["motion"]["frames"]
        axis.plot([f["time"] for f in frames], [100 * (1 + f["volume_change"]) for f in frames],
                  color=COLOURS[method], label=method)
        volumes = [100 * f["volume_change"] for f in frames]
        print(f"mueller {picture_name}: {method}: volume {min(volumes):+.2f} to {max(volumes):+.2f} %, "
              f"step {1e3 * runs[method]['seconds']['step']:.2f} ms, {runs[method]['failure']}")
    save(figure, axis, volume_name, "time, s", "volume, % of rest")
    shown = [method for method in methods if runs[method]["failure"] is None]
    frames = runs["stiffness-warping"]["motion"]["frames"]
    lowest = min(frames, key=lambda frame: frame["probes"]["tip"][1])["time"]
    with tempfile.TemporaryDirectory() as folder:
        limber("render", scene_file(folder, scene), "--time", lowest, "--methods",
               ",".join(shown), "--apart", "--frame", "moment", "--size", "860x560",
               "-o", IMAGES / picture_name)


def mueller_7():
    mueller("mueller-7.json", "mueller-6.png", "mueller-7.png")


def mueller_8():
    mueller("mueller-8.json", "mueller-8-volume.png", "mueller-8.png")


def mueller_tube():
    """The tube of the table: before, at and after its fall on the ground."""
    for time in TUBE_TIMES:
        limber("render", ROOT / "scenes" / "mueller-tube.json", "--time", time, "--size", "480x360",
               "-o", IMAGES / f"mueller-tube-{time:g}.png")


FIGURES = {f.__name__: f for f in (choi_ko_4, choi_ko_5, choi_ko_6, choi_ko_11, mueller_7, mueller_8,
                                     mueller_tube)}

if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for chosen in sys.argv[1:] or FIGURES:
        FIGURES[chosen]()
