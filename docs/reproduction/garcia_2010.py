"""García et al. 2010, global/local deformations: a cannon shoots balls at flubber and at two cylinders."""

import json
import math
import pathlib
import random
import sys
import tempfile
import time

from .common import BUILD, IMAGES, ROOT, axes_of, legend_above, limber, plt, save

SPEED = 3.0  # m/s, of the balls
BALLS = 10
SECONDS = 4.0
BODIES = {
    "flubber": {"shape": "flubber", "size": [0.6], "cells": [6], "vertices": 1500, "fixed": "y<=0.03"},
    "cylinder": {"shape": "cylinder", "size": [0.12, 0.6], "cells": [11, 10, 2], "fixed": "y<=0.001"},
    "cylinder-fine": {"shape": "cylinder", "size": [0.12, 0.6], "cells": [20, 20, 2], "fixed": "y<=0.001"},
}
RINGS = {"flubber": 1, "cylinder": 1, "cylinder-fine": 2}  # the paper's levels of adjacency in figs. 5 and 6
HIT_TIMES = (0.32, 0.65, 0.98)  # s, shortly after the first three balls have arrived
COLOURS = {"global": "#0072B2", "global/local, rings": "#332288", "global/local, residual modes": "#CC79A7",
           "corotational": "#E69F00"}


def shots(seed=2010):
    """Balls that fly straight, there being no gravity: each starts as far away as it takes to come in turn."""
    chance = random.Random(seed)
    balls = []
    for k in range(BALLS):
        arrives = 0.3 + k * (SECONDS - 0.8) / BALLS
        azimuth = math.radians(chance.uniform(-60, 60))
        height = chance.uniform(0.25, 0.5)
        direction = [math.sin(azimuth), 0, math.cos(azimuth)]
        way = 0.16 + SPEED * arrives
        balls.append({"name": f"ball{k}", "shape": "sphere", "size": [0.04], "mass": 0.3, "friction": 0.3,
                      "position": [round(way * direction[0], 4), round(height, 4), round(way * direction[2], 4)],
                      "velocity": [round(-SPEED * x, 4) for x in direction]})
    return balls


def scene(name, method="global-local", local=None, modes=10):
    body = {"name": "body", **BODIES[name], "material": {"young": 30000.0, "poisson": 0.4, "density": 1000},
            "damping": {"mass": 0.5, "stiffness": 0.004}, "method": method}
    if method not in ("corotational",):
        body["modes"] = modes
    if method == "global-local":
        body["local"] = local or {"mode": "rings", "rings": RINGS[name]}
    return {"limber": 1, "gravity": [0, 0, 0], "time_step": round(1 / 60, 9), "frame_rate": 60, "duration": SECONDS,
            "obstacles": shots(), "bodies": [body]}


METHODS = {"global": {"method": "modal-warping"}, "global/local, rings": {},
           "global/local, residual modes": {"local": {"mode": "auto"}}, "corotational": {"method": "corotational"}}


def write_scenes():
    for name in BODIES:
        (ROOT / "scenes" / f"garcia-{name}.json").write_text(json.dumps(scene(name), indent=1) + "\n")


def run(described):
    """Processor time of each step in ms, and what the report says of the body then."""
    sys.path.insert(0, str(BUILD / "python"))
    import limber as module

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.json"
        path.write_text(json.dumps(described))
        report = pathlib.Path(folder) / "report.json"
        limber("simulate", path, "--report", report)
        frames = json.loads(report.read_text())["frames"]
        world = module.Scene.load(str(path))
        costs = []
        for _ in range(round(SECONDS * 60)):
            start = time.process_time()
            world.step()
            costs.append(1e3 * (time.process_time() - start))
    return costs, frames


def garcia_scenes():
    write_scenes()


def garcia_5_6():
    """Cost of a step by method, and of the two global methods with the number of local nodes."""
    for name in ("flubber", "cylinder-fine"):
        cost, cost_axis = axes_of()
        count, (count_axis, node_axis) = plt.subplots(2, 1, figsize=(5.2, 4.4), sharex=True)
        for label, keys in METHODS.items():
            costs, frames = run(scene(name, **keys))
            times = [k / 60 for k in range(len(costs))]
            cost_axis.semilogy(times, costs, color=COLOURS[label], label=label, linewidth=1)
            print(f"garcia 5 {name}: {label}: mean step {sum(costs) / len(costs):.3f} ms, largest {max(costs):.3f}")
            if label == "corotational":
                continue
            count_axis.plot(times, costs, color=COLOURS[label], label=label, linewidth=1)
            if label == "global":
                continue
            nodes = [frame["bodies"][0]["local_nodes"] for frame in frames][1:]
            node_axis.plot(times[:len(nodes)], nodes[:len(times)], color=COLOURS[label], linewidth=1)
            hits = sum(1 for frame in frames for event in frame.get("events", []) if event.get("kind") == "begin")
            print(f"garcia 6 {name}: {label}: at most {max(nodes)} local nodes, {hits} hits")
        save(cost, cost_axis, f"garcia-5-{name}.png", "time, s", "processor time of a step, ms", columns_above=2)
        count_axis.set_ylabel("step, ms")
        legend_above(count_axis, 3)
        node_axis.set_ylabel("local nodes")
        node_axis.set_xlabel("time, s")
        count.tight_layout()
        count.savefig(IMAGES / f"garcia-6-{name}.png", dpi=130)
        plt.close(count)


def mean_step(described):
    """Processor time, ms."""
    sys.path.insert(0, str(BUILD / "python"))
    import limber as module

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.json"
        path.write_text(json.dumps(described))
        world = module.Scene.load(str(path))
        start = time.process_time()
        for _ in range(round(SECONDS * 60)):
            world.step()
        return 1e3 * (time.process_time() - start) / round(SECONDS * 60)


def garcia_7():
    """Speed-up over corotational elements by rings of adjacency, of means of steps, three bodies."""
    figure, axis = axes_of()
    rings = range(1, 5)
    for name, colour in zip(BODIES, ("#0072B2", "#332288", "#CC79A7")):
        full = mean_step(scene(name, method="corotational"))
        costs = [mean_step(scene(name, method="modal-warping"))]
        costs += [mean_step(scene(name, local={"mode": "rings", "rings": k})) for k in rings]
        faster = [full / cost for cost in costs]
        axis.semilogy([0, *rings], faster, "o-", color=colour, label=name)
        print(f"garcia 7 {name}: corotational {full:.2f} ms; " + ", ".join(f"{value:.1f}" for value in faster), flush=True)
    axis.set_xticks([0, *rings])
    axis.set_xticklabels(["global", *rings])
    axis.set_yticks([1, 2, 5, 10, 20, 50], labels=["1", "2", "5", "10", "20", "50"])
    axis.minorticks_off()
    save(figure, axis, "garcia-7.png", "rings of adjacency", "times faster than corotational")


def garcia_8():
    """A soft cylinder while balls sink in: above with detail, below by warped modes alone."""
    figure, places = plt.subplots(2, 3, figsize=(7.2, 5.4))
    for row, (label, keys) in enumerate({"global/local": {"local": {"mode": "auto"}},
                                         "modal warping": {"method": "modal-warping"}}.items()):
        with tempfile.TemporaryDirectory() as folder:
            described = scene("cylinder-fine", **keys)
            described["bodies"][0]["material"]["young"] = 8000.0
            path = pathlib.Path(folder) / "scene.json"
            path.write_text(json.dumps(described))
            for column, seconds in enumerate(HIT_TIMES):
                picture = pathlib.Path(folder) / "picture.png"
                limber("render", path, "--time", seconds, "--size", "360x420", "--samples", 16, "--no-labels",
                       "--camera", "0.35,0.5,0.75,0,0.36,0", "-o", picture)
                axis = places[row][column]
                axis.imshow(plt.imread(picture))
                axis.set_axis_off()
                axis.set_title(f"{label}, {seconds:.2f} s", fontsize=8)
    figure.tight_layout()
    figure.savefig(IMAGES / "garcia-8.png", dpi=110)
    plt.close(figure)


FIGURES = (garcia_scenes, garcia_5_6, garcia_7, garcia_8)
