"""Rotation-strain coordinates and interpolation from Python, against numpy and scipy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

limber = pytest.importorskip("limber")


@pytest.fixture(scope="module")
def mesh():
    return limber.bar([1, 0.12, 0.12], [12, 2, 2])


@pytest.fixture(scope="module")
def pose(mesh):
    middle = [0, 0.06, 0.06]
    return limber.bend(limber.twist(mesh.V, 1.0, origin=middle), 2.5, origin=middle)


def deformation_gradients(mesh, V):
    def edges(points):
        corners = points[mesh.T]
        return np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)

    return edges(V) @ np.linalg.inv(edges(mesh.V))


def volume(mesh, V):
    corners = V[mesh.T]
    return np.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6


def test_coordinates_give_the_deformation_gradients(mesh, pose):
    w, S = limber.rotation_strain(mesh, pose)
    assert w.shape == (len(mesh.T), 3) and S.shape == (len(mesh.T), 3, 3)
    F = Rotation.from_rotvec(w).as_matrix() @ (np.eye(3) + S)
    assert np.abs(F - deformation_gradients(mesh, pose)).max() < 1e-12
    assert np.abs(S - np.swapaxes(S, 1, 2)).max() < 1e-12


def test_reconstruction_is_the_inverse(mesh, pose):
    w, S = limber.rotation_strain(mesh, pose)
    volumes = np.linalg.det(deformation_gradients(mesh, mesh.V))  # ones: tets of one volume
    assert np.allclose(volumes, 1)
    barycenter = pose[mesh.T].mean(axis=1).mean(axis=0)
    assert np.abs(limber.reconstruct(mesh, w, S, barycenter) - pose).max() < 1e-9
    moved = limber.reconstruct(mesh, w, S)
    assert np.allclose(moved[mesh.T].mean(axis=(0, 1)), mesh.V[mesh.T].mean(axis=(0, 1)))


def test_rigid_motion_has_no_strain(mesh):
    turn = Rotation.from_rotvec([0.3, -1.0, 2.0])
    w, S = limber.rotation_strain(mesh, turn.apply(mesh.V) + [1, 2, 3])
    assert np.abs(S).max() < 1e-12
    assert np.abs(w - turn.as_rotvec()).max() < 1e-12


def test_frames_run_from_pose_to_pose(mesh, pose):
    frames = limber.interpolate(mesh, [mesh.V, pose], [0, 1], modes=20, fps=24)
    assert frames.shape == (25, len(mesh.V), 3)
    assert np.abs(frames[0] - mesh.V).max() < 1e-9
    assert np.abs(frames[-1] - pose).max() < 1e-9


@pytest.mark.parametrize("frequency, damping", [(-1.0, -1.0), ([0.2] * 20, [-0.5] * 20)])
def test_volume_is_kept_all_along(mesh, pose, frequency, damping):
    frames = limber.interpolate(mesh, [mesh.V, pose], [0, 1], modes=20, frequency=frequency,
                                damping=damping)
    rest = volume(mesh, mesh.V)
    assert all(abs(volume(mesh, V) - rest) < 0.05 * rest for V in frames)


def test_three_keys_are_met(mesh, pose):
    frames = limber.interpolate(mesh, [mesh.V, pose, mesh.V], [0, 0.5, 1], modes=20, fps=10)
    assert np.abs(frames[5] - pose).max() < 1e-9
    assert np.abs(frames[10] - mesh.V).max() < 1e-9


def test_held_nodes_stay(mesh, pose):
    fixed = [i for i, x in enumerate(mesh.V) if x[0] == 0]
    bent = limber.bend(mesh.V, 2.0, origin=[0, 0.06, 0.06])
    frames = limber.interpolate(mesh, [mesh.V, bent], [0, 1], modes=15, fixed=fixed)
    assert np.abs(frames[:, fixed] - mesh.V[fixed]).max() < 1e-12


def test_surfaces_without_volume_move_as_shells():
    n = 10
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1))
    V = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    F = np.vstack([np.column_stack([a, a + 1, a + n + 2]),
                   np.column_stack([a, a + n + 2, a + n + 1])])
    rolled = limber.bend(V, 4.0, towards=[0, 0, 1])
    frames = limber.interpolate(limber.TriMesh(V, F), [V, rolled], [0, 1], modes=20, fps=12,
                                damping=-0.5, thickness=0.01)
    assert np.abs(frames[0] - V).max() < 1e-9 and np.abs(frames[-1] - rolled).max() < 1e-9

    def area(points):
        corners = points[F]
        return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0],
                                       corners[:, 2] - corners[:, 0]), axis=1).sum() / 2

    # Rolling is isometric, so in-betweens keep the area; blended positions lose more than half.
    assert all(abs(area(points) - 1) < 0.05 for points in frames)


def test_tets_follow_a_posed_surface(mesh, pose):
    surface = limber.boundary_surface(mesh)
    number = {tuple(p): i for i, p in enumerate(mesh.V)}
    boundary = [number[tuple(p)] for p in surface.V]
    nodes = limber.pose_tets(mesh, surface, pose[boundary])
    assert np.abs(nodes - pose).max() < 0.02  # a sixth of a cell: springs give under strain


@pytest.mark.parametrize("change, words", [
    (dict(times=[0, 0]), "not later"),
    (dict(times=[0]), "times"),
    (dict(poses=[np.zeros((3, 3))] * 2), "nodes"),
    (dict(frequency=2.0), "frequency"),
    (dict(damping=[0.1]), "damping"),
    (dict(fps=0.0), "frames a second"),
    (dict(trajectory="magic"), "trajectory"),
])
def test_bad_input_is_refused(mesh, pose, change, words):
    arguments = dict(poses=[mesh.V, pose], times=[0, 1], modes=5) | change
    with pytest.raises(limber.Error, match=words):
        limber.interpolate(mesh, **arguments)


def test_poses_that_are_not_finite_are_refused(mesh, pose):
    bad = pose.copy()
    bad[3, 1] = np.nan
    with pytest.raises(limber.Error, match="node 3"):
        limber.rotation_strain(mesh, bad)
    w, S = limber.rotation_strain(mesh, pose)
    with pytest.raises(limber.Error):
        limber.reconstruct(mesh, w[:-1], S)
    with pytest.raises(limber.Error):
        limber.reconstruct(mesh, w * np.nan, S)
