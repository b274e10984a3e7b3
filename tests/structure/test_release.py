"""One version everywhere, and a program that tells how it was built."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(limber VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]


def test_the_version_is_the_same_everywhere():
    header = (ROOT / "bindings" / "c" / "include" / "limber" / "limber.h").read_text()
    assert ".".join(re.findall(r"#define LIMBER_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)) == VERSION
    assert f"version: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()
    addon = (ROOT / "bindings" / "blender" / "limber_blender" / "__init__.py").read_text()
    assert f'"version": ({VERSION.replace(".", ", ")})' in addon
    assert re.search(rf"^## \[{VERSION}\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


def test_the_program_tells_its_build(program):
    told = program.ok("--version").strip()
    assert re.fullmatch(rf"limber {VERSION} \((SSE2|AVX2|AVX3\w*|NEON\w*) lanes, (no )?CHOLMOD, (GCC|Clang) [\d.]+\)", told), told
    cache = (ROOT / "build" / "release" / "CMakeCache.txt")
    if cache.exists():
        with_cholmod = "LIMBER_CHOLMOD:BOOL=ON" in cache.read_text()
        assert ("no CHOLMOD" not in told) == with_cholmod


def test_the_release_script_says_how_it_is_used():
    told = subprocess.run(["scripts/release"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 2 and "--make" in told.stderr and "wheel" in told.stderr
