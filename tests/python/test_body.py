"""The Python module against numpy and scipy."""

import json
import pickle

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse

limber = pytest.importorskip("limber")

RUBBER = {"young": 2e5, "poisson": 0.3, "density": 1000}


@pytest.fixture(scope="module")
def mesh():
    return limber.bar([1, 0.2, 0.2], [10, 2, 2])


@pytest.fixture(scope="module")
def body(mesh):
    return limber.bake(mesh, RUBBER, fixed="x<=0.001", modes=20)


def test_mesh_gives_its_arrays_back(mesh):
    assert mesh.V.shape == (99, 3) and mesh.T.shape == (240, 4)
    again = limber.TetMesh(mesh.V, mesh.T)
    assert (again.V == mesh.V).all() and (again.T == mesh.T).all()


def test_stiffness_and_mass_are_sparse_and_right(mesh):
    K = limber.stiffness(mesh, RUBBER)
    M = limber.mass(mesh, RUBBER)
    assert scipy.sparse.issparse(K) and K.shape == (297, 297)
    ones = np.tile([1.0, 0, 0], 99)
    assert np.isclose(ones @ M @ ones, 40)  # 1000 kg/m³ · 0.04 m³
    assert np.abs(K @ ones).max() < 1e-8
    lumped = limber.mass(mesh, RUBBER, lumped=True)
    assert lumped.nnz == 297 and np.isclose(lumped.sum(), 120)


def test_modes_solve_the_eigenproblem(mesh, body):
    K, M = limber.stiffness(mesh, RUBBER), limber.mass(mesh, RUBBER)
    free = np.flatnonzero(np.repeat(mesh.V[:, 0] > 0.001, 3))
    dense = scipy.linalg.eigh(K.toarray()[np.ix_(free, free)], M.toarray()[np.ix_(free, free)],
                              eigvals_only=True)
    assert np.allclose(body.eigenvalues, dense[:20], rtol=1e-9)
    Phi = body.modes
    assert Phi.shape == (297, 20)
    assert np.abs(Phi.T @ (M @ Phi) - np.eye(20)).max() < 1e-9
    assert np.allclose(Phi.T @ (K @ Phi), np.diag(body.eigenvalues),
                       atol=1e-9 * body.eigenvalues[-1])


def test_modal_rotations_are_the_curl_of_the_modes(mesh, body):
    expected = limber.curl_operator(mesh) @ body.modes
    assert np.abs(body.modal_rotations - expected).max() < 1e-12 * np.abs(expected).max()


def test_deform_is_linear_for_small_amplitudes_and_warps_large_ones(mesh, body):
    q = np.zeros(20)
    q[0] = 1e-4
    linear = body.deform(q, method="linear-modal") - mesh.V
    assert np.allclose(linear.ravel(), body.modes @ q)
    warped = body.deform(q) - mesh.V
    assert np.abs(warped - linear).max() < 1e-3 * np.abs(linear).max()
    large = q * 3e4
    assert abs(limber.volume(body.deform(large), mesh.T) / 0.04 - 1) < 0.1
    assert limber.volume(body.deform(large, method="linear-modal"), mesh.T) / 0.04 > 1.2


def test_saved_bodies_come_back_the_same(body, tmp_path):
    body.save(tmp_path / "bar.limber")
    again = limber.load_body(tmp_path / "bar.limber")
    assert (again.eigenvalues == body.eigenvalues).all()
    assert (again.modes == body.modes).all()
    assert (again.modal_rotations == body.modal_rotations).all()


@pytest.fixture(scope="module")
def trained(mesh):
    """For every method that a baked body can play."""
    return limber.bake(mesh, RUBBER, fixed="x<=0.001", modes=12, reduced=14, local=40)


def test_bodies_are_baked_for_further_methods(trained, body, tmp_path):
    assert (body.reduced_fields, body.contact_nodes) == (0, [])
    assert trained.reduced_fields == 14 and 0 < len(trained.contact_nodes) <= 40
    trained.save(tmp_path / "bar.limber")
    for again in (limber.load_body(tmp_path / "bar.limber"), pickle.loads(pickle.dumps(trained))):
        assert (again.reduced_fields, again.contact_nodes) == (14, trained.contact_nodes)


@pytest.mark.parametrize("method, keys", [("reduced", {"fields": 14}), ("global-local", {})])
def test_trained_bodies_move_as_the_file_does(trained, tmp_path, method, keys):
    """The same bits from memory and from the scene that names the file."""
    trained.save(tmp_path / "bar.limber")
    world = limber.World()
    mine = world.add(trained, name="bar", method=method, **keys)
    scene = limber.Scene.parse(json.dumps({"limber": 1, "time_step": 0.02, "bodies": [
        {"name": "bar", "body": "bar.limber", "method": method, **keys}]}), tmp_path)
    for _ in range(10):
        world.step(0.02)
        scene.step()
    assert np.array_equal(mine.positions, scene.positions("bar"))
    assert mine.positions[:, 1].min() < -0.01


def test_bodies_baked_without_are_refused_by_name(body):
    for method in ("reduced", "global-local"):
        with pytest.raises(limber.Error, match="bake"):
            limber.World().add(body, method=method)


def test_a_baked_body_carries_a_surface(mesh, tmp_path):
    ball = limber.boundary_surface(limber.sphere(0.08, 6))
    V = ball.V + [0.5, 0.1, 0.1]
    for surface in (limber.TriMesh(V, ball.F), (V, ball.F)):
        body = limber.bake(mesh, modes=4, surface=surface)
        assert np.array_equal(body.surface.F, ball.F) and body.surface.V == pytest.approx(V, abs=1e-12)
    sizes = []
    for storage in ("float32", "int16"):
        body.save(tmp_path / "bar.limber", storage=storage)
        sizes.append((tmp_path / "bar.limber").stat().st_size)
        assert np.array_equal(limber.load_body(tmp_path / "bar.limber").surface.F, ball.F)
    # Displacements and rotations of 4 modes at every vertex, 2 bytes less each.
    assert sizes[0] - sizes[1] == pytest.approx(len(V) * 4 * 6 * 2, rel=0.2)


def test_automatic_modes_follow_what_shows(mesh):
    few = limber.bake(mesh, RUBBER, modes="auto", display_rate=30)
    many = limber.bake(mesh, RUBBER, modes="auto", display_rate=60)
    assert 0 < len(few.eigenvalues) < len(many.eigenvalues)
    # Nothing faster than half the pictures a second can be seen.
    assert np.sqrt(few.eigenvalues[-1]) / (2 * np.pi) <= 15 < np.sqrt(many.eigenvalues[-1]) / (2 * np.pi) <= 30
    assert len(limber.bake(mesh, RUBBER, modes="auto", min_displacement=1e-2).eigenvalues) < len(many.eigenvalues)


def test_bake_refuses_what_it_cannot_do(mesh, body, tmp_path):
    for wrong in ({"reduced": -1}, {"reduced": 1001}, {"local": 20001}, {"modes": 0}, {"display_rate": 0},
                  {"max_force": float("nan")}, {"min_displacement": -1}):
        with pytest.raises(limber.Error, match="bake"):
            limber.bake(mesh, **wrong)
    with pytest.raises(limber.Error, match="region 7"):
        limber.bake(mesh, limber.Materials(limber.Material(), {7: limber.Material(1e5)}))
    with pytest.raises(limber.Error, match="storage"):
        body.save(tmp_path / "bar.limber", storage="int8")


def test_scene_steps(bar_scene):
    scene = limber.Scene.load(bar_scene())
    assert scene.bodies == ["bar"]
    start = scene.positions("bar")
    for _ in range(10):
        scene.step()
    assert np.isclose(scene.time, 0.1)
    assert scene.positions("bar")[:, 1].mean() < start[:, 1].mean()
    assert scene.modal("bar").shape == (8,)


def test_free_fall_follows_the_parabola(bar_scene):
    scene = limber.Scene.load(bar_scene(fixed=[]))
    start = scene.positions("bar")
    for _ in range(50):
        scene.step()
    drop = scene.positions("bar") - start
    assert np.allclose(drop, [0, -9.81 / 2 * 0.25, 0], atol=1e-9)


def test_errors_are_limber_errors(mesh):
    for wrong in [lambda: limber.bake(mesh, {"young": -1}), lambda: limber.bake(mesh, modes=10**6),
                  lambda: limber.bake(mesh, fixed="x<=-1"), lambda: limber.read_mesh("nowhere.msh"),
                  lambda: limber.TetMesh(mesh.V, mesh.T + 1000),
                  lambda: limber.TetMesh(mesh.V * np.nan, mesh.T),
                  lambda: limber.Scene.load("nowhere.json")]:
        with pytest.raises(limber.Error):
            wrong()


def test_handles_can_be_added_moved_and_removed(bar_scene):
    scene = limber.Scene.load(bar_scene(scene={"gravity": [0, 0, 0]}, modes=16,
                                        damping={"mass": 3, "stiffness": 0.05}))
    tip = limber.select_nodes(limber.bar([1, 0.2, 0.2], [10, 2, 2]), "sphere:1,0.1,0.1,0.01")[0]
    handle = scene.add_constraint("bar", "position", [1, 0.1, 0.1], [0.9, 0.35, 0.1])
    for _ in range(1500):
        scene.step()
    assert np.allclose(scene.positions("bar")[tip], [0.9, 0.35, 0.1], atol=1e-6)
    assert scene.constraint_errors("bar")[0] < 1e-6
    assert scene.constraint_forces("bar")[0][:2] == (handle, tip)
    scene.move("bar", handle, [0.95, -0.1, 0.1])
    for _ in range(1500):
        scene.step()
    assert np.allclose(scene.positions("bar")[tip], [0.95, -0.1, 0.1], atol=1e-6)
    scene.remove("bar", handle)
    for wrong in [lambda: scene.remove("bar", handle), lambda: scene.move("bar", handle, [0, 0, 0]),
                  lambda: scene.add_constraint("bar", "position", 10**6, [0, 0, 0]),
                  lambda: scene.add_constraint("bar", "position", 0, [0, 0, 0]),
                  lambda: scene.add_constraint("bar", "position", tip, [np.nan, 0, 0]),
                  lambda: scene.add_constraint("bar", "magic", tip, [0, 0, 0])]:
        with pytest.raises(limber.Error):
            wrong()
    scene.step()
    assert np.isfinite(scene.positions("bar")).all()


@pytest.mark.parametrize("method", ["linear", "stiffness-warping", "corotational", "stvk"])
def test_handles_hold_move_and_let_go_of_full_resolution_bodies(method):
    scene = limber.Scene.parse(json.dumps({
        "limber": 1, "gravity": [0, 0, 0], "time_step": 0.02, "duration": 1,
        "bodies": [{"name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [5, 1, 1],
                    "material": RUBBER, "fixed": ["x<=0.001"], "damping": {"mass": 4, "stiffness": 0},
                    "method": method}]}))
    tip = int(np.argmin(np.linalg.norm(scene.positions("bar") - [1, 0.2, 0.2], axis=1)))
    rest = scene.positions("bar")[tip].copy()
    handle = scene.add_constraint("bar", "position", tip, rest + [0, 0.05, 0])
    for offset in ([0, 0.05, 0], [0, 0.02, 0.04]):
        scene.move("bar", handle, rest + offset)
        for _ in range(5):
            scene.step()
        # A spring a million times as stiff as the body around its node.
        assert np.linalg.norm(scene.positions("bar")[tip] - rest - offset) < 1e-5
        assert scene.constraint_errors("bar")[0] < 1e-5
    scene.remove("bar", handle)
    for _ in range(500):
        scene.step()
    # Ten seconds at a decay of e^{-2t}: 1e-8 of 5 cm, and a step's tolerance of 1e-6.
    assert np.abs(scene.positions("bar")[tip] - rest).max() < 1e-6
