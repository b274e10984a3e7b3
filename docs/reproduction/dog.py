"""A dog for Müller et al.'s Great Dane: a surface of some 5,000 triangles, and bones inside."""

import numpy as np

from .creatures import smoothed, voxel_surface

# x to the side, y up, z to the nose; the dog is about 0.6 high and 0.75 long, in units of its own.
# Ends and radii at them; what is not on the middle plane stands on both sides.
LIMBS = [
    ((0, 0.40, -0.24), (0, 0.42, 0.12), 0.105, 0.120),     # trunk
    ((0, 0.44, 0.12), (0, 0.58, 0.24), 0.085, 0.075),      # neck
    ((0, 0.60, 0.24), (0, 0.60, 0.27), 0.085, 0.085),      # skull
    ((0, 0.57, 0.30), (0, 0.555, 0.42), 0.062, 0.052),     # snout
    ((0.045, 0.535, 0.33), (0.045, 0.485, 0.36), 0.036, 0.032),   # jowls
    ((0.095, 0.64, 0.22), (0.125, 0.50, 0.235), 0.030, 0.030),    # ears
    ((0.065, 0.36, 0.10), (0.070, 0.05, 0.11), 0.058, 0.042),     # fore legs
    ((0.065, 0.36, -0.22), (0.070, 0.05, -0.25), 0.066, 0.042),   # hind legs
    ((0.070, 0.035, 0.12), (0.070, 0.035, 0.15), 0.040, 0.034),   # paws
    ((0.070, 0.035, -0.24), (0.070, 0.035, -0.21), 0.040, 0.034),
    ((0, 0.44, -0.31), (0, 0.33, -0.47), 0.032, 0.022),    # tail
]
BONES = [0, 1, 2, 3, 6, 7]  # of LIMBS


def both_sides():
    """All limbs, those beside the middle plane twice, with their numbers."""
    for number, (a, b, thick, thin) in enumerate(LIMBS):
        for side in (1, -1) if a[0] else (1,):
            mirror = np.array([side, 1, 1])
            yield number, np.array(a) * mirror, np.array(b) * mirror, thick, thin


def distance_to_limb(points, a, b, thick, thin):
    """Less than 0 inside a cone with round ends."""
    along = b - a
    t = np.clip((points - a) @ along / (along @ along), 0, 1)
    return np.linalg.norm(points - a - t[:, None] * along, axis=1) - (thick + t * (thin - thick))


def dog_surface(cell=0.024):
    """Vertices and triangles: voxels of the union, smoothed and drawn back to it."""
    grid = np.stack(np.meshgrid(np.arange(-12, 12), np.arange(0, 32), np.arange(-24, 24), indexing="ij"), -1)
    voxels = grid.reshape(-1, 3)
    middles = (voxels + 0.5) * cell
    distance = np.min([distance_to_limb(middles, *limb) for _, *limb in both_sides()], axis=0)
    vertices, triangles = voxel_surface(voxels[distance < 0])
    vertices = smoothed(vertices * cell, triangles, 4)
    step = 1e-4
    for _ in range(3):
        def field(p):
            values = np.array([distance_to_limb(p, *limb) for _, *limb in both_sides()])
            return -0.015 * np.log(np.exp(-values / 0.015).sum(axis=0))  # a union with rounded seams
        gradient = np.stack([(field(vertices + step * e) - field(vertices - step * e)) / (2 * step)
                             for e in np.eye(3)], axis=1)
        vertices = vertices - (field(vertices) / (gradient**2).sum(axis=1).clip(0.05))[:, None] * gradient
        vertices = smoothed(vertices, triangles, 1)
    return vertices, triangles


def depth_in_bones(points):
    """Distance from the middle of the nearest bone over its limb's radius there: 0 inside, 1 at the skin."""
    ratios = []
    for number, a, b, thick, thin in both_sides():
        if number in BONES:
            along = b - a
            t = np.clip((points - a) @ along / (along @ along), 0, 1)
            ratios.append(np.linalg.norm(points - a - t[:, None] * along, axis=1) / (thick + t * (thin - thick)))
    return np.min(ratios, axis=0)
