"""Meshes of Blender as numpy arrays, and where objects are."""

import numpy

from .errors import LimberError

# Of a matrix against the rigid motion that it should be: single precision over some multiplications.
RIGID_TOLERANCE = 1e-4
PINNED_WEIGHT = 0.5


def vertices_of(mesh):
    """(n, 3) in the object's own coordinates."""
    flat = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(float)


def triangles_of(mesh):
    """(k, 3) numbers of vertices."""
    mesh.calc_loop_triangles()
    flat = numpy.empty(3 * len(mesh.loop_triangles), dtype=numpy.int32)
    mesh.loop_triangles.foreach_get("vertices", flat)
    return flat.reshape(-1, 3)


def weights_of(obj, group_name):
    """(n,) weights of a vertex group, 0 outside it. Raises LimberError when there is no such group."""
    group = obj.vertex_groups.get(group_name)
    if group is None:
        known = ", ".join(g.name for g in obj.vertex_groups) or "none"
        raise LimberError(f'there is no vertex group "{group_name}"', obj.name, f"choose one of these: {known}")
    weights = numpy.zeros(len(obj.data.vertices))
    for vertex in obj.data.vertices:
        for element in vertex.groups:
            if element.group == group.index:
                weights[vertex.index] = element.weight
    return weights


def transformed(matrix, points):
    """Points through a 4×4 matrix."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def rigid_part(matrix):
    """The translation and rotation of a mathutils matrix as a 4×4 array, and the rotation as x, y, z, w."""
    place, turn, _ = matrix.decompose()
    rigid = numpy.array(turn.to_matrix().to_4x4(), dtype=float)
    rigid[:3, 3] = place
    return rigid, [turn.x, turn.y, turn.z, turn.w]


def keys_of(matrices, times, unit, name):
    """A motion as keys of a scene file. Raises LimberError where the object changes its size."""
    start, _ = rigid_part(matrices[0])
    shape = numpy.linalg.solve(start, numpy.array(matrices[0]))
    keys = []
    for matrix, time in zip(matrices, times):
        rigid, quaternion = rigid_part(matrix)
        change = numpy.abs(rigid @ shape - numpy.array(matrix)).max()
        if change > RIGID_TOLERANCE * max(1.0, numpy.abs(numpy.array(matrix)).max()):
            raise LimberError(f"the object changes its size by {change:.2g} during the motion", name,
                              "apply its scale, and animate place and rotation alone")
        keys.append({"time": time, "position": (unit * rigid[:3, 3]).tolist(), "rotation": quaternion})
    return keys


def write_obj(path, vertices, triangles, shades=None):
    """A surface with all digits; `shades` paint its vertices grey, 0 black to 1 white."""
    rows = vertices if shades is None else numpy.column_stack([vertices, shades, shades, shades])
    with open(path, "w", encoding="ascii") as file:
        for row in rows.tolist():
            file.write("v " + " ".join(map(repr, row)) + "\n")
        for a, b, c in (triangles + 1).tolist():
            file.write(f"f {a} {b} {c}\n")
