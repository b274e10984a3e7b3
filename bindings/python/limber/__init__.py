"""Elastic bodies from meshes, to grab, twist, throw and pose in real time.

Arrays are numpy's: V (n,3) positions in metres, T (m,4) tets, F (k,3) triangles; sparse matrices are scipy's.
SI units throughout. Bad input and failed work raise limber.Error.

>>> import limber
>>> mesh = limber.bar([1, 0.2, 0.2], [10, 2, 2])
>>> mesh
<limber.TetMesh, 99 nodes, 240 tets>
>>> body = limber.bake(mesh, limber.Material(young=4e5), fixed=mesh.V[:, 0] < 1e-3, modes=20)
>>> body
<limber.Body, 99 nodes, 20 modes, 9 nodes fixed>
>>> body.deform(0.3 * body.eigenvalues**-0.5).shape
(99, 3)

A world of bodies in memory: World. A scene file: Scene. The program's commands: simulate, render, compare.
"""

from ._limber import (Body, Embedding, Error, Hold, Material, Materials, Scene, Tetrahedralized, TetMesh, TriMesh,
                      World, WorldBody, WorldSnapshot, __version__, bake, bar, bend, boundary_surface, character,
                      character_names, curl_operator, cylinder, embed, figure, gradient_operator, interpolate,
                      load_body, mass, pose_tets, read_mesh, reconstruct, rotation_strain, select_nodes, sheet,
                      sphere, stiffness, tetrahedralize, tube, twist, volume, write_mesh)
from ._program import compare, render, simulate

__all__ = ["Body", "Embedding", "Error", "Hold", "Material", "Materials", "Scene", "TetMesh", "Tetrahedralized",
           "TriMesh", "World", "WorldBody", "WorldSnapshot", "__version__", "bake", "bar", "bend", "boundary_surface",
           "character", "character_names", "compare", "curl_operator", "cylinder", "embed", "figure",
           "gradient_operator", "interpolate", "load_body", "mass", "pose_tets", "read_mesh", "reconstruct", "render",
           "rotation_strain", "select_nodes", "sheet", "simulate", "sphere", "stiffness", "tetrahedralize", "tube",
           "twist", "volume", "write_mesh"]
