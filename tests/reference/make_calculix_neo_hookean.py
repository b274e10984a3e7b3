"""Makes the numbers that tests/fem/calculix_neo_hookean_test.cpp compares with.

    apt-get install calculix-ccx python3-meshio
    /usr/bin/python3 tests/reference/make_calculix_neo_hookean.py

CalculiX's *HYPERELASTIC, NEO HOOKE is C10 (J^(-2/3) I - 3) + (J - 1)^2/D1, ours without the origin
barrier mu/2 (I - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2: the same where the volume does not
change. So the material is nearly incompressible: bulk modulus 10^5 shear moduli, which leaves a
difference of about 10^-5 strains. The meshes are those of make_calculix.py.
"""

import json
import re

import meshio
import numpy as np

from make_calculix import FIXED, FOLDER, deck, fixed_nodes, run_ccx

SHEAR, BULK, DENSITY = 7e4, 7e9, 1000
# Linear tets lock at constant volume; these bend the bodies by about a tenth of their length.
GRAVITY = {"bar": 10.0, "cylinder": 10.0, "graded": 10.0}


def sag(name, points, tets, gravity):
    text = deck(points, tets, fixed_nodes(name, points), [
        "*STEP, NLGEOM, INC=1000", "*STATIC", "0.05, 1.",
        "*CONTROLS, PARAMETERS=FIELD", "1e-10, 1e-10, , , 1e-10, 1e-10, 1e-10, 1e-12",
        "*CONTROLS, PARAMETERS=TIME INCREMENTATION", "30, 30, 30, 60, 30, 30, , 30",
        "*DLOAD", f"BODY, GRAV, {gravity}, 0., 0., -1.",
        "*NODE PRINT, NSET=ALL, FREQUENCY=1000", "U", "*END STEP"])
    # CalculiX reads twenty characters of a number.
    law = f"*HYPERELASTIC, NEO HOOKE\n{SHEAR / 2:.9e}, {2 / BULK:.9e}\n"
    text = re.sub(r"\*ELASTIC\n[^\n]*\n", law, text)
    u = np.full_like(points, np.nan)
    for line in run_ccx(text).splitlines():
        words = line.split()
        if len(words) == 4 and words[0].isdigit():
            u[int(words[0]) - 1] = [float(w) for w in words[1:]]
    assert np.isfinite(u).all(), name
    return u


def main():
    cases = []
    for name, gravity in GRAVITY.items():
        mesh = meshio.read(FOLDER / f"{name}.msh")
        u = sag(name, mesh.points, mesh.cells_dict["tetra"], gravity)
        print(name, np.abs(u).max())
        cases.append({"mesh": name, "fixed": FIXED[name], "gravity": gravity,
                      "displacements": u.tolist()})
    material = {"shear": SHEAR, "bulk": BULK, "density": DENSITY}
    text = json.dumps({"material": material, "cases": cases}, indent=1)
    (FOLDER / "calculix_neo_hookean.json").write_text(
        re.sub(r"\[\s+([^\[\]]+?)\s+\]", lambda m: "[" + " ".join(m[1].split()) + "]", text))


if __name__ == "__main__":
    main()
