"""What the figures share: the program, axes and where pictures go."""

import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:  # numbers can be had without pictures
    plt = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
BUILD = pathlib.Path(os.environ.get("LIMBER_BUILD", ROOT / "build" / "release"))
# The colours of `limber render`.
COLOURS = {"linear-modal": "#D55E00", "linear": "#882255", "modal-warping": "#0072B2",
           "stiffness-warping": "#56B4E9", "stvk": "#009E73"}


def limber(*arguments):
    subprocess.run([str(BUILD / "limber"), "--quiet", *map(str, arguments)], check=True,
                   stdout=subprocess.DEVNULL)


def scene_file(folder, scene):
    path = pathlib.Path(folder) / "scene.json"
    path.write_text(json.dumps(scene))
    return path


def compared(scene, methods, *options):
    """The comparison as JSON, by method."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        limber("compare", scene_file(folder, scene), "--methods", ",".join(methods), "--truth",
               methods[-1], "--no-pictures", "-o", out, *options)
        data = json.loads((out / "comparison.json").read_text())
        return {entry["method"]: entry for entry in data["methods"]}


def axes_of(figure_size=(5.2, 3.4)):
    figure, axis = plt.subplots(figsize=figure_size)
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(axis="y", color="#E3E6EA", linewidth=0.8)
    axis.set_axisbelow(True)
    return figure, axis


def legend_above(axis, columns):
    """Where curves fill the axes."""
    axis.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncol=columns, fontsize=8.5)


def save(figure, axis, name, x_label, y_label, columns_above=0):
    axis.set_xlabel(x_label)
    axis.set_ylabel(y_label)
    if columns_above:
        legend_above(axis, columns_above)
    else:
        axis.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(IMAGES / name, dpi=130)
    plt.close(figure)


def told(figure, *sentences):
    """Prints numbers as docs/reproductions.md has them. A sentence is (text with one {:.1f} or so, value)."""
    print(f"{figure}: " + "; ".join(text.format(value) for text, value in sentences), flush=True)
    return sentences


def read_mdd(path):
    """Positions (frames, vertices, 3) and times of a point cache."""
    data = path.read_bytes()
    frames, vertices = np.frombuffer(data, ">i4", 2)
    times = np.frombuffer(data, ">f4", frames, 8)
    points = np.frombuffer(data, ">f4", frames * vertices * 3, 8 + 4 * frames)
    return points.reshape(frames, vertices, 3).astype(float), times.astype(float)
