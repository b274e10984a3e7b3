"""Müller et al. 2002, stiffness warping: bars on a wall and the falling tube."""

import json
import pathlib
import subprocess
import tempfile

from .common import BUILD, COLOURS, IMAGES, ROOT, axes_of, compared, limber, save, scene_file, told
from .pictures import film_strip

TUBE_TIMES = (0.2, 0.36, 0.6)


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


def mueller_11():
    """Volume of the swinging bar by eqs. 11, 12 and 13; a motion that ends early has given way."""
    figure, axis = axes_of()
    for label, method, settings, colour in (
            ("linear", "linear", {}, "#882255"),
            ("one rotation, eq. 11", "stiffness-warping", {"rotation_field": "body"}, "#E69F00"),
            ("one a node, eq. 12", "stiffness-warping", {}, "#56B4E9"),
            ("both nodes', eq. 13", "stiffness-warping", {"warping": "symmetric"}, "#D55E00")):
        scene = json.loads((ROOT / "scenes" / "mueller-7.json").read_text())
        body = scene["bodies"][0]
        body["method"] = method
        if settings:
            body["full_space"] = settings
        else:
            body.pop("full_space", None)
        scene["bodies"] = [body]
        times, volumes = volumes_of(scene)
        axis.plot(times, volumes, color=colour, label=label)
        if times[-1] < 1.99:
            axis.plot(times[-1], volumes[-1], "X", color=colour, markersize=8)
        print(f"mueller 11: {label}: volume {min(volumes):.1f} to {max(volumes):.1f} % until {times[-1]:.2f} s")
    axis.set_ylim(90, 165)
    save(figure, axis, "mueller-11.png", "time, s", "volume, % of rest")


def volumes_of(scene):
    """Times and per cent of the rest volume, up to where the motion stops."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run([str(BUILD / "limber"), "--quiet", "simulate", str(scene_file(folder, scene)), "--report",
                               str(report)], check=False, capture_output=True)
        if done.returncode not in (0, 1, 2):
            raise SystemExit(done.stderr.decode())
        if report.exists():
            frames = json.loads(report.read_text())["frames"]
            return [f["time"] for f in frames], [100 * f["bodies"][0]["volume_ratio"] for f in frames]
    scene["duration"] -= 1 / scene.get("frame_rate", 30)
    return volumes_of(scene)


def mueller_tube():
    """The tube of the table: before, at and after its fall on the ground."""
    for time in TUBE_TIMES:
        limber("render", ROOT / "scenes" / "mueller-tube.json", "--time", time, "--size", "480x360",
               "-o", IMAGES / f"mueller-tube-{time:g}.png")


def mueller_10(pictures=True):
    """The tube lies free on the floor and is picked up at one end by a spring."""
    scene = json.loads((ROOT / "scenes" / "mueller-picked-tube.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        limber("simulate", scene_file(folder, scene), "--report", report)
        frames = json.loads(report.read_text())["frames"]
        if pictures:
            film_strip(folder, scene, (0.0, 0.5, 0.8, 1.1, 1.7), IMAGES / "mueller-10.png", "--camera", "10,10,1.25", "--samples", 24,
                       width=320, height=320, rows=slice(50, 290))
    bodies = [frame["bodies"][0] for frame in frames]
    aloft = next(f["time"] for f, b in zip(frames, bodies) if f["time"] > 0.3 and b["contacts"] == 0)
    volumes = [100 * (b["volume_ratio"] - 1) for b in bodies]
    return told("mueller 10", ("leaves the floor at {:.1f} s", aloft), ("volume {:+.1f}", min(volumes)), ("to {:+.1f} %", max(volumes)))


FIGURES = (mueller_7, mueller_8, mueller_10, mueller_11, mueller_tube)
