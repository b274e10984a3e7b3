"""Surfaces of many kinds, made by code from seeds: what users bring, with what is wrong in it.

Each generator yields (name, vertices v×3, triangles t×3), about one unit large.
"""

import itertools

import numpy as np

from .creatures import Creature, rotation
from .shapes import character, stick

CHARACTERS = ("flubber", "dino", "elephant", "bird", "bunny", "belly", "jelly-box", "tube", "brain",
              "hat", "bowl")


def grid(rows, columns, wrap_rows, wrap_columns):
    """Triangles of a grid of rows × columns vertices, closed along either side or not."""
    triangles = []
    for i in range(rows if wrap_rows else rows - 1):
        for j in range(columns if wrap_columns else columns - 1):
            a, b = i * columns + j, i * columns + (j + 1) % columns
            c, d = (i + 1) % rows * columns + j, (i + 1) % rows * columns + (j + 1) % columns
            triangles += [[a, b, d], [a, d, c]]
    return np.array(triangles)


def along(path, radius, around=12, closed=False):
    """A tube of the given radius (one or one a point) along a path of points, with ends capped."""
    path = np.array(path, float)
    if closed:
        tangents = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    else:
        tangents = np.gradient(path, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    side = np.cross(tangents[0], [0.3, 0.5, 0.8])
    angles = np.linspace(0, 2 * np.pi, around, endpoint=False)
    rings = []
    for point, tangent, r in zip(path, tangents, np.broadcast_to(radius, len(path))):
        side = side - np.dot(side, tangent) * tangent
        side /= np.linalg.norm(side)
        other = np.cross(tangent, side)
        rings.append(point + r * (np.outer(np.cos(angles), side) + np.outer(np.sin(angles), other)))
    vertices, triangles = np.vstack(rings), grid(len(path), around, closed, True)
    if not closed:
        ends = np.array([path[0], path[-1]])
        first, last = len(vertices), len(vertices) + 1
        base = len(vertices) - around
        caps = [[first, (k + 1) % around, k] for k in range(around)]
        caps += [[last, base + k, base + (k + 1) % around] for k in range(around)]
        vertices, triangles = np.vstack([vertices, ends]), np.vstack([triangles, caps])
    return vertices, triangles


def ball(centre=(0, 0, 0), radius=0.5, rows=16):
    heights = np.cos(np.linspace(0, np.pi, rows + 2))[1:-1]
    path = np.array(centre) + radius * np.outer(heights, [0, 1, 0])
    v, t = along(path, radius * np.sqrt(1 - heights**2), 2 * rows)
    v[-2:] = np.array(centre) + [[0, radius, 0], [0, -radius, 0]]
    return v, t


def box(low, size, cells=(4, 4, 4)):
    v, t = stick(size, cells)
    return v + np.array(low), t


def joined(parts):
    """One list of vertices and triangles; parts stay what they are."""
    vertices, triangles, count = [], [], 0
    for v, t in parts:
        vertices.append(v)
        triangles.append(np.asarray(t) + count)
        count += len(v)
    return np.vstack(vertices), np.vstack(triangles)


def knot(p, q, radius, points=160):
    u = np.linspace(0, 2 * np.pi, points, endpoint=False)
    path = np.stack([(2 + np.cos(q * u)) * np.cos(p * u), (2 + np.cos(q * u)) * np.sin(p * u), np.sin(q * u)], 1)
    return along(path / 6, radius, 14, closed=True)


def branches(seed, depth=5, radius=0.06):
    """A tree: tubes that cross where they join, thinner and thinner."""
    random = np.random.default_rng(seed)
    parts = []

    def grow(start, direction, length, r, left):
        end = start + length * direction
        parts.append(along([start + s * (end - start) for s in np.linspace(-0.05, 1, 8)],
                           np.linspace(r, 0.7 * r, 8), 10))
        if left == 0:
            return
        for _ in range(2):
            turned = rotation(random.normal(size=3) * 0.5) @ direction
            grow(end, turned, 0.72 * length, 0.7 * r, left - 1)

    grow(np.zeros(3), np.array([0, 1.0, 0]), 0.35, radius, depth)
    return joined(parts)


def sheet(rows=24, columns=24, height=lambda x, z: 0 * x):
    x, z = np.meshgrid(np.linspace(0, 1, rows), np.linspace(0, 1, columns), indexing="ij")
    return np.stack([x, height(x, z), z], axis=2).reshape(-1, 3), grid(rows, columns, False, False)


def moebius(points=120, across=7):
    u = np.linspace(0, 2 * np.pi, points, endpoint=False)
    rows = [[np.cos(a), np.sin(a), 0] + w * np.array([np.cos(a) * np.cos(a / 2), np.sin(a) * np.cos(a / 2), np.sin(a / 2)])
            for a in u for w in np.linspace(-0.3, 0.3, across)]
    triangles = grid(points, across, False, False).tolist()
    base = (points - 1) * across
    for j in range(across - 1):  # the last row meets the first one the other way round
        a, b, c, d = base + j, base + j + 1, across - 1 - j, across - 2 - j
        triangles += [[a, b, d], [a, d, c]]
    return 0.5 * np.array(rows), np.array(triangles)


def klein(rows=60, columns=24):
    """Klein's bottle in its figure-eight form: no inside, crosses itself."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, rows, endpoint=False),
                       np.linspace(0, 2 * np.pi, columns, endpoint=False), indexing="ij")
    r = 2 + np.cos(u / 2) * np.sin(v) - np.sin(u / 2) * np.sin(2 * v)
    z = np.sin(u / 2) * np.sin(v) + np.cos(u / 2) * np.sin(2 * v)
    return np.stack([r * np.cos(u), z, r * np.sin(u)], 2).reshape(-1, 3) / 6, grid(rows, columns, False, True)


def gear(teeth=14, thickness=0.2):
    angles = np.linspace(0, 2 * np.pi, 4 * teeth, endpoint=False)
    radius = np.where(np.arange(4 * teeth) % 4 < 2, 0.5, 0.4)
    rim = np.stack([radius * np.cos(angles), radius * np.sin(angles)], 1)
    n = len(rim)
    vertices = np.vstack([np.c_[rim, np.zeros(n)], np.c_[rim, np.full(n, thickness)],
                          [[0, 0, 0], [0, 0, thickness]]])
    triangles = []
    for k in range(n):
        m = (k + 1) % n
        triangles += [[k, m, n + m], [k, n + m, n + k], [2 * n, m, k], [2 * n + 1, n + k, n + m]]
    return vertices, np.array(triangles)


def damaged(v, t, seed, drop=0.0, flip=0.0, double=0.0, shake=0.0, apart=False):
    """Triangles left out, turned or given twice, vertices moved; `apart`: a soup of loose triangles."""
    random = np.random.default_rng(seed)
    t = t[random.random(len(t)) >= drop]
    turned = random.random(len(t)) < flip
    t = np.where(turned[:, None], t[:, ::-1], t)
    t = np.vstack([t, t[random.random(len(t)) < double]])
    v = v + random.normal(size=v.shape) * shake
    if apart:
        v, t = v[t].reshape(-1, 3), np.arange(3 * len(t)).reshape(-1, 3)
    return v, t


def characters(folder):
    for name in CHARACTERS:
        yield name, *character(folder, name, 4000)[:2]
        yield f"{name}, low-poly", *character(folder, name, 900)[:2]


def kits():
    """Things of parts: crossing, touching, near, inside each other, loose."""
    ball_a = ball()
    yield "two balls that cross", *joined([ball_a, ball((0.6, 0, 0), 0.4)])
    yield "two balls that nearly touch", *joined([ball_a, ball((1.02, 0, 0), 0.5)])
    yield "a ball in a ball", *joined([ball_a, ball((0, 0, 0), 0.3)])
    yield "five loose balls", *joined([ball((1.3 * k, 0.2 * k, 0), 0.5, 10) for k in range(5)])
    yield "a table", *joined([box((0, 0.7, 0), (1, 0.08, 0.6), (10, 1, 6)),
                              *[box((x, 0, z), (0.08, 0.72, 0.08), (1, 8, 1)) for x in (0.02, 0.9) for z in (0.02, 0.5)]])
    yield "bricks face on face", *joined([box((0.4 * (k % 2), 0.25 * k, 0), (0.8, 0.25, 0.4)) for k in range(4)])
    yield "stairs", *joined([box((0.2 * k, 0, 0), (0.2, 0.2 * (k + 1), 0.6), (2, 2 * k + 2, 4)) for k in range(5)])
    random = np.random.default_rng(5)
    yield "thirty boxes in a heap", *joined([box(random.random(3), 0.1 + 0.3 * random.random(3), (2, 2, 2)) for _ in range(30)])
    ring = [[0.3 * np.cos(a), 0.3 * np.sin(a), 0] for a in np.linspace(0, 2 * np.pi, 30, endpoint=False)]
    links = [(along(np.array(ring) @ (np.eye(3) if k % 2 else rotation([np.pi / 2, 0, 0])).T + [0.42 * k, 0, 0], 0.05, 10, True))
             for k in range(5)]
    yield "a chain of links", *joined(links)
    yield "three hundred chips", *joined([damaged(*ball(random.random(3), 0.02, 3), k) for k in range(300)])


def thin():
    """Thinner than a cell, or without thickness."""
    yield "a plate of a hundredth", *box((0, 0, 0), (1, 0.01, 1), (20, 1, 20))
    yield "a needle", *along([[x, 0, 0] for x in np.linspace(0, 1, 30)], 0.01, 8)
    yield "a wire that winds", *along([[0.4 * np.cos(a), a / 25, 0.4 * np.sin(a)] for a in np.linspace(0, 25, 200)], 0.015, 8)
    yield "a flat sheet", *sheet()
    yield "a wavy sheet", *sheet(height=lambda x, z: 0.1 * np.sin(9 * x) * np.cos(7 * z))
    yield "a Möbius strip", *moebius()
    yield "Klein's bottle", *klein()
    for seed in (1, 2):
        yield f"a tree, {seed}", *branches(seed)
    spikes = [along([0.3 * d, 0.9 * d], [0.05, 0.004], 6) for d in directions(40)]
    yield "a sea urchin", *joined([ball((0, 0, 0), 0.35, 12), *spikes])
    yield "half a ball, open", *half(*ball(), 1)


def directions(count):
    d = np.random.default_rng(3).normal(size=(count, 3))
    return d / np.linalg.norm(d, axis=1, keepdims=True)


def part(v, t, kept):
    """Triangles whose corners are all kept, and the vertices that they use."""
    used, numbers = np.unique(t[kept[t].all(axis=1)], return_inverse=True)
    return v[used], numbers.reshape(-1, 3)


def half(v, t, axis):
    return part(v, t, v[:, axis] > (v[:, axis].min() + v[:, axis].max()) / 2 - 1e-9)


def knots():
    for p, q, radius in ((2, 3, 0.06), (3, 5, 0.04), (2, 3, 0.13)):
        yield f"a knot {p}, {q}" + (" that crosses itself" if radius > 0.1 else ""), *knot(p, q, radius)
    yield "a gear", *gear()
    yield "a stick of one cell", *stick((1, 0.1, 0.1), (1, 1, 1))


def broken(folder):
    """Characters and balls with something wrong."""
    dino, elephant = character(folder, "dino", 3000)[:2], character(folder, "elephant", 3000)[:2]
    yield "dino with holes", *damaged(*dino, 1, drop=0.05)
    yield "dino, triangles turned", *damaged(*dino, 2, flip=0.3)
    yield "dino, triangles doubled", *damaged(*dino, 3, double=0.2)
    yield "dino, as a soup", *damaged(*dino, 4, apart=True)
    yield "elephant, noisy", *damaged(*elephant, 5, shake=0.008)
    yield "elephant, soup of noise", *damaged(*elephant, 6, drop=0.1, flip=0.2, shake=0.003, apart=True)
    yield "half an elephant", *half(*elephant, 0)
    yield "dino, 100 units tall", 100 * dino[0], dino[1]
    yield "dino, in micrometres", 1e-6 * dino[0], dino[1]
    yield "dino, far from the origin", dino[0] + [1000, -2000, 500], dino[1]
    random = np.random.default_rng(9)
    corners = random.random((200, 1, 3)) + 0.2 * random.normal(size=(200, 3, 3))
    yield "200 random triangles", corners.reshape(-1, 3), np.arange(600).reshape(-1, 3)
    v, t = ball()
    yield "a ball with flat triangles", v, np.vstack([t, [[0, 1, 1], [2, 3, 2], [5, 5, 5]]])


def creatures(count):
    for seed in range(count):
        creature = Creature(seed)
        yield f"creature {seed}", creature.rest, creature.triangles


def all_surfaces(folder, creature_count):
    return itertools.chain(characters(folder), creatures(creature_count), kits(), thin(), knots(), broken(folder))
