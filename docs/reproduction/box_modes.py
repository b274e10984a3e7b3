"""Modes of a box and their nonlinear extension (Huang et al. 2011, equation 8), in plain numpy."""

import itertools

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as solvers
from scipy.spatial.transform import Rotation


def box_tets(size, cells):
    """Nodes (n, 3) and tets (t, 4): six tets a cube."""
    places = list(itertools.product(*(range(c + 1) for c in cells)))
    number = {place: k for k, place in enumerate(places)}
    tets = []
    for corner in itertools.product(*(range(c) for c in cells)):
        for order in itertools.permutations(range(3)):
            walk = [corner]
            for axis in order:
                walk.append(tuple(w + (k == axis) for k, w in enumerate(walk[-1])))
            tets.append([number[place] for place in walk])
    nodes, tets = np.array(places) / cells * size, np.array(tets)
    turned = np.linalg.det(nodes[tets[:, 1:]] - nodes[tets[:, :1]]) < 0
    tets[turned] = tets[turned][:, [0, 2, 1, 3]]
    return nodes, tets


def boundary(tets):
    """Triangles that one tet alone has."""
    faces = np.vstack([tets[:, k] for k in ([0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2])])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


class Body:
    def __init__(self, nodes, tets):
        self.nodes, self.tets = nodes, tets
        edges = nodes[tets[:, 1:]] - nodes[tets[:, :1]]
        self.volumes = np.linalg.det(edges) / 6
        inner = np.linalg.inv(edges)  # columns: gradients of corners 1 to 3
        self.gradients = np.concatenate([-inner.sum(axis=2)[:, None], inner.transpose(0, 2, 1)], axis=1)
        rows = np.repeat(3 * np.arange(len(tets))[:, None, None] + np.arange(3), 4, axis=1)
        columns = np.repeat(tets[:, :, None], 3, axis=2)
        self.G = sparse.csr_matrix((self.gradients.ravel(), (rows.ravel(), columns.ravel())),
                                   (3 * len(tets), len(nodes)))

    def modes(self, count, poisson=0.33):
        """Displacements (count, n, 3) of the lowest modes, the six rigid ones first."""
        mu, lam = 1 / (2 * (1 + poisson)), poisson / ((1 + poisson) * (1 - 2 * poisson))
        g, v = self.gradients, self.volumes
        dots = np.einsum("tik,tjk->tij", g, g)
        blocks = v[:, None, None, None, None] * (
            lam * np.einsum("tia,tjb->tijab", g, g) + mu * np.einsum("tib,tja->tijab", g, g)
            + mu * np.einsum("tij,ab->tijab", dots, np.eye(3)))
        dofs = 3 * self.tets[:, :, None] + np.arange(3)
        rows = np.broadcast_to(dofs[:, :, None, :, None], blocks.shape)
        columns = np.broadcast_to(dofs[:, None, :, None, :], blocks.shape)
        K = sparse.csc_matrix((blocks.ravel(), (rows.ravel(), columns.ravel())))
        mass = np.bincount(self.tets.ravel(), np.repeat(v / 4, 4))
        M = sparse.diags(np.repeat(mass, 3)).tocsc()
        values, vectors = solvers.eigsh(K, count, M, sigma=-1e-3)
        return vectors.T[np.argsort(values)].reshape(count, -1, 3)

    def small(self, u):
        """Gradient of u (t, 3, 3) and the rotation vector (t, 3) of its skew part."""
        # Row k of a block of G u holds ∂u/∂x_k: turned over it is the gradient.
        A = (self.G @ u).reshape(-1, 3, 3).transpose(0, 2, 1)
        return A, 0.5 * np.stack([A[:, 2, 1] - A[:, 1, 2], A[:, 0, 2] - A[:, 2, 0],
                                  A[:, 1, 0] - A[:, 0, 1]], 1)

    def largest_turn(self, u):
        return np.linalg.norm(self.small(u)[1], axis=1).max()

    def extended(self, u):
        """T⁻¹ of the small rotations and strains of u: positions (n, 3)."""
        A, w = self.small(u)
        F = Rotation.from_rotvec(w).as_matrix() @ (np.eye(3) + 0.5 * (A + A.transpose(0, 2, 1)))
        weights = sparse.diags(np.repeat(self.volumes, 3))
        L = (self.G.T @ weights @ self.G).tolil()
        L[0, 0] += L[0, 0]  # one node held a little: the place does not matter
        right = self.G.T @ weights @ F.transpose(0, 2, 1).reshape(-1, 3)
        return solvers.spsolve(L.tocsc(), right)
