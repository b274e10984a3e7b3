"""Huang et al. 2011, shape interpolation: Figures 1 to 13 and Table 1 with our characters.

Every motion is one call of `limber interpolate`; the paper's controls are its options.
"""

import json
import pathlib
import subprocess
import tempfile

import numpy as np

from .box_modes import Body, boundary, box_tets
from .common import BUILD, axes_of, limber, read_mdd, save
from .pictures import BLUE, GREY, ORANGE, strip
from .shapes import bent, character, stick, twisted, write_obj

# η = μ = −1: from pose to pose without vibration.
DIRECT = ["--frequency", "-1", "--damping", "-1"]


class Motion:
    """Poses of one surface and the motions through them."""

    def __init__(self, folder, rest, triangles):
        self.folder = pathlib.Path(folder)
        self.rest, self.triangles = rest, triangles
        self.rest_file = write_obj(self.folder / "rest.obj", rest, triangles)

    def pose(self, name, positions):
        return write_obj(self.folder / f"{name}.obj", positions, self.triangles)

    def run(self, poses, times, *options, fps=30):
        """Frames (frames, vertices, 3), their times and the report."""
        cache, report = self.folder / "out.mdd", self.folder / "report.json"
        limber("interpolate", self.rest_file, *poses, "--times", ",".join(f"{t:g}" for t in times),
               "--fps", fps, "-o", cache, "--report", report, *options)
        frames, at = read_mdd(cache)
        return frames, at, json.loads(report.read_text())


def picked(frames, count):
    return [frames[k] for k in np.linspace(0, len(frames) - 1, count).round().astype(int)]


def dino_poses(rest):
    """Tail to either side, neck down and back; the animal looks along +z."""
    size = np.ptp(rest, axis=0)
    middle = 0.5 * (rest.min(axis=0) + rest.max(axis=0))
    tail = [middle[0], middle[1], rest[:, 2].min() + 0.45 * size[2]]
    neck = [middle[0], middle[1], rest[:, 2].min() + 0.7 * size[2]]

    def posed(tail_angle, neck_angle, twist=0.0):
        p = bent(rest, tail, [0, 0, -1], [1, 0, 0], 0.45 * size[2], tail_angle)
        front = rest[:, 2] > neck[2]
        p = bent(p, neck, [0, 0, 1], [0, 1, 0], 0.25 * size[2], neck_angle, front)
        return twisted(p, tail, [0, 0, -1], 0.45 * size[2], twist, rest[:, 2] < tail[2])

    return posed(2.2, 0.5), posed(-2.2, -0.6, 1.0), posed(1.4, 0.7)


def elephant_poses(rest):
    """The body bent to a side and down, as if it looked round; the feet move a little."""
    size = np.ptp(rest, axis=0)
    low = rest.min(axis=0)
    middle = 0.5 * (low + rest.max(axis=0))
    neck = [middle[0], low[1] + 0.6 * size[1], low[2] + 0.55 * size[2]]
    front = rest[:, 2] > neck[2]
    rolled = bent(rest, neck, [0, 0, 1], [0, 1, 0], 0.45 * size[2], 1.5, front)
    lowered = bent(rest, neck, [0, 0, 1], [0, -1, 0], 0.45 * size[2], 0.9, front)
    leaning = bent(rest, [middle[0], low[1], middle[2]], [0, 1, 0], [1, 0, 0], size[1], 0.9)
    return rolled, lowered, leaning


def huang_1():
    """Four key frames: the calm motion, and the same with vibrations."""
    with tempfile.TemporaryDirectory() as folder:
        rest, triangles, _ = character(folder, "dino", 6000)
        motion = Motion(folder, rest, triangles)
        a, b, c = dino_poses(rest)
        poses = [motion.rest_file, motion.pose("a", a), motion.pose("b", b), motion.pose("c", c)]
        times = [0, 1, 2, 3]
        rows = [[(f, GREY if k % 3 == 0 else ORANGE) for k, f in enumerate(picked(frames, 10))]
                for frames, _, _ in (motion.run(poses, times), motion.run(poses, times, "--swing", 0.6))]
        strip("huang-1.png", rows, triangles, ["calm (default)", "--swing 0.6"], turn=0.9, width=1.5)


def huang_2():
    """The 7th and 9th mode of a box, far beyond small deformations: linear, and extended."""
    nodes, tets = box_tets(np.array([1, 0.25, 0.2]), np.array([16, 4, 3]))
    body = Body(nodes, tets)
    rows = []
    modes = body.modes(9)
    for number in (7, 9):
        mode = modes[number - 1] / body.largest_turn(modes[number - 1])
        shares = (-1.4, -0.7, 0.7, 1.4)  # the largest rotation, rad
        linear = [nodes + share * mode for share in shares]
        extended = [body.extended(share * mode) for share in shares]
        rows.append([(p - p.mean(axis=0), colour) for shapes, colour in ((linear, BLUE), (extended, ORANGE))
                     for p in shapes])
        volumes = [max(abs(1 - volume_of(body, p)) for p in shapes) for shapes in (linear, extended)]
        print(f"huang 2: mode {number}: volume changes by up to {100 * volumes[0]:.1f} % linear, "
              f"{100 * volumes[1]:.1f} % extended")
    strip("huang-2.png", rows, boundary(tets), ["7th mode", "9th mode"], turn=0.4, width=1.4)


def volume_of(body, positions):
    corners = positions[body.tets]
    return np.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6 / body.volumes.sum()


def huang_3():
    """How well few modes show a pose, printed by the benchmark."""
    subprocess.run([str(BUILD / "limber"), "bench", "--filter", "pose-fit"], check=True)


def bent_stick(folder):
    rest, triangles = stick()
    motion = Motion(folder, rest, triangles)
    pose = bent(rest, [0, 0.06, 0.06], [1, 0, 0], [0, 1, 0], 1, 2.5)
    return motion, motion.pose("bent", pose)


def huang_4():
    """A stick let go: without and with damping, the last frames."""
    with tempfile.TemporaryDirectory() as folder:
        motion, pose = bent_stick(folder)
        rows = []
        for damping in (-1, -0.8):
            frames, _, _ = motion.run([pose, motion.rest_file], [0, 2], "--frequency", "0",
                                      "--damping", damping, "--young", "2e4", "--after", 1)
            rows.append(picked(frames[-31:], 7))
        strip("huang-4.png", rows, motion.triangles, ["μ = −1", "μ = −0.8"], turn=0.1, tilt=0.1,
              width=1.6)


def huang_6():
    """z(t) of the first mode for dampings and frequencies, all with the same ends."""
    with tempfile.TemporaryDirectory() as folder:
        motion, pose = bent_stick(folder)
        figure, axis = axes_of()
        for label, options in (("calm", []), ("η = 0, μ = −1", ["--frequency", 0, "--damping", -1]),
                               ("η = 0, μ = −0.8", ["--frequency", 0, "--damping", -0.8]),
                               ("η = 0.4, μ = −0.9", ["--frequency", 0.4, "--damping", -0.9])):
            _, _, report = motion.run([pose, motion.rest_file], [0, 2], "--young", "2e4", *options,
                                      fps=100)
            modal = np.array([f["modal"] for f in report["frames"]])
            strongest = np.abs(modal[0]).argmax()
            axis.plot([f["time"] for f in report["frames"]], modal[:, strongest] / modal[0, strongest],
                      label=label)
        save(figure, axis, "huang-6.png", "time, s", "amplitude over its start", columns_above=2)


def huang_7():
    """High frequencies alone: details quiver while the body moves calmly."""
    with tempfile.TemporaryDirectory() as folder:
        rest, triangles, _ = character(folder, "elephant", 6000)
        motion = Motion(folder, rest, triangles)
        rolled, _, _ = elephant_poses(rest)
        poses = [motion.pose("rolled", rolled), motion.rest_file]
        calm, _, _ = motion.run(poses, [0, 1], "--modes", 100)
        lively, _, _ = motion.run(poses, [0, 1], "--modes", 100, "--swing", 1, "--frequency",
                                  "0:-1,19:-1,20:0,99:0")
        strip("huang-7.png", [picked(calm, 6), picked(lively, 6)], triangles,
              ["calm", "modes 20 to 99 swing"], turn=0.9, width=1.7)
        difference = np.linalg.norm(lively - calm, axis=2)
        print(f"huang 7: vertices quiver by {difference.max() / np.ptp(rest, axis=0).max():.3f} "
              f"of the size at most, {difference.mean() / np.ptp(rest, axis=0).max():.4f} on average")


def huang_8():
    """Feet that leave the ground, and feet held where the poses have them."""
    with tempfile.TemporaryDirectory() as folder:
        rest, triangles, _ = character(folder, "elephant", 6000)
        motion = Motion(folder, rest, triangles)
        _, _, leaning = elephant_poses(rest)
        poses = [motion.rest_file, motion.pose("leaning", leaning)]
        low = rest[:, 1].min() + 0.04 * np.ptp(rest[:, 1])
        free, _, _ = motion.run(poses, [0, 1], "--swing", 1)
        held, _, _ = motion.run(poses, [0, 1], "--swing", 1, "--hold", f"y<={low:g}")
        strip("huang-8.png", [picked(free, 6), picked(held, 6)], triangles, ["free", "feet held"],
              turn=0.3, tilt=0.1, width=1.7)
        feet = rest[:, 1] < rest[:, 1].min() + 0.02 * np.ptp(rest[:, 1])
        for name, frames in (("free", free), ("held", held)):
            sunk = (rest[feet, 1] - frames[:, feet, 1]).max() / np.ptp(rest[:, 1])
            print(f"huang 8: {name}: feet sink by {100 * sunk:.2f} % of the height at most")


def huang_9():
    """A hoop whose ends change places goes through itself; a key on the way leads them past."""
    with tempfile.TemporaryDirectory() as folder:
        rest, triangles = stick((1, 0.06, 0.06), (50, 3, 3))
        motion = Motion(folder, rest, triangles)

        def hoop(side):
            ring = bent(rest, [0, 0.03, 0.03], [1, 0, 0], [0, 1, 0], 1, 2.25 * np.pi)
            ring[:, 2] += side * 0.16 * (rest[:, 0] - 0.5)
            return ring

        open_hoop = bent(rest, [0, 0.03, 0.03], [1, 0, 0], [0, 1, 0], 1, 1.6 * np.pi)
        poses = [motion.pose("front", hoop(1)), motion.pose("behind", hoop(-1))]
        through, _, first = motion.run(poses, [0, 1], fps=16)
        past, _, second = motion.run(poses, [0, 1], "--insert",
                                     f"0.5={motion.pose('open', open_hoop)}", fps=16)
        shown = np.linspace(0, 16, 7).round().astype(int)
        marks = [[r["frames"][k].get("crossing_triangles", []) for k in shown] for r in (first, second)]
        strip("huang-9.png", [[f[k] for k in shown] for f in (through, past)], triangles,
              ["as it comes", "key inserted"], turn=0.5, tilt=0.15, width=1.4, marks=marks)
        for name, report in (("as it comes", first), ("key inserted", second)):
            found = report["summary"]["quality"]["self_intersections"]
            print(f"huang 9: {name}: {len(found['times'])} of {len(report['frames'])} frames, "
                  f"{found['most']} pairs at most")


def huang_10():
    """Wiggly splines through four keys at 0, 0.25, 0.75 and 1 s, the first and last at rest."""
    with tempfile.TemporaryDirectory() as folder:
        motion, pose = bent_stick(folder)
        other = motion.pose("other", bent(twisted(motion.rest, [0, 0.06, 0.06], [1, 0, 0], 1, 1.5),
                                          [0, 0.06, 0.06], [1, 0, 0], [0, -1, 0], 1, 1.8))
        frames, at, report = motion.run([motion.rest_file, pose, other, motion.rest_file],
                                        [0, 0.25, 0.75, 1], "--trajectory", "wiggly", "--frequency", 0,
                                        "--young", "2e5", fps=120)
        strip("huang-10.png", [picked(frames, 9)], motion.triangles, turn=0.3, tilt=0.2, width=1.4)
        figure, axis = axes_of()
        modal = np.array([f["modal"] for f in report["frames"]])
        for mode in np.argsort(-np.abs(modal).max(axis=0))[:3]:
            axis.plot(at, modal[:, mode] / np.abs(modal).max(), label=f"mode {mode + 1}")
        for key in (0.25, 0.75):
            axis.axvline(key, color=GREY, linewidth=0.8)
        save(figure, axis, "huang-10-modes.png", "time, s", "amplitude, of the largest")


def huang_11():
    """A hat of triangles alone: rest, two in-betweens, pose."""
    with tempfile.TemporaryDirectory() as folder:
        rest, triangles, _ = character(folder, "hat", 1600)
        motion = Motion(folder, rest, triangles)
        height = np.ptp(rest[:, 1])
        low = rest[:, 1].min() + 0.2 * height
        centre = rest[rest[:, 1] < low].mean(axis=0)
        pose = bent(rest, [centre[0], low, centre[2]], [0, 1, 0], [1, 0, 0.3], 0.8 * height, 2.2)
        frames, _, report = motion.run([motion.rest_file, motion.pose("tipped", pose)], [0, 1],
                                       "--swing", 0.3)
        strip("huang-11.png", [picked(frames, 4)], triangles, titles=["(a)", "(b)", "(c)", "(d)"])
        print("huang 11:", report["summary"]["quality"]["motion"])


def huang_12():
    """Trunk down to rest: without vibration, and with low frequencies."""
    with tempfile.TemporaryDirectory() as folder:
        rest, triangles, _ = character(folder, "elephant", 6000)
        motion = Motion(folder, rest, triangles)
        _, lowered, _ = elephant_poses(rest)
        poses = [motion.pose("lowered", lowered), motion.rest_file]
        direct, _, _ = motion.run(poses, [0, 1], *DIRECT)
        lively, _, _ = motion.run(poses, [0, 1], "--swing", 1, "--frequency", "0:0,11:0,12:-1,79:-1")
        strip("huang-12.png", [picked(direct, 6), picked(lively, 6)], triangles,
              ["η = μ = −1", "low modes swing"], turn=0.9, width=1.7)


def huang_13():
    """A stick thrown in a parabola: all modes damped alike, and the twisting one more."""
    with tempfile.TemporaryDirectory() as folder:
        rest, triangles = stick()
        motion = Motion(folder, rest, triangles)
        first = bent(twisted(rest, [0, 0.06, 0.06], [1, 0, 0], 1, 2.2), [0, 0.06, 0.06], [1, 0, 0],
                     [0, 1, 0], 1, 1.5)
        last = rest @ np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1.0]]).T + [1.6, -0.4, 0]
        poses = [motion.pose("thrown", first), motion.pose("landed", last)]
        options = ["--barycentre", "ballistic", "--young", "2e4", "--frequency", 0]
        frames, _, report = motion.run(poses, [0, 0.8], *options, "--damping", -0.95)
        modal = np.array([f["modal"] for f in report["frames"]])
        twist = twisting_mode(modal, motion, rest)
        curve = ",".join("0.4" if k == twist else "-0.95" for k in range(modal.shape[1]))
        calmer, _, _ = motion.run(poses, [0, 0.8], *options, "--damping", curve)
        strip("huang-13.png", [picked(frames, 8), picked(calmer, 8)], triangles,
              ["μ = −0.95", f"mode {twist + 1}: μ = 0.4"], turn=0.2, tilt=0.1, width=1.6)


def twisting_mode(modal, motion, rest):
    """The mode that a twist of the stick excites most."""
    pose = motion.pose("twist", twisted(rest, [0, 0.06, 0.06], [1, 0, 0], 1, 1))
    _, _, report = motion.run([motion.rest_file, pose], [0, 1], "--young", "2e4", fps=1)
    return int(np.abs(report["frames"][-1]["modal"]).argmax())


def huang_table_1():
    """Sizes and times, a row a model, beside the paper's."""
    print("| model | vertices | nodes | tets | modes | eigen., s | setup, s | frames a second |")
    for name, vertices, modes in (("jelly-box", 500, 50), ("hat", 1600, 50), ("elephant", 9000, 50),
                                  ("flubber", 17000, 100), ("dino", 10000, 100), ("brain", 10000, 100),
                                  ("dino", 20000, 50)):
        with tempfile.TemporaryDirectory() as folder:
            rest, triangles, _ = character(folder, name, vertices)
            motion = Motion(folder, rest, triangles)
            size = np.ptp(rest, axis=0)
            pose = motion.pose("pose", bent(rest, rest.mean(axis=0), [0, 1, 0], [1, 0, 0],
                                            0.5 * size[1], 1.2))
            _, _, report = motion.run([motion.rest_file, pose], [0, 2], "--modes", modes, "--swing",
                                      0.3, "--no-check")
            seconds = report["summary"]["seconds"]
            print(f"| {name} | {len(rest)} | {report['nodes']} | "
                  f"{report.get('tets', report.get('triangles'))} | {report['modes']} | "
                  f"{seconds['eigen']:.2f} | {seconds['setup']:.2f} | "
                  f"{report['summary']['frames'] / seconds['frames']:.0f} |")


FIGURES = (huang_1, huang_2, huang_3, huang_4, huang_6, huang_7, huang_8, huang_9, huang_10, huang_11,
           huang_12, huang_13, huang_table_1)
