"""Loose parts of a mesh, which the program moves as bodies of their own, put together again."""

import numpy
from mathutils.kdtree import KDTree

from .errors import LimberError

SAME_PLACE = 1e-4  # of the object's size: single precision, and the first frame's rounding


def loose_parts(vertex_count, triangles):
    """For each vertex the number of its part: the least vertex that edges lead to."""
    part = numpy.arange(vertex_count)
    while True:
        least = part[triangles].min(axis=1)
        before = part.copy()
        for corner in range(3):
            numpy.minimum.at(part, triangles[:, corner], least)
        part = part[part]
        if (part == before).all():
            return part


def _distance(points, places):
    """The farthest that any of the points is from the nearest of the places."""
    tree = KDTree(len(places))
    for k, place in enumerate(places):
        tree.insert(place, k)
    tree.balance()
    return max(tree.find(point)[2] for point in points)


def together(pieces, rest, triangles, name):
    """(frames, n, 3) from pieces in the program's order: each has the vertices of some loose parts, in the order in
    which the triangles come to them. `rest`: where the vertices are in the first frame."""
    whole = numpy.repeat(rest[None].astype(numpy.float32), pieces[0].shape[0], axis=0)
    size = numpy.ptp(rest, axis=0).max()
    part = loose_parts(len(rest), triangles)
    order = list(dict.fromkeys(triangles.ravel().tolist()))
    left = dict.fromkeys(part[order].tolist())
    for piece in pieces:
        places = piece[0]
        taken = [p for p in left if _distance(rest[part == p], places) < SAME_PLACE * size]
        wanted = [v for v in order if part[v] in taken]
        if len(wanted) != piece.shape[1] or numpy.abs(rest[wanted] - places).max() > SAME_PLACE * size:
            raise LimberError("the loose parts cannot be told apart", name,
                              "separate them into objects of their own (P in edit mode)")
        whole[:, wanted] = piece
        for p in taken:
            del left[p]
    return whole
