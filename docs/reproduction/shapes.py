"""Surfaces and poses for the figures: our characters, a stick, and ways to bend them."""

import pathlib

import numpy as np

from .common import limber


def write_obj(path, vertices, triangles):
    with open(path, "w") as out:
        out.writelines("v %.9g %.9g %.9g\n" % tuple(v) for v in vertices)
        out.writelines("f %d %d %d\n" % tuple(f + 1) for f in triangles)
    return pathlib.Path(path)


def read_obj(path):
    vertices, triangles = [], []
    for line in open(path):
        words = line.split()
        if line.startswith("v "):
            vertices.append([float(x) for x in words[1:4]])
        elif line.startswith("f "):
            triangles.append([int(w.split("/")[0]) - 1 for w in words[1:4]])
    return np.array(vertices), np.array(triangles)


def character(folder, name, vertices):
    """The surface of a character at rest: positions, triangles and its file."""
    made = pathlib.Path(folder) / f"{name}-made.obj"
    limber("character", name, "-o", made, "--vertices", vertices)
    positions, triangles = read_obj(made)
    return positions, triangles, write_obj(pathlib.Path(folder) / f"{name}.obj", positions, triangles)


def stick(size=(1, 0.12, 0.12), cells=(40, 5, 5)):
    """The surface of a box, cells along each side."""
    size, cells = np.array(size, float), np.array(cells)
    number, vertices, triangles = {}, [], []

    def corner(place):
        if place not in number:
            number[place] = len(vertices)
            vertices.append(np.array(place) / cells * size)
        return number[place]

    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for end in (0, cells[axis]):
            for i in range(cells[u]):
                for j in range(cells[v]):
                    quad = []
                    for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        place = [0, 0, 0]
                        place[axis], place[u], place[v] = end, i + di, j + dj
                        quad.append(corner(tuple(place)))
                    if end == 0:
                        quad.reverse()
                    triangles += [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
    return np.array(vertices), np.array(triangles)


def frame_of(axis, towards):
    axis = np.array(axis, float) / np.linalg.norm(axis)
    towards = np.array(towards, float) - np.dot(towards, axis) * axis
    return axis, towards / np.linalg.norm(towards)


def bent(points, origin, axis, towards, length, angle, where=None):
    """What lies beyond `origin` along `axis` follows an arc over `length`, straight beyond it.
    `where`: the vertices that take part."""
    axis, towards = frame_of(axis, towards)
    offset = points - np.array(origin, float)
    s, h = offset @ axis, offset @ towards
    turned = np.clip(s, 0, length) * angle / length
    radius = length / angle
    beyond = np.maximum(s - length, 0) + np.minimum(s, 0)
    along = np.sin(turned) * (radius - h) + np.cos(turned) * beyond
    across = radius - np.cos(turned) * (radius - h) + np.sin(turned) * beyond
    moved = points + np.outer(along - s, axis) + np.outer(across - h, towards)
    return moved if where is None else np.where(np.asarray(where)[:, None], moved, points)


def twisted(points, origin, axis, length, angle, where=None):
    """Turned about the axis, more and more over `length`."""
    axis, side = frame_of(axis, [0.3, 0.5, 0.8])
    other = np.cross(axis, side)
    offset = points - np.array(origin, float)
    s, a, b = offset @ axis, offset @ side, offset @ other
    turned = np.clip(s / length, 0, 1) * angle
    c, d = np.cos(turned), np.sin(turned)
    moved = points + np.outer(c * a - d * b - a, side) + np.outer(d * a + c * b - b, other)
    return moved if where is None else np.where(np.asarray(where)[:, None], moved, points)
