"""How good in-betweens are, in numpy alone: edges and volume beside those of the poses."""

import numpy as np

ROUNDING = 1e-3


class Quality:
    """Of frames evenly spread over `poses` (k arrays v×3) of one surface, poses evenly in time."""

    def __init__(self, rest, triangles, poses):
        sides = np.vstack([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
        pairs, counts = np.unique(np.sort(sides, axis=1), axis=0, return_counts=True)
        self.closed = bool((counts == 2).all())
        self.triangles, self.edges, self.poses = triangles, pairs, poses
        at_rest = self.lengths(rest)
        self.kept = at_rest > 1e-6 * np.ptp(rest, axis=0).max()
        self.at_rest = at_rest[self.kept]
        self.at_poses = [self.lengths(p)[self.kept] for p in poses]
        self.volumes = [self.volume(p) for p in poses]

    def lengths(self, positions):
        return np.linalg.norm(positions[self.edges[:, 0]] - positions[self.edges[:, 1]], axis=1)

    def volume(self, positions):
        a, b, c = (positions[self.triangles[:, k]] - positions[0] for k in range(3))
        return np.einsum("ij,ij->", a, np.cross(b, c)) / 6

    def straight_lines(self, frames):
        for place in np.linspace(0, len(self.poses) - 1, frames):
            k = min(int(place), len(self.poses) - 2)
            yield (1 - place + k) * self.poses[k] + (place - k) * self.poses[k + 1]

    def of(self, frames):
        """Straying, longest edge over its length at rest, volume off in % (None when open)."""
        frames = list(frames)
        straying, longest, off = 1.0, 0.0, 0.0
        for place, frame in zip(np.linspace(0, len(self.poses) - 1, len(frames)), frames):
            k = min(int(place), len(self.poses) - 2)
            lengths = np.maximum(self.lengths(frame)[self.kept], 1e-9 * self.at_rest)
            low = np.minimum(self.at_poses[k], self.at_poses[k + 1])
            high = np.maximum(self.at_poses[k], self.at_poses[k + 1])
            straying = max(straying, (lengths / high).max(), (low / lengths).max())
            longest = max(longest, (lengths / self.at_rest).max())
            small, large = sorted((self.volumes[k], self.volumes[k + 1]))
            volume = self.volume(frame)
            off = max(off, volume / large - 1, 1 - volume / small)
        return straying, longest, 100 * off if self.closed else None

    def verdict(self, ours, lines):
        names = ("straying", "longest", "volume")
        room = ((1 + ROUNDING) * lines[0], (1 + ROUNDING) * lines[1],
                lines[2] + 100 * ROUNDING if self.closed else 0)
        worse = [n for n, a, b in zip(names, ours, room) if a is not None and a > b]
        return f"worse in {', '.join(worse)}" if worse else ""
