"""Müller et al. 2002, 1.1: adaptive detail after Debunne et al. 2001, on a bar that bends at its clamp and a block poked by a ball."""

import json
import pathlib
import resource
import tempfile

import numpy as np

from .common import IMAGES, axes_of, limber, read_mdd, save, scene_file, told
from .pictures import joined

RUBBER = {"young": 2e5, "poisson": 0.3, "density": 1000}
LEVELS = 2
ADAPTIVE = {"refine": 0.001, "coarsen": 0.00025, "calm": 0.5}  # the defaults


def bent_bar():
    """Falls for a second, fixed at one end, and swings; 240 tets, 15,360 with two levels more."""
    return {"limber": 1, "gravity": [{"acceleration": [0, -1.5, 0], "to": 1}], "time_step": 0.01, "frame_rate": 50, "duration": 2,
            "bodies": [{"name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2], "fixed": ["x<=0.001"],
                        "method": "corotational", "material": RUBBER, "damping": {"mass": 0.5, "stiffness": 0.01}}]}


def poked_block():
    """A ball of 5 cm goes 5 cm into a block whose underside is fixed, and out again; 192 tets, 12,288 with two levels more."""
    keys = ((0, 0.36), (0.4, 0.30), (0.7, 0.30), (1, 0.40))
    return {"limber": 1, "gravity": [0, 0, 0], "time_step": 0.01, "frame_rate": 50, "duration": 1.5,
            "obstacles": [{"name": "ball", "shape": "sphere", "size": [0.05], "friction": 0.3,
                           "path": [{"time": time, "position": [0.36, height, 0.26]} for time, height in keys]}],
            "bodies": [{"name": "block", "shape": "bar", "size": [0.6, 0.3, 0.6], "cells": [4, 2, 4], "fixed": ["y<=0.001"],
                        "method": "corotational", "material": RUBBER, "damping": {"mass": 1, "stiffness": 0.01}}]}


def run(folder, scene, **more):
    """Frames (f, vertices, 3), their times, tets that moved in each, ms of processor time a step of the whole run."""
    scene = {**scene, "bodies": [{**scene["bodies"][0], **more}]}
    report, cache = pathlib.Path(folder) / "report.json", pathlib.Path(folder) / "frames.mdd"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limber("simulate", scene_file(folder, scene), "--report", report, "-o", cache)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    data = json.loads(report.read_text())
    several = cache.with_suffix(f".{scene['bodies'][0]['name']}.mdd")  # a file each, of bodies and obstacles
    points, times = read_mdd(several if several.exists() else cache)
    tets = [f["bodies"][0].get("leaves", {"tets": 0})["tets"] for f in data["frames"]]
    steps = scene["duration"] / scene["time_step"]
    return points, times, tets, 1e3 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) / steps


def distances(points, truth):
    """Root mean squares over the vertices that both have, the coarse mesh's first: mm a frame."""
    shared = min(points.shape[1], truth.shape[1])
    return 1e3 * np.sqrt(((points[:, :shared] - truth[:, :shared]) ** 2).sum(axis=2).mean(axis=1))


def adaptive_case(name, scene, times, camera, pictures):
    """Numbers against the whole finest mesh, the three runs one after the other; a row of pictures."""
    with tempfile.TemporaryDirectory() as folder:
        fine, clock, _, fine_step = run(folder, scene, subdivide=LEVELS)
        coarse, _, _, coarse_step = run(folder, scene)
        some, _, tets, step = run(folder, scene, subdivide=LEVELS, adaptive=ADAPTIVE)
    missed = {"coarse": distances(coarse, fine), "adaptive": distances(some, fine)}
    moved = 1e3 * np.sqrt(((fine - fine[0]) ** 2).sum(axis=2).mean(axis=1)).max()
    row = []
    if pictures:
        adaptive = {**scene, "bodies": [{**scene["bodies"][0], "subdivide": LEVELS, "adaptive": ADAPTIVE}]}
        for k, time in enumerate(times):
            row.append(IMAGES / f"{name}-{k}.png")
            with tempfile.TemporaryDirectory() as folder:
                limber("render", scene_file(folder, adaptive), "--time", time, "--edges", "--camera", camera, "--size", "420x300",
                       "--samples", 24, "-o", row[-1])
    return clock, missed, moved, tets, (fine_step / step, fine_step / coarse_step), row


def mueller_adaptive(pictures=True):
    """Where the leaves are, how far from the finest mesh, and what a step costs."""
    bar = adaptive_case("bar", bent_bar(), (0.1, 1.0, 1.6), "20,15", pictures)
    block = adaptive_case("block", poked_block(), (0.1, 0.5, 1.4), "30,35", pictures)
    if pictures:
        joined([bar[-1], block[-1]], IMAGES / "mueller-adaptive.png")
        figure, axis = axes_of()
        for (clock, missed, *_), title, dashes in ((bar, "bar", "-"), (block, "block", "--")):
            axis.plot(clock, missed["coarse"], dashes, color="#D55E00", label=f"{title}, coarse mesh")
            axis.plot(clock, missed["adaptive"], dashes, color="#0072B2", label=f"{title}, adaptive")
        save(figure, axis, "mueller-adaptive-error.png", "time, s", "distance from the finest mesh, mm")
    sentences = []
    for case, (_, missed, moved, tets, (faster, coarse_faster), _) in (("bar", bar), ("block", block)):
        sentences += [(case + " moves by {:.0f} mm", moved), ("tets {:.0f}", min(tets)), ("to {:.0f}", max(tets)),
                      ("coarse misses {:.1f} mm", missed["coarse"].max()), ("adaptive {:.2f} mm", missed["adaptive"].max()),
                      ("a step {:.1f} times as fast", faster), ("coarse {:.0f} times", coarse_faster)]
    return told("mueller adaptive", *sentences)


FIGURES = (mueller_adaptive,)
