"""Surfaces, bodies and obstacles from memory, and every name of the interface in use."""

import json

import numpy as np
import pytest

limber = pytest.importorskip("limber")

SOFT = {"material": {"young": 3e5, "poisson": 0.3, "density": 1000}, "modes": 8,
        "damping": {"mass": 0.5, "stiffness": 1e-3}}


@pytest.fixture
def world():
    world = limber.World(gravity=(0, -9.81, 0))
    world.add_ground(friction=0.5)
    return world


def test_a_surface_is_filled_and_shown(world):
    surface = limber.character("jelly-box", vertices=500, height=0.3)
    body = world.add(surface, name="jelly", fill={"cells": 6}, position=[0, 0.2, 0], **SOFT)
    assert np.array_equal(body.surface_faces, surface.F)
    # A surface is bound to its tets in floats: 1e-7 of its size.
    assert body.surface_positions == pytest.approx(surface.V + [0, 0.2, 0], abs=1e-6)
    for _ in range(60):
        world.step(1 / 60)
    # Soft contact rests some permille of the body inside the ground.
    assert body.surface_positions[:, 1].min() == pytest.approx(0, abs=0.01)
    assert len(body.tets) > 100 and body.method == "modal-warping"


@pytest.mark.parametrize("baked", [False, True])
def test_a_finer_surface_is_carried_by_given_tets(world, baked):
    mesh = limber.bar([0.2, 0.2, 0.2], [2, 2, 2])
    ball = limber.boundary_surface(limber.sphere(0.08, 6))
    shown = limber.TriMesh(ball.V + 0.1, ball.F)
    body = world.add(limber.bake(mesh, modes=6) if baked else mesh, surface=shown, position=[0, 1, 0])
    assert np.array_equal(body.surface_faces, shown.F)
    assert body.surface_positions == pytest.approx(shown.V + [0, 1, 0], abs=1e-6)


def test_arrays_are_meshes(world):
    """Faces of three corners are a surface, of four tets."""
    cube = limber.bar([0.2] * 3, [2] * 3)
    ball = limber.boundary_surface(limber.sphere(0.08, 6))
    tets = world.add((cube.V, cube.T), name="tets", surface=(ball.V + 0.1, ball.F), position=[0, 1, 0], modes=6)
    assert np.array_equal(tets.tets, cube.T) and np.array_equal(tets.surface_faces, ball.F)
    filled = world.add((ball.V, ball.F.tolist()), name="filled", fill={"cells": 6}, position=[1, 1, 0], modes=6)
    assert np.array_equal(filled.surface_faces, ball.F)
    assert filled.surface_positions == pytest.approx(ball.V + [1, 1, 0], abs=1e-6)
    world.add_obstacle(surface=(ball.V, ball.F), position=[0, 0.5, 0])
    assert world.cast([0, 0.9, 0], [0, -1, 0])["distance"] == pytest.approx(0.32, abs=0.002)
    with pytest.raises(limber.Error, match=r"\(k,3\)"):
        world.add((cube.V, cube.T[:, :2]))
    with pytest.raises(limber.Error, match="TriMesh"):
        world.add((ball.V, ball.F + 1000))
    for wrong in ("a mesh", None, cube.V, (cube.V, cube.T, cube.T)):
        with pytest.raises(TypeError, match="TetMesh"):
            world.add(wrong)
    with pytest.raises(TypeError, match="surface"):
        limber.bake(cube, surface=cube)


def test_a_surface_falls_as_its_file_does(world, tmp_path):
    """The same bits from memory and from the scene that names the file."""
    surface = limber.character("jelly-box", vertices=500, height=0.3)
    limber.write_mesh(tmp_path / "jelly.ply", surface)
    surface = limber.read_mesh(tmp_path / "jelly.ply")
    body = world.add(surface, name="jelly", fill={"cells": 6}, position=[0, 0.1, 0], **SOFT)
    scene = limber.Scene.parse(json.dumps({
        "limber": 1, "time_step": 1 / 60, "ground": {"friction": 0.5},
        "bodies": [{"name": "jelly", "surface": "jelly.ply", "fill": {"cells": 6}, "position": [0, 0.1, 0], **SOFT}]}), tmp_path)
    for _ in range(20):
        world.step(scene.time_step)
        scene.step()
    assert np.array_equal(body.surface_positions, scene.surface_positions("jelly"))


def test_tets_that_are_there_are_not_filled(world):
    with pytest.raises(limber.Error, match="tets already"):
        world.add(limber.bar([1, 1, 1], [1, 1, 1]), fill={"cells": 4})
    with pytest.raises(limber.Error, match="given already"):
        world.add(limber.character("hat"), surface=limber.character("hat"))


def test_loose_pieces_are_told_apart_or_glued(world):
    one = limber.bar([0.2, 0.2, 0.2], [1, 1, 1])
    V, T = np.vstack([one.V, one.V + [0.2, 0, 0]]), np.vstack([one.T, one.T + len(one.V)])
    apart = world.add(limber.TetMesh(V, T), name="apart", **{**SOFT, "modes": 4})
    assert len(apart.positions) == len(one.V) and world.body("apart.2")
    glued = world.add(limber.TetMesh(V + [0, 0, 2], T), name="glued", pieces="glue", **{**SOFT, "modes": 4})
    assert len(glued.positions) > len(one.V)


def test_an_obstacle_from_memory_stops_what_falls(world):
    table = limber.boundary_surface(limber.bar([1, 0.1, 1], [2, 1, 2]))
    name = world.add_obstacle(surface=table, position=[-0.5, 0.5, -0.5], friction=0.4)
    cube = world.add(limber.bar([0.2] * 3, [2] * 3), position=[-0.1, 0.65, -0.1], **SOFT)
    for _ in range(90):
        world.step(1 / 60)
    assert cube.positions[:, 1].min() == pytest.approx(0.6, abs=0.01)
    assert name in {world.name_of(int(n)) for n in world.contacts().b} | {world.name_of(int(n)) for n in world.contacts().a}
    with pytest.raises(limber.Error, match="shape"):
        world.add_obstacle(surface=table, shape="sphere", size=[1])
    with pytest.raises(limber.Error, match="shape"):
        world.add_obstacle(position=[0, 0, 0])


def test_every_name_of_the_contract_is_there(world, tmp_path):
    """The interface that users rely on, each name used once."""
    mesh = limber.bar([0.2] * 3, [2] * 3)
    a = world.add(mesh, name="a", position=[0, 0.5, 0], velocity=[0, 0, 0.1], method="modal-warping", **SOFT)
    b = world.add(limber.bake(mesh, SOFT["material"], modes=8), name="b", position=[0.5, 0.5, 0])
    world.add_obstacle(name="ball", shape="sphere", size=[0.05], position=[1, 0.05, 0])
    joint = world.add_joint(type="ball", bodies=["a", "b"], at=[0.35, 0.6, 0.1])
    world.step(1 / 120)
    a.apply_impulse((0.1, 0.1, 0.1), (0, 0, 0.2))
    held = b.hold((0.2, 0.2, 0.2), (0.7, 0.7, 0.2))
    world.step(1 / 120)
    held.move((0.7, 0.8, 0.2))
    state = world.snapshot()
    after = []
    for _ in range(2):
        for _ in range(10):
            world.step(1 / 120)
        after.append((a.positions, a.surface_positions, b.positions, world.time))
        world.restore(state)
    for first, second in zip(*after):
        assert np.array_equal(first, second)
    held.release()
    for _ in range(240):
        world.step(1 / 120)
    assert a.surface_faces.shape[1] == 3
    assert world.contacts().dtype.names == ("a", "b", "point", "normal", "impulse", "depth")
    assert isinstance(world.contacts(), np.recarray) and len(world.contacts()) > 0
    assert world.joint(joint)["broken"] is False
    world.save(tmp_path / "x.glb")
    assert (tmp_path / "x.glb").read_bytes()[:4] == b"glTF"


def test_every_function_of_the_contract_is_there(tmp_path):
    mesh = limber.TetMesh(*(lambda bar: (bar.V, bar.T))(limber.bar([1, 0.2, 0.2], [5, 1, 1])))
    limber.write_mesh(tmp_path / "bar.msh", mesh)
    assert np.array_equal(limber.read_mesh(tmp_path / "bar.msh").T, mesh.T)
    material = limber.Material(young=2e5)
    K, M = limber.stiffness(mesh, material), limber.mass(mesh, material, lumped=False)
    body = limber.bake(mesh, material, fixed=[0, 1, 2, 3], modes=4)
    assert body.eigenvalues.shape == (4,) and body.modes.shape == body.modal_rotations.shape == (72, 4)
    phi = body.modes[:, 0]
    assert phi @ (K @ phi) == pytest.approx(body.eigenvalues[0], rel=1e-9) and phi @ (M @ phi) == pytest.approx(1)
    posed = body.deform(0.2 * body.eigenvalues**-0.5, method="modal-warping")
    w, S = limber.rotation_strain(mesh, posed)
    assert w.shape == (30, 3) and S.shape == (30, 3, 3)
    assert limber.reconstruct(mesh, w, S, barycenter=None).shape == (24, 3)
    frames = limber.interpolate(mesh, [mesh.V, posed], [0, 0.5], modes=6, fps=30, frequency=1.0, damping=0.1)
    assert frames.shape == (16, 24, 3) and frames[-1] == pytest.approx(posed, abs=1e-6)
    (tmp_path / "scene.json").write_text(json.dumps(
        {"limber": 1, "bodies": [{"name": "bar", "mesh": "bar.msh", "fixed": ["x<=0.001"], "modes": 4}]}))
    scene = limber.Scene.load(tmp_path / "scene.json")
    scene.step()
    assert scene.positions("bar").shape == mesh.V.shape
