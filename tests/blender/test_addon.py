"""The add-on inside Blender, where it is installed: each check is a function of tests/blender/inside."""

import ast
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

from places import BUILD, ROOT

BLENDER = shutil.which("blender")
INSIDE = pathlib.Path(__file__).parent / "inside"
ADDON = ROOT / "bindings" / "blender"
needs_blender = pytest.mark.skipif(BLENDER is None, reason="Blender is not installed (apt-get install blender)")


def checks():
    for path in sorted(INSIDE.glob("check_*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("check_"):
                yield pytest.param(path.stem, node.name, id=node.name)


def run_inside(folder, *arguments, script=INSIDE / "run.py", **environment):
    scripts = folder / "scripts"
    (scripts / "addons").mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        [BLENDER, "-b", "--factory-startup", "--python-exit-code", "1", "-t", "1", "--python", str(script), "--",
         *map(str, arguments)],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "LIMBER": str(BUILD / "limber"), "LIMBER_ADDON": str(ADDON), "PYTHONDONTWRITEBYTECODE": "1",
             "BLENDER_USER_SCRIPTS": str(scripts), "BLENDER_USER_CONFIG": str(folder / "config"), **environment})


@needs_blender
@pytest.mark.parametrize("module, check", checks())
def test_inside_blender(module, check, tmp_path):
    result = run_inside(tmp_path, module, check)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    assert f"{check}: passed" in result.stdout


@needs_blender
def test_the_zip_installs_and_bakes(tmp_path):
    archive = make_zip(tmp_path / "limber_blender.zip")
    result = run_inside(tmp_path, archive, BUILD / "limber", script=INSIDE / "install_zip.py", LIMBER="")
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    assert "the zip: passed" in result.stdout


def make_zip(path):
    subprocess.run([sys.executable, str(ADDON / "make_zip"), str(path)], check=True, timeout=60, capture_output=True)
    return path


def test_the_zip_holds_every_module_and_the_licence(tmp_path):
    first = make_zip(tmp_path / "a.zip")
    names = zipfile.ZipFile(first).namelist()
    assert set(names) == {f"limber_blender/{p.name}" for p in (ADDON / "limber_blender").glob("*.py")} | {
        "limber_blender/LICENSE"}
    assert first.read_bytes() == make_zip(tmp_path / "b.zip").read_bytes()


def test_modules_compile_and_are_short():
    for path in sorted((ADDON / "limber_blender").glob("*.py")):
        source = path.read_text()
        ast.parse(source)
        assert len(source.splitlines()) <= 300, path.name
