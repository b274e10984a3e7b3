"""No report holds a number that is not finite: one line and exit 1 instead of null."""

import json

import pytest

FORCES = ["1e100", "1e150", "1e200", "1e250", "1e300"]


def pushed(bar_scene, method, newton, **body):
    return bar_scene(method=method, forces=[{"nodes": "x>=0.999", "force": [0, float(newton), 0]}],
                     **body)


def finite_or_refused(program, scene, *more):
    result = program("simulate", scene, "--report", "r.json", *more)
    if result.returncode == 0:
        text = (program.folder / "r.json").read_text()
        assert "null" not in text and "NaN" not in text and "Infinity" not in text
        json.loads(text)
    else:
        assert result.returncode == 1, result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert not (program.folder / "r.json").exists()
    return result


@pytest.mark.parametrize("method", ["linear-modal", "modal-warping", "rotation-strain", "reduced"])
def test_modal_methods_under_any_force(program, bar_scene, method):
    for force in FORCES:
        finite_or_refused(program, pushed(bar_scene, method, force))


def test_free_bar_with_the_semi_implicit_integrator(program, bar_scene):
    scene = pushed(bar_scene, "linear-modal", 1e9, fixed=[], integrator="semi-implicit")
    finite_or_refused(program, scene)


@pytest.mark.parametrize("method", ["linear-modal", "modal-warping", "rotation-strain", "reduced",
                                    "linear", "stiffness-warping", "corotational", "stvk",
                                    "neo-hookean"])
def test_forces_beyond_the_range_of_numbers_are_named(program, bar_scene, method):
    # `reduced` once stood still under them and ended with 0: its residual is nothing beside infinity.
    result = finite_or_refused(program, pushed(bar_scene, method, 1e300))
    assert result.returncode == 1 and "too large to compute with" in result.stderr
