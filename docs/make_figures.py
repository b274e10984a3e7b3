"""Makes the pictures of README and docs/methods from the library itself.

    apt-get install python3-matplotlib
    PYTHONPATH=build/release/python /usr/bin/python3 docs/make_figures.py
"""

import json
import pathlib
import subprocess
import tempfile

import limber
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402

IMAGES = pathlib.Path(__file__).resolve().parent / "images"
# Okabe and Ito: told apart by everyone.
ORANGE, BLUE, GREEN, GREY = "#D55E00", "#0072B2", "#009E73", "#888888"
LIGHT = np.array([0.25, 0.65, 0.72])


def view(points, turn=0.55, tilt=0.28):
    """Orthographic: turned about y, then tilted; z grows towards the eye."""
    c, s = np.cos(turn), np.sin(turn)
    p = points @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]).T
    c, s = np.cos(tilt), np.sin(tilt)
    return p @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T


def draw(axes, points, triangles, colour, alpha=1.0):
    """Shaded triangles from back to front."""
    p = view(points)
    corners = p[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-300
    shown = normals[:, 2] > 0
    order = np.argsort(corners[shown][:, :, 2].mean(axis=1))
    shade = 0.5 + 0.6 * np.clip(normals[shown][order] @ LIGHT, 0, 1)
    base = np.array(matplotlib.colors.to_rgb(colour))
    faces = np.clip(shade[:, None] * base, 0, 1)
    axes.add_collection(PolyCollection(corners[shown][order][:, :, :2], facecolors=faces,
                                       edgecolors=faces, linewidths=0.3, alpha=alpha))


def blank(axes, title=""):
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(title, fontsize=11)


def settled(method, gravity, cells=(20, 4, 4), modes=8):
    scene = limber.Scene.parse(json.dumps({
        "limber": 1, "gravity": [0, -gravity, 0], "bodies": [{
            "name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": list(cells),
            "material": {"young": 2.4e5, "poisson": 0.3, "density": 1000}, "fixed": ["x<=0.001"],
            "method": method, "modes": modes}]}))
    scene.settle()
    return scene.surface_positions("bar")


def parade():
    """README's picture: four characters pulled about, by `limber render`."""
    root = IMAGES.parent.parent
    subprocess.run([root / "build/release/limber", "--quiet", "render", root / "scenes/parade.json", "--time", "0.9",
                    "--size", "1280x560", "--samples", "64", "--no-labels", "--camera", "4,12,1.12",
                    "--frame", "moment", "-o", IMAGES / "parade.png"], check=True)


def sagging_bars():
    mesh = limber.bar([1, 0.2, 0.2], [20, 4, 4])
    triangles = limber.boundary_surface(mesh).F
    figure, axes = plt.subplots(1, 3, figsize=(10.5, 4.2), sharex=True, sharey=True)
    for axis, gravity in zip(axes, (2, 5, 9.8)):
        draw(axis, settled("linear-modal", gravity), triangles, ORANGE)
        draw(axis, settled("modal-warping", gravity), triangles, BLUE)
        blank(axis, f"gravity {gravity} m/s²")
        axis.set_xlim(-0.2, 1.25)
        axis.set_ylim(-1.5, 0.35)
    figure.text(0.5, 0.03, "the same bar at rest under its weight: linear modes swell it (orange), "
                "modal warping keeps its shape (blue)", ha="center", fontsize=11)
    figure.subplots_adjust(left=0, right=1, top=0.93, bottom=0.05, wspace=0)
    figure.savefig(IMAGES / "bar.png", dpi=110)


def mode_shapes():
    mesh = limber.bar([1, 0.2, 0.2], [20, 4, 4])
    triangles = limber.boundary_surface(mesh).F
    body = limber.bake(mesh, {"young": 2e5, "poisson": 0.3}, fixed="x<=0.001", modes=8)
    figure, axes = plt.subplots(2, 4, figsize=(11, 4.6))
    boundary = boundary_nodes(mesh)
    for k, axis in enumerate(axes.ravel()):
        q = np.zeros(8)
        # As far as a displacement of half the length, or a turn of 1.5 rad, goes.
        q[k] = min(0.5 / np.abs(body.modes[:, k]).max(), 1.5 / np.abs(body.modal_rotations[:, k]).max())
        draw(axis, body.deform(q)[boundary], triangles, BLUE)
        blank(axis, f"mode {k + 1}: {np.sqrt(body.eigenvalues[k]) / 2 / np.pi:.2f} Hz")
        axis.set_xlim(-0.2, 1.3)
        axis.set_ylim(-0.4, 0.7)
    figure.subplots_adjust(left=0, right=1, top=0.93, bottom=0, wspace=0, hspace=0.1)
    figure.savefig(IMAGES / "modes.png", dpi=110)


def boundary_nodes(mesh):
    """Nodes of the boundary's vertices, which keep the mesh's order."""
    surface = limber.boundary_surface(mesh).V
    number = {tuple(p): i for i, p in enumerate(mesh.V)}
    return np.array([number[tuple(p)] for p in surface])


def volume_curves():
    mesh = limber.bar([1, 0.2, 0.2], [10, 2, 2])
    gravities = np.linspace(0, 9.8, 15)
    figure, axis = plt.subplots(figsize=(5.6, 3.6))
    for method, colour, label in (("linear-modal", ORANGE, "linear modes"),
                                  ("modal-warping", BLUE, "modal warping")):
        change = []
        for gravity in gravities:
            scene = limber.Scene.parse(json.dumps({
                "limber": 1, "gravity": [0, -gravity, 0], "bodies": [{
                    "name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2],
                    "material": {"young": 2e5, "poisson": 0.3, "density": 1000},
                    "fixed": ["x<=0.001"], "method": method, "modes": 8}]}))
            scene.settle()
            change.append(100 * (limber.volume(scene.positions("bar"), mesh.T) / 0.04 - 1))
        axis.plot(gravities, change, color=colour, label=label, linewidth=2)
    axis.set_xlabel("gravity, m/s²")
    axis.set_ylabel("change of volume, %")
    axis.legend(frameon=False)
    axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(IMAGES / "volume.png", dpi=110)


def handles():
    scene = limber.Scene.parse(json.dumps({
        "limber": 1, "gravity": [0, 0, 0], "time_step": 0.01, "bodies": [{
            "name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [20, 4, 4],
            "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "fixed": ["x<=0.001"],
            "damping": {"mass": 4, "stiffness": 0.05}, "modes": 40}]}))
    triangles = limber.boundary_surface(limber.bar([1, 0.2, 0.2], [20, 4, 4])).F
    figure, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    tip = [1, 0.1, 0.1]
    for axis, title, wanted in (
            (axes[0], "position", [("position", [0.75, 0.55, 0.1])]),
            (axes[1], "orientation", [("orientation", [2.2, 0, 0])]),
            (axes[2], "both", [("position", [0.8, 0.42, 0.1]), ("orientation", [0, 0, 1.45])])):
        numbers = [scene.add_constraint("bar", kind, tip, target) for kind, target in wanted]
        for _ in range(900):
            scene.step()
        draw(axis, scene.surface_positions("bar"), triangles, GREEN)
        for kind, target in wanted:
            if kind == "position":
                x, y, _ = view(np.array([target]))[0]
                axis.plot(x, y, "o", color="#F0E442", markeredgecolor="black", markersize=9)
        for number in numbers:
            scene.remove("bar", number)
        blank(axis, title)
        axis.set_xlim(-0.2, 1.2)
        axis.set_ylim(-0.45, 0.85)
    figure.subplots_adjust(left=0, right=1, top=0.92, bottom=0, wspace=0)
    figure.savefig(IMAGES / "handles.png", dpi=110)


def in_betweens():
    """A half turn: positions blended, and the motion in rotation-strain coordinates."""
    mesh = limber.bar([1, 0.12, 0.12], [30, 4, 4])
    middle = [0, 0.06, 0.06]
    pose = limber.bend(limber.twist(mesh.V, np.pi / 2, origin=middle), np.pi, origin=middle)
    surface, boundary = limber.boundary_surface(mesh).F, boundary_nodes(mesh)
    fps = 20
    frames = limber.interpolate(mesh, [mesh.V, pose], [0, 1], modes=40, fps=fps, frequency=-1.0,
                                damping=-1.0)
    figure, axes = plt.subplots(2, 5, figsize=(11, 4.4))
    for column, share in enumerate((0, 0.25, 0.5, 0.75, 1)):
        blend = (1 - share) * mesh.V + share * pose
        for axis, points, colour in ((axes[0, column], blend, ORANGE),
                                     (axes[1, column], frames[int(share * fps)], BLUE)):
            draw(axis, points[boundary], surface, colour)
            ratio = limber.volume(points, mesh.T) / limber.volume(mesh.V, mesh.T)
            blank(axis, f"volume {100 * ratio:.0f} %")
            axis.set_xlim(-0.25, 1.1)
            axis.set_ylim(-0.2, 0.9)
    figure.subplots_adjust(left=0, right=1, top=0.93, bottom=0, wspace=0, hspace=0.12)
    figure.savefig(IMAGES / "in-betweens.png", dpi=110)


def controls():
    """The height of the tip, for some frequencies and dampings."""
    mesh = limber.bar([1, 0.12, 0.12], [16, 2, 2])
    pose = limber.bend(mesh.V, 2.0, origin=[0, 0.06, 0.06])
    fixed = [i for i, x in enumerate(mesh.V) if x[0] == 0]
    tip = int(np.argmax(mesh.V[:, 0]))
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.4), sharey=True)
    for axis, name, values in ((axes[0], "frequency", (-1, 0, 0.5)),
                               (axes[1], "damping", (-1, 0, 1))):
        for value, colour in zip(values, (GREY, BLUE, ORANGE)):
            given = {"frequency": 0.0, "damping": -0.8} | {name: float(value)}
            frames = limber.interpolate(mesh, [mesh.V, pose], [0, 2], modes=20, fps=100,
                                        material={"young": 4e5}, fixed=fixed, **given)
            axis.plot(np.linspace(0, 2, len(frames)), frames[:, tip, 1], color=colour,
                      linewidth=2, label=f"{name} {value:g}")
        axis.set_xlabel("time, s")
        axis.legend(frameon=False, ncol=3, loc="lower center", bbox_to_anchor=(0.5, 1), fontsize=9)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("height of the tip, m")
    figure.tight_layout()
    figure.savefig(IMAGES / "interpolation-controls.png", dpi=110)


def shell():
    """A hat of triangles alone, its brim turned up."""
    around, rings = 48, 24
    V, F = [[0, 0.45, 0]], []
    for ring in range(1, rings + 1):
        s = ring / rings
        # A dome, a wall, and a brim outward.
        radius = np.interp(s, [0, 0.35, 0.6, 1], [0, 0.32, 0.34, 0.75])
        height = np.interp(s, [0, 0.2, 0.35, 0.6, 1], [0.45, 0.44, 0.36, 0.0, -0.03])
        for k in range(around):
            angle = 2 * np.pi * k / around
            V.append([radius * np.cos(angle), height, radius * np.sin(angle)])
    for k in range(around):
        F.append([0, 1 + (k + 1) % around, 1 + k])
        for ring in range(rings - 1):
            a, b = 1 + ring * around + k, 1 + ring * around + (k + 1) % around
            F += [[a, b, b + around], [a, b + around, a + around]]
    V, F = np.array(V, float), np.array(F)
    pose = V.copy()
    brim = np.hypot(V[:, 0], V[:, 2]) > 0.345
    lift = np.hypot(V[:, 0], V[:, 2])[brim] - 0.345
    pose[brim, 1] += 1.6 * lift * np.abs(V[brim, 0]) / np.hypot(V[brim, 0], V[brim, 2])
    pose[brim, 0] *= 1 - 1.1 * lift
    turned = limber.bend(pose @ np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]), 1.1,
                         origin=[0, 0, 0], towards=[0, 0, 1], start=0.0, end=0.45)
    pose = turned @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    frames = limber.interpolate(limber.TriMesh(V, F), [V, pose], [0, 1], modes=60, fps=20,
                                damping=-0.7, material={"young": 1e6}, thickness=0.01)
    figure, axes = plt.subplots(1, 5, figsize=(11, 2.5))
    for axis, frame in zip(axes, (0, 5, 10, 15, 20)):
        both = np.vstack([F, F[:, ::-1]])
        draw(axis, frames[frame], both, GREEN)
        blank(axis, f"{frame / 20:.2f} s")
        axis.set_xlim(-0.9, 0.9)
        axis.set_ylim(-0.45, 0.85)
    figure.subplots_adjust(left=0, right=1, top=0.9, bottom=0, wspace=0)
    figure.savefig(IMAGES / "shell.png", dpi=110)


def characters():
    """All eight as for a school picture, by `limber render`: height, x, z and degrees about y."""
    places = {"dino": (1.2, -1.75, -0.75, 62), "elephant": (1.1, -0.45, -0.9, -24),
              "belly": (1.05, 0.82, -0.8, -10), "hat": (0.9, 1.9, -0.7, -25),
              "flubber": (0.72, -1.25, 0.55, 16), "jelly-box": (0.5, -0.42, 0.66, 8),
              "tube": (0.6, 0.32, 0.5, -50), "brain": (0.5, 1.05, 0.62, -30)}
    bodies = []
    for name, (height, x, z, degrees) in places.items():
        half = np.radians(degrees) / 2
        bodies.append({
            "name": name, "surface": {"shape": name, "size": [height], "vertices": 40000},
            "fill": {"mode": "cage", "cells": 10}, "fixed": [f"y<={0.1 * height}"], "method": "linear",
            "support": [{"time": 0, "position": [x, 0, z], "rotation": [0, np.sin(half), 0, np.cos(half)]}]})
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "characters.json"
        scene.write_text(json.dumps({"limber": 1, "ground": {}, "bodies": bodies}))
        subprocess.run([IMAGES.parent.parent / "build/release/limber", "--quiet", "render", scene, "--size", "1280x600",
                        "--samples", "128", "--no-labels", "--camera", "3,13,1.08", "--frame", "moment",
                        "-o", IMAGES / "characters.png"], check=True)


def meshing():
    """A surface, its cage and its conforming mesh, cut open in the middle."""
    surface = limber.boundary_surface(limber.figure(1, 24))
    figure, axes = plt.subplots(1, 3, figsize=(10.5, 4.4))
    draw(axes[0], surface.V, surface.F, GREY)
    blank(axes[0], f"surface, {len(surface.F):,} triangles")
    middle = surface.V.mean(axis=0)
    for axis, mode, colour in ((axes[1], "cage", ORANGE), (axes[2], "conforming", BLUE)):
        made = limber.tetrahedralize(surface, cells=20, mode=mode)
        V, T = made.mesh.V, made.mesh.T
        # What is left of a cut through the middle, facing the eye.
        half = V[T].mean(axis=1)[:, 2] < middle[2]
        cut = limber.boundary_surface(limber.TetMesh(V, T[half]))
        draw(axis, cut.V, cut.F, colour)
        p = view(cut.V)[cut.F]
        shown = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])[:, 2] > 0
        order = np.argsort(p[shown][:, :, 2].mean(axis=1))
        axis.add_collection(PolyCollection(p[shown][order][:, :, :2], facecolors="none",
                                           edgecolors="black", linewidths=0.2))
        blank(axis, f"{mode}, {len(T):,} tets, {made.report['min_dihedral_degrees']:.0f}° smallest")
    for axis in axes:
        low, high = view(surface.V).min(axis=0), view(surface.V).max(axis=0)
        axis.set_xlim(low[0] - 0.08, high[0] + 0.08)
        axis.set_ylim(low[1] - 0.08, high[1] + 0.08)
    figure.subplots_adjust(left=0, right=1, top=0.92, bottom=0, wspace=0)
    figure.savefig(IMAGES / "meshing.png", dpi=110)


def full_space_volume():
    """Müller et al. 2002, Fig. 6: volume over time of the bar of 450 tets."""
    scene_file = IMAGES.parent.parent / "scenes" / "mueller-7.json"
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    # The colours and dashes of `limber compare`.
    for method, colour, dashes in [("linear", "#882255", "-"), ("stvk", "#009E73", "-"),
                                   ("stiffness-warping", "#56B4E9", "--"),
                                   ("corotational", "#E69F00", "-.")]:
        description = json.loads(scene_file.read_text())
        description["bodies"][0]["method"] = method
        scene = limber.Scene.parse(json.dumps(description))
        tets = scene.tets("bar")
        volumes = [limber.volume(scene.positions("bar"), tets)]
        for _ in range(200):
            scene.step()
            volumes.append(limber.volume(scene.positions("bar"), tets))
        times = 0.01 * np.arange(len(volumes))
        axes.plot(times, np.array(volumes) / volumes[0], dashes, color=colour, label=method)
    axes.set_xlabel("time, s")
    axes.set_ylabel("volume / volume at rest")
    axes.set_ylim(bottom=0.9)
    axes.legend(frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / "full-space-volume.png", dpi=130, bbox_inches="tight")
    plt.close(figure)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    parade()
    sagging_bars()
    mode_shapes()
    volume_curves()
    handles()
    in_betweens()
    controls()
    shell()
    characters()
    meshing()
    full_space_volume()
