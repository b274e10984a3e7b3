"""The table and the picture of docs/fidelity.md: every method on four bodies, some two minutes.

    apt-get install python3-matplotlib
    PYTHONPATH=build/release/python /usr/bin/python3 docs/make_fidelity.py
"""

import json
import math
import pathlib
import subprocess
import tempfile
import time

import limber
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "fidelity.md"
TRUTH = "neo-hookean"
MODAL = {"linear-modal", "modal-warping", "rotation-strain", "reduced"}
METHODS = ["linear-modal", "modal-warping", "rotation-strain", "reduced", "stiffness-warping", "corotational", "stvk"]
# Those of src/limber/dynamics/method.cpp.
COLOURS = {"linear-modal": "#D55E00", "modal-warping": "#0072B2", "rotation-strain": "#CC79A7", "reduced": "#117733",
           "stiffness-warping": "#56B4E9", "corotational": "#E69F00", "stvk": "#009E73"}
RUBBER = {"young": 2e5, "poisson": 0.3, "density": 1000}


def bar(thickness, cells, **more):
    return {"name": "bar", "shape": "bar", "size": [1, thickness, thickness], "cells": cells, "material": RUBBER,
            "fixed": ["x<=0.001"], "modes": 20, "elasticity": "neo-hookean", **more}


def scene(gravity, step, duration, body):
    return {"limber": 1, "gravity": [0, -gravity, 0], "time_step": step, "duration": duration, "bodies": [body]}


def twisted_end(cells):
    """Handles that turn the end of the thicker bar by half a turn in 1.2 s."""
    handles = []
    steps = 24
    for j in range(cells[1] + 1):
        for k in range(cells[2] + 1):
            y, z = 0.2 * j / cells[1] - 0.1, 0.2 * k / cells[2] - 0.1
            path = []
            for s in range(steps + 1):
                a = math.pi * s / steps
                path.append({"time": 1.2 * s / steps,
                             "target": [1, 0.1 + y * math.cos(a) - z * math.sin(a),
                                        0.1 + y * math.sin(a) + z * math.cos(a)]})
            handles.append({"type": "position", "node": [1, 0.1 + y, 0.1 + z], "path": path})
    return handles


CELLS = [10, 2, 2]
DAMPED = {"mass": 3.0, "stiffness": 0.01}
BODIES = {
    "static": ("bar 1:5, sags by 0.8 of its length", "rest",
               scene(14.5, 1 / 120, 0.5, bar(0.2, CELLS))),
    "swing": ("bar 1:10, falls by 0.9 of its length", "swing",
              scene(0.9, 1 / 240, 2.6, bar(0.1, [20, 2, 2]))),
    "twist": ("bar 1:5, end turned by half a turn", "end",
              scene(0, 1 / 120, 2.0, bar(0.2, CELLS, damping=DAMPED, constraints=twisted_end(CELLS)))),
    "poke": ("sphere pushed in from above", "rest",
             scene(0, 1 / 120, 0.5,
                   {"name": "ball", "shape": "sphere", "size": [0.5], "cells": [4], "material": RUBBER,
                    "fixed": ["y<=-0.35"], "modes": 20, "elasticity": "neo-hookean",
                    "forces": [{"nodes": "sphere:0,0.5,0,0.2", "force": [0.0, -30.0, 0.0]}]})),
}


def step_seconds(description, method, folder):
    """Processor time of a step, which other work on the machine hardly changes."""
    body = {**description["bodies"][0], "method": method}
    if method != "reduced":
        del body["elasticity"]
    if method not in MODAL:
        del body["modes"]
    file = folder / "one.json"
    file.write_text(json.dumps({**description, "bodies": [body]}))
    scene = limber.Scene.load(str(file))
    scene.step()
    steps, begin = 0, time.process_time()
    try:
        while steps < 0.5 / description["time_step"]:
            scene.step()
            steps += 1
    except limber.Error:  # StVK gave way
        pass
    return (time.process_time() - begin) / max(steps, 1)


def run(name, methods, folder):
    title, kind, description = BODIES[name]
    file = folder / f"{name}.json"
    file.write_text(json.dumps(description))
    out = folder / name
    subprocess.run([ROOT / "build/release/limber", "compare", file, "--methods", ",".join(methods), "--truth", TRUTH,
                    "--no-pictures", "-o", out] + (["--motion-only"] if kind != "rest" else []), check=True)
    results = {}
    data = json.loads((out / "comparison.json").read_text())["methods"]
    truth = next(one for one in data if one["method"] == TRUTH)
    for one in data:
        state, frames = one["rest"] or {}, one["motion"]["frames"]
        error, shape = state.get("error"), state
        if kind == "swing":
            mine, true = one["motion"]["first_swing"], truth["motion"]["first_swing"]
            error = abs(mine / true - 1) if mine and true else None
            shape = max(frames, key=lambda frame: abs(frame["volume_change"]))
        elif kind == "end":
            error, shape = frames[-1]["error"] if one["motion"]["complete"] else None, frames[-1]
        results[one["method"]] = {"error": error, "volume": shape.get("volume_change"),
                                  "step": step_seconds(description, one["method"], folder)}
    return results


def percent(value, sign=""):
    if value is None:
        return "–"
    return f"{100 * value:{sign}.0f} %" if abs(value) >= 1 else f"{100 * value:{sign}.2g} %"


def table(measured, methods):
    lines = ["| method | " + " | ".join(f"{name}: {BODIES[name][0]}" for name in BODIES) + " | a step |",
             "|---" * (len(BODIES) + 2) + "|"]
    for method in [*methods, TRUTH]:
        cells = []
        for name in BODIES:
            one = measured[name][method]
            error = "the truth" if method == TRUTH else percent(one["error"])
            cells.append(f"{error} ({percent(one['volume'], '+')})")
        steps = [1e6 * measured[name][method]["step"] for name in BODIES]
        lines.append(f"| `{method}` | " + " | ".join(cells) + f" | {min(steps):,.0f} to {max(steps):,.0f} µs |")
    return "\n".join(lines)


def picture(measured, methods):
    words = {"rest": "error of the shape", "swing": "error of the first swing's duration", "end": "error of the shape"}
    figure, axes = plt.subplots(1, 4, figsize=(13, 3.8), sharey=True)
    for axis, name in zip(axes, BODIES):
        title, kind, _ = BODIES[name]
        for method in methods:
            one = measured[name][method]
            if one["error"] is None:
                continue
            axis.loglog(1e6 * one["step"], max(100 * one["error"], 0.01), "o", color=COLOURS[method], ms=9)
        axis.set_title(f"{name}: {title}", fontsize=9)
        axis.set_xlabel("µs a step")
        axis.grid(True, which="major", alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
        axis.text(0.97, 0.97, words[kind], transform=axis.transAxes, ha="right", va="top", fontsize=7.5, color="#555")
    axes[0].set_ylabel("error against neo-Hookean FEM, %")
    marks = [plt.Line2D([], [], marker="o", ls="", color=COLOURS[method], ms=9, label=method) for method in methods]
    figure.legend(handles=marks, loc="lower center", ncol=len(marks), frameon=False, fontsize=9)
    figure.subplots_adjust(left=0.05, right=0.99, top=0.92, bottom=0.24, wspace=0.08)
    figure.savefig(ROOT / "docs/images/fidelity.png", dpi=110)


def main():
    with tempfile.TemporaryDirectory() as folder:
        measured = {name: run(name, METHODS, pathlib.Path(folder)) for name in BODIES}
    picture(measured, METHODS)
    before, rest = PAGE.read_text().split("<!-- table -->\n")
    after = rest.split("\n\n", 1)[1] if rest.startswith("|") else rest.lstrip("\n")
    PAGE.write_text(before + "<!-- table -->\n" + table(measured, METHODS) + "\n\n" + after)
    print(table(measured, METHODS))


if __name__ == "__main__":
    main()
