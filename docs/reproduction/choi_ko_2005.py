"""Choi & Ko 2005, modal warping: the bar under its weight, swinging, the commuting of R and M, and Table I."""

import copy
import pathlib
import tempfile
import time

import numpy as np

from .common import COLOURS, IMAGES, axes_of, compared, limber, read_mdd, save, scene_file
from .pictures import strip

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


def boundary(tets):
    """Triangles that belong to one tet alone, seen from outside."""
    faces = np.vstack([tets[:, corners] for corners in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


def choi_ko_3():
    """Mode shapes at three amplitudes: linear modes above, warped ones below."""
    import limber as module

    mesh = module.bar([1, 0.2, 0.2], [10, 2, 2])
    body = module.bake(mesh, RUBBER, fixed="x<=0.001", modes=8)
    rows = {"linear-modal": [], "modal-warping": []}
    titles = []
    for mode, name in ((0, "bending"), (2, "S-bend"), (3, "twist")):
        q = np.zeros(8)
        q[mode] = 1
        turned = np.linalg.norm((body.modal_rotations @ q).reshape(-1, 3), axis=1).max()
        for angle in (0.5, 1.2, 2.2):
            titles.append(f"{name}, {angle:g} rad")
            for method, row in rows.items():
                row.append((body.deform(angle / turned * q, method), COLOURS[method]))
    strip("choi-ko-3.png", list(rows.values()), boundary(mesh.T), list(rows), titles, width=1.5)


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
                 time_step=0.001, frame_rate=100, duration=2)
    # The truth by explicit steps of 1 ms as in the paper, which wants masses at the nodes.
    scene["bodies"][0].update(full_space={"explicit": True}, mass="lumped")
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
        if method != "stvk":
            del scene["bodies"][0]["full_space"]
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


# Table I as printed: vertices, nodes, tets, modes, position and orientation constraints; then seconds
# for FEM, modal analysis, a frame's oscillators and its constraints.
TABLE_1 = {
    "bar": (354, 99, 240, 8, 1, 1, 0.046, 0.063, 0.001, 0.001),
    "potbelly": (1026, 363, 1110, 16, 3, 1, 0.062, 0.484, 0.001, 0.001),
    "jelly box": (1642, 400, 1440, 32, 2, 2, 0.062, 1.156, 0.001, 0.001),
    "flubber": (2802, 552, 1513, 64, 6, 1, 0.078, 2.062, 0.001, 0.001),
    "dinosaur": (28098, 1883, 5484, 8, 1, 1, 0.312, 1.422, 0.002, 0.001),
}
OURS = {"potbelly": "belly", "jelly box": "jelly-box", "flubber": "flubber", "dinosaur": "dino"}
RUBBER = {"young": 2e5, "poisson": 0.3, "density": 1000}


def table_1_body(name):
    """A body of ours near the sizes of a row: tets and the surface that is shown (None: the boundary)."""
    import limber as module

    vertices, _, tets = TABLE_1[name][:3]
    if name == "bar":
        return module.bar([1, 0.2, 0.2], [10, 2, 2]), None
    surface = module.character(OURS[name], vertices=vertices)
    return module.tetrahedralize(surface, tets=tets, mode="cage").mesh, surface


def processor_seconds(work, least=0.3):
    """Of one call: the least of three rounds, each long enough to be measured."""
    best = float("inf")
    for _ in range(3):
        count, start = 0, time.process_time()
        while time.process_time() - start < least / 3 or count == 0:
            work()
            count += 1
        best = min(best, (time.process_time() - start) / count)
    return best


def stepped(module, body, held):
    """Seconds of a step of 1/60 s with the handles that `held` lists: (kind, node, target)."""
    world = module.World()
    world.add(body, damping={"mass": 0.4, "stiffness": 0.005}, constraints=[
        {"type": kind, "node": int(node), "path": [{"time": 0, "target": list(map(float, target))}]}
        for kind, node, target in held])
    for _ in range(5):
        world.step(1 / 60)
    return processor_seconds(lambda: world.step(1 / 60))


def choi_ko_table_1():
    """The five models of Table I at their sizes, with our characters: processor seconds, printed as a table."""
    import limber as module

    print("| model | vertices | nodes | tets | modes | constraints | FEM | modes | step | constraints | nodes' shape |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, (vertices, nodes, tets, modes, positions, orientations, *seconds) in TABLE_1.items():
        print(f"| {name}, paper | {vertices} | {nodes} | {tets} | {modes} | {positions} + {orientations} | "
              + " | ".join(f"{1e3 * s:.0f} ms" for s in seconds) + " | |")
        mesh, surface = table_1_body(name)
        low = mesh.V[:, 1].min()
        fixed = "x<=0.001" if name == "bar" else f"y<={low + 0.08 * np.ptp(mesh.V[:, 1])}"
        fem = processor_seconds(lambda: (module.stiffness(mesh, RUBBER), module.mass(mesh, RUBBER)))
        bake = processor_seconds(lambda: module.bake(mesh, RUBBER, fixed=fixed, modes=modes), 1)
        body = module.bake(mesh, RUBBER, fixed=fixed, modes=modes)
        # Far from what is fixed: near it a few modes hardly move.
        far = np.argsort(np.linalg.norm(mesh.V - mesh.V[body.fixed_nodes].mean(axis=0), axis=1))
        nodes_held = far[np.linspace(0.6 * len(far), len(far) - 1, positions + orientations).astype(int)]
        held = [("position", n, mesh.V[n] + 0.01) for n in nodes_held[:positions]]
        held += [("orientation", n, (0, 0, 0.2)) for n in nodes_held[positions:]]
        plain, constrained = stepped(module, body, []), stepped(module, body, held)
        shown = len(surface.V) if surface is not None else len(module.boundary_surface(mesh).V)
        q = 1e-3 * np.ones(modes)
        warp = processor_seconds(lambda: body.deform(q))
        print(f"| {name}, Limber | {shown} | {len(mesh.V)} | {len(mesh.T)} | {modes} | {positions} + {orientations} | "
              f"{1e3 * fem:.1f} ms | {1e3 * max(bake - fem, 0):.1f} ms | {1e6 * plain:.0f} µs | "
              f"{1e6 * max(constrained - plain, 0):.0f} µs | {1e6 * warp:.0f} µs |", flush=True)


FIGURES = (choi_ko_3, choi_ko_4, choi_ko_5, choi_ko_6, choi_ko_11, choi_ko_table_1)
