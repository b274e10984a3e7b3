"""Choi & Ko 2005, Figs. 7 to 10: handles on a bar, a potbelly that walks, a jelly box that jumps, a flubber that
dances by motion capture, and a dinosaur at 28,000 vertices."""

import copy
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from .choi_ko_2005 import BAR, processor_seconds, rotation_matrix
from .common import IMAGES, ROOT, limber, scene_file, told
from .pictures import film_strip, joined

KEYS_A_SECOND = 30


def character_body(name, vertices, tets, modes, young, **more):
    return {"name": name, "surface": {"shape": name, "size": [1], "vertices": vertices},
            "fill": {"mode": "cage", "tets": tets}, "modes": modes,
            "material": {"young": young, "poisson": 0.4, "density": 1000}, **more}


def scene_of(body, duration, **more):
    return {"limber": 1, "gravity": [0, -9.8, 0], "time_step": 1 / 120, "frame_rate": 30, "duration": duration,
            "bodies": [body], **more}


def key_times(duration):
    return np.arange(0, duration + 0.5 / KEYS_A_SECOND, 1 / KEYS_A_SECOND)


def quaternion(w):
    """x y z w of a rotation vector."""
    angle = np.linalg.norm(w)
    axis = np.asarray(w, float) / angle if angle > 1e-12 else np.zeros(3)
    return [*(np.sin(angle / 2) * axis), np.cos(angle / 2)]


def handle(kind, node, times, targets):
    return {"type": kind, "node": [float(x) for x in node],
            "path": [{"time": float(t), "target": [float(x) for x in target]} for t, target in zip(times, targets)]}


def turning_part(shape, size, times, places, turns, name):
    """A rigid part that follows keys: places (k×3) and rotation vectors (k×3)."""
    return {"name": name, "shape": shape, "size": size, "path": [
        {"time": float(t), "position": [float(x) for x in p], "rotation": [float(x) for x in quaternion(w)]}
        for t, p, w in zip(times, places, turns)]}


def limb(times, upper, lower, radius, name):
    """A capsule between two points that move (k×3 each); their distance stays."""
    along = upper - lower
    length = np.linalg.norm(along[0])
    turns = []
    for d in along / np.linalg.norm(along, axis=1, keepdims=True):
        axis = np.cross([0, 1, 0], d)
        size = np.linalg.norm(axis)
        turns.append(np.arctan2(size, d[1]) * axis / size if size > 1e-12 else np.zeros(3))
    return turning_part("capsule", [radius, float(length)], times, (upper + lower) / 2, turns, name)


def report_of(folder, scene):
    path = pathlib.Path(folder) / "report.json"
    limber("simulate", scene_file(folder, scene), "--report", path)
    return json.loads(path.read_text())["frames"]


def misses(frames):
    """The largest ones of handles; of what rounding and a solver's last digits leave, the power of ten that it stays below."""
    bodies = [frame["bodies"][0] for frame in frames]
    position = max(b["position_error"] for b in bodies)
    turn = max(b["orientation_error"] for b in bodies)

    def power(value):
        return max(-12.0, np.ceil(np.log10(max(value, 1e-16)) + 0.3))  # below that rounding; twice as much on other machines

    return (("handles miss by {:.2f} mm at most", 1e3 * position) if position > 5e-6
            else ("handles miss by less than 1e{:.0f} m", power(position)),
            ("and {:.2f} degrees", np.degrees(turn)) if turn > 1e-4 else ("and less than 1e{:.0f} rad", power(turn)))


def volumes(frames):
    change = [100 * (frame["bodies"][0]["volume_ratio"] - 1) for frame in frames]
    return (("volume {:+.1f}", min(change)), ("to {:+.1f} %", max(change)))


def choi_ko_7(pictures=True):
    """A bar led by a position, by an orientation, and by both."""
    rest, drawn, turned = [1, 0.1, 0.1], [0.7, 0.55, 0.25], [0.9, 0, 1.2]
    position = handle("position", rest, [0], [drawn])
    orientation = handle("orientation", rest, [0], [turned])
    shots, sentences = [], ()
    for held in ([position], [orientation], [position, orientation]):
        scene = copy.deepcopy(BAR)
        scene.update(gravity=[0, 0, 0], duration=0.1)
        scene["bodies"][0]["constraints"] = held
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            limber("simulate", scene_file(folder, scene), "--settle", "--report", report)
            sentences += misses(json.loads(report.read_text())["frames"])
            if not pictures:
                continue
            shots.append(IMAGES / f"choi-ko-7-{len(shots)}.png")
            limber("render", scene_file(folder, scene), "--settle", "--edges", "--size", "460x380",
                   "--samples", 24, "-o", shots[-1])
    if pictures:
        joined([shots], IMAGES / "choi-ko-7.png")
    return told("choi-ko 7", *sentences)


def walk_scene():
    """A torso on a pelvis that walks: elbows and neck are led, all else of the character is rigid."""
    duration, period, speed, height = 3.0, 1.0, 0.9, 0.72
    times = key_times(duration)
    begun = np.clip(times / 0.6, 0, 1)
    begun = begun**2 * (3 - 2 * begun)
    phase = 2 * np.pi * times / period
    pelvis = np.stack([0.03 * begun * np.sin(phase), height + 0.045 * begun * np.cos(2 * phase),
                       speed * np.cumsum(begun) / KEYS_A_SECOND], axis=1)
    pelvis_turn = np.stack([0.04 * begun, 0.18 * begun * np.sin(phase), 0.07 * begun * np.sin(phase)], axis=1)
    frames = [rotation_matrix(w) for w in pelvis_turn]

    def in_world(points):
        return np.array([p + R @ x for p, R, x in zip(pelvis, frames, points)])

    neck, elbows = np.array([0, 0.95, -0.02]), {side: np.array([0.44 * side, 0.57, 0]) for side in (1, -1)}
    neck_turn = -1.4 * pelvis_turn
    neck_path = neck + np.stack([-0.02 * begun * np.sin(phase), 0.01 * begun * np.sin(2 * phase), 0.02 * begun], axis=1)
    constraints, parts = [handle("position", neck, times, neck_path), handle("orientation", neck, times, neck_turn)], []
    for side in (1, -1):
        swing = 0.16 * begun * np.sin(phase) * side
        path = elbows[side] + np.stack([0 * swing, 0.02 * np.abs(swing), swing], axis=1)
        constraints.append(handle("position", elbows[side], times, path))
        hand = path + [0.03 * side, -0.26, 0.06] + np.stack([0 * swing, 0 * swing, 0.6 * swing], axis=1)
        hand = path + 0.27 * (hand - path) / np.linalg.norm(hand - path, axis=1, keepdims=True)
        parts.append(limb(times, in_world(path), in_world(hand), 0.075, f"forearm {side}"))
        hip = in_world(np.tile([0.15 * side, 0.12, 0], (len(times), 1)))
        stride = -0.5 * begun * np.sin(phase) * side
        bend = 0.9 * begun * np.clip(np.cos(phase) * side, 0, 1)
        thigh = np.stack([0 * stride, -np.cos(stride), np.sin(stride)], axis=1)
        shin = np.stack([0 * stride, -np.cos(stride - bend), np.sin(stride - bend)], axis=1)
        knee = hip + 0.36 * thigh
        parts.append(limb(times, hip, knee, 0.1, f"thigh {side}"))
        parts.append(limb(times, knee, knee + 0.36 * shin, 0.075, f"shin {side}"))
    head = in_world(neck_path + np.array([rotation_matrix(w) @ [0, 0.17, 0.02] for w in neck_turn]))
    parts.append(turning_part("sphere", [0.16], times, head, pelvis_turn + neck_turn, "head"))
    body = character_body("belly", 1026, 1110, 16, 2.5e4, fixed=["y<=0.2"], damping={"mass": 0.3, "stiffness": 0.006},
                          collides=False, constraints=constraints, probes={"navel": [0, 0.37, 0.37]},
                          support=[{"time": float(t), "position": list(map(float, p)), "rotation": list(map(float, quaternion(w)))}
                                   for t, p, w in zip(times, pelvis, pelvis_turn)])
    return scene_of(body, duration, obstacles=parts), pelvis, frames


def choi_ko_8(pictures=True):
    """A character whose torso alone is soft, with 3 position and 1 orientation handles, walks by keyframes."""
    scene, pelvis, turned = walk_scene()
    with tempfile.TemporaryDirectory() as folder:
        frames = report_of(folder, scene)
        if pictures:
            film_strip(folder, scene, (0.0, 1.25, 1.5, 1.75, 2.0), IMAGES / "choi-ko-8.png", "--camera", "55,6", "--frame",
                       "moment", "--samples", 24, width=300, height=440)
    own = []
    for frame in frames:
        k = int(round(frame["time"] * KEYS_A_SECOND))
        own.append(turned[k].T @ (np.array(frame["bodies"][0]["probes"]["navel"]) - pelvis[k]))
    swing = np.ptp(np.array(own)[[f["time"] > 1 for f in frames]], axis=0)
    return told("choi-ko 8", ("the navel swings by {:.1f} cm up and down", 1e2 * swing[1]),
                ("and {:.1f} cm across", 1e2 * swing[0]), *volumes(frames), *misses(frames))


# The jump: seconds, pelvis height, feet and head in the pelvis's frame, turns of feet (about y) and head (about x and z).
JUMP = np.array([
    # t     pelvis  feet   head_y head_z  feet_turn  nod   tilt
    [0.00, 0.00, 0.00, 0.00, 0.00, 0.0, 0.0, 0.0],
    [0.40, -0.20, 0.09, -0.04, 0.04, 0.0, 0.4, 0.0],
    [0.55, 0.05, -0.07, 0.05, 0.00, 0.3, -0.2, 0.1],
    [0.80, 0.55, 0.03, -0.02, 0.02, 0.9, 0.3, 0.6],
    [1.05, 0.05, -0.05, 0.04, -0.02, 0.3, -0.3, 0.1],
    [1.20, -0.18, 0.08, -0.05, 0.03, 0.0, 0.4, -0.4],
    [1.60, 0.00, 0.00, 0.00, 0.00, 0.0, 0.0, 0.0]])


def jump_scene(method):
    """A jelly box led by pelvis, feet and head of a rigid figure, which jumps beside it: 2 + 2 handles."""
    duration = 2.0
    times = key_times(duration)
    now = np.array([np.interp(times, JUMP[:, 0], column) for column in JUMP[:, 1:].T]).T
    for _ in range(4):  # no kinks
        now[1:-1] = (now[:-2] + 2 * now[1:-1] + now[2:]) / 4
    zero = 0 * times
    pelvis = np.stack([zero, now[:, 0], zero], axis=1)
    foot, forehead = np.array([0, 0.04, 0]), np.array([0, 0.85, 0.25])
    feet_path = foot + np.stack([zero, now[:, 1], zero], axis=1)
    head_path = forehead + np.stack([zero, now[:, 2], now[:, 3]], axis=1)
    feet_turn = np.stack([zero, now[:, 4], zero], axis=1)
    head_turn = np.stack([now[:, 5], zero, now[:, 6]], axis=1)
    constraints = [handle("position", foot, times, feet_path), handle("orientation", foot, times, feet_turn),
                   handle("position", forehead, times, head_path), handle("orientation", forehead, times, head_turn)]
    aside = np.array([1.1, 0, 0])
    figure = [turning_part("box", [0.24, 0.14, 0.16], times, pelvis + aside + [0, 0.45, 0], np.zeros((len(times), 3)), "pelvis")]
    head = pelvis + aside + head_path + [0, 0.05, -0.2]
    figure.append(turning_part("sphere", [0.12], times, head, head_turn, "head"))
    chest = pelvis + aside + [0, 0.45, 0] + 0.62 * (head - pelvis - aside - [0, 0.45, 0])
    figure.append(turning_part("box", [0.3, 0.2, 0.17], times, chest, head_turn / 2, "chest"))
    for side in (1, -1):
        turn = np.array([rotation_matrix(w) @ [0.11 * side, 0, 0] for w in feet_turn])
        sole = pelvis + aside + feet_path + turn
        figure.append(turning_part("box", [0.1, 0.05, 0.2], times, sole, feet_turn, f"foot {side}"))
        hip = pelvis + aside + [0.08 * side, 0.4, 0]
        # The knee, of two equal bones: forwards of the line between hip and foot.
        half = np.linalg.norm(hip - sole, axis=1) / 2
        out = np.sqrt(np.clip(0.26**2 - half**2, 0, None))
        knee = (hip + sole) / 2 + np.stack([zero, zero, out], axis=1)
        figure.append(turning_part("sphere", [0.06], times, knee, np.zeros((len(times), 3)), f"knee {side}"))
        figure += [limb(times, hip, knee, 0.05, f"thigh {side}"), limb(times, knee, sole, 0.04, f"shin {side}")]
    body = character_body("jelly-box", 1642, 1440, 32, 1e5, fixed=["sphere:0,0.45,0,0.16"],
                          damping={"mass": 0.5, "stiffness": 0.008}, method=method, collides=False, constraints=constraints,
                          support=[{"time": float(t), "position": list(map(float, p))} for t, p in zip(times, pelvis)])
    return scene_of(body, duration, obstacles=figure)


def choi_ko_9(pictures=True):
    """The jump retargeted from the rigid figure to the jelly box: modal warping above (9a), linear modes below (9b)."""
    shots, sentences = [], ()
    for method in ("modal-warping", "linear-modal"):
        scene = jump_scene(method)
        with tempfile.TemporaryDirectory() as folder:
            frames = report_of(folder, scene)
            if pictures:
                shots.append([IMAGES / f"choi-ko-9-{method}.png"])
                film_strip(folder, scene, (0.0, 0.4, 0.8, 1.2), shots[-1][0], "--camera", "20,8", "--samples", 24, width=400, height=340)
        sentences += (*volumes(frames), *misses(frames))
    if pictures:
        joined(shots, IMAGES / "choi-ko-9.png")
    return told("choi-ko 9", *sentences)


# Joints of the dancer: name, parent, offset from it, the end of its bone.
DANCER = [("Hips", None, (0, 0.2, 0), None), ("Torso", "Hips", (0, 0.1, 0), None),
          ("Head", "Torso", (0, 0.4, 0), (0, 0.18, 0)),
          ("LeftArm", "Torso", (0.2, 0.16, 0), (0.16, 0.0, 0.04)), ("RightArm", "Torso", (-0.2, 0.16, 0), (-0.16, 0.0, 0.04)),
          ("LeftFoot", "Hips", (0.14, -0.09, 0.02), (0, -0.05, 0.08)), ("RightFoot", "Hips", (-0.14, -0.09, 0.02), (0, -0.05, 0.08))]


def dance(seconds):
    """Angles in degrees about z, x and y of every joint: a dance by sines."""
    a = 2 * np.pi * 0.8 * seconds
    grown = min(1, seconds / 0.8)
    angles = {"Torso": (14 * np.sin(a), 0, 22 * np.sin(a)), "Head": (-20 * np.sin(a), 10 * np.sin(2 * a), -30 * np.sin(a)),
              "LeftArm": (45 * np.sin(a), 0, 25 * np.cos(a)), "RightArm": (45 * np.sin(a), 0, 25 * np.cos(a)),
              "LeftFoot": (0, -20 * max(0, np.sin(a)), 0), "RightFoot": (0, -20 * max(0, -np.sin(a)), 0)}
    return {name: grown * np.array(angles.get(name, (0, 0, 0)), float) for name, *_ in DANCER}


def write_bvh(path, duration):
    """The dance as a motion capture file: BVH, channels in centimetres and degrees."""
    lines = ["HIERARCHY"]

    def joint(name, depth):
        _, parent, offset, end = next(j for j in DANCER if j[0] == name)
        tab = "  " * depth
        lines.extend([f"{tab}{'JOINT' if parent else 'ROOT'} {name}", f"{tab}{{",
                      f"{tab}  OFFSET " + " ".join(f"{100 * x:g}" for x in offset),
                      f"{tab}  CHANNELS " + ("3 Zrotation Xrotation Yrotation" if parent
                                             else "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")])
        for child in (j[0] for j in DANCER if j[1] == name):
            joint(child, depth + 1)
        if end:
            lines.extend([f"{tab}  End Site", f"{tab}  {{", f"{tab}    OFFSET " + " ".join(f"{100 * x:g}" for x in end), f"{tab}  }}"])
        lines.append(f"{tab}}}")

    joint("Hips", 0)
    times = key_times(duration)
    lines += ["MOTION", f"Frames: {len(times)}", f"Frame Time: {1 / KEYS_A_SECOND:.7f}"]
    order = [line.split()[1] for line in lines if line.split()[0] in ("ROOT", "JOINT")]
    for t in times:
        angles = dance(t)
        row = ["0 20 0"] + [" ".join(f"{x:.4f}" for x in angles[name]) for name in order]
        lines.append(" ".join(row))
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
    return times


def head_turns(times):
    """Rotation vectors of the head in the world: Z X Y of the torso, then of the head."""
    def of(angles):
        z, x, y = np.radians(angles)
        return rotation_matrix([0, 0, z]) @ rotation_matrix([x, 0, 0]) @ rotation_matrix([0, y, 0])

    turns = []
    for t in times:
        R = of(dance(t)["Torso"]) @ of(dance(t)["Head"])
        axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        angle = np.arctan2(np.linalg.norm(axis), np.trace(R) - 1)
        turns.append(angle * axis / max(np.linalg.norm(axis), 1e-12))
    return turns


def dance_scene(folder):
    """Flubber led by six bones of a BVH file, and by the head's turning: 6 + 1 handles, 64 modes."""
    duration = 4.0
    times = write_bvh(pathlib.Path(folder) / "dance.bvh", duration)
    body = character_body(
        "flubber", 2802, 1513, 64, 3e4, fixed=["sphere:0,0.2,0,0.11"], damping={"mass": 0.6, "stiffness": 0.006},
        skeleton={"file": "dance.bvh", "scale": 0.01, "handles": 1, "radius": 0.12, "ease": 0,
                  "bones": ["Torso", "Head", "LeftArm", "RightArm", "LeftFoot", "RightFoot"]},
        constraints=[handle("orientation", [0, 0.75, 0], times, head_turns(times))], probes={"drop": [0.06, 1.02, -0.01]})
    return scene_of(body, duration)


def choi_ko_9c(pictures=True):
    """Flubber dances by motion capture: BVH in, handles out."""
    with tempfile.TemporaryDirectory() as folder:
        scene = dance_scene(folder)
        frames = report_of(folder, scene)
        if pictures:
            film_strip(folder, scene, (0.0, 1.55, 2.2, 2.8, 3.45), IMAGES / "choi-ko-9c.png", "--camera", "15,8", "--samples", 24,
                       width=320, height=340)
    return told("choi-ko 9c", *volumes(frames), *misses(frames))


def dino_scene():
    """28,000 vertices and 8 modes; a position handle on the tail, an orientation handle on the head: six numbers of eight modes."""
    duration, tail, head = 3.0, np.array([0.1, 0.25, -0.95]), [0, 0.9, 0.5]
    times = key_times(duration)
    swing = np.sin(np.pi * times / 1.5)**2
    path = tail + np.stack([0.18 * swing, 0.03 * swing, 0 * swing], axis=1)
    body = character_body("dino", 28098, 5484, 8, 1e6, fixed=["y<=0.1"], damping={"mass": 3, "stiffness": 0.01},
                          constraints=[{**handle("position", tail, times, path), "treatment": "newton"},
                                       {**handle("orientation", head, times, np.outer(swing, [0, 0.4, 0])), "treatment": "newton"}])
    return scene_of(body, duration)


def choi_ko_10(pictures=True):
    """The dinosaur's tail is drawn to and fro, its head turned; frames a second of processor time on one core, without a graphics card."""
    import limber as module

    scene = dino_scene()
    with tempfile.TemporaryDirectory() as folder:
        frames = report_of(folder, scene)
        if pictures:
            film_strip(folder, scene, (0.0, 0.4, 0.75, 1.2), IMAGES / "choi-ko-10.png", "--camera", "35,12", "--samples", 24,
                       width=420, height=320)
        loaded = module.Scene.load(str(scene_file(folder, scene)))
    body = loaded.body("dino")

    def frame():
        loaded.step()
        return body.surface_positions

    print(f"choi-ko 10: {1 / processor_seconds(frame):.0f} frames a second of one core's time")
    return told("choi-ko 10", ("{:,.0f} vertices", len(body.surface_positions)), ("{:,.0f} tets", len(body.tets)),
                *volumes(frames), *misses(frames))


def choi_ko_10_page():
    """Frames a second of the studio's page in headless Chromium, which draws in software; tests/web/node_modules must be there."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["npm", "run", "--silent", "frame-rate", "--", str(scene_file(folder, dino_scene()))], check=True,
                              cwd=ROOT / "tests" / "web", capture_output=True, text=True)
    said = json.loads(done.stdout)
    print(f"choi-ko 10: {said['by']}, {said['size'][0]}x{said['size'][1]}, {said['vertices']:.0f} vertices")
    return told("choi-ko 10, the page", ("{:.1f} pictures a second", said["drawn"]),
                ("{:.2f} s of processor time a picture", said["processor_seconds"]), ("{:.0f} frames a second arrive", said["received"]))


FIGURES = (choi_ko_7, choi_ko_8, choi_ko_9, choi_ko_9c, choi_ko_10, choi_ko_10_page)
