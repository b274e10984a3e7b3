"""The sample animations of tests/export/write_samples.cpp and the motions that they show."""

import fcntl
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LIMBER_BUILD", ROOT / "build" / "release"))
FPS = 30
FRAMES = 31
TIMES = np.arange(FRAMES) / FPS

# Positions are about a metre, so their rounding to single precision is below 2^-24 m; a morph
# target adds two more roundings.
SINGLE = 2e-7


def write_samples(folder):
    program = BUILD / "tests" / "export_samples"
    subprocess.run([program, folder], check=True)
    return pathlib.Path(folder)


def swaying_bar(rest, time):
    """The bar's points: the x axis bent onto a circle of curvature sin(2 pi t)."""
    bend = np.sin(2 * np.pi * time)
    if abs(bend) < 1e-12:
        return rest.copy()
    angle = bend * rest[:, 0]
    radius = 1 / bend + rest[:, 1]
    return np.column_stack([radius * np.sin(angle), radius * np.cos(angle) - 1 / bend, rest[:, 2]])


def flying_ball(rest, time):
    return rest + [0, 0, 0.5 * time]


def install_packages(folder):
    installed = folder / "node_modules" / ".package-lock.json"
    with open(folder / "package-lock.json") as wanted:
        fcntl.flock(wanted, fcntl.LOCK_EX)  # tests run two at a time
        if not installed.exists() or installed.stat().st_mtime < os.fstat(wanted.fileno()).st_mtime:
            subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, check=True)


def node(script, *arguments):
    """Runs a script of tests/web/formats, whose packages are installed when missing or old."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = ROOT / "tests" / "web" / "formats"
    install_packages(folder)
    command = ["node", folder / script, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
