"""Clips and skeletons that lead soft bodies: key poses of `limber interpolate --clip`, and handles of
a scene's `skeleton`, against closed forms."""

import json

import numpy as np
import pytest

from rigged_glb import Glb

limber = pytest.importorskip("limber")

FRAME_RATE = 8
BEND = np.radians(60)

ARM = """HIERARCHY
ROOT upper
{{
  OFFSET 0 10 10
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT lower
  {{
    OFFSET 50 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {{
      OFFSET 50 0 0
    }}
  }}
}}
MOTION
Frames: {frames}
Frame Time: 0.05
{motion}
"""


def turned(angle):
    """A quaternion about z."""
    return [0, 0, np.sin(angle / 2), np.cos(angle / 2)]


def write_bending_box(path):
    """A closed box from x = 0 to 1 whose far half hangs on a joint at x = 0.5; the clip turns it."""
    surface = limber.boundary_surface(limber.bar([1, 0.2, 0.2], [8, 2, 2]))
    glb = Glb()
    root = glb.node(name="root")
    near = glb.node(root, name="near")
    far = glb.node(near, name="far", translation=[0.5, 0, 0])
    binds = np.tile(np.eye(4), (2, 1, 1))
    binds[1, 0, 3] = -0.5
    glb.json["skins"] = [{"joints": [near, far],
                          "inverseBindMatrices": glb.add(binds.transpose(0, 2, 1))}]
    share = np.clip((surface.V[:, 0] - 0.25) / 0.5, 0, 1)  # of the far joint
    zero = np.zeros_like(share)
    primitive = {"attributes": {
        "POSITION": glb.add(surface.V, limits=True, target=34962),
        "JOINTS_0": glb.add(np.tile([0, 1, 0, 0], (len(share), 1)), "u1", target=34962),
        "WEIGHTS_0": glb.add(np.column_stack([1 - share, share, zero, zero]), target=34962)},
        "indices": glb.add(surface.F.ravel(), "u2", target=34963)}
    glb.json["meshes"].append({"primitives": [primitive]})
    glb.node(mesh=0, skin=0)
    times = np.arange(FRAME_RATE + 1) / FRAME_RATE
    glb.json["animations"] = [{
        "name": "Bend", "channels": [{"sampler": 0, "target": {"node": far, "path": "rotation"}}],
        "samplers": [{"input": glb.add(times, limits=True),
                      "output": glb.add(np.array([turned(BEND * t) for t in times]))}]}]
    return glb.write(path)


def test_keys_of_a_clip_are_its_poses(program, tmp_path):
    write_bending_box(tmp_path / "box.glb")
    program.ok("interpolate", "box.glb", "--clip", "bend", "--keys", 3, "--cells", 8, "--modes", 20,
               "-o", "motion.npz", "--report", "report.json")
    report = json.loads((tmp_path / "report.json").read_text())
    assert [key["time"] for key in report["keys"]] == [0, 0.5, 1]
    with np.load(tmp_path / "motion.npz") as data:
        frames = next(data[name] for name in data.files if data[name].ndim == 3)
    assert len(frames) == FRAME_RATE + 1  # as many as the clip has
    for time, frame in ((0.5, frames[FRAME_RATE // 2]), (1, frames[FRAME_RATE])):
        program.ok("pose", "box.glb", "--clip", "bend", "--time", time, "-o", "pose.obj")
        pose = limber.read_mesh(tmp_path / "pose.obj").V
        size = np.linalg.norm(np.ptp(pose, axis=0))
        # The surface is carried by its own triangles to its poses; files are in single precision.
        assert np.abs(frame[:len(pose)] - pose).max() < 1e-5 * size


def test_a_clip_and_files_are_refused_together(program, tmp_path):
    write_bending_box(tmp_path / "box.glb")
    assert "leave one of them out" in program.refuses("interpolate", "box.glb", "box.glb", "box.glb",
                                                      "--clip", "bend")
    assert "it has \"Bend\"" in program.refuses("interpolate", "box.glb", "--clip", "jump")
    assert "--clip" in program.refuses("interpolate", "box.glb")


def test_tets_have_no_clips(program, tmp_path):
    limber.write_mesh(tmp_path / "bar.msh", limber.bar([1, 0.2, 0.2], [4, 1, 1]))
    assert "only .glb and .gltf files have clips" in program.refuses("interpolate", "bar.msh",
                                                                     "--clip", "bend")


@pytest.fixture
def arm_scene(tmp_path):
    """A bar of 1 m around two bones of 50 cm, the second of which turns by BEND within a second."""
    angles = np.degrees(BEND) * np.clip(np.arange(41) / 20, 0, 1)
    motion = "\n".join(f"0 0 0 {angle} 0 0" for angle in angles)
    (tmp_path / "arm.bvh").write_text(ARM.format(frames=len(angles), motion=motion))

    def write(skeleton=None, **body):
        leads = {"file": "arm.bvh", "scale": 0.01, "radius": 0.15, "handles": 8, "ease": 0}
        scene = {"limber": 1, "gravity": [0, 0, 0], "time_step": 0.05, "duration": 2, "bodies": [{
            "name": "arm", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2],
            "material": {"young": 1e5, "poisson": 0.4}, "damping": {"mass": 2, "stiffness": 0.02},
            "method": "corotational", "fixed": ["x<=0.001"],
            "probes": {"hand": [1, 0.1, 0.1]}, "skeleton": {**leads, **(skeleton or {})}, **body}]}
        (tmp_path / "arm.json").write_text(json.dumps(scene))
        return "arm.json"

    return write


@pytest.mark.parametrize("method", ["corotational", "neo-hookean"])
def test_bones_carry_the_body(program, tmp_path, arm_scene, method):
    program.ok("simulate", arm_scene(method=method), "--report", "r.json")
    last = json.loads((tmp_path / "r.json").read_text())["frames"][-1]["bodies"][0]
    assert last["position_error"] < 1e-6
    # The hand's end turns with the lower bone about the elbow; between handles it bends a little.
    hand = np.array([0.5, 0.1, 0.1]) + 0.5 * np.array([np.cos(BEND), np.sin(BEND), 0])
    assert np.linalg.norm(np.array(last["probes"]["hand"]) - hand) < 0.02


def test_soft_bones_lead_modal_bodies_too(program, tmp_path, arm_scene):
    scene = arm_scene({"stiffness": 500, "damping": 5}, method="modal-warping", modes=20)
    program.ok("simulate", scene, "--report", "r.json")
    last = json.loads((tmp_path / "r.json").read_text())["frames"][-1]["bodies"][0]
    assert last["probes"]["hand"][1] > 0.1 + 0.25 * np.sin(BEND)  # over half the way up


def test_ease_begins_at_rest(program, tmp_path, arm_scene):
    # The clip's first pose is the rest pose here, and its keys begin when the ease is over.
    program.ok("simulate", arm_scene({"ease": 0.5}), "--report", "r.json")
    frames = json.loads((tmp_path / "r.json").read_text())["frames"]
    assert frames[10]["time"] == pytest.approx(0.5)
    # The spline through the keys lets 2 - √3 of the clip's first speed (below 1 m/s, as a swing of 8 ms between
    # keys: 1 mm) pass at each key, and six lie between 0.45 s and the clip's beginning: 4e-4 mm, and the solver's 1e-6.
    for frame in frames[:10]:
        assert np.allclose(frame["bodies"][0]["probes"]["hand"], [1, 0.1, 0.1], atol=1e-5)
    assert np.allclose(frames[10]["bodies"][0]["probes"]["hand"], [1, 0.1, 0.1], atol=1e-3)
    assert frames[20]["bodies"][0]["probes"]["hand"][1] > 0.2


@pytest.mark.parametrize("skeleton, words", [
    ({"bones": ["elbow"]}, "it has"),
    ({"radius": 1e-6, "bones": ["lower"]}, "leads no node"),
    ({"radius": 1e-6}, "no bone leads a node"),
    ({"clip": "run"}, "no clip"),
    ({"file": "leg.bvh"}, "leg.bvh"),
    ({"damping": 1}, "stiffness"),
    ({"radios": 1}, "radius"),
])
def test_what_cannot_lead_is_refused(program, arm_scene, skeleton, words):
    # Three cells across have no nodes on the bones themselves.
    assert words in program.refuses("simulate", arm_scene(skeleton, cells=[10, 3, 3]))
