"""The schema describes every scene that ships, and says no where the program does."""

import copy
import json
import pathlib

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
SCENES = sorted((ROOT / "scenes").glob("**/*.json"))


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_there_are_scenes():
    assert SCENES


@pytest.mark.parametrize("path", SCENES, ids=lambda p: p.stem)
def test_scene_follows_the_schema(path):
    jsonschema.validate(json.loads(path.read_text()), SCHEMA, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize("path", SCENES, ids=lambda p: p.stem)
def test_scene_runs(path, program, tmp_path):
    program.ok("simulate", path, "--frames", 2, "--report", tmp_path / "report.json")


BROKEN = [
    lambda s: s.pop("limber"),
    lambda s: s.update(limber=2),
    lambda s: s.update(gravty=[0, 0, 0]),
    lambda s: s.update(time_step=0),
    lambda s: s.update(bodies=[]),
    lambda s: s["bodies"][0].update(method="magic"),
    lambda s: s["bodies"][0].update(modes=0),
    lambda s: s["bodies"][0].update(material={"young": -1}),
    lambda s: s["bodies"][0].update(material={"poisson": 0.5}),
    lambda s: s["bodies"][0].update(damping={"mass": -1}),
    lambda s: s["bodies"][0].update(painted_young=[1e4]),
    lambda s: s["bodies"][0].update(support=[{"time": 0, "rotation": [0, 0, 1]}]),
    lambda s: s["bodies"][0].update(forces=[{"nodes": "x>=0"}]),
    lambda s: s["bodies"][0].update(constraints=[{"type": "position", "node": 1, "path": []}]),
    lambda s: s["bodies"][0].update(probes={"tip": "x"}),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_schema_and_program_refuse_the_same(number, program, bar_scene):
    scene = json.loads(bar_scene().read_text())
    jsonschema.validate(scene, SCHEMA, cls=jsonschema.Draft202012Validator)
    broken = copy.deepcopy(scene)
    BROKEN[number](broken)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA, cls=jsonschema.Draft202012Validator)
    path = program.folder / "broken.json"
    path.write_text(json.dumps(broken))
    program.refuses("simulate", path)
