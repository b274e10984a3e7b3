"""Everything that `limber interpolate` can, from Python: the same frames as the command line's."""

import doctest

import numpy as np
import pytest

limber = pytest.importorskip("limber")

MODES = 12
FPS = 10


@pytest.fixture(scope="module")
def mesh():
    return limber.bar([1, 0.12, 0.12], [10, 2, 2])


@pytest.fixture(scope="module")
def poses(mesh):
    middle = [0, 0.06, 0.06]
    bend = lambda angle: limber.bend(mesh.V, angle, origin=middle)
    return {"rest": mesh.V, "half": bend(1.0) + [0.1, 0, 0],
            "bent": limber.bend(limber.twist(mesh.V, 1.0, origin=middle), 2.5, origin=middle)}


@pytest.fixture
def command_frames(program, tmp_path, mesh, poses):
    """Frames that the command line gives for the same poses."""
    for name, V in poses.items():
        limber.write_mesh(tmp_path / f"{name}.msh", limber.TetMesh(V, mesh.T))

    def run(names, *arguments):
        program.ok("interpolate", "rest.msh", *(f"{name}.msh" for name in names), "--modes", MODES,
                   "--fps", FPS, "-o", "motion.npz", *arguments)
        with np.load(tmp_path / "motion.npz") as data:
            return next(data[n] for n in data.files if data[n].ndim == 3 and
                        data[n].shape[1:] == mesh.V.shape)

    return run


# The file's frames are floats: 1e-7 of places up to 2 m.
def same(frames, command):
    assert frames.shape == command.shape
    return np.abs(frames - command).max() < 1e-6


CASES = {
    "plain": ({}, []),
    "a number for all modes": (dict(frequency=0.3, damping=-0.5),
                               ["--frequency", 0.3, "--damping", -0.5]),
    "one number a mode": (dict(frequency=list(np.linspace(-0.5, 0.5, MODES)),
                               damping=np.linspace(-1, 0.5, MODES)),
                          ["--frequency", ",".join(f"{x:.17g}" for x in np.linspace(-0.5, 0.5, MODES)),
                           "--damping", ",".join(f"{x:.17g}" for x in np.linspace(-1, 0.5, MODES))]),
    "curves over the modes": (dict(frequency={0: 0.5, 10: -0.2}, damping={0: -1, 5: 0, 11: 0.5}),
                              ["--frequency", "0:0.5,10:-0.2", "--damping", "0:-1,5:0,11:0.5"]),
    "weights": (dict(weights=(0.8, 0.1, 0.1)), ["--weights", "0.8,0.1,0.1"]),
    "weights as curves": (dict(weights=({0: 0.9, 11: 0.1}, 0.2, {0: 0.05, 11: 0.6})),
                          ["--weights", "0:0.9,11:0.1;0.2;0:0.05,11:0.6"]),
    "Rayleigh damping": (dict(alpha_m=0.3, alpha_k=0.01), ["--alpha-m", 0.3, "--alpha-k", 0.01]),
    "scales": (dict(stiffness_scale=0.25, mass_scale=2, rest_shift=0.4),
               ["--stiffness-scale", 0.25, "--mass-scale", 2, "--rest-shift", 0.4]),
    "unadjusted": (dict(adjust=False), ["--no-adjust"]),
    "ballistic": (dict(barycenter="ballistic", gravity=[0, -3, 0]),
                  ["--barycentre", "ballistic", "--gravity", 0, -3, 0]),
    "linear": (dict(barycenter="linear"), ["--barycentre", "linear"]),
    "a path of its own": (dict(barycenter=([0, 0.5, 2], [[0.5, 0, 0], [0.5, 1, 0], [2, 0, 0]])),
                          ["--barycentre", "0:0.5,0,0;0.5:0.5,1,0;2:2,0,0"]),
    "swinging on": (dict(after=0.7), ["--after", 0.7]),
    "residuals as positions": (dict(residuals="positions"), ["--residuals", "positions"]),
    "held along the keys": (dict(hold=[0, 5]), ["--hold", "nodes:0,5"]),
    "fixed": (dict(fixed=[0, 1, 2]), ["--fix", "nodes:0,1,2"]),
    "a node on its own way": (dict(hold={7: ([0, 2], [[0, 0, 0], [0.3, 0.4, 0]])}),
                              ["--move", "7=0:0,0,0;2:0.3,0.4,0"]),
    "turned": (dict(turn={20: ([0, 2], [[0, 0, 0], [0, 0, 1.5]])}),
               ["--turn", "20=0:0,0,0;2:0,0,1.5"]),
    "turned as in the keys": (dict(turn=[20]), ["--turn", "20"]),
}


@pytest.mark.parametrize("keywords, arguments", CASES.values(), ids=CASES.keys())
def test_controls_do_as_on_the_command_line(mesh, poses, command_frames, keywords, arguments):
    frames = limber.interpolate(mesh, [poses["rest"], poses["bent"]], [0, 2], MODES, FPS, **keywords)
    assert same(frames, command_frames(["rest", "bent"], "--times", "0,2", *arguments))


@pytest.mark.parametrize("trajectory", ["auto", "free", "wiggly"])
def test_several_keys_do_as_on_the_command_line(mesh, poses, command_frames, trajectory):
    names = ["rest", "half", "bent", "rest"]
    frames = limber.interpolate(mesh, [poses[n] for n in names], [0, 0.5, 1.2, 2], MODES, FPS,
                                trajectory=trajectory)
    assert same(frames, command_frames(names, "--times", "0,0.5,1.2,2", "--trajectory", trajectory))


def test_keys_at_rest_do_as_on_the_command_line(mesh, poses, command_frames):
    names = ["rest", "half", "bent"]
    still = np.zeros_like(mesh.V)
    keys = [poses[n] for n in names]
    frames = limber.interpolate(mesh, keys, [0, 1, 2], MODES, FPS, velocities=[still, None, still])
    assert same(frames, command_frames(names, "--still", "0,2"))
    assert not same(frames, command_frames(names))
    finer = limber.interpolate(mesh, keys, [0, 1, 2], MODES, 1000, velocities=[still, None, still],
                               barycenter=([0], [[0.5, 0.06, 0.06]]))
    # From rest a mode of frequency f moves by (2 pi f t)^2/2 of its way, t = 1 ms.
    assert np.abs(finer[1] - finer[0]).max() < 0.02 * np.abs(finer[50] - finer[0]).max()


def test_inserted_keys_do_as_on_the_command_line(mesh, poses, command_frames):
    keys = [poses["rest"], poses["bent"]]
    frames = limber.interpolate(mesh, keys, [0, 1], MODES, FPS, insert={0.4: poses["half"]})
    assert same(frames, command_frames(["rest", "bent"], "--insert", "0.4=half.msh"))
    assert np.abs(frames[4] - poses["half"]).max() < 1e-9
    pairs = limber.interpolate(mesh, keys, [0, 1], MODES, FPS, insert=[(0.4, poses["half"])])
    assert (pairs == frames).all()


@pytest.mark.parametrize("gamma", [0, 0.3, 1])
def test_given_motions_do_as_on_the_command_line(mesh, poses, command_frames, gamma):
    names = ["rest", "half", "bent"]
    frames = limber.interpolate(mesh, [poses[n] for n in names], [0, 0.5, 1], MODES, FPS, gamma=gamma)
    assert same(frames, command_frames(names, "--times", "0,0.5,1", "--gamma", gamma))
    if gamma == 0:
        assert np.abs(frames[5] - poses["half"]).max() < 1e-9


def test_carried_surfaces_do_as_on_the_command_line(mesh, program, tmp_path):
    skin = limber.boundary_surface(limber.bar([1, 0.12, 0.12], [16, 3, 3]))
    bent, half = (limber.bend(skin.V, angle, origin=[0, 0.06, 0.06]) for angle in (2.0, 0.8))
    limber.write_mesh(tmp_path / "bar.msh", mesh)
    for name, V in [("skin", skin.V), ("bent", bent), ("half", half)]:
        limber.write_mesh(tmp_path / f"{name}.ply", limber.TriMesh(V, skin.F))
    program.ok("interpolate", "bar.msh", "skin.ply", "bent.ply", "--surface", "skin.ply", "--insert",
               "0.4=half.ply", "--modes", MODES, "--fps", FPS, "-o", "skin.npz")
    with np.load(tmp_path / "skin.npz") as data:
        command = next(data[n] for n in data.files if data[n].ndim == 3 and
                     data[n].shape[1] == len(skin.V))
    frames = limber.interpolate(mesh, [skin.V, bent], [0, 1], MODES, FPS, surface=skin,
                                insert={0.4: half})
    assert frames.shape == command.shape
    assert np.abs(frames - command).max() < 1e-5  # the poses went through files of floats
    assert np.abs(frames[-1] - bent).max() < 1e-9
    assert np.abs(frames[4] - half).max() < 1e-9


def test_nodes_and_regions_go_where_they_are_sent(mesh, poses):
    places = [[0, 0, 0], [0.1, 0.3, 0]]
    frames = limber.interpolate(mesh, [poses["rest"], poses["bent"]], [0, 1], MODES, FPS,
                                hold={7: ([0, 1], places)})
    assert np.allclose(frames[:, 7], np.linspace(*places, FPS + 1))
    straight = limber.interpolate(mesh, [poses["rest"], poses["bent"]], [0, 1], MODES, FPS,
                                  barycenter=([0, 1], [[0, 0, 0], [3, 0, 0]]))
    middle = straight[:, mesh.T].mean(axis=2).mean(axis=1)  # tets of one volume
    assert np.allclose(middle, np.linspace([0, 0, 0], [3, 0, 0], FPS + 1))


@pytest.mark.parametrize("keywords, words", [
    (dict(insert={2.0: None}), "insert"),
    (dict(insert={1.5: "pose"}), "between"),
    (dict(gamma=2), "gamma"),
    (dict(barycenter="magic"), "barycenter"),
    (dict(barycenter=([0, 0], [[0, 0, 0]] * 2)), "later"),
    (dict(weights=(1, 2)), "weights"),
    (dict(weights=(-1, 0, 0)), "weight"),
    (dict(hold=[99999]), "99999"),
    (dict(hold=[3], fixed=[3]), "node 3"),
    (dict(velocities=[None]), "velocities"),
    (dict(after=-1), "behind"),
    (dict(frequency={3: 0.1, 4: 2}), "frequency"),
    (dict(thickness=0.1), "thickness"),
    (dict(frequncy=0.1), "frequncy"),
    (dict(residuals="none"), "residuals"),
])
def test_bad_keywords_are_refused_in_words(mesh, poses, keywords, words):
    if keywords.get("insert") == {1.5: "pose"}:
        keywords = dict(insert={1.5: poses["half"]})
    with pytest.raises((limber.Error, TypeError), match=words):
        limber.interpolate(mesh, [poses["rest"], poses["bent"]], [0, 1], 5, FPS, **keywords)


def test_the_examples_of_the_docstring_hold():
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    text = limber.interpolate.__doc__
    runner.run(parser.get_doctest(text, {"limber": limber}, "interpolate", None, 0))
    assert runner.tries >= 5 and runner.failures == 0
