"""Shared by the command-line and Python tests: where the build is, and how to call the program."""

import json
import subprocess
import sys

import pytest
from places import BUILD, ROOT

sys.path.insert(0, str(BUILD / "python"))


class Program:
    """The built `limber` with its output as text."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, timeout=120):
        return subprocess.run(
            [str(BUILD / "limber"), *map(str, arguments)],
            cwd=self.folder, capture_output=True, text=True, timeout=timeout, check=False,
        )

    def ok(self, *arguments):
        result = self(*arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.ok(*arguments))

    def refuses(self, *arguments, code=2):
        """The one line of an error; fails when there is none or more than one."""
        result = self(*arguments)
        assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
        lines = result.stderr.splitlines()
        assert len(lines) == 1, result.stderr
        assert lines[0].startswith("limber: error: "), result.stderr
        return lines[0]


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def bar_scene(tmp_path):
    """Writes a scene of one small bar; keyword arguments change the body."""

    def write(scene=None, name="scene.json", **body):
        description = {
            "limber": 1, "gravity": [0, -9.81, 0], "time_step": 0.01, "duration": 0.1,
            "bodies": [{
                "name": "bar", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [10, 2, 2],
                "material": {"young": 2e5, "poisson": 0.3, "density": 1000},
                "fixed": ["x<=0.001"], "modes": 8, "probes": {"tip": [1, 0.1, 0.1]}, **body,
            }],
            **(scene or {}),
        }
        path = tmp_path / name
        path.write_text(json.dumps(description))
        return path

    return write
