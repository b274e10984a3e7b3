"""Makes the numbers that tests/dynamics/full_space_calculix_test.cpp compares with.

    apt-get install calculix-ccx python3-meshio
    /usr/bin/python3 tests/reference/make_calculix_nlgeom.py

CalculiX (ccx, C3D4, NLGEOM) takes *ELASTIC as Green strain with a linear law. The meshes are those
of make_calculix.py. Its force tolerance of half a per cent is far too loose here and is tightened;
displacements are printed with seven digits.
"""

import json
import re

import meshio
import numpy as np

from make_calculix import FOLDER, MATERIAL, FIXED, deck, fixed_nodes, run_ccx

GRAVITY = {"bar": [1.0, 5.0, 9.8], "graded": [5.0]}


def nonlinear_sag(points, tets, fixed, gravity):
    text = run_ccx(deck(points, tets, fixed, [
        "*STEP, NLGEOM, INC=1000", "*STATIC", "0.1, 1.",
        "*CONTROLS, PARAMETERS=FIELD", "1e-10, 1e-10, , , 1e-10, 1e-10, 1e-10, 1e-12",
        "*CONTROLS, PARAMETERS=TIME INCREMENTATION", "30, 30, 30, 60, 30, 30, , 30",
        "*DLOAD", f"BODY, GRAV, {gravity}, 0., -1., 0.",
        "*NODE PRINT, NSET=ALL, FREQUENCY=1000", "U", "*END STEP"]))
    u = np.full_like(points, np.nan)
    for line in text.splitlines():
        words = line.split()
        if len(words) == 4 and words[0].isdigit():
            u[int(words[0]) - 1] = [float(w) for w in words[1:]]
    assert np.isfinite(u).all(), text[:2000]
    return u


def main():
    cases = []
    for name, values in GRAVITY.items():
        mesh = meshio.read(FOLDER / f"{name}.msh")
        tets = mesh.cells_dict["tetra"]
        for gravity in values:
            u = nonlinear_sag(mesh.points, tets, fixed_nodes(name, mesh.points), gravity)
            cases.append({"mesh": name, "fixed": FIXED[name], "gravity": gravity,
                          "displacements": u.tolist()})
    text = json.dumps({"material": MATERIAL, "cases": cases}, indent=1)
    (FOLDER / "calculix_nlgeom.json").write_text(
        re.sub(r"\[\s+([^\[\]]+?)\s+\]", lambda m: "[" + " ".join(m[1].split()) + "]", text))


if __name__ == "__main__":
    main()
