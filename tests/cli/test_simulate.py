"""limber simulate: report, settling, physics that can be said in a line, bad scenes."""

import json
import math

import pytest


def frames(program, scene, *arguments):
    program.ok("simulate", scene, "--report", "report.json", *arguments)
    return json.loads((program.folder / "report.json").read_text())


def test_report_has_the_agreed_keys(program, bar_scene):
    report = frames(program, bar_scene())
    assert report["summary"]["frames"] == len(report["frames"]) == 11
    assert set(report["summary"]["seconds"]) == {"setup", "dynamics", "constraints", "deform", "detection", "contact",
                                                "local"}
    first = report["frames"][0]
    assert first["time"] == 0
    body = first["bodies"][0]
    assert body["name"] == "bar" and body["probes"]["tip"] == [1, 0.1, 0.1]
    assert abs(body["volume"] - 0.04) < 1e-12 and abs(body["volume_ratio"] - 1) < 1e-12
    assert len(body["modal"]) == 8
    assert {"kinetic_energy", "elastic_energy", "position_error", "orientation_error"} <= set(body)


def test_frames_can_be_counted_and_rated(program, bar_scene):
    scene = bar_scene(scene={"time_step": 0.004, "frame_rate": 50, "duration": 1})
    report = frames(program, scene, "--frames", 6)
    assert [round(f["time"], 9) for f in report["frames"]] == [0, 0.02, 0.04, 0.06, 0.08, 0.1]


def test_progress_can_be_read_by_programs(program, bar_scene):
    told = program("--progress-lines", "simulate", bar_scene(), "-o", "bar.mdd").stderr.splitlines()
    lines = [line.split(" ", 3) for line in told]
    assert all(line[:2] == ["limber:", "progress:"] for line in lines), told
    steps = [float(fraction) for _, _, fraction, stage in lines if stage == "simulate"]
    assert steps == sorted(steps) and steps[-1] == 1 and len(steps) == 10


def test_settling_stops_at_balance(program, bar_scene):
    report = frames(program, bar_scene(method="linear-modal"), "--settle")
    assert len(report["frames"]) == 1
    body = report["frames"][0]["bodies"][0]
    assert body["kinetic_energy"] == 0
    assert body["probes"]["tip"][1] < 0.1 - 0.05


# PAPERS' reference numbers: bar 1×0.2×0.2 m, E = 2e5, nu = 0.3, rho = 1000, 8 modes.
@pytest.mark.parametrize("gravity, linear, warped", [(1, 1.011, 0.9996), (5, 1.268, 0.989),
                                                     (9.8, 2.03, 0.975)])
def test_volume_under_gravity_as_in_choi_and_ko_figure_5(program, bar_scene, gravity, linear, warped):
    def ratio(method):
        scene = bar_scene(scene={"gravity": [0, -gravity, 0]}, method=method, loads="rotated")
        return frames(program, scene, "--settle")["frames"][0]["bodies"][0]["volume_ratio"]

    # Half a unit of the last printed digit, and as much again for the mesh's own diagonals.
    assert ratio("linear-modal") == pytest.approx(linear, abs=0.01)
    assert ratio("modal-warping") == pytest.approx(warped, abs=0.002)


def test_loads_by_work_keep_more_of_the_volume_than_the_papers_law(program, bar_scene):
    def ratio(loads):
        scene = bar_scene(scene={"gravity": [0, -9.8, 0]}, loads=loads)
        return frames(program, scene, "--settle")["frames"][0]["bodies"][0]["volume_ratio"]

    # Nonlinear FEM has 0.99.
    assert abs(ratio("work") - 0.99) < abs(ratio("rotated") - 0.99) / 2


FULL_SPACE = ["linear", "stiffness-warping", "corotational", "stvk"]


@pytest.mark.parametrize("method", FULL_SPACE)
def test_full_resolution_bodies_sag_and_report_their_steps(program, bar_scene, method):
    scene = bar_scene(scene={"gravity": [0, -1, 0]}, method=method)
    last = frames(program, scene)["frames"][-1]["bodies"][0]
    # What a warped step leaves goes into the next one: see full-space.md.
    tolerance = 3e-3 if method == "stiffness-warping" else 1e-6
    assert last["converged"] and last["residual"] < tolerance and last["unconverged_steps"] == 0
    assert last["modal"] == [] and last["probes"]["tip"][1] < 0.1
    still = frames(program, scene, "--settle")["frames"][0]["bodies"][0]
    assert still["kinetic_energy"] == 0 and 0.98 < still["volume_ratio"] < 1.05


@pytest.mark.parametrize("method", FULL_SPACE)
def test_full_resolution_bodies_follow_position_handles(program, bar_scene, method):
    handle = {"type": "position", "node": [1, 0.1, 0.1],
              "path": [{"time": 0, "target": [1, 0.1, 0.1]}, {"time": 0.2, "target": [1, 0.2, 0.1]}]}
    report = frames(program, bar_scene(method=method, constraints=[handle]))
    # A held node gives way by a millionth of what it would without the handle.
    assert all(frame["bodies"][0]["position_error"] < 1e-6 for frame in report["frames"])


def momentum_drifts(report, since):
    """Of both momenta a second, relative to what there is at the time `since`."""
    bodies = [(frame["time"], frame["bodies"][0]) for frame in report["frames"]]
    start_time, start = next(entry for entry in bodies if entry[0] > since)
    end_time, end = bodies[-1]
    return [math.dist(end[key], start[key]) / math.hypot(*start[key]) / (end_time - start_time)
            for key in ("momentum", "angular_momentum")]


@pytest.mark.parametrize("method", FULL_SPACE)
def test_free_bodies_keep_their_momenta_and_show_what_happens_otherwise(program, bar_scene, method):
    # Thrown and set turning by forces on its ends; the support only says where it starts.
    throw = [{"nodes": "x<=0.001", "force": [1, 9, 2], "from": 0, "to": 0.1},
             {"nodes": "x>=0.999", "force": [1, -5, 1], "from": 0, "to": 0.1}]

    def drift(keep):
        scene = bar_scene(scene={"gravity": [0, 0, 0], "duration": 1}, method=method, fixed=[],
                          forces=throw, full_space={"keep_momentum": keep},
                          support=[{"time": 0, "position": [0.3, 2, 0],
                                    "rotation": [0, 0.6, 0, 0.8]}])
        report = frames(program, scene)
        first = report["frames"][1]["bodies"][0]
        # 9 nodes on each end: the sum of forces times 0.01 s.
        if keep:
            assert first["momentum"] == pytest.approx([0.18, 0.36, 0.27], rel=1e-9)
        return momentum_drifts(report, 0.15)

    assert max(drift(True)) < 1e-6
    assert max(drift(False)) > 1e-4


def test_bodies_that_are_held_report_no_momenta(program, bar_scene):
    body = frames(program, bar_scene(method="corotational"))["frames"][-1]["bodies"][0]
    assert "momentum" not in body and "angular_momentum" not in body


def test_errors_name_the_body_where_there_are_several(program, bar_scene):
    scene = json.loads(bar_scene(method="corotational").read_text())
    scene["bodies"].append({**scene["bodies"][0], "name": "loose", "fixed": []})
    (program.folder / "two.json").write_text(json.dumps(scene))
    assert "(loose)" in program.refuses("simulate", "two.json", "--settle", code=1)
    scene["bodies"] = scene["bodies"][1:]
    (program.folder / "one.json").write_text(json.dumps(scene))
    assert "(time 0)" in program.refuses("simulate", "one.json", "--settle", code=1)


@pytest.mark.parametrize("method", ["modal-warping", "corotational"])
def test_free_bodies_swing_about_the_point_that_a_handle_holds(program, bar_scene, method):
    hold = {"type": "position", "node": [0, 0.1, 0.1],
            "path": [{"time": 0, "target": [0, 0.1, 0.1]}]}
    scene = bar_scene(scene={"gravity": [0, -9.81, 0], "duration": 1, "time_step": 0.005},
                      method=method, fixed=[], constraints=[hold],
                      material={"young": 1e8, "poisson": 0.3, "density": 1000},
                      probes={"held": [0, 0.1, 0.1], "tip": [1, 0.1, 0.1]})
    rows = [frame["bodies"][0] for frame in frames(program, scene)["frames"]]
    assert max(row["position_error"] for row in rows) < 1e-4
    assert max(abs(row["probes"]["held"][1] - 0.1) for row in rows) < 1e-4
    heights = [row["probes"]["tip"][1] for row in rows]
    assert min(heights) < -0.85 and max(heights) < 0.12  # swings through, never higher than it began


def test_a_thrown_body_keeps_its_momentum_and_says_where_it_is(program, bar_scene):
    scene = bar_scene(scene={"gravity": [0, 0, 0], "duration": 1}, fixed=[],
                      position=[1, 2, 3], rotation=[0, 0, 0.6, 0.8],
                      velocity=[1, 0, 2], angular_velocity=[0, 3, 1])
    rows = [frame["bodies"][0] for frame in frames(program, scene)["frames"]]
    assert rows[0]["position"] == pytest.approx([1, 2, 3], abs=1e-12)
    assert rows[0]["rotation"] == pytest.approx([0, 0, 0.6, 0.8], abs=1e-12)
    for key in ("momentum", "angular_momentum"):
        for row in rows:
            assert row[key] == pytest.approx(rows[0][key], rel=1e-10, abs=1e-10)
    assert rows[0]["momentum"] == pytest.approx([40, 0, 80], rel=1e-9)


def test_only_free_bodies_are_thrown(program, bar_scene):
    assert "thrown" in program.refuses("simulate", bar_scene(velocity=[1, 0, 0]))


def test_a_handle_on_coordinates_holds_the_point_that_was_meant(program, bar_scene):
    place = [0.953, 0.137, 0.061]  # between the nodes
    hold = {"type": "position", "node": place, "path": [{"time": 0, "target": place}]}
    scene = bar_scene(scene={"gravity": [0, 0, 0]}, constraints=[hold])
    for frame in frames(program, scene)["frames"]:
        assert frame["bodies"][0]["position_error"] < 1e-12
        assert frame["bodies"][0]["elastic_energy"] < 1e-20


def test_forces_beyond_all_measure_stop_with_one_line(program, bar_scene):
    for force in (1e9, 1e12, 1e100):
        scene = bar_scene(forces=[{"nodes": "x>=0.999", "force": [0, force, 0]}])
        line = program.refuses("simulate", scene, "--report", "out.json", code=1)
        assert "time" in line
        assert not (program.folder / "out.json").exists()


def test_handles_moved_by_distant_nodes_are_refused_with_the_reason(program, bar_scene):
    hold = {"type": "position", "node": [1, 0.1, 0.1], "exercised": [[0.5, 0.1, 0.1]],
            "path": [{"time": 0, "target": [1, 0.2, 0.1]}]}
    scene = bar_scene(scene={"time_step": 1 / 30}, modes=16, constraints=[hold])
    assert "far from it" in program.refuses("simulate", scene)


def test_keys_that_a_method_cannot_honour_are_refused_by_name(program, bar_scene):
    assert "local" in program.refuses("simulate", bar_scene(local={"mode": "auto"}))
    assert "fast" in program.refuses("simulate", bar_scene(method="corotational", fast=True))
    assert "loads" in program.refuses("simulate", bar_scene(method="stvk", loads="rotated"))
    core = {"nodes": "x<=0.2", "axis": {"point": [0, 0, 0], "direction": [1, 0, 0], "speed": 1}}
    assert "core" in program.refuses("simulate", bar_scene(core=core))


def test_bodies_come_to_rest_on_the_ground(program, bar_scene):
    scene = bar_scene(scene={"duration": 1.5, "time_step": 0.01, "ground": {"friction": 0.3}},
                      method="corotational", fixed=[], damping={"mass": 2, "stiffness": 0.005},
                      support=[{"time": 0, "position": [0, 0.05, 0]}])
    last = frames(program, scene)["frames"][-1]["bodies"][0]
    assert last["kinetic_energy"] < 1e-3
    assert last["probes"]["tip"][1] == pytest.approx(0.1, abs=0.02)


def test_a_core_that_covers_everything_is_refused(program, bar_scene):
    program.refuses("simulate", bar_scene(method="corotational", core={"nodes": "x>=-1"}))


def test_a_core_turns_about_its_axis_and_takes_the_skin_along(program, bar_scene):
    core = {"nodes": "x<=0.001", "axis": {"point": [0, 0, 0], "direction": [0, 0, 1], "speed": 1}}
    scene = bar_scene(scene={"gravity": [0, 0, 0], "duration": 1.5}, method="corotational",
                      fixed=[], core=core, damping={"mass": 5, "stiffness": 0.01})
    x, y, _ = frames(program, scene)["frames"][-1]["bodies"][0]["probes"]["tip"]
    # Turned by 1.5 rad and bent a little by the start.
    assert x * x + y * y == pytest.approx(1.01, abs=0.05)
    assert y > 0.8


def test_support_at_constant_speed_leaves_the_body_at_rest(program, bar_scene):
    scene = bar_scene(scene={"gravity": [0, 0, 0], "duration": 1},
                      support=[{"time": 0, "position": [0, 0, 0]}, {"time": 2, "position": [4, 0, 0]}])
    last = frames(program, scene)["frames"][-1]["bodies"][0]
    assert last["probes"]["tip"][0] == pytest.approx(3, abs=1e-9)
    assert max(map(abs, last["modal"])) < 1e-12


def test_spinning_support_pulls_the_body_outward(program, bar_scene):
    turn = [{"time": t / 4, "rotation": q} for t, q in enumerate(
        [[0, 0, 0, 1], [0, 0.7071067811865476, 0, 0.7071067811865476], [0, 1, 0, 0],
         [0, 0.7071067811865476, 0, -0.7071067811865476], [0, 0, 0, -1]])]
    scene = bar_scene(scene={"gravity": [0, 0, 0]}, support=turn, damping={"mass": 5, "stiffness": 0.01})
    settled = frames(program, scene, "--settle")["frames"][0]["bodies"][0]
    assert settled["probes"]["tip"][0] > 1.005


def test_fast_gravity_is_nearly_the_exact_one(program, bar_scene):
    def tip(fast):
        scene = bar_scene(scene={"gravity": [0, -5, 0], "duration": 1}, fast=fast, cells=[10, 3, 3])
        return frames(program, scene)["frames"][-1]["bodies"][0]["probes"]["tip"]

    assert tip(True) == pytest.approx(tip(False), abs=5e-3)


def test_all_animations_are_written(program, bar_scene, tmp_path):
    outputs = ["a.glb", "a.mdd", "a.pc2", "a.pvd", "a.usda", "a.npz"]
    arguments = [word for name in outputs for word in ("-o", name)]
    program.ok("simulate", bar_scene(), "--frames", 3, *arguments)
    for name in outputs:
        assert (tmp_path / name).stat().st_size > 300, name


def test_unknown_key_names_the_nearest(program, bar_scene):
    message = program.refuses("simulate", bar_scene(mehtod="linear-modal"))
    assert '"mehtod"' in message and '"method"' in message


@pytest.mark.parametrize("body, words", [
    ({"fixed": ["x<=-5"]}, ""),
    ({"fixed": ["x<=5"]}, "fixed"),
    ({"modes": 100000}, "modes"),
    ({"material": {"young": -1}}, "material"),
    ({"probes": {"tip": 99999}}, "99999"),
    ({"forces": [{"nodes": [99999], "force": [0, 1, 0]}]}, "99999"),
    ({"support": [{"time": 1}, {"time": 0}]}, "rise"),
    ({"support": [{"time": 0, "rotation": [0, 0, 0, 0]}]}, ""),
    ({"shape": "blob"}, "blob"),
    ({"cells": [1]}, "cells"),
    ({"cells": [100000, 100000, 100000]}, ""),
    ({"mesh": "bar.msh"}, "shape"),
    ({"forces": [{"nodes": 0, "force": [0, 1e400, 0]}]}, ""),
])
def test_bad_scenes_are_one_clear_line(program, bar_scene, body, words):
    assert words in program.refuses("simulate", bar_scene(**body))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"limber": 1}', '{"limber": "1", "bodies": []}',
                                  "\xff\xfe", "[" * 100000])
def test_files_that_are_no_scenes_are_refused(program, tmp_path, text):
    (tmp_path / "bad.json").write_text(text, encoding="latin-1")
    program.refuses("simulate", "bad.json")


def test_outputs_are_checked_before_the_work(program, bar_scene, tmp_path):
    before = set(tmp_path.iterdir())
    scene = bar_scene()
    program.refuses("simulate", scene, "-o", "film.avi")
    program.refuses("simulate", scene, "-o", "no/folder/a.glb", code=1)
    assert set(tmp_path.iterdir()) == before | {scene}


def test_handles_of_a_scene_hold(program, bar_scene):
    scene = bar_scene(
        scene={"gravity": [0, 0, 0], "duration": 12}, modes=40, damping={"mass": 3, "stiffness": 0.05},
        constraints=[
            {"type": "position", "node": [1, 0.1, 0.1],
             "path": [{"time": 0, "target": [1, 0.1, 0.1]}, {"time": 1, "target": [0.8, 0.45, 0.1]}]},
            {"type": "orientation", "node": [1, 0.1, 0.1], "path": [{"time": 0, "target": [0, 0, 1.2]}]},
        ])
    last = frames(program, scene)["frames"][-1]["bodies"][0]
    assert last["position_error"] < 1e-6 and last["orientation_error"] < 1e-6
    assert len(last["constraint_forces"]) == 2
    assert last["probes"]["tip"] == pytest.approx([0.8, 0.45, 0.1], abs=1e-6)


@pytest.mark.parametrize("constraint, words", [
    ({"node": 99999}, "99999"),
    ({"node": 0}, "fixed"),
    ({"path": [{"time": 1, "target": [0, 0, 0]}, {"time": 0, "target": [0, 0, 0]}]}, "rise"),
    ({"path": [{"time": 0, "target": [0, 1e999, 0]}]}, ""),
    ({"treatment": "best"}, "treatment"),
    ({"stiffness": 3}, "soft"),
    ({"type": "soft"}, "stiffness"),
])
def test_bad_handles_are_one_clear_line(program, bar_scene, constraint, words):
    handle = {"type": "position", "node": 54, "path": [{"time": 0, "target": [0, 0, 0]}], **constraint}
    assert words in program.refuses("simulate", bar_scene(constraints=[handle]))


def swinging(bar_scene, **keys):
    """The bar without gravity, damping and forces: its modes move by themselves."""
    return bar_scene(scene={"gravity": [0, 0, 0], "time_step": 0.01, "duration": 0.2}, method="linear-modal",
                     damping={"mass": 0, "stiffness": 0}, **keys)


def test_modes_start_where_the_scene_says(program, bar_scene):
    for mode in (0, 3):
        amplitudes = [0] * mode + [0.3]
        told = frames(program, swinging(bar_scene, initial_modes={"displacement": amplitudes}))["frames"]
        first = told[0]["bodies"][0]
        assert first["modal"] == amplitudes + [0] * (7 - mode) and first["kinetic_energy"] == 0
        omega = math.sqrt(2 * first["elastic_energy"]) / 0.3  # ½ ω² q²
        for frame in told:
            assert frame["bodies"][0]["modal"][mode] == pytest.approx(0.3 * math.cos(omega * frame["time"]), abs=1e-9)
        pushed = frames(program, swinging(bar_scene, initial_modes={"velocity": [0] * mode + [2]}))["frames"]
        for frame in pushed:
            assert frame["bodies"][0]["modal"][mode] == pytest.approx(2 / omega * math.sin(omega * frame["time"]), abs=1e-9)


@pytest.mark.parametrize("keys, told", [
    ({"initial_modes": {"displacement": [1] * 9}}, "9 initial amplitudes for 8 modes"),
    ({"initial_modes": {"speed": [1]}}, "speed"),
    ({"method": "corotational", "initial_modes": {"velocity": [1]}}, 'has no "initial_modes"'),
    ({"theta": 0.6}, "belongs to another integrator"),
    ({"integrator": "theta", "theta": 0.4}, "from 0.5 to 1"),
])
def test_starts_and_integrators_that_cannot_be_had(program, bar_scene, keys, told):
    assert told in program.refuses("simulate", bar_scene(**keys), "--report", "report.json")


def test_the_filter_lands_and_rests_like_the_closed_form(program, bar_scene):
    def landed(integrator):
        scene = bar_scene(scene={"duration": 2, "time_step": 1 / 60, "ground": {"offset": -0.1}}, fixed=[], integrator=integrator,
                          damping={"mass": 2, "stiffness": 0.01})
        last = frames(program, scene)["frames"][-1]["bodies"][0]
        return last["probes"]["tip"], last["kinetic_energy"]

    (exact, _), (filtered, energy) = landed("exact"), landed("filter")
    assert filtered == pytest.approx(exact, abs=1e-4) and energy < 1e-6  # a bar of a metre, at rest


def test_theta_damps_between_newmark_and_the_semi_implicit_integrator(program, bar_scene):
    def energy(**keys):
        last = frames(program, swinging(bar_scene, initial_modes={"velocity": [1, 1]}, **keys))["frames"][-1]["bodies"][0]
        return last["kinetic_energy"] + last["elastic_energy"]

    kept, damped, lost = energy(integrator="newmark"), energy(integrator="theta"), energy(integrator="semi-implicit")
    assert kept == pytest.approx(1, rel=1e-9)  # ½ (1² + 1²)
    assert lost < damped < kept
    assert energy(integrator="theta", theta=0.5) == pytest.approx(kept, rel=1e-12)
