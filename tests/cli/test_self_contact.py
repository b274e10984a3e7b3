"""Bodies that touch themselves: a U whose arms are pressed together, by every kind of method."""

import itertools
import json

import pytest

THICKNESS = 0.1
CELL = THICKNESS / 2
COUNTS = (10, 6, 2)


def write_u(path):
    """Arms along x, as far apart as they are thick, joined at x = 0; in MEDIT's format."""
    def solid(i, j, _):
        return i < 2 or not 2 <= j < 4

    tets = []
    for cell in itertools.product(*map(range, COUNTS)):
        if not solid(*cell):
            continue
        for order in itertools.permutations(range(3)):  # Kuhn's six
            corners = [list(cell)]
            for axis in order:
                corners.append([c + (k == axis) for k, c in enumerate(corners[-1])])
            swaps = sum(order[a] > order[b] for a in range(3) for b in range(a + 1, 3))
            if swaps % 2 == 1:
                corners[2], corners[3] = corners[3], corners[2]
            tets.append([tuple(corner) for corner in corners])
    numbers = {}
    for corner in sorted({corner for tet in tets for corner in tet}):
        numbers[corner] = len(numbers) + 1
    lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(numbers))]
    lines += [" ".join(f"{CELL * c:.17g}" for c in corner) + " 0" for corner in numbers]
    lines += ["Tetrahedra", str(len(tets))]
    lines += [" ".join(str(numbers[corner]) for corner in tet) + " 0" for tet in tets]
    path.write_text("\n".join(lines + ["End", ""]))


def u_body(**keys):
    """Fixed at its back; each arm's end is pressed inward by 9 N, a newton on each of its nine nodes."""
    ends = {"lower": "x>=0.499 && y<=0.101", "upper": "x>=0.499 && y>=0.199"}
    press = [{"nodes": ends[name], "force": [0, sign, 0]} for name, sign in (("lower", 1), ("upper", -1))]
    return {"name": "u", "mesh": "u.mesh", "fixed": ["x<=0.001"], "modes": 16, "forces": press,
            "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "damping": {"mass": 8, "stiffness": 1e-3},
            "probes": {"lower": [0.5, 0.1, 0.05], "upper": [0.5, 0.2, 0.05]}, **keys}


@pytest.fixture
def run(program):
    write_u(program.folder / "u.mesh")

    def simulate(body, *options, **scene):
        (program.folder / "s.json").write_text(json.dumps(
            {"limber": 1, "time_step": 1 / 60, "duration": 0.7, "gravity": [0, 0, 0], "bodies": [body], **scene}))
        program.ok("simulate", "s.json", "--report", "r.json", *options)
        frames = json.loads((program.folder / "r.json").read_text())["frames"]
        return [frame["bodies"][0] for frame in frames]

    return simulate


def opening(state):
    return state["probes"]["upper"][1] - state["probes"]["lower"][1]


@pytest.mark.parametrize("method", ["modal-warping", "rotation-strain", "linear-modal", "global-local", "corotational"])
def test_arms_that_would_pass_through_each_other_touch(run, method):
    through = run(u_body(method=method))
    assert opening(through[-1]) < -0.2 * THICKNESS
    assert "contacts" not in through[-1]
    states = run(u_body(method=method), contact={"self": True})
    # As deep as a load may sink in, 2 % of the thickness, and as much again for ends that are bent: the probes are
    # not where the two touch.
    assert min(map(opening, states)) > -0.04 * THICKNESS
    assert states[-1]["contacts"] > 0
    assert 0 <= states[-1]["penetration"] < 0.02 * THICKNESS
    assert states[-1]["contact_force"] == [0, 0, 0]  # of others: there are none


def test_a_body_may_say_otherwise_than_its_scene(run):
    assert opening(run(u_body(self_contact=False), contact={"self": True})[-1]) < -0.2 * THICKNESS
    assert opening(run(u_body(self_contact=True))[-1]) > -0.04 * THICKNESS


def test_a_pressed_body_settles_touching_itself(run):
    state = run(u_body(self_contact=True), "--settle")[-1]
    assert state["contacts"] > 0
    assert abs(opening(state)) < 0.04 * THICKNESS


def test_what_does_not_come_near_itself_moves_as_without(run):
    weak = [{"nodes": "x>=0.499", "force": [0, 0.02, 0]}]
    assert [state["modal"] for state in run(u_body(forces=weak, self_contact=True))] == \
        [state["modal"] for state in run(u_body(forces=weak))]


def test_an_open_surface_is_refused_by_name(program):
    write_u(program.folder / "u.mesh")
    (program.folder / "open.obj").write_text("v 0 0 0\nv 0.5 0 0\nv 0 0.3 0\nf 1 2 3\n")
    (program.folder / "s.json").write_text(json.dumps(
        {"limber": 1, "duration": 0.1, "bodies": [u_body(surface="open.obj", self_contact=True)]}))
    said = program.refuses("simulate", "s.json")
    assert "closed" in said
    assert "u" in said
