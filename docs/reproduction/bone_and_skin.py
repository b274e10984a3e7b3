"""Müller et al. 2002, 4.3 and 4.4: a head that shakes and a dog that is dropped and dragged, bone inside, skin around it."""

import json
import pathlib
import tempfile

import numpy as np

from .common import IMAGES, axes_of, limber, save, scene_file, told
from .dog import depth_in_bones, dog_surface
from .pictures import film_strip
from .shapes import write_obj

# As printed: bone tets, skin tets, triangles of the surface.
HEAD = (276, 851, 5000)
DOG = (753, 1244, 5000)
HEAD_TIMES = (0.0, 0.3, 0.5, 0.7, 1.1)
DOG_TIMES = (0.0, 0.2, 0.3, 0.5, 1.3, 1.7)
SKULL = np.array([0, 0.72, 0.28])  # of the elephant
HEAD_AXIS = [0, 0.7, 0.1]
GRIP = [0, 0.7, 0.5]


def write_mesh(path, nodes, tets):
    """MEDIT."""
    with open(path, "w") as out:
        out.write(f"MeshVersionFormatted 2\nDimension 3\nVertices\n{len(nodes)}\n")
        out.writelines("%.9g %.9g %.9g 0\n" % tuple(x) for x in nodes)
        out.write(f"Tetrahedra\n{len(tets)}\n")
        out.writelines("%d %d %d %d 0\n" % tuple(t + 1) for t in tets)
        out.write("End\n")


def bone_tets(tets, core):
    return int(np.isin(tets, core).all(axis=1).sum())


def core_with(tets, order, wanted):
    """The first nodes of `order`, as many as give some `wanted` tets of bone."""
    counts = [bone_tets(tets, order[:k]) for k in range(4, len(order))]
    return order[:4 + int(np.argmin(np.abs(np.array(counts) - wanted)))]


def selection(nodes):
    return "nodes:" + ",".join(map(str, sorted(int(n) for n in nodes)))


def shown(module, folder, surface, tets):
    """A cage of about `tets` tets and the surface in it, as files."""
    mesh = module.tetrahedralize(surface, tets=tets, mode="cage").mesh
    nodes, elements = np.array(mesh.V), np.array(mesh.T)
    write_mesh(pathlib.Path(folder) / "body.mesh", nodes, elements)
    write_obj(pathlib.Path(folder) / "skin.obj", np.array(surface.V), np.array(surface.F))
    return nodes, elements


def head_scene(folder):
    """An elephant of which the head alone moves: a skull on an axis and on a hand's spring."""
    import limber as module

    surface = module.character("elephant", vertices=HEAD[2] // 2 + 2)
    nodes, tets = shown(module, folder, surface, 4600)
    x, y, z = nodes[tets].mean(axis=1).T
    head = np.flatnonzero(((np.abs(x) > 0.24) & (y > 0.45)) | ((z > 0.2) & (y > 0.3)) | (z > 0.38))
    rest = np.setdiff1d(np.arange(len(tets)), head)
    fixed = np.unique(tets[rest])
    moving = np.setdiff1d(np.unique(tets[head]), fixed)
    order = moving[np.argsort(np.linalg.norm((nodes[moving] - SKULL) * [0.8, 1, 1], axis=1))]
    core = core_with(tets, order, HEAD[0])
    bone = bone_tets(tets, core)
    keys = [(0, 0), (0.2, 0.2), (0.4, -0.2), (0.6, 0.2), (0.8, -0.2), (1.0, 0), (1.2, 0), (1.4, 0), (1.6, 0)]
    scene = {
        "limber": 1, "gravity": [0, 0, 0], "time_step": 0.01, "frame_rate": 50, "duration": 1.6,
        "bodies": [{
            "name": "head", "mesh": "body.mesh", "fixed": [selection(fixed)],
            "surface": {"shape": "elephant", "size": [1], "vertices": HEAD[2] // 2 + 2},
            "material": {"young": 1e4, "poisson": 0.33, "density": 1000}, "method": "stiffness-warping",
            "damping": {"mass": 0.5, "stiffness": 0.004},
            "core": {"nodes": selection(core), "axis": {"point": HEAD_AXIS, "direction": [0, 1, 0]},
                     "hand": {"stiffness": 2e4, "damping": 200, "path": [
                         {"time": t, "target": [GRIP[0] + x, *GRIP[1:]]} for t, x in keys]}},
            "probes": {"skull": int(core[np.argmax(nodes[core, 2])]), "ear": [0.5, 0.77, 0.02]}}]}
    return scene, bone, len(head) - bone


def dog_scene(folder):
    """A dog whose bones are one rigid body: it falls on its paws, and is then dragged away by its back."""
    import limber as module

    vertices, triangles = dog_surface()
    scale = 0.5  # m
    surface = module.TriMesh(scale * vertices, triangles)
    nodes, tets = shown(module, folder, surface, DOG[0] + DOG[1])
    core = core_with(tets, np.argsort(depth_in_bones(nodes / scale)), DOG[0])
    bone = bone_tets(tets, core)
    back = scale * np.array([0, 0.44, 0.0])
    grip = int(core[np.argmin(np.linalg.norm(nodes[core] - back, axis=1))])
    start, height = nodes[grip], 0.15
    # The hand follows the fall and the rest on the ground, and pulls from 0.8 s on.
    fall = [(t, height - min(9.8 * t * t / 2, height + 0.02)) for t in np.arange(0, 0.18, 0.02)]
    keys = [(t, start + [0, y, 0]) for t, y in fall] + [
        (0.8, start + [0, -0.02, 0]), (1.1, start + [0, 0.12, 0.1]), (1.5, start + [0, 0.1, 0.5]), (1.7, start + [0, 0.15, 0.25]),
        (2.0, start + [0, 0.1, 0.3])]
    scene = {
        "limber": 1, "gravity": [0, -9.8, 0], "time_step": 0.005, "frame_rate": 50, "duration": 2,
        "ground": {"normal": [0, 1, 0], "offset": 0, "friction": 0.5},
        "bodies": [{
            "name": "dog", "mesh": "body.mesh", "surface": "skin.obj", "position": [0, height, 0],
            "material": {"young": 1e3, "poisson": 0.33, "density": 300}, "method": "stiffness-warping",
            "damping": {"mass": 1.0, "stiffness": 0.01}, "core": {"nodes": selection(core), "free": True},
            "constraints": [{"type": "soft", "node": grip, "stiffness": 400, "damping": 20, "interpolation": "linear",
                             "path": [{"time": float(t), "target": [float(x) for x in p]} for t, p in keys]}],
            "probes": {"back": grip, "ear": [float(x) for x in scale * np.array([0.125, 0.49, 0.235])]}}]}
    return scene, bone, len(tets) - bone


def frames_of(folder, scene):
    report = pathlib.Path(folder) / "report.json"
    limber("simulate", scene_file(folder, scene), "--report", report)
    return json.loads(report.read_text())["frames"]


def probe(frames, name):
    return np.array([frame["bodies"][0]["probes"][name] for frame in frames])


def mueller_12(pictures=True):
    """A skull on an axis, pulled to and fro by a hand; ears and trunk follow later (Figs. 11 and 12)."""
    with tempfile.TemporaryDirectory() as folder:
        scene, bone, skin = head_scene(folder)
        frames = frames_of(folder, scene)
        if pictures:
            film_strip(folder, scene, HEAD_TIMES, IMAGES / "mueller-12.png", "--camera", "25,10,1.05", "--samples", 24,
                       width=340, height=320)
    times = np.array([frame["time"] for frame in frames])
    moved = {}
    for name in ("skull", "ear"):
        x, _, z = (probe(frames, name) - HEAD_AXIS).T
        angle = np.unwrap(np.arctan2(x, z))
        moved[name] = np.degrees(angle - angle[0])
    if pictures:
        figure, axis = axes_of()
        for name, colour in (("skull", "#444444"), ("ear", "#D55E00")):
            axis.plot(times, moved[name], color=colour, label=name)
        save(figure, axis, "mueller-12-turn.png", "time, s", "turned about the axis, degrees")
    first = times < 0.4
    lag = times[first][np.argmax(moved["ear"][first])] - times[first][np.argmax(moved["skull"][first])]
    return told("mueller 12", ("{:.0f} tets of bone", bone), ("{:.0f} of skin", skin),
                ("the skull turns by up to {:.0f} degrees", np.abs(moved["skull"]).max()),
                ("an ear by up to {:.0f}", np.abs(moved["ear"]).max()), ("its first swing {:.0f} ms later", 1e3 * lag))


def mueller_13(pictures=True):
    """A dog with a skin of 10³ Pa is dropped and dragged by its back (Fig. 13)."""
    with tempfile.TemporaryDirectory() as folder:
        scene, bone, skin = dog_scene(folder)
        frames = frames_of(folder, scene)
        if pictures:
            film_strip(folder, scene, DOG_TIMES, IMAGES / "mueller-13.png", "--camera", "60,12", "--frame", "moment", "--samples",
                       24, width=300, height=300)
    times = np.array([frame["time"] for frame in frames])
    volumes = np.array([100 * (frame["bodies"][0]["volume_ratio"] - 1) for frame in frames])
    falling = times <= 0.1
    fallen = probe(frames, "back")[0, 1] - probe(frames, "back")[falling, 1]
    return told("mueller 13", ("{:.0f} tets of bone", bone), ("{:,.0f} of skin", skin),
                ("falls by {:.1f} cm in the first tenth of a second", 1e2 * fallen[-1]),
                ("standing on soft paws its volume is {:+.1f} %", volumes[np.argmin(np.abs(times - 0.8))]),
                ("and {:+.1f} % while it is dragged through the air", volumes[np.argmin(np.abs(times - 1.3))]))


FIGURES = (mueller_12, mueller_13)
