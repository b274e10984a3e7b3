"""Hauser, Shen & O'Brien 2003: modes of a bowl, Table 1, manipulation of Figs. 6 and 7, and a sheet that was fixed before its modes."""

import copy
import json
import pathlib
import tempfile

import numpy as np

from .choi_ko_2005 import processor_seconds
from .choi_ko_characters import character_body, handle, misses, scene_of, volumes
from .common import IMAGES, limber, scene_file, told
from .pictures import joined

# As printed: vertices, nodes, tets, modes, seconds of the decomposition. A bunny of 15,507 tets has not 37,114 nodes, but a tenth.
TABLE_1 = {
    "brain": (18847, 304, 997, 40, 68.5),
    "dodo": (336, 113, 295, 40, 6.2),
    "bunny": (2633, 37114, 15507, 32, 24 * 60),
    "sphere": (66, 80, 282, 40, 2.9),
    "sheet": (195, 195, 486, 20, 14.4),
    "bat": (241, 310, 1030, 20, 68.9),
}
OURS = {"brain": "brain", "dodo": "bird", "bunny": "bunny"}
RUBBER = {"young": 2e5, "poisson": 0.3, "density": 1000}
LEAST_VERTICES = 500  # of our characters


def table_body(name):
    """Tets near the sizes of a row, and the vertices shown."""
    import limber as module

    vertices, _, tets, *_ = TABLE_1[name]
    if name in OURS:
        surface = module.character(OURS[name], vertices=max(vertices, LEAST_VERTICES))
        return module.tetrahedralize(surface, tets=tets, mode="cage").mesh, len(surface.V)
    mesh = {"sphere": lambda: module.sphere(0.1, 2), "sheet": lambda: module.bar([0.8, 0.8, 0.03], [9, 9, 1]),
            "bat": lambda: module.cylinder(0.05, 0.8, 8, 17, 2)}[name]()
    return mesh, len(module.boundary_surface(mesh).V)


def hauser_table_1(pictures=True):
    """Sizes, and the processor time of the modal decomposition, printed as a table."""
    import limber as module

    print("| model | vertices | nodes | tets | modes | decomposition |\n|---|---:|---:|---:|---:|---:|")
    sentences = []
    for name, (vertices, nodes, tets, modes, seconds) in TABLE_1.items():
        print(f"| {name}, paper | {vertices:,} | {nodes:,} | {tets:,} | {modes} | {seconds:g} s |")
        mesh, shown = table_body(name)
        fixed = {"fixed": "x<=0.001"} if name == "sheet" else {}
        spent = processor_seconds(lambda: module.bake(mesh, RUBBER, modes=modes, **fixed), 0.1) if pictures else 0
        row = f"| {OURS.get(name, name)}, Limber | {shown:,} | {len(mesh.V):,} | {len(mesh.T):,} | {modes} |"
        print(row + f" {1e3 * spent:.0f} ms |", flush=True)
        sentences.append(("| " + OURS.get(name, name) + ", Limber | {:,.0f} |", shown))
        sentences += [(" {:,.0f} |", len(mesh.V)), (" {:,.0f} |", len(mesh.T))]
    return told("hauser table 1", *sentences)


def pulled_figure(method):
    """A flubber of 40 modes, five points held: head and feet where they are, arms drawn away."""
    points = {(0, 0.95, 0): (0.05, 0.98, 0.1), (0.47, 0.66, 0.08): (0.62, 0.35, 0.25), (-0.47, 0.66, 0.08): (-0.5, 0.95, -0.1),
              (0.14, 0.03, 0.12): (0.14, 0.03, 0.12), (-0.14, 0.03, 0.12): (-0.14, 0.03, 0.12)}
    body = character_body("flubber", 2802, 1513, 40, 1e5, fixed=["sphere:0,0.2,0,0.14"], method=method,
                          constraints=[handle("position", a, [0], [b]) for a, b in points.items()])
    return scene_of(body, 0.1, gravity=[0, 0, 0])


def hauser_6(pictures=True):
    """Constraints that deform an object: at rest, by linear modes as in the paper, and warped."""
    shots, sentences = [], ()
    for k, method in enumerate(("linear-modal", "modal-warping")):
        scene = pulled_figure(method)
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            limber("simulate", scene_file(folder, scene), "--settle", "--report", report)
            frames = json.loads(report.read_text())["frames"]
            if pictures:
                render = ("--frame", "moment", "--camera", "15,8", "--samples", 24, "--size", "380x360")
                if k == 0:
                    at_rest = copy.deepcopy(scene)
                    at_rest["bodies"][0]["constraints"] = []
                    shots.append(IMAGES / "hauser-6-rest.png")
                    limber("render", scene_file(folder, at_rest), *render, "-o", shots[-1])
                shots.append(IMAGES / f"hauser-6-{method}.png")
                limber("render", scene_file(folder, scene), "--settle", *render, "-o", shots[-1])
        sentences += (*volumes(frames)[:1], *misses(frames)[:1])
    if pictures:
        joined([shots], IMAGES / "hauser-6.png")
    return told("hauser 6", *sentences)


def sheet_scene(fixed):
    """A sheet of 20 modes whose middle a force pushes for a tenth of a second; its edges are fixed before its modes are found."""
    body = {"name": "sheet", "shape": "bar", "size": [0.8, 0.8, 0.03], "cells": [9, 9, 1], "modes": 20,
            "material": {"young": 4e5, "poisson": 0.3, "density": 600}, "damping": {"mass": 0.5, "stiffness": 0.002}, "fixed": fixed,
            "forces": [{"nodes": "box:0.3,0.3,-1,0.5,0.5,1", "force": [0, 0, 6], "from": 0, "to": 0.1}],
            "probes": {"middle": [0.4, 0.4, 0], "corner": [0.8, 0.8, 0]}}
    return scene_of(body, 1.0, gravity=[0, 0, 0])


def hauser_sheet(pictures=True):
    """The sheet pre-constrained along two edges: they stay to rounding, whatever acts."""
    fixed = ["x<=0.001", "x>=0.799"]
    with tempfile.TemporaryDirectory() as folder:
        scene = sheet_scene(fixed)
        scene["bodies"][0]["probes"]["edge"] = [0.8, 0.4, 0]
        report = pathlib.Path(folder) / "report.json"
        limber("simulate", scene_file(folder, scene), "--report", report)
        frames = json.loads(report.read_text())["frames"]
        if pictures:
            shots = []
            for time in (0.0, 0.1, 0.2):
                shots.append(IMAGES / f"hauser-sheet-{time:g}.png")
                limber("render", scene_file(folder, scene), "--time", time, "--camera", "30,25", "--edges", "--samples", 24, "--size", "380x300",
                       "-o", shots[-1])
            joined([shots], IMAGES / "hauser-sheet.png")
    probes = [frame["bodies"][0]["probes"] for frame in frames]
    moved = {name: max(np.linalg.norm(np.array(p[name]) - probes[0][name]) for p in probes) for name in ("middle", "edge")}
    return told("hauser sheet", ("the middle is pushed by {:.1f} cm", 1e2 * moved["middle"]),
                ("the fixed edges move by {:.0f} mm", 1e3 * moved["edge"]))


def hauser_4(pictures=True):
    """Modes of a bowl that lies free: at rest, and the first, third and fifth, each alone."""
    import limber as module

    surface = module.character("bowl", vertices=4000, height=0.5)
    mesh = module.tetrahedralize(surface, tets=4000, mode="cage").mesh
    hertz = np.sqrt(np.array(module.bake(mesh, RUBBER, modes=6).eigenvalues)) / (2 * np.pi)
    if pictures:
        with tempfile.TemporaryDirectory() as folder:
            shots = []
            for mode in (None, 0, 2, 4):
                body = {"name": "bowl", "surface": {"shape": "bowl", "size": [0.5], "vertices": 4000}, "fill": {"mode": "cage", "tets": 4000},
                        "modes": 6, "material": RUBBER,
                        "initial_modes": {"displacement": [0.9 * (k == mode) for k in range(6)]}}
                shots.append(IMAGES / f"hauser-4-{mode}.png")
                limber("render", scene_file(folder, scene_of(body, 0.1, gravity=[0, 0, 0])), "--time", 0, "--frame", "moment", "--camera", "25,30",
                       "--samples", 24, "--size", "340x300", "-o", shots[-1])
        joined([shots], IMAGES / "hauser-4.png")
    return told("hauser 4", *((text, hertz[k]) for k, text in ((0, "the rim as an oval, {:.1f} Hz"), (2, "{:.1f} Hz"), (4, "{:.1f} Hz"))))


FIGURES = (hauser_4, hauser_table_1, hauser_6, hauser_sheet)
