"""The integrators of modal bodies at equal steps: what Choi & Ko 2005, footnote 3, names."""

import json
import pathlib
import tempfile

import numpy as np

from .choi_ko_2005 import BAR
from .common import axes_of, limber, save, scene_file, told

STEP = 1 / 60
INTEGRATORS = {"exact": "#0072B2", "newmark": "#009E73", "theta": "#E69F00", "semi-implicit": "#D55E00",
               "filter": "#CC79A7"}


def swinging_bar(integrator, modes=3):
    """The bar's first modes let go from amplitude 0.1 each, without damping, gravity or large rotations: amplitudes (k×m) and times."""
    scene = {**BAR, "gravity": [0, 0, 0], "time_step": STEP, "frame_rate": 60, "duration": 2}
    body = dict(BAR["bodies"][0], modes=modes, integrator=integrator, method="linear-modal",
                initial_modes={"displacement": [0.1] * modes})
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        limber("simulate", scene_file(folder, {**scene, "bodies": [body]}), "--report", report)
        frames = json.loads(report.read_text())["frames"]
    return np.array([f["time"] for f in frames]), np.array([f["bodies"][0]["modal"] for f in frames])


def filtered(omega, start, count):
    """James & Pai 2002: q_k = 2 ε cos θ q_{k−1} − ε² q_{k−2}, here without damping and force (ε = 1, θ = ω h)."""
    q = [start, start * np.cos(omega * STEP)]
    for _ in range(count - 2):
        q.append(2 * np.cos(omega * STEP) * q[-1] - q[-2])
    return np.array(q)


def swing_of(times, q):
    """The angular frequency of a fading cosine, from its first to its last zero."""
    signs = np.flatnonzero(np.diff(np.sign(q)))
    zeros = times[signs] - q[signs] * (times[signs + 1] - times[signs]) / (q[signs + 1] - q[signs])
    return np.pi * (len(zeros) - 1) / (zeros[-1] - zeros[0])


def integrators(pictures=True):
    """The same swing by every integrator at 60 steps a second."""
    import limber as module

    bar = BAR["bodies"][0]
    body = module.bake(module.bar(bar["size"], bar["cells"]), bar["material"], fixed="x<=0.001", modes=3)
    omega = np.sqrt(np.array(body.eigenvalues))
    sentences = [("at {:.1f} steps a swing", 2 * np.pi / (omega[2] * STEP))]
    curves = {}
    for name in INTEGRATORS:
        times, q = swinging_bar(name)
        curves[name] = q[:, 2]
        truth = 0.1 * np.cos(np.outer(times, omega))
        kept = np.abs(q[times > 1.5, 2]).max() / np.abs(truth[times > 1.5, 2]).max()
        sentences += [(name + " keeps {:.0f} % of the amplitude", 100 * kept),
                      ("and swings at {:.1f} % of the frequency", 100 * swing_of(times, q[:, 2]) / omega[2])]
    assert np.abs(curves["filter"] - filtered(omega[2], 0.1, len(times))).max() < 1e-9  # rounding of 120 steps of the recurrence
    if pictures:
        figure, axis = axes_of((7, 3.2))
        dense = np.linspace(0, 2, 2000)
        axis.plot(dense, np.cos(omega[2] * dense), color="#BBBBBB", linewidth=0.8, label="closed form")
        for name, colour in INTEGRATORS.items():
            marks = {"linestyle": "", "marker": "o", "markersize": 6, "fillstyle": "none"} if name == "filter" else {"marker": ".", "markersize": 3}
            axis.plot(times, curves[name] / 0.1, **marks, linewidth=0.9, color=colour, label=name)
        axis.set_xlim(0, 1)
        save(figure, axis, "integrators.png", "time, s", "third mode's amplitude", columns_above=6)
    return told("integrators", *sentences)


FIGURES = (integrators,)
