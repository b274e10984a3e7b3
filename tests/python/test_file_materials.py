"""Materials that .veg and .vtu files give are used, and whose they are is said."""

import json

import numpy as np
import pytest

limber = pytest.importorskip("limber")

STEEL = ["--young", 1e7, "--poisson", 0.45, "--density", 7800]
FIX = ["--fix", "x<=0.001", "--modes", 4, "--json"]


def frequencies(program, *arguments):
    result = program("modes", *arguments, *FIX)
    assert result.returncode == 0, result.stderr
    return [mode["frequency_hz"] for mode in json.loads(result.stdout)["modes"]], result.stderr


def write_veg(path, mesh, materials):
    """One set a half of the tets where two materials are given."""
    lines = ["*VERTICES", f"{len(mesh.V)} 3 0 0"]
    lines += [f"{i} {x} {y} {z}" for i, (x, y, z) in enumerate(mesh.V, 1)]
    lines += ["*ELEMENTS", "TET", f"{len(mesh.T)} 4 0"]
    lines += [f"{i} " + " ".join(str(n + 1) for n in tet) for i, tet in enumerate(mesh.T, 1)]
    for number, (density, young, poisson) in enumerate(materials):
        lines += [f"*MATERIAL m{number}", f"ENU, {density}, {young}, {poisson}"]
    centres = mesh.V[mesh.T].mean(1)[:, 0]
    if len(materials) == 1:
        lines += ["*REGION", "allElements, m0"]
    else:
        for number, chosen in enumerate((centres < 0.5, centres >= 0.5)):
            lines += [f"*SET half{number}", ", ".join(str(i + 1) for i in np.flatnonzero(chosen)),
                      "*REGION", f"half{number}, m{number}"]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def bar(tmp_path):
    mesh = limber.bar([1, 0.2, 0.2], [5, 1, 1])
    limber.write_mesh(tmp_path / "bar.msh", mesh)
    return mesh


def test_a_vegs_material_is_that_of_its_body(program, bar, tmp_path):
    write_veg(tmp_path / "bar.veg", bar, [(7800, 1e7, 0.45)])
    expected, _ = frequencies(program, "bar.msh", *STEEL)
    found, said = frequencies(program, "bar.veg")
    assert np.allclose(found, expected, rtol=1e-9)
    assert "1e+07 Pa" in said and "as the file says" in said
    other, said = frequencies(program, "bar.veg", "--young", 1e6)
    assert np.allclose(other, frequencies(program, "bar.msh", "--young", 1e6)[0], rtol=1e-9)
    assert "takes the place of the file's materials" in said


def test_two_materials_of_a_veg_go_to_their_halves(program, bar, tmp_path):
    write_veg(tmp_path / "bar.veg", bar, [(7800, 1e7, 0.45), (1000, 1e5, 0.3)])
    assert set(program.json("info", "bar.veg", "--json")["materials"]) == {"1", "2"}
    program.ok("convert", "bar.veg", "halves.msh")
    expected, _ = frequencies(program, "halves.msh", "--region", "1:young=1e7,poisson=0.45,density=7800",
                              "--region", "2:young=1e5,poisson=0.3,density=1000")
    assert np.allclose(frequencies(program, "bar.veg")[0], expected, rtol=1e-9)


def vtu_with(path, bar, **arrays):
    limber.write_mesh(path, bar)
    data = "".join(f'<DataArray type="Float64" Name="{name}" format="ascii">{" ".join(map(str, values))}</DataArray>\n'
                   for name, values in arrays.items())
    text = path.read_text()
    assert "<CellData" not in text
    path.write_text(text.replace("</Piece>", f"<CellData>\n{data}</CellData>\n</Piece>"))


def test_cell_arrays_of_a_vtu_are_materials(program, bar, tmp_path):
    tets = len(bar.T)
    vtu_with(tmp_path / "bar.vtu", bar, E=[1e7] * tets, nu=[0.45] * tets, rho=[7800] * tets)
    assert np.allclose(frequencies(program, "bar.vtu")[0], frequencies(program, "bar.msh", *STEEL)[0], rtol=1e-9)


def test_half_a_material_is_said_to_be_left_out(program, bar, tmp_path):
    vtu_with(tmp_path / "bar.vtu", bar, E=[1e7] * len(bar.T))
    found, said = frequencies(program, "bar.vtu")
    assert "where all three are given" in said
    assert np.allclose(found, frequencies(program, "bar.msh")[0], rtol=1e-9)


def test_a_material_that_cannot_be_is_refused(program, bar, tmp_path):
    write_veg(tmp_path / "bar.veg", bar, [(7800, -1e7, 0.45)])
    assert "material that cannot be" in program.refuses("modes", "bar.veg")


@pytest.mark.parametrize("method", ["modal-warping", "corotational"])
def test_scenes_use_the_files_material_unless_they_give_one(program, bar, tmp_path, method):
    write_veg(tmp_path / "bar.veg", bar, [(7800, 1e7, 0.45)])
    body = {"name": "bar", "fixed": ["x<=0.001"], "method": method, "probes": {"tip": [1, 0.1, 0.1]}}
    given = {"young": 1e7, "poisson": 0.45, "density": 7800}

    def tip(**more):
        scene = {"limber": 1, "time_step": 0.02, "duration": 0.2, "bodies": [{**body, **more}]}
        (tmp_path / "scene.json").write_text(json.dumps(scene))
        result = program("simulate", "scene.json", "--report", "r.json")
        assert result.returncode == 0, result.stderr
        last = json.loads((tmp_path / "r.json").read_text())["frames"][-1]["bodies"][0]
        return np.array(last["probes"]["tip"]), result.stderr

    expected, _ = tip(mesh="bar.msh", material=given)
    found, said = tip(mesh="bar.veg")
    assert np.abs(found - expected).max() < 1e-9 and "1e+07 Pa" in said
    soft, said = tip(mesh="bar.veg", material={"young": 1e6})
    assert np.abs(soft - expected).max() > 1e-4 and "takes the place" in said
