"""Frames of a surface in rows, shaded triangles from back to front."""

import pathlib
import tempfile

import numpy as np

from .common import IMAGES, limber, plt, scene_file

LIGHT = np.array([0.35, 0.65, 0.68])
BLUE, ORANGE, GREY, RED = "#4C9BD6", "#E9A23B", "#B9C0C8", "#C8102E"


def view(points, turn, tilt):
    """Orthographic: turned about y, then tilted; z grows towards the eye."""
    c, s = np.cos(turn), np.sin(turn)
    p = points @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]]).T
    c, s = np.cos(tilt), np.sin(tilt)
    return p @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T


def draw(axes, points, triangles, colour=BLUE, turn=0.6, tilt=0.25, marked=()):
    """`marked` triangles are red."""
    import matplotlib
    from matplotlib.collections import PolyCollection

    corners = view(points, turn, tilt)[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-300
    colours = np.tile(matplotlib.colors.to_rgb(colour), (len(triangles), 1))
    colours[list(marked)] = matplotlib.colors.to_rgb(RED)
    shade = 0.45 + 0.6 * np.clip(np.abs(normals @ LIGHT), 0, 1)
    faces = np.clip(shade[:, None] * colours, 0, 1)
    order = np.argsort(corners[:, :, 2].mean(axis=1))
    axes.add_collection(PolyCollection(corners[order][:, :, :2], facecolors=faces[order],
                                       edgecolors=faces[order], linewidths=0.2))


def strip(name, rows, triangles, labels=(), titles=(), turn=0.6, tilt=0.25, width=2.1,
          marks=None):
    """A picture of rows of frames (positions, or (positions, colour)), all in one scale."""
    shapes = [[f if isinstance(f, tuple) else (f, BLUE) for f in row] for row in rows]
    seen = np.vstack([view(p, turn, tilt)[:, :2] for row in shapes for p, _ in row])
    low, high = seen.min(axis=0), seen.max(axis=0)
    span = high - low
    columns = max(len(row) for row in shapes)
    reach = [np.vstack([view(p, turn, tilt)[:, 1] for p, _ in row]).ravel() for row in shapes]
    tall = [(of.min() - 0.03 * span[1], of.max() + 0.03 * span[1]) for of in reach]
    heights = [width * (top - bottom) / (1.06 * span[0]) for bottom, top in tall]
    figure, grid = plt.subplots(len(rows), columns, squeeze=False, height_ratios=[height + 0.25 for height in heights],
                                figsize=(width * columns, sum(heights) + 0.25 * len(rows)))
    for r, row in enumerate(shapes):
        for c in range(columns):
            axes = grid[r][c]
            axes.axis("off")
            axes.set_aspect("equal")
            axes.set_xlim(low[0] - 0.03 * span[0], high[0] + 0.03 * span[0])
            axes.set_ylim(*tall[r])
            if c < len(row):
                marked = marks[r][c] if marks else ()
                draw(axes, row[c][0], triangles, row[c][1], turn, tilt, marked)
            if r == 0 and c < len(titles):
                axes.set_title(titles[c], fontsize=9)
        if r < len(labels):
            grid[r][0].text(-0.04, 0.5, labels[r], rotation=90, va="center", ha="right", fontsize=9,
                            transform=grid[r][0].transAxes)
    figure.tight_layout(pad=0.3)
    figure.savefig(IMAGES / name, dpi=110, bbox_inches="tight", pad_inches=0.05)
    plt.close(figure)


def film_strip(folder, scene, times, picture, *options, width=420, height=420, rows=slice(None)):
    """`limber render` at each time, side by side in one picture; of each shot the rows in which something is to be seen."""
    with tempfile.TemporaryDirectory(dir=folder) as parts:
        shots = []
        for k, time in enumerate(times):
            shot = pathlib.Path(parts) / f"{k}.png"
            limber("render", scene_file(folder, scene), "--time", time, "--size", f"{width}x{height}", *options, "-o", shot)
            shots.append(plt.imread(shot)[rows, :, :3])
    write_small(picture, np.concatenate(shots, axis=1))


def joined(rows, picture):
    """Pictures in files, row by row, as one; the parts go."""
    shots = [[plt.imread(part)[:, :, :3] for part in row] for row in rows]
    write_small(picture, np.concatenate([np.concatenate(row, axis=1) for row in shots]))
    for part in (part for row in rows for part in row):
        pathlib.Path(part).unlink()


def write_small(picture, pixels):
    """A PNG of 256 colours: a third of the bytes."""
    from PIL import Image

    image = Image.fromarray(np.round(255 * pixels).astype(np.uint8))
    image.quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(picture, optimize=True)
