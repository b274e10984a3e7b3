"""Müller et al. 2002, Fig. 2: springs that are kept from over-stretching (Desbrun et al. 1999), so that a linear law
fits a material that stiffens."""

import numpy as np

from .common import axes_of, save, told

SPRINGS, STIFFNESS, LENGTH, LIMIT = 20, 1.0, 1.0, 0.1  # N/m and m of one spring; the stretch that is allowed


def chain_at_rest(force, limit=None):
    """The stretch of a chain fixed at one end and pulled at the other: damped steps, and after each of them
    springs beyond the limit are shortened from the fixed end on, the last mass taking what is left."""
    nodes = LENGTH * np.arange(SPRINGS + 1, dtype=float)
    velocity = np.zeros_like(nodes)
    h = 3.0
    inverse = np.linalg.inv(np.eye(SPRINGS) * (1 + 0.2 * h) + h * h * STIFFNESS * (
        np.diag([2.0] * (SPRINGS - 1) + [1.0]) - np.eye(SPRINGS, k=1) - np.eye(SPRINGS, k=-1)))
    for _ in range(1000):
        pull = STIFFNESS * (np.diff(nodes) - LENGTH)
        net = np.append(np.diff(pull), force - pull[-1])
        velocity[1:] = inverse @ (velocity[1:] + h * net)
        start = nodes.copy()
        nodes[1:] += h * velocity[1:]
        if limit is not None:
            lengths = np.minimum(np.diff(nodes), (1 + limit) * LENGTH)
            nodes[1:] = nodes[0] + np.cumsum(lengths)
            velocity[1:] = (nodes - start)[1:] / h
        if np.abs(velocity).max() < 1e-8:
            break
    return nodes[-1] / (SPRINGS * LENGTH) - 1


def mueller_2(pictures=True):
    """Force over stretch of a chain of springs, without and with the limit."""
    forces = STIFFNESS * LENGTH * np.array([0.02, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3])
    free = [chain_at_rest(f) for f in forces]
    kept = [chain_at_rest(f, LIMIT) for f in forces]
    if pictures:
        figure, axis = axes_of()
        axis.plot(100 * np.array([0, *free]), [0, *forces], "o-", markersize=3.5, color="#882255", label="linear springs")
        axis.plot(100 * np.array([0, *kept]), [0, *forces], "o-", markersize=3.5, color="#0072B2", label="kept from over-stretching")
        save(figure, axis, "mueller-2.png", "stretch, %", "force, N")
    return told("mueller 2", ("stretches by {:.1f} %", 100 * free[-1]), ("by {:.1f} % at most", 100 * max(kept)),
                ("{:.1f} % at half of the limit's force", 100 * kept[1]))


FIGURES = (mueller_2,)
