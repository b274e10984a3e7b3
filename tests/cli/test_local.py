"""Local detail where bodies touch: closer to every node of FEM than the modes alone, at rest, in words."""

import itertools
import json
from pathlib import Path

import pytest

GRAVITY = 9.81
EDGE = 0.2
BLOCK = {"name": "block", "shape": "bar", "size": [EDGE, EDGE, EDGE], "cells": [5, 5, 5], "modes": 12,
         "material": {"young": 1e5, "poisson": 0.3, "density": 1000}, "fixed": "y<=0.001",
         "damping": {"mass": 1, "stiffness": 0.005}, "probes": {"top": [EDGE / 2, EDGE, EDGE / 2], "side": [0, EDGE / 2, EDGE / 2]}}


def scene(program, body, **keys):
    path = program.folder / "s.json"
    path.write_text(json.dumps({"limber": 1, "time_step": 1 / 60, "duration": 1, "bodies": [body], **keys}))
    return path


def run(program, body, *options, **keys):
    program.ok("simulate", scene(program, body, **keys), "--report", "r.json", *options)
    return json.loads((program.folder / "r.json").read_text())


def pressed(program, method, depth=0.02, **keys):
    """A ball of half the block's width is pushed slowly into the middle of its top."""
    radius = EDGE / 4
    ball = {"name": "ball", "shape": "sphere", "size": [radius], "friction": 0,
            "path": [{"time": 0, "position": [EDGE / 2, EDGE + radius + 0.001, EDGE / 2]},
                     {"time": 0.8, "position": [EDGE / 2, EDGE + radius - depth, EDGE / 2]},
                     {"time": 2, "position": [EDGE / 2, EDGE + radius - depth, EDGE / 2]}]}
    report = run(program, {**BLOCK, "method": method, **keys}, obstacles=[ball], gravity=[0, 0, 0], duration=1.2)
    return report["frames"][-1]["bodies"][0], report


@pytest.mark.parametrize("depth", [0.005, 0.02])
def test_a_pressed_block_gives_way_as_every_node_of_it_would(program, depth):
    def force(method):
        return pressed(program, method, depth)[0]["contact_force"][1]

    # Of the same linear law at full resolution detail misses 0.8 % at most; twelve modes are three times too stiff.
    assert force("global-local") == pytest.approx(force("linear"), rel=0.02)
    assert force("modal-warping") / force("linear") > 2.5


def test_a_small_dent_is_that_of_corotational_elements(program):
    fine, _ = pressed(program, "corotational", 0.005)
    local, report = pressed(program, "global-local", 0.005)
    assert local["contact_force"][1] == pytest.approx(fine["contact_force"][1], rel=0.04)
    assert local["probes"]["top"][1] == pytest.approx(fine["probes"]["top"][1], abs=0.05 * 0.006)
    assert local["local_nodes"] > 0
    assert fine["local_nodes"] == 0
    assert report["summary"]["seconds"]["local"] > 0


def test_detail_can_be_switched_off(program):
    off, _ = pressed(program, "global-local", local={"mode": "off"})
    modes, _ = pressed(program, "modal-warping")
    assert off["modal"] == modes["modal"]
    assert off["local_nodes"] == 0


@pytest.mark.parametrize("free", [True, False])
def test_a_block_rests_on_the_ground_with_its_weight(program, free):
    body = {**BLOCK, "method": "global-local"}
    if free:
        body = {**body, "fixed": [], "position": [0, 0.01, 0]}
    report = run(program, body, ground={"friction": 0.5}, duration=2)
    last = report["frames"][-1]["bodies"][0]
    if free:
        assert last["contact_force"][1] == pytest.approx(1000 * EDGE ** 3 * GRAVITY, rel=0.02)
        assert last["penetration"] < 0.02 * EDGE
    assert last["kinetic_energy"] < 1e-4


def test_two_bodies_meet(program):
    body = {**BLOCK, "method": "global-local"}
    other = {**body, "name": "falling", "fixed": [], "position": [0, EDGE + 0.02, 0]}
    path = scene(program, body, duration=1.5)
    document = json.loads(path.read_text())
    document["bodies"].append(other)
    path.write_text(json.dumps(document))
    program.ok("simulate", path, "--report", "r.json")
    last = json.loads((program.folder / "r.json").read_text())["frames"][-1]["bodies"]
    assert last[0]["local_nodes"] > 0
    assert last[1]["contact_force"][1] == pytest.approx(1000 * EDGE ** 3 * GRAVITY, rel=0.05)


def write_cube(path, cells=3):
    """A cube of six tets a cell, as Gmsh 2 writes it."""
    at = {(i, j, k): n + 1 for n, (i, j, k) in enumerate(
        (i, j, k) for i in range(cells + 1) for j in range(cells + 1) for k in range(cells + 1))}
    tets = []
    for i, j, k in itertools.product(range(cells), repeat=3):
        for steps in itertools.permutations(range(3)):
            corner, corners = [i, j, k], [(i, j, k)]
            for axis in steps:
                corner[axis] += 1
                corners.append(tuple(corner))
            even = steps in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            tet = [at[c] for c in corners]
            tets.append(tet if even else [tet[0], tet[2], tet[1], tet[3]])
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(at))]
    lines += [f"{n} {i * EDGE / cells} {j * EDGE / cells} {k * EDGE / cells}" for (i, j, k), n in at.items()]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{n + 1} 4 2 1 1 {a} {b} {c} {d}" for n, (a, b, c, d) in enumerate(tets)]
    path.write_text("\n".join([*lines, "$EndElements", ""]))


def test_baked_bodies_bring_their_residual_modes_or_say_so(program):
    write_cube(program.folder / "cube.msh")
    bake = ["bake", "cube.msh", "--fix", "y<=0.001", "--young", 1e5, "--modes", 12, "-o"]
    program.ok(*bake, "plain.limber")
    assert "contact nodes" in program.ok(*bake, "local.limber", "--local")
    assert "20 contact nodes" in program.ok(*bake, "few.limber", "--local", 20)
    ball = {"name": "ball", "shape": "sphere", "size": [0.05], "position": [0.1, 0.245, 0.1]}
    for name in ("local.limber", "few.limber"):
        report = run(program, {"name": "cube", "body": name, "method": "global-local"}, obstacles=[ball],
                     duration=0.1)
        assert report["frames"][-1]["bodies"][0]["local_nodes"] > 0
    plain = scene(program, {"name": "cube", "body": "plain.limber", "method": "global-local"})
    assert "--local" in program.refuses("simulate", plain)
    program.refuses(*bake, "none.limber", "--local", 0)


def test_bad_settings_are_refused_in_words(program):
    def refused(**local):
        return program.refuses("simulate", scene(program, {**BLOCK, "method": "global-local", "local": local}))

    assert "tolerance" in refused(tolerance=-1)
    assert "tolerance" in refused(tolerance=2)
    assert "max_nodes" in refused(max_nodes=0)
    assert "release_time" in refused(release_time=-1)
    assert "mode" in refused(mode="magic")
    assert "rings" in refused(mode="rings", rings=0)
    assert "excluded" in refused(excluded="y>=0.1")
    assert "picks no node" in refused(mode="rings", excluded="y>=10")


def test_few_modes_are_warned_about(program):
    result = program("simulate", scene(program, {**BLOCK, "method": "global-local", "modes": 4}), "--frames", 2)
    assert result.returncode == 0 and "local detail helps little" in result.stdout + result.stderr


@pytest.mark.parametrize("keys", [{"tolerance": 0}, {"max_nodes": 1}, {"max_nodes": 256}, {"release_time": 0}])
def test_odd_settings_stay_calm(program, keys):
    body, _ = pressed(program, "global-local", local=keys)
    assert -250 < body["contact_force"][1] < -100  # the ball pushes down
    assert body["kinetic_energy"] < 0.02  # 0.004 at full resolution, which still sways


def test_a_body_of_few_nodes_has_detail_too(program):
    tiny = {**BLOCK, "cells": [1, 1, 1], "modes": 3, "method": "global-local"}
    report = run(program, tiny, ground={"offset": -1}, duration=0.2)
    assert report["frames"][-1]["bodies"][0]["volume_ratio"] == pytest.approx(1, abs=0.1)


RINGS = {"mode": "rings", "rings": 2}


def test_rings_give_way_as_elements_do(program):
    """Between the modes alone and every node, and the nearer to it the more rings there are."""
    forces = {rings: pressed(program, "global-local", 0.01, local={"mode": "rings", "rings": rings})
              for rings in (1, 2, 100)}
    linear, _ = pressed(program, "linear", 0.01)
    modes, _ = pressed(program, "modal-warping", 0.01)
    force = {rings: body["contact_force"][1] / linear["contact_force"][1] for rings, (body, _) in forces.items()}
    assert force[100] == pytest.approx(1, abs=0.02)  # all nodes of the linear body
    assert abs(force[2] - 1) < abs(force[1] - 1) < 0.5 * abs(modes["contact_force"][1] / linear["contact_force"][1] - 1)
    counts = [forces[rings][0]["local_nodes"] for rings in (1, 2, 100)]
    assert 0 < counts[0] < counts[1] < counts[2] == 6 * 6 * 5  # all but the fixed ones
    assert forces[2][1]["summary"]["seconds"]["local"] > 0


def test_excluded_nodes_keep_to_the_modes(program):
    whole, _ = pressed(program, "global-local", 0.01, local=RINGS)
    half, _ = pressed(program, "global-local", 0.01, local={**RINGS, "excluded": f"x<={EDGE / 2 - 0.001}"})
    none, _ = pressed(program, "global-local", 0.01, local={**RINGS, "excluded": "y>=0"})
    assert 0 < half["local_nodes"] < whole["local_nodes"]
    assert none["local_nodes"] == 0
    assert none["contact_force"][1] == pytest.approx(pressed(program, "modal-warping", 0.01)[0]["contact_force"][1])


def test_a_free_block_with_rings_rests_with_its_weight(program):
    body = {**BLOCK, "method": "global-local", "local": RINGS, "fixed": [], "position": [0, 0.01, 0]}
    report = run(program, body, ground={"friction": 0.5}, duration=2)
    last = report["frames"][-1]["bodies"][0]
    assert last["contact_force"][1] == pytest.approx(1000 * EDGE ** 3 * GRAVITY, rel=0.02)
    assert last["penetration"] < 0.02 * EDGE
    assert last["kinetic_energy"] < 1e-4


def test_rings_rest_once_nothing_touches(program):
    ball = {"name": "ball", "shape": "sphere", "size": [0.03], "mass": 0.2, "friction": 0,
            "position": [EDGE / 2, EDGE + 0.05, EDGE / 2], "velocity": [0, -2, 0]}
    body = {**BLOCK, "damping": {"mass": 10, "stiffness": 0.01}, "method": "global-local", "local": RINGS}
    report = run(program, body, obstacles=[ball], gravity=[0, 0, 0], duration=3)
    counts = [frame["bodies"][0]["local_nodes"] for frame in report["frames"]]
    assert max(counts) > 10
    assert counts[-1] == 0


@pytest.mark.parametrize("keys", [{"rings": 1000}, {"tolerance": 0}, {"max_nodes": 1}, {"release_time": 0}])
def test_odd_rings_stay_calm(program, keys):
    body, _ = pressed(program, "global-local", 0.01, local={**RINGS, **keys})
    assert -250 < body["contact_force"][1] < -50
    assert body["kinetic_energy"] < 0.02


@pytest.mark.parametrize("local", [{**RINGS, "rings": 1000}, {"mode": "auto"}, {"mode": "corotational"}])
def test_detail_of_tiny_and_nearly_fixed_bodies(program, local):
    tiny = {**BLOCK, "cells": [1, 1, 1], "modes": 3, "method": "global-local", "local": local}
    for body in (tiny, {**tiny, "fixed": "nodes:0,1,2,3,4,5,6", "modes": 1}):
        ball = {"name": "ball", "shape": "sphere", "size": [0.05], "position": [EDGE, EDGE + 0.045, EDGE]}
        report = run(program, body, obstacles=[ball], duration=0.2)
        assert report["frames"][-1]["bodies"][0]["volume_ratio"] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("local", [RINGS, {"mode": "auto"}])
def test_a_body_lying_flat_on_thousands_of_nodes(program, local):
    """Every node of the bottom touches the ground: only some have detail, and it lies still."""
    flat = {**BLOCK, "size": [1, 0.05, 1], "cells": [20, 1, 20], "fixed": [], "position": [0, 0.002, 0],
            "method": "global-local", "local": local, "probes": {"top": [0.5, 0.05, 0.5]}}
    report = run(program, flat, ground={"friction": 0.5}, duration=1)
    last = report["frames"][-1]["bodies"][0]
    later = report["frames"][len(report["frames"]) // 2:]  # the plate still rings: its mean carries the weight
    mean = sum(frame["bodies"][0]["contact_force"][1] for frame in later) / len(later)
    assert mean == pytest.approx(1000 * 0.05 * GRAVITY, rel=0.05)
    assert 0 < last["local_nodes"] <= 2 * 21 * 21


def test_baked_bodies_have_no_rings(program):
    write_cube(program.folder / "cube.msh")
    program.ok("bake", "cube.msh", "--fix", "y<=0.001", "--modes", 12, "--local", "-o", "cube.limber")
    path = scene(program, {"name": "cube", "body": "cube.limber", "method": "global-local", "local": RINGS})
    assert "rings" in program.refuses("simulate", path)


def test_a_deep_dent_is_that_of_corotational_elements(program):
    """20 mm of 200: the linear law is 15 % too stiff, elements inside the rings halve that."""
    fine, _ = pressed(program, "corotational")
    local, _ = pressed(program, "global-local", local={"mode": "corotational", "rings": 4})
    assert local["contact_force"][1] == pytest.approx(fine["contact_force"][1], rel=0.08)
    assert local["probes"]["top"][1] == pytest.approx(fine["probes"]["top"][1], abs=0.15 * 0.02)


FLUBBER = Path(__file__).resolve().parents[2] / "scenes" / "garcia-flubber.json"


def test_residual_modes_that_reach_across_the_body_stay_calm(program):
    """Ten modes leave so much out that far nodes feel each other; most pairs of them are not stored."""
    document = json.loads(FLUBBER.read_text())
    report = {}
    for mode in ("rings", "auto"):
        document["bodies"][0]["local"]["mode"] = mode
        path = program.folder / f"{mode}.json"
        path.write_text(json.dumps(document))
        program.ok("simulate", path, "--report", "r.json")
        report[mode] = [frame["bodies"][0] for frame in json.loads((program.folder / "r.json").read_text())["frames"]]
    energy = {mode: max(body["kinetic_energy"] for body in bodies) for mode, bodies in report.items()}
    touching = {mode: sum(body["contacts"] > 0 for body in bodies) for mode, bodies in report.items()}
    impulse = {mode: sum(sum(f * f for f in body["contact_force"]) ** 0.5 for body in bodies) / 60
               for mode, bodies in report.items()}
    # Ten balls of 0.3 kg at 3 m/s bring 1.4 J each; before, it was 4e7 J.
    assert energy["auto"] < 3 * energy["rings"]
    assert 0.5 < touching["auto"] / touching["rings"] < 2
    assert impulse["auto"] == pytest.approx(impulse["rings"], rel=0.25)
    assert report["auto"][-1]["kinetic_energy"] < 0.1


def held(program, method, way, *options, duration=3, **keys):
    """A hand on the middle of the top pulls it along."""
    hand = {"type": "position", "node": [EDGE / 2, EDGE, EDGE / 2], "treatment": "newton",
            "path": [{"time": 0, "target": [EDGE / 2, EDGE, EDGE / 2]},
                     {"time": 0.5, "target": [EDGE / 2 + way[0], EDGE + way[1], EDGE / 2 + way[2]]}]}
    probes = {"held": [EDGE / 2, EDGE, EDGE / 2], "beside": [0.3 * EDGE, EDGE, EDGE / 2], "side": [0, EDGE / 2, EDGE / 2]}
    body = {**BLOCK, "method": method, "constraints": [hand], "probes": probes, **keys.pop("body", {})}
    report = run(program, body, *options, duration=duration, **{"gravity": [0, 0, 0], **keys})
    return report["frames"][-1]["bodies"][0]


def moved(body, probe, place):
    return [x - y for x, y in zip(body["probes"][probe], place)]


@pytest.mark.parametrize("options", [(), ("--settle",)])
def test_a_hand_dents_as_every_node_would(program, options):
    way = (0, -0.002, 0) if not options else (0, 0, 0)
    hand = {} if not options else {"body": {"constraints": [
        {"type": "position", "node": [EDGE / 2, EDGE, EDGE / 2], "treatment": "newton",
         "path": [{"time": 0, "target": [EDGE / 2, EDGE - 0.002, EDGE / 2]}]}]}}
    linear = held(program, "linear", way, *options, **hand)
    local = held(program, "global-local", way, *options, **hand)
    modes = held(program, "global-local", way, *options,
                 **({"body": {**hand.get("body", {}), "local": {"handles": False}}}))
    assert local["position_error"] < 1e-7
    assert local["local_nodes"] > 0 and modes["local_nodes"] == 0
    places = {"held": (EDGE / 2, EDGE, EDGE / 2), "beside": (0.3 * EDGE, EDGE, EDGE / 2), "side": (0, EDGE / 2, EDGE / 2)}
    for probe, place in places.items():
        far = max(abs(a - b) for a, b in zip(moved(local, probe, place), moved(linear, probe, place)))
        assert far < 0.02 * 0.002  # what turning adds to the linear law
    # A dent, where the modes would push the whole top down.
    dent = abs(moved(local, "beside", places["beside"])[1])
    assert abs(moved(modes, "beside", places["beside"])[1]) > 1.5 * dent


def test_a_hand_and_a_ball_at_once(program):
    """The ball presses the side while the hand pulls the top: both dents are those of the linear body."""
    radius = EDGE / 4
    ball = {"name": "ball", "shape": "sphere", "size": [radius], "friction": 0,
            "path": [{"time": 0, "position": [-radius - 0.001, EDGE / 2, EDGE / 2]},
                     {"time": 0.8, "position": [-radius + 0.005, EDGE / 2, EDGE / 2]}]}
    linear, local = (held(program, method, (0, 0.004, 0), obstacles=[ball], duration=2)
                     for method in ("linear", "global-local"))
    assert local["contact_force"][0] == pytest.approx(linear["contact_force"][0], rel=0.04)
    assert local["position_error"] < 1e-4
    assert local["probes"]["side"][0] == pytest.approx(linear["probes"]["side"][0], abs=0.05 * 0.005)


def test_dents_by_hands_are_refused_where_there_are_none(program):
    for mode in ("rings", "corotational", "off"):
        local = {"mode": mode, "handles": True}
        assert "handles" in program.refuses("simulate", scene(program, {**BLOCK, "method": "global-local", "local": local}))
