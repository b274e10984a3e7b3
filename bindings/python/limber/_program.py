"""The program's commands as functions: they run the `limber` that comes with this package."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any, Iterable, Mapping, Sequence, Union

from ._limber import Error

Path = Union[str, "os.PathLike[str]"]
SceneSource = Union[Path, Mapping[str, Any]]


def program() -> pathlib.Path:
    """Where the program is: inside an installed package, or beside the folder of a build."""
    here = pathlib.Path(__file__).resolve().parent
    for place in (here / "bin" / "limber", here.parents[1] / "limber"):
        if place.is_file():
            return place
    raise Error(f"there is no program ({here}): build the target limber_program, or install the package again")


def main() -> None:
    """The command `limber` of an installed package."""
    os.execv(program(), ["limber", *sys.argv[1:]])


def _run(*arguments: object) -> None:
    done = subprocess.run([program(), "--quiet", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"the program ended with {done.returncode} (limber): report this"]
        raise Error(lines[-1].removeprefix("limber: error: "))


def _with_paths_from_here(description: Mapping[str, Any]) -> dict[str, Any]:
    """Files that a description names, from the present folder on."""
    scene = dict(description)
    for kind, keys in (("bodies", ("mesh", "body", "surface")), ("obstacles", ("surface",))):
        if kind in scene:
            scene[kind] = [{key: os.path.abspath(value) if key in keys and isinstance(value, str) else value
                            for key, value in thing.items()} for thing in scene[kind]]
    return scene


class _SceneFile:
    """The path of a scene; of a description, that of a file which lives as long as the `with`."""

    def __init__(self, scene: SceneSource) -> None:
        self._scene = scene
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> str:
        if not isinstance(self._scene, Mapping):
            return os.fspath(self._scene)
        self._folder = tempfile.TemporaryDirectory(prefix="limber-")
        path = pathlib.Path(self._folder.name) / "scene.json"
        path.write_text(json.dumps(_with_paths_from_here(self._scene)))
        return str(path)

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _options(**values: object) -> list[object]:
    """--name VALUE for what is given, --name for True."""
    words: list[object] = []
    for name, value in values.items():
        if value is None or value is False or value == ():
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(",".join(map(str, value)) if isinstance(value, (tuple, list)) else value)
    return words


def _size(size: tuple[int, int] | None) -> str | None:
    return None if size is None else f"{size[0]}x{size[1]}"


def simulate(scene: SceneSource, output: Path | Iterable[Path] = (), *, frames: int | None = None,
             settle: bool = False) -> dict[str, Any]:
    """Runs a scene as `limber simulate` does and gives its report.

    scene: a scene file, or its keys as a dictionary, with files named from the present folder
    output: animations to write, by their endings: .glb .mdd .pc2 .pvd .usda .npz
    frames: stop after so many, the first included; settle: find the rest under the loads of time 0

    >>> import limber
    >>> bar = {"shape": "bar", "size": [1, 0.2, 0.2], "cells": [5, 1, 1], "fixed": ["x<=0.001"], "modes": 4,
    ...        "name": "bar", "probes": {"tip": [1, 0.2, 0.2]}}
    >>> report = limber.simulate({"limber": 1, "duration": 0.2, "bodies": [bar]})
    >>> len(report["frames"]), report["frames"][0]["bodies"][0]["probes"]["tip"]
    (7, [1.0, 0.2, 0.2])
    """
    outputs = [output] if isinstance(output, (str, os.PathLike)) else list(output)
    with _SceneFile(scene) as path, tempfile.TemporaryDirectory(prefix="limber-") as folder:
        report = pathlib.Path(folder) / "report.json"
        named = [word for one in outputs for word in ("-o", os.fspath(one))]
        _run("simulate", path, *named, "--report", report, *_options(frames=frames, settle=settle))
        result: dict[str, Any] = json.loads(report.read_text())
        return result


def render(scene: SceneSource, output: Path, *, time: float = 0.0, settle: bool = False,
           methods: Sequence[str] = (), apart: bool = False, camera: Sequence[float] = (),
           frame: str = "motion", colour: str = "plain", rest: bool = False, edges: bool = False,
           labels: bool = True, size: tuple[int, int] | None = None, samples: int | None = None) -> pathlib.Path:
    """Draws a scene as `limber render` does, without a display, and gives the picture's path.

    output: .png, or a film (.mp4 .webm .gif …) where ffmpeg is installed
    time: of a picture, s; settle: at rest under the loads of time 0 instead
    methods: the same scene by several, each in its colour; apart: side by side
    camera: azimuth, elevation and zoom in degrees, or eye and target; frame: "motion" or "moment"
    colour: "plain", "displacement" or "volume"; rest, edges, labels: what else is drawn
    size: width and height in pixels; samples: rays a pixel at most
    """
    with _SceneFile(scene) as path:
        _run("render", path, "-o", os.fspath(output), "--time", time,
             *_options(settle=settle, methods=tuple(methods), apart=apart, camera=tuple(camera), frame=frame,
                       colour=colour, rest=rest, edges=edges, no_labels=not labels, size=_size(size),
                       samples=samples))
    return pathlib.Path(output)


def compare(scene: SceneSource, output: Path, *, methods: Sequence[str] = ("linear-modal", "modal-warping"),
            truth: str | None = "stvk", rest: bool = True, motion: bool = True, frames: int | None = None,
            pictures: bool = True, apart: bool = False, size: tuple[int, int] | None = None,
            samples: int | None = None) -> dict[str, Any]:
    """The same scene by several methods as `limber compare` does; gives what comparison.json holds.

    output: the folder for tables, charts and pictures
    truth: the method that errors are against, or None
    rest, motion: whether to compare the equilibrium and the motion; frames: of the motion, at most
    """
    if not (rest or motion):
        raise Error("neither rest nor motion (compare): leave one of them True")
    with _SceneFile(scene) as path:
        _run("compare", path, "-o", os.fspath(output), "--truth", truth or "none",
             *_options(methods=tuple(methods), rest_only=not motion, motion_only=not rest, frames=frames,
                       no_pictures=not pictures, apart=apart, size=_size(size), samples=samples))
    result: dict[str, Any] = json.loads((pathlib.Path(output) / "comparison.json").read_text())
    return result
