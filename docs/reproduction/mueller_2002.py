"""Müller et al. 2002, stiffness warping: bars on a wall and the falling tube."""

import json
import tempfile

from .common import COLOURS, IMAGES, ROOT, axes_of, compared, limber, save, scene_file

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


def mueller_tube():
    """The tube of the table: before, at and after its fall on the ground."""
    for time in TUBE_TIMES:
        limber("render", ROOT / "scenes" / "mueller-tube.json", "--time", time, "--size", "480x360",
               "-o", IMAGES / f"mueller-tube-{time:g}.png")


FIGURES = (mueller_7, mueller_8, mueller_tube)
