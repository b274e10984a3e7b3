"""Bodies from memory, and every name of the interface in use."""

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


def test_loose_pieces_are_told_apart_or_glued(world):
    one = limber.bar([0.2, 0.2, 0.2], [1, 1, 1])
    V, T = np.vstack([one.V, one.V + [0.2, 0, 0]]), np.vstack([one.T, one.T + len(one.V)])
    apart = world.add(limber.TetMesh(V, T), name="apart", **{**SOFT, "modes": 4})
    assert len(apart.positions) == len(one.V) and world.body("apart.2")
    glued = world.add(limber.TetMesh(V + [0, 0, 2], T), name="glued", pieces="glue", **{**SOFT, "modes": 4})
    assert len(glued.positions) > len(one.V)


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
