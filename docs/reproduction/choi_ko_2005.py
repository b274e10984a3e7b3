"""Choi & Ko 2005, modal warping: the bar under its weight, swinging, and the commuting of R and M."""

import copy
import pathlib
import tempfile

import numpy as np

from .common import COLOURS, IMAGES, axes_of, compared, limber, read_mdd, save, scene_file

MODAL = ["linear-modal", "modal-warping", "stvk"]
# Choi & Ko's long bar: 11×3×3 nodes. Size, material and number of modes are not printed there.
BAR = {
    "limber": 1, "gravity": [0, -9.8, 0], "time_step": 0.01, "frame_rate": 50, "duration": 2,
    "bodies": [{
        "name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2],
        "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "fixed": ["x<=0.001"],
        "modes": 8, "probes": {"tip": [1, 0.1, 0.1]}}],
}


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


FIGURES = (choi_ko_4, choi_ko_5, choi_ko_6, choi_ko_11)
