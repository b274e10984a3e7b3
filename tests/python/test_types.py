"""The stub against the compiled module, a type checker over all of it, docstrings, and their examples."""

import ast
import doctest
import inspect
import json
import pathlib
import re
import subprocess
import sys

import pytest

limber = pytest.importorskip("limber")
import limber._limber as compiled  # noqa: E402
import limber._program  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings" / "python" / "limber"
STUB = ast.parse((PACKAGE / "_limber.pyi").read_text())
SCHEMA = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
ALIASES = {"Floats", "Ints", "Path", "Array", "Nodes", "NodeOrPoint", "Numbers", "Keys", "NodePaths", "AnyMaterial", "Arrays",
           "Method"}


def definitions(body):
    """{name: list of its definitions} of functions, classes and variables."""
    found = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.AnnAssign):
            found.setdefault(node.target.id, []).append(node)
    return found


FUNCTIONS = {name: nodes for name, nodes in definitions(STUB.body).items() if isinstance(nodes[0], ast.FunctionDef)}
CLASSES = {name: nodes[0] for name, nodes in definitions(STUB.body).items() if isinstance(nodes[0], ast.ClassDef)}


def arguments_of(text):
    """{name: default or None} of `name(a: T = 1, *, b)` as Python or pybind11 writes it."""
    start = text.index("(")
    depth, parts, part = 0, [], ""
    for letter in text[start:]:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if depth == 0:
            break
        if letter == "," and depth == 1:
            parts.append(part)
            part = ""
        elif not (letter == "(" and depth == 1 and not part and not parts):
            part += letter
    found = {}
    for one in filter(None, map(str.strip, [*parts, part])):
        name, _, default = one.partition("=")
        found[name.split(":")[0].strip().lstrip("*")] = default.strip() or None
    found.pop("", None)
    return found


def stub_arguments(node):
    arguments = node.args
    every = [*arguments.args, *arguments.kwonlyargs]
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults + arguments.kw_defaults
    return {one.arg: None if default is None else ast.unparse(default) for one, default in zip(every, defaults)}


def same_default(stub, real):
    if stub == "...":  # of arrays and materials, which pybind11 writes out
        return real is not None
    if (stub is None) != (real is None):
        return False
    return stub is None or ast.literal_eval(stub) == ast.literal_eval(real)


def signatures(function):
    """Of each overload, from the docstring."""
    lines = function.__doc__.splitlines()
    if "Overloaded function." in lines[:2]:
        return [re.sub(r"^\d+\. ", "", line) for line in lines if re.match(r"\d+\. ", line)]
    return [function.__doc__]


def test_every_name_of_the_module_is_in_the_stub_and_no_other():
    real = {name for name in vars(compiled) if not name.startswith("_")}
    assert real == set(definitions(STUB.body)) - {"__version__"}


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_the_stub_s_members(name):
    ordinary = {"__init__", "__repr__", "__getstate__", "__setstate__", "__eq__"}
    real = {member for member in vars(getattr(limber, name)) if not member.startswith("_")}
    if name == "Error":
        return  # its attributes are set when it is raised
    stub = {member for member in definitions(CLASSES[name].body) if member not in ordinary}
    if name == "Scene":  # the same as World's
        real -= {"time"}
    assert real == stub


def pairs():
    for name, nodes in FUNCTIONS.items():
        yield name, getattr(limber, name), nodes
    for owner, node in CLASSES.items():
        for name, nodes in definitions(node.body).items():
            member = getattr(getattr(limber, owner), name, None)
            decorated = isinstance(nodes[0], ast.FunctionDef) and any(
                getattr(one, "id", "") == "property" for one in nodes[0].decorator_list)
            if isinstance(nodes[0], ast.FunctionDef) and not decorated:
                yield f"{owner}.{name}", member, nodes


@pytest.mark.parametrize("function, nodes", [pytest.param(f, n, id=name) for name, f, n in pairs()])
def test_help_shows_the_arguments_and_defaults_of_the_stub(function, nodes):
    shown = [arguments_of(text) for text in signatures(function)]
    for node in nodes:
        wanted = stub_arguments(node)
        wanted.pop("self", None)

        def fits(real):
            real = {name: value for name, value in real.items() if name not in ("self", "arg0", "keys")}
            return set(real) == set(wanted) and all(same_default(wanted[name], real[name]) for name in wanted)

        positional = nodes[0].name == "__init__" and "values" in wanted  # Material({...})
        assert positional or any(map(fits, shown)), (wanted, shown)


@pytest.mark.parametrize("name, function", [(name, f) for name, f, _ in pairs() if not name.endswith("__init__")])
def test_everything_says_what_it_does(name, function):
    text = "\n".join(function.__doc__.splitlines()[1:]).strip()
    assert len(text) > 3 or "Overloaded" in function.__doc__, name
    assert " object at 0x" not in function.__doc__, name


def test_properties_say_what_they_are():
    silent = [f"{owner}.{name}" for owner in CLASSES for name, member in vars(getattr(limber, owner)).items()
              if isinstance(member, property) and not member.__doc__]
    assert silent in ([], ["WorldBody.name"]), silent


@pytest.mark.parametrize("method, keys", [
    ("add", SCHEMA["$defs"]["body"]["properties"]), ("add_ground", SCHEMA["properties"]["ground"]["properties"]),
    ("add_obstacle", SCHEMA["$defs"]["obstacle"]["properties"]), ("add_joint", SCHEMA["$defs"]["joint"]["properties"]),
    ("set_contact", SCHEMA["properties"]["contact"]["properties"])])
def test_keys_of_worlds_are_keys_of_scenes_with_their_defaults(method, keys):
    node = definitions(CLASSES["World"].body)[method][0]
    for name, default in stub_arguments(node).items():
        if name in ("self", "body"):
            continue
        assert name in keys, name
        if "default" in keys[name]:
            stub = ast.literal_eval(default)
            assert list(stub) == keys[name]["default"] if isinstance(stub, tuple) else stub == keys[name]["default"]


def test_a_type_checker_has_no_finding():
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir=/dev/null",
                          "bindings/python/limber", "bindings/python/limber_build.py",
                          *(str(path) for path in sorted((ROOT / "examples" / "python").glob("*.py"))
                            if path.name != "wobble.py")],  # which is about ctypes
                         cwd=ROOT, env={"MYPYPATH": "bindings/python", "PATH": "/usr/bin:/bin"}, capture_output=True,
                         text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_checker_sees_wrong_types(tmp_path):
    (tmp_path / "wrong.py").write_text("import limber\nlimber.World().add('a mesh', method='magic')\n")
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", str(tmp_path / "wrong.py")],
                         cwd=ROOT, env={"MYPYPATH": "bindings/python", "PATH": "/usr/bin:/bin"}, capture_output=True,
                         text=True, check=False, timeout=300)
    assert run.returncode == 1 and run.stdout.count("[arg-type]") == 2, run.stdout


def documented():
    yield "limber", limber
    for name in limber.__all__:
        thing = getattr(limber, name)
        yield name, thing
        if inspect.isclass(thing):
            yield from ((f"{name}.{key}", member) for key, member in vars(thing).items() if callable(member))


def test_examples_in_docstrings_hold():
    runner, names = doctest.DocTestRunner(), []
    for name, thing in documented():
        text = getattr(thing, "__doc__", None)
        if text and ">>> " in text:
            runner.run(doctest.DocTestParser().get_doctest(text, {}, name, None, 0))
            names.append(name)
    assert runner.failures == 0 and runner.tries >= 15
    assert {"limber", "World.add", "interpolate", "simulate"} <= set(names)
