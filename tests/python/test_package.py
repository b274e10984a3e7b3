"""The package: installed by pip into a new environment, copied, pickled, and kind to other threads."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import zipfile

import numpy as np
import pytest

limber = pytest.importorskip("limber")

ROOT = pathlib.Path(__file__).resolve().parents[2]


def small_bar():
    return limber.bar([1, 0.2, 0.2], [5, 1, 1])


@pytest.fixture(scope="module")
def body():
    return limber.bake(small_bar(), {"young": 2e5}, fixed="x<=0.001", modes=6)


def test_the_version_is_the_project_s():
    assert f"project(limber VERSION {limber.__version__} " in (ROOT / "CMakeLists.txt").read_text()


COPIES = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "deepcopy": copy.deepcopy, "copy": copy.copy}


@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES.keys())
def test_meshes_materials_and_bodies_are_copied_whole(again, body):
    mesh = limber.TetMesh(small_bar().V, small_bar().T, list(range(30)))
    twin = again(mesh)
    assert np.array_equal(twin.V, mesh.V) and np.array_equal(twin.T, mesh.T) and twin.regions == mesh.regions
    surface = limber.character("dino", vertices=500)
    twin = again(surface)
    for name in ("V", "F", "colours", "uv", "corner_uv"):
        assert np.array_equal(getattr(twin, name), getattr(surface, name)), name
    assert (twin.face_materials, twin.material_names) == (surface.face_materials, surface.material_names)
    material = limber.Material(young=1 / 3, poisson=0.1, density=7)
    assert again(material) == material
    materials = again(limber.Materials(material, {2: limber.Material(5e5)}))
    assert materials.base == material and materials.by_region == {2: limber.Material(5e5)}
    twin = again(body)
    for name in ("eigenvalues", "modes", "modal_rotations", "rest_positions", "T", "fixed_nodes", "rigid_modes"):
        assert np.array_equal(getattr(twin, name), getattr(body, name)), name
    q = np.linspace(0.1, 0.2, 6)
    assert np.array_equal(twin.deform(q), body.deform(q))


def test_textures_survive_a_pickle(tmp_path):
    surface = limber.read_mesh(ROOT / "tests" / "python" / "textured.obj")
    written = []
    for one in (surface, pickle.loads(pickle.dumps(surface))):
        limber.write_mesh(tmp_path / "a.glb", one)
        written.append((tmp_path / "a.glb").read_bytes())
    assert b"image/png" in written[0] and written[0] == written[1]


def test_reprs_tell_what_it_is(body):
    assert repr(limber.Material()) == "Material(young=1000000.0, poisson=0.33, density=1000.0)"
    materials = limber.Materials(limber.Material(1 / 3), {4: limber.Material()})
    assert eval(repr(materials), vars(limber)).base == materials.base  # noqa: S307
    assert repr(body) == "<limber.Body, 24 nodes, 6 modes, 4 nodes fixed>"
    world = limber.World()
    cube = world.add(small_bar(), name="bar", modes=4)
    assert repr(world) == "<limber.World, 1 bodies, 0 s>"
    assert repr(cube) == '<limber.WorldBody "bar", modal-warping, 24 nodes>'
    assert repr(cube.hold(0, (0, 0, 0))).startswith("<limber.Hold")


def test_an_error_has_its_parts():
    with pytest.raises(limber.Error) as raised:
        limber.read_mesh("nowhere.msh")
    assert raised.value.where == "nowhere.msh" and raised.value.remedy
    assert raised.value.problem in str(raised.value)


class Counter(threading.Thread):
    """Counts whenever Python lets it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.count, self.stopped = 0, False

    def run(self):
        while not self.stopped:
            self.count += 1
            time.sleep(0)


@pytest.fixture
def counter():
    """Python does not take turns by itself here: another thread goes on only when a call lets it."""
    before = sys.getswitchinterval()
    thread = Counter()
    thread.start()
    sys.setswitchinterval(1000)
    yield thread
    thread.stopped = True
    sys.setswitchinterval(before)
    thread.join()


def long_calls(folder):
    mesh = limber.bar([1, 0.2, 0.2], [16, 4, 4])
    surface = limber.character("dino", vertices=2000)
    body = limber.bake(mesh, modes=10)
    world = limber.World()
    world.add_ground()
    falling = world.add(mesh, method="corotational", position=[0, 0.1, 0])
    posed = limber.bend(mesh.V, 1.0)
    w, S = limber.rotation_strain(mesh, posed)
    scene = {"limber": 1, "duration": 0.1, "bodies": [{"shape": "bar", "size": [1, 1, 1], "cells": [2, 2, 2], "modes": 4}]}
    return {
        "bake": lambda: limber.bake(mesh, modes=10),
        "stiffness": lambda: limber.stiffness(mesh),
        "mass": lambda: limber.mass(mesh),
        "gradient_operator": lambda: limber.gradient_operator(mesh),
        "curl_operator": lambda: limber.curl_operator(mesh),
        "bar": lambda: limber.bar([1, 1, 1], [12, 12, 12]),
        "character": lambda: limber.character("dino", vertices=2000),
        "tetrahedralize": lambda: limber.tetrahedralize(surface, cells=10),
        "embed": lambda: limber.embed(limber.bar([1, 1, 1], [4, 4, 4]), surface),
        "write_mesh": lambda: limber.write_mesh(folder / "a.vtu", mesh),
        "read_mesh": lambda: limber.read_mesh(folder / "a.vtu"),
        "boundary_surface": lambda: limber.boundary_surface(mesh),
        "save": lambda: body.save(folder / "a.limber"),
        "load_body": lambda: limber.load_body(folder / "a.limber"),
        "deform": lambda: body.deform(np.ones(10)),
        "pickle": lambda: pickle.dumps(body),
        "add": lambda: limber.World().add(mesh, modes=4),
        "add_obstacle": lambda: limber.World().add_obstacle(surface=surface),
        "step": lambda: world.step(0.01),
        "positions": lambda: falling.positions,
        "surface_positions": lambda: falling.surface_positions,
        "snapshot": world.snapshot,
        "save_world": lambda: world.save(folder / "a.npz"),
        "rotation_strain": lambda: limber.rotation_strain(mesh, posed),
        "reconstruct": lambda: limber.reconstruct(mesh, w, S),
        "interpolate": lambda: limber.interpolate(mesh, [mesh.V, posed], [0, 0.1], modes=4, fps=20),
        "simulate": lambda: limber.simulate(scene),
    }


def test_other_threads_go_on_during_every_long_call(counter, tmp_path):
    """A call that keeps Python to itself never lets the counter on, however often it is tried."""
    waiting = set(calls := long_calls(tmp_path))
    for _ in range(200):
        for name in sorted(waiting, key=list(calls).index):
            before, end = counter.count, time.monotonic() + 0.05  # calls of microseconds, on a busy machine
            while counter.count == before and time.monotonic() < end:
                calls[name]()
            if counter.count > before:
                waiting.discard(name)
        if not waiting:
            return
    pytest.fail(f"these stopped all other threads: {sorted(waiting)}")


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A new virtual environment with Debian's numpy and the package that pip made of this clone."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--system-site-packages", "--without-pip", folder], check=True)
    wheels = folder / "wheels"
    # As in a clone without a network: pip may fetch nothing.
    quiet = ["--quiet", "--no-index", "--disable-pip-version-check"]
    subprocess.run(["/usr/bin/python3", "-m", "pip", "wheel", *quiet, "--no-deps", "-w", wheels, ROOT], check=True,
                   timeout=900)
    (wheel,) = wheels.glob("limber-*.whl")
    subprocess.run(["/usr/bin/python3", "-m", "pip", "--python", folder / "bin" / "python", "install", *quiet, wheel],
                   check=True, timeout=300)
    return folder, wheel


def run_in(environment, *command):
    clean = {"PATH": f"{environment / 'bin'}:/usr/bin:/bin", "HOME": str(environment)}
    return subprocess.run(command, cwd=environment, env=clean, capture_output=True, text=True, check=True, timeout=300)


@pytest.mark.skipif(os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3"),
                    reason="the module is built for Debian's python3")
def test_a_wheel_installs_and_works(environment):
    folder, wheel = environment
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert {"limber/__init__.py", "limber/_limber.pyi", "limber/py.typed", "limber/bin/limber"} <= names
    code = ("import limber, numpy as np; print(limber.__file__, limber.__version__);"
            "m = limber.bar([1, .2, .2], [5, 1, 1]); b = limber.bake(m, fixed=m.V[:, 0] < 1e-3, modes=4);"
            "print(b); print(len(limber.simulate({'limber': 1, 'duration': 0.1, 'bodies': "
            "[{'shape': 'bar', 'size': [1, 1, 1], 'cells': [1, 1, 1], 'modes': 2}]})['frames']))")
    lines = run_in(folder, "python", "-c", code).stdout.splitlines()
    assert lines[0].startswith(str(folder)) and lines[0].endswith(limber.__version__)
    assert lines[1:] == ["<limber.Body, 24 nodes, 4 modes, 4 nodes fixed>", "4"]
    assert limber.__version__ in run_in(folder, "limber", "--version").stdout
