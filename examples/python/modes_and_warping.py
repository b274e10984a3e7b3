"""Modes of a bar, and why they must be warped: modes_and_warping.py

Bakes a clamped bar, looks at its spectrum, and bends it by its first mode: linearly, where it grows, and warped
(Choi & Ko 2005), where it keeps its volume. Ends with scipy's eigenvalues beside Limber's.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse.linalg

import limber


def main() -> None:
    mesh = limber.bar([1, 0.2, 0.2], [10, 2, 2])
    rubber = limber.Material(young=2e5, poisson=0.3, density=1000)
    clamped = mesh.V[:, 0] < 1e-3  # a mask: one truth value a node
    body = limber.bake(mesh, rubber, fixed=clamped, modes=12)
    print(body)

    frequencies = np.sqrt(body.eigenvalues) / (2 * np.pi)
    print("lowest frequencies:", ", ".join(f"{one:.2f}" for one in frequencies[:5]), "Hz")

    # The first mode, as far as it takes to move the tip by 60 % of the length.
    tip = int(np.argmax(mesh.V[:, 0]))
    reach = np.linalg.norm(body.modes[3 * tip:3 * tip + 3, 0])
    q = np.zeros(len(body.eigenvalues))
    q[0] = 0.6 / reach
    for method in ("linear-modal", "modal-warping"):
        bent = body.deform(q, method=method)  # type: ignore[arg-type]
        ratio = limber.volume(bent, mesh.T) / limber.volume(mesh)
        print(f"{method:>14}: volume {100 * ratio - 100:+.1f} %")

    # The same numbers by scipy.
    free = np.repeat(~clamped, 3)
    K = limber.stiffness(mesh, rubber).tocsr()[free][:, free]
    M = limber.mass(mesh, rubber).tocsr()[free][:, free]
    expected = scipy.sparse.linalg.eigsh(K.tocsc(), 5, M.tocsc(), sigma=0, return_eigenvectors=False)
    difference = np.abs(np.sort(expected) / body.eigenvalues[:5] - 1).max()
    print(f"difference to scipy's eigenvalues: {difference:.0e}")
    assert difference < 1e-8


if __name__ == "__main__":
    main()
