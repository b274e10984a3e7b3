"""Meshes of several loose pieces in a scene: bodies of their own, or glued."""

import json

import pytest

GRAVITY = 9.81
METHODS = ["modal-warping", "linear-modal", "rotation-strain", "corotational"]


def box(cells, size, origin):
    """Nodes and tets of a block."""
    nx, ny, nz = cells
    nodes = [tuple(o + s * i / n for o, s, i, n in zip(origin, size, place, cells))
             for place in ((i, j, k) for i in range(nx + 1) for j in range(ny + 1) for k in range(nz + 1))]

    def number(i, j, k):
        return (i * (ny + 1) + j) * (nz + 1) + k

    tets = []
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                c = [number(i + a, j + b, k + d) for a in (0, 1) for b in (0, 1) for d in (0, 1)]
                tets += [[c[x] for x in t] for t in ((0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7),
                                                     (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7))]
    return nodes, tets


def write_msh(path, *pieces):
    nodes, tets = [], []
    for piece_nodes, piece_tets in pieces:
        tets += [[n + len(nodes) + 1 for n in tet] for tet in piece_tets]
        nodes += piece_nodes
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes))]
    lines += [f"{i + 1} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(nodes)]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{i + 1} 4 2 1 1 {a} {b} {c} {d}" for i, (a, b, c, d) in enumerate(tets)]
    path.write_text("\n".join([*lines, "$EndElements", ""]))


HELD = box((8, 2, 2), (1, 0.2, 0.2), (0, 0, 0))
FIRST_LOOSE = len(HELD[0])


@pytest.fixture
def scene(program):
    """A bar clamped at its left end and a block beside it, `gap` away; returns what simulate reports."""

    def run(method, gap, refuses=False, height=0, duration=0.5, **body):
        write_msh(program.folder / "two.msh", HELD, box((2, 2, 2), (0.2, 0.2, 0.2), (1 + gap, height, 0)))
        description = {"name": "two", "mesh": "two.msh", "method": method, "modes": 8, "fixed": "x<=0.001",
                       "material": {"young": 1e6, "poisson": 0.3, "density": 1000},
                       "probes": {"held": 0, "loose": FIRST_LOOSE}, **body}
        (program.folder / "s.json").write_text(json.dumps(
            {"limber": 1, "time_step": 1 / 240, "duration": duration, "gravity": [0, -GRAVITY, 0], "bodies": [description]}))
        if refuses:
            return program.refuses("simulate", "s.json")
        program.ok("simulate", "s.json", "--report", "r.json", "-o", "r.glb")
        return json.loads((program.folder / "r.json").read_text())["frames"]

    return run


@pytest.mark.parametrize("method", METHODS)
def test_loose_pieces_fall_and_clamped_ones_hang(scene, method):
    frames = scene(method, gap=0.3)
    held, loose = frames[-1]["bodies"]
    assert (held["name"], loose["name"]) == ("two", "two.2")
    assert held["probes"] == {"held": [0, 0, 0]}
    fall = -GRAVITY * 0.5**2 / 2
    # Implicit Euler of full-resolution bodies falls by g h t / 2 too far.
    assert loose["probes"]["loose"] == pytest.approx([1.3, fall, 0], abs=1e-9 if method != "corotational" else 0.011)
    assert loose["position"][1] == pytest.approx(loose["probes"]["loose"][1], abs=1e-9)
    assert "position" not in held


@pytest.mark.parametrize("method", METHODS)
def test_a_loose_piece_lands_on_a_clamped_one(scene, method):
    height = 0.25
    frames = scene(method, gap=-0.9, height=height, duration=1, damping={"mass": 4, "stiffness": 0.002})
    held, loose = frames[-1]["bodies"]
    assert held["contacts"] > 0 and loose["contacts"] > 0
    # It lies on the bar's upper side, 0.2 m above its lower one, which bends by some millimetres.
    assert 0.18 < loose["probes"]["loose"][1] < 0.202


@pytest.mark.parametrize("method", METHODS)
def test_glued_pieces_hang_together(scene, method):
    frames = scene(method, gap=0, pieces="glue")
    (body,) = frames[-1]["bodies"]
    assert set(body["probes"]) == {"held", "loose"}
    assert body["probes"]["loose"][1] > -0.8  # falling freely it would be at -1.2
    assert frames[0]["bodies"][0]["volume"] == pytest.approx(0.048, rel=1e-9)


def test_pieces_that_do_not_touch_cannot_be_glued(scene):
    line = scene("modal-warping", gap=0.5, pieces="glue", refuses=True)
    assert "touches no other piece" in line and "two" in line


def test_handles_forces_and_throws_find_their_piece(scene):
    target = [1.4, 0.3, 0.1]
    frames = scene("modal-warping", gap=0.3, velocity=[0.5, 0, 0],
                   constraints=[{"type": "position", "node": FIRST_LOOSE,
                                 "path": [{"time": 0, "target": [1.3, 0, 0]}, {"time": 0.4, "target": target}]}],
                   forces=[{"nodes": [8], "force": [0, 0, 0.5]}])
    held, loose = frames[-1]["bodies"]
    assert loose["probes"]["loose"] == pytest.approx(target, abs=1e-5)
    assert loose["position_error"] < 1e-5
    assert "constraint_forces" in loose and "constraint_forces" not in held


def test_exercised_nodes_of_another_piece_are_refused(scene):
    line = scene("modal-warping", gap=0.3, refuses=True,
                 constraints=[{"type": "position", "node": FIRST_LOOSE, "exercised": [8],
                               "path": [{"time": 0, "target": [1.3, 0, 0]}]}])
    assert "another piece" in line


def test_bodies_that_swing_about_a_line_are_refused_with_a_remedy(scene):
    line = scene("modal-warping", gap=0, pieces="glue", fixed="x<=0.001 && y<=0.001", refuses=True)
    assert "swings freely" in line
