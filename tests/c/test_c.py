"""liblimber from C and from Python: what interface.c checks, the examples, and what the linker sees."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = (ROOT / "bindings/c/include/limber/limber.h").read_text()
RELEASE = ROOT / "build" / "release"
FOLDERS = {"release": RELEASE / "c", "sanitizers": ROOT / "build" / "asan" / "c"}
LIBRARY = FOLDERS["release"] / "liblimber.so"


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600,
                            check=False, **options)
    assert result.returncode == 0, f"{result.stdout[-3000:]}\n{result.stderr[-5000:]}"
    return result.stdout


@pytest.fixture(scope="session")
def baked(tmp_path_factory):
    """A bar that stands on one end, and beside it a free one."""
    folder = tmp_path_factory.mktemp("baked")
    sys.path.insert(0, str(RELEASE / "python"))
    import limber
    mesh = limber.bar([0.3, 1, 0.3], [3, 8, 3])
    material = limber.Material(young=2e5)
    limber.bake(mesh, material, fixed="y<=0.001", modes=10).save(str(folder / "bar.limber"))
    limber.bake(mesh, material, modes=10).save(str(folder / "free.limber"))
    return folder / "bar.limber"


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_interface_keeps_its_promises(kind, baked):
    assert run(FOLDERS[kind] / "c_interface", baked, baked.with_name("free.limber")) == "all well\n"


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_example_in_c_runs(kind, baked):
    places = run(FOLDERS[kind] / "c_wobble", baked).splitlines()
    assert len(places) == 6
    assert all(len(line.split()) == 3 for line in places)


def test_the_example_in_python_runs(baked):
    text = run(sys.executable, ROOT / "examples/python/wobble.py", baked,
               env={**os.environ, "LIMBER_LIBRARY": str(LIBRARY)})
    assert "10 modes" in text


def read_ppm(path):
    data = path.read_bytes()
    width, height = map(int, re.match(rb"P6\n(\d+) (\d+)\n255\n", data).groups())
    return width, height, data[-3 * width * height:]


def test_the_loop_without_an_engine_draws_frames(baked, tmp_path):
    run(FOLDERS["release"] / "c_frames", baked, tmp_path, 12)
    pictures = [read_ppm(path) for path in sorted(tmp_path.glob("*.ppm"))]
    assert len(pictures) == 12 and len({p[2] for p in pictures}) == 12  # each differs: they move
    width, height, pixels = pictures[0]
    green = sum(pixels[k + 1] > pixels[k] + 10 and pixels[k + 1] > pixels[k + 2] + 10
                for k in range(0, len(pixels), 3))
    orange = sum(pixels[k] > pixels[k + 2] + 10 and pixels[k] > pixels[k + 1] + 10
                 for k in range(0, len(pixels), 3))
    assert green > 0.02 * width * height and orange > 0.02 * width * height  # both bodies are seen


def test_the_linker_sees_what_the_header_declares():
    declared = set(re.findall(r"LIMBER_API [^;(]*?\b(limber_\w+)\(", HEADER))
    symbols = run("nm", "-D", "--defined-only", LIBRARY).split("\n")
    exported = {line.split()[-1] for line in symbols if line}
    assert len(declared) > 30
    assert exported == declared


def test_the_library_needs_no_c_plus_plus_of_the_system():
    needed = run("readelf", "-d", LIBRARY)
    assert "libhwy" in needed
    assert "libstdc++" not in needed and "libfmt" not in needed


def test_no_memory_changes_hands_with_the_system():
    """What libc allocates for its caller would be released by the allocator hook."""
    undefined = run("nm", "-D", "--undefined-only", LIBRARY)
    wrapped = re.search(r"set\(wrapped (.*)\)", (ROOT / "bindings/c/CMakeLists.txt").read_text()).group(1)
    givers = "strdup strndup realpath getcwd getline getdelim asprintf vasprintf open_memstream".split()
    found = {name for name in givers if re.search(rf"\b{name}@", undefined)}
    assert found <= set(wrapped.split())


def test_every_function_of_the_header_is_told_of():
    page = (ROOT / "docs" / "c-interface.md").read_text()
    declared = set(re.findall(r"LIMBER_API [^;(]*?\b(limber_\w+)\(", HEADER))
    told = {name for name in declared if name in page or f"`_{name.split(chr(95), 2)[2]}`" in page}
    assert told == declared
