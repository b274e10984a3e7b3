"""From poses to a living motion (Huang et al. 2011): poses_to_motion.py [OUT.npz]

Three poses of a bar, with swings between them that follow from its own vibrations; more of them, fewer, and with a
node held. Also the coordinates underneath: rotations and strains of every tet, and back.
"""

from __future__ import annotations

import sys

import numpy as np

import limber

MIDDLE = [0, 0.06, 0.06]


def main() -> None:
    bar = limber.bar([1, 0.12, 0.12], [12, 2, 2])
    bent = limber.bend(bar.V, 2.0, origin=MIDDLE)
    twisted = limber.twist(bar.V, 2.5, origin=MIDDLE)

    w, S = limber.rotation_strain(bar, twisted)
    again = limber.reconstruct(bar, w, S, barycenter=twisted.mean(axis=0))
    back = np.abs((again - again.mean(axis=0)) - (twisted - twisted.mean(axis=0))).max()
    print(f"twisted by up to {np.linalg.norm(w, axis=1).max():.2f} rad; rebuilt to {back:.0e} m")

    poses, times = [bar.V, bent, twisted], [0.0, 1.0, 2.0]
    for name, controls in {"its own swing": {}, "calm": {"frequency": -1.0},
                           "lively": {"frequency": 0.5, "damping": -0.8}}.items():
        frames = limber.interpolate(bar, poses, times, modes=20, fps=20, **controls)  # type: ignore[arg-type]
        missed = max(np.abs(frames[k] - pose).max() for k, pose in zip((0, 20, 40), poses))
        tip = np.linalg.norm(np.diff(frames[:, -1], axis=0), axis=1).sum()
        print(f"{name:>14}: {len(frames)} frames, the tip goes {tip:.1f} m, poses met to {missed:.0e} m")

    clamped = bar.V[:, 0] < 1e-3
    frames = limber.interpolate(bar, [bar.V, bent], [0, 1], modes=20, fps=20, fixed=clamped, after=0.5)
    print(f"{'clamped':>14}: moves by {np.abs(frames[:, clamped] - bar.V[clamped]).max():.0e} m where it is held")
    if len(sys.argv) > 1:
        np.savez(sys.argv[1], frames=frames, tets=bar.T)
        print("wrote", sys.argv[1])


if __name__ == "__main__":
    main()
