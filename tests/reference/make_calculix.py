"""Makes the meshes and numbers that tests/modes/calculix_test.cpp compares with.

    apt-get install calculix-ccx gmsh python3-meshio
    PYTHONPATH=build/release/python /usr/bin/python3 tests/reference/make_calculix.py

For each mesh CalculiX (ccx, C3D4, linear) gives the sag under gravity of every node and the lowest
frequencies; both are printed with seven digits. Its C3D4 mass is integrated with one point.
"""

import json
import pathlib
import re
import subprocess
import tempfile

import meshio
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
MATERIAL = {"young": 2e5, "poisson": 0.3, "density": 1000}
GRAVITY = 9.8
MODES = 20
FIXED = {"bar": "x<=0.001", "cylinder": "y<=0.001", "graded": "x<=0.001"}


def make_meshes():
    import limber

    limber.write_mesh(FOLDER / "bar.msh", limber.bar([1, 0.2, 0.2], [10, 2, 2]))
    limber.write_mesh(FOLDER / "cylinder.msh", limber.cylinder(0.1, 1, 11, 10, 2))
    subprocess.run(["gmsh", "-3", "-format", "msh41", "-o", FOLDER / "graded.msh",
                    FOLDER / "graded.geo"], check=True, capture_output=True)


def fixed_nodes(name, points):
    axis = "xyz".index(FIXED[name][0])
    return np.flatnonzero(points[:, axis] <= 0.001)


def deck(points, tets, fixed, steps):
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{i + 1}, {x:.12e}, {y:.12e}, {z:.12e}" for i, (x, y, z) in enumerate(points)]
    lines += ["*ELEMENT, TYPE=C3D4, ELSET=BODY"]
    lines += [f"{i + 1}, " + ", ".join(str(v + 1) for v in tet) for i, tet in enumerate(tets)]
    lines += ["*NSET, NSET=FIXED"] + [str(v + 1) for v in fixed]
    lines += ["*BOUNDARY", "FIXED, 1, 3", "*MATERIAL, NAME=RUBBER", "*ELASTIC",
              f"{MATERIAL['young']}, {MATERIAL['poisson']}", "*DENSITY", f"{MATERIAL['density']}",
              "*SOLID SECTION, ELSET=BODY, MATERIAL=RUBBER"]
    return "\n".join(lines + steps) + "\n"


def run_ccx(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "job"
        path.with_suffix(".inp").write_text(text)
        subprocess.run(["ccx", "job"], cwd=folder, check=True, capture_output=True)
        return path.with_suffix(".dat").read_text()


def sag(points, tets, fixed):
    text = run_ccx(deck(points, tets, fixed, [
        "*STEP", "*STATIC", "*DLOAD", f"BODY, GRAV, {GRAVITY}, 0., -1., 0.",
        "*NODE PRINT, NSET=ALL", "U", "*END STEP"]))
    u = np.zeros_like(points)
    for line in text.splitlines():
        words = line.split()
        if len(words) == 4 and words[0].isdigit():
            u[int(words[0]) - 1] = [float(w) for w in words[1:]]
    return u


def eigenvalues(points, tets, fixed):
    text = run_ccx(deck(points, tets, fixed, [
        "*STEP", "*FREQUENCY, SOLVER=ARPACK", str(MODES), "*END STEP"]))
    found = re.findall(r"^\s+\d+\s+([\d.E+-]+)\s+[\d.E+-]+\s+[\d.E+-]+\s+[\d.E+-]+\s*$", text,
                       re.MULTILINE)
    assert len(found) == MODES, text[:2000]
    return [float(value) for value in found]


def main():
    make_meshes()
    results = {"material": MATERIAL, "gravity": GRAVITY, "bodies": {}}
    for name, selection in FIXED.items():
        mesh = meshio.read(FOLDER / f"{name}.msh")
        tets = mesh.cells_dict["tetra"]
        fixed = fixed_nodes(name, mesh.points)
        results["bodies"][name] = {
            "fixed": selection,
            "eigenvalues": eigenvalues(mesh.points, tets, fixed),
            "sag": sag(mesh.points, tets, fixed).tolist(),
        }
    text = json.dumps(results, indent=1)
    (FOLDER / "calculix.json").write_text(re.sub(r"\[\s+([^\[\]]+?)\s+\]",
                                                 lambda m: "[" + " ".join(m[1].split()) + "]", text))


if __name__ == "__main__":
    main()
