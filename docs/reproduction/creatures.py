"""Creatures with thin limbs and their poses from a seed: voxels, a skeleton and its skin."""

import numpy as np


def rotation(vector):
    """Of a rotation vector, as a matrix."""
    angle = np.linalg.norm(vector)
    x, y, z = np.asarray(vector, float) / max(angle, 1e-300)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def voxel_surface(voxels):
    """Vertices (corners of the grid) and triangles of the boundary of a set of voxels."""
    filled = set(map(tuple, voxels))
    number, vertices, triangles = {}, [], []

    def corner(place):
        if place not in number:
            number[place] = len(vertices)
            vertices.append(place)
        return number[place]

    for voxel in sorted(filled):
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            for side in (0, 1):
                beside = list(voxel)
                beside[axis] += 2 * side - 1
                if tuple(beside) in filled:
                    continue
                quad = []
                for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    place = list(voxel)
                    place[axis] += side
                    place[u] += du
                    place[v] += dv
                    quad.append(corner(tuple(place)))
                if side == 0:
                    quad.reverse()
                triangles += [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
    return np.array(vertices, float), np.array(triangles)


def smoothed(values, triangles, rounds):
    """Means over neighbours, rounds times."""
    edges = np.vstack([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    for _ in range(rounds):
        total, count = np.zeros_like(values), np.zeros(len(values))
        np.add.at(total, edges[:, 0], values[edges[:, 1]])
        np.add.at(count, edges[:, 0], 1)
        values = 0.5 * values + 0.5 * total / count[:, None]
    return values


class Creature:
    """`rest` (v×3, about one unit long), `triangles`, and `pose(seed, strength)`."""

    def __init__(self, seed, limbs=6, joints=3):
        random = np.random.default_rng(seed)
        trunk = np.array([random.integers(5, 10), random.integers(3, 6), random.integers(3, 6)])
        voxels = {tuple(p) for p in np.ndindex(*trunk)}
        self.bones = [(0.5 * trunk, 0.5 * trunk, -1)]  # from, to, parent; the first is the trunk
        for _ in range(limbs):
            self._grow(random, trunk, voxels, joints)
        vertices, self.triangles = voxel_surface(voxels)
        self._bind(vertices, trunk)
        round_shape = smoothed(vertices, self.triangles, 2)
        self.scale = 1 / np.ptp(round_shape, axis=0).max()
        self.rest = round_shape * self.scale
        self.bones = [(a * self.scale, b * self.scale, parent) for a, b, parent in self.bones]

    def _grow(self, random, trunk, voxels, joints):
        """A limb out of a face of the trunk, straight, free of the others."""
        for _ in range(20):
            axis, side, thick = random.integers(3), random.integers(2), random.integers(1, 3)
            start = random.integers(0, np.maximum(trunk - thick, 1))
            length = int(random.integers(8, 16))
            first = trunk[axis] if side else -length
            block = {tuple(p) for p in _block(start, axis, first, length, thick)}
            around = {tuple(p) for p in _block(start - 1, axis, first - (not side), length + 1, thick + 2)}
            outside = {p for p in around if not all(0 <= x < n for x, n in zip(p, trunk))}
            if outside & voxels:
                continue
            voxels |= block
            middle = np.array(start + 0.5 * thick, float)
            ends = np.linspace(0, length, joints + 1)
            parent = 0
            for a, b in zip(ends, ends[1:]):
                begin, end = middle.copy(), middle.copy()
                begin[axis] = trunk[axis] + a if side else -a
                end[axis] = trunk[axis] + b if side else -b
                self.bones.append((begin, end, parent))
                parent = len(self.bones) - 1
            return

    def _bind(self, vertices, trunk):
        """Each vertex to the nearest bone, the borders smoothed."""
        inside = np.all((vertices >= 0) & (vertices <= trunk), axis=1)
        distances = np.array([_distance(vertices, a, b) for a, b, _ in self.bones])
        distances[0] = np.where(inside, -1, np.inf)
        weights = np.zeros((len(vertices), len(self.bones)))
        weights[np.arange(len(vertices)), distances.argmin(axis=0)] = 1
        self.weights = smoothed(weights, self.triangles, 4)

    def pose(self, seed, strength):
        """Each joint turned by up to `strength` rad about any axis, linear blend skinning."""
        random = np.random.default_rng(seed)
        turns = [np.eye(3)]
        shifts = [np.zeros(3)]
        for begin, _, parent in self.bones[1:]:
            axis = random.normal(size=3)
            turn = rotation(axis / np.linalg.norm(axis) * random.uniform(0, strength))
            turns.append(turns[parent] @ turn)
            shifts.append(turns[parent] @ begin + shifts[parent] - turns[-1] @ begin)
        moved = np.einsum("bij,vj->bvi", np.array(turns), self.rest) + np.array(shifts)[:, None]
        return np.einsum("vb,bvi->vi", self.weights, moved)


def _block(start, axis, first, length, thick):
    low = np.array(start)
    low[axis] = first
    size = [thick] * 3
    size[axis] = length
    return [tuple(int(x) for x in low + p) for p in np.ndindex(*size)]


def _distance(points, a, b):
    along = b - a
    share = np.clip((points - a) @ along / max(along @ along, 1e-12), 0, 1)
    return np.linalg.norm(points - a - share[:, None] * along, axis=1)
