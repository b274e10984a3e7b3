"""Meshes as binary files, and baked bodies as arrays, without Limber's own readers and writers."""

import struct

import numpy as np

KUHN = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)]


def bar(size, cells, origin=(0, 0, 0)):
    """Nodes and positive tets of a box of cubes, six tets each."""
    axes = [np.linspace(o, o + s, c + 1) for s, c, o in zip(size, cells, origin)]
    V = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(len(V)).reshape([c + 1 for c in cells])
    T = []
    for order in KUHN:
        corner = np.zeros(3, int)
        nodes = []
        for axis in (None, *order):
            if axis is not None:
                corner[axis] += 1
            nodes.append(number[tuple(slice(corner[k], corner[k] + cells[k]) for k in range(3))])
        T.append(np.stack(nodes, axis=-1).reshape(-1, 4))
    T = np.stack(T, axis=1).reshape(-1, 4)
    edges = V[T[:, 1:]] - V[T[:, :1]]
    negative = np.linalg.det(edges) < 0
    T[negative] = T[negative][:, [0, 1, 3, 2]]
    return V, T


def scrambled(V, T, regions=None, seed=3):
    """The same body with nodes and tets in another order."""
    random = np.random.default_rng(seed)
    nodes = random.permutation(len(V))
    tets = random.permutation(len(T))
    place = np.empty(len(V), int)
    place[nodes] = np.arange(len(V))
    return V[nodes], place[T[tets]], None if regions is None else np.asarray(regions)[tets]


def shaken(V, amount, seed=5):
    """Inner nodes moved at random: nothing regular is left."""
    random = np.random.default_rng(seed)
    inside = np.all((V > V.min(axis=0) + 1e-9) & (V < V.max(axis=0) - 1e-9), axis=1)
    moved = V.copy()
    moved[inside] += amount * (random.random((inside.sum(), 3)) - 0.5)
    return moved


def write_msh2(path, V, T, regions=None, tags=None, single_heads=False):
    """Gmsh 2.2, binary; `tags` name the nodes, single_heads as Gmsh itself writes elements."""
    regions = np.zeros(len(T), np.int32) if regions is None else np.asarray(regions, np.int32)
    tags = np.arange(1, len(V) + 1) if tags is None else np.asarray(tags)
    nodes = np.zeros(len(V), [("tag", "<i4"), ("x", "<f8", 3)])
    nodes["tag"], nodes["x"] = tags, V
    tets = np.zeros(len(T), [("head", "<i4", 3 if single_heads else 0), ("number", "<i4"),
                             ("tags", "<i4", 2), ("nodes", "<i4", 4)])
    if single_heads:
        tets["head"] = [4, 1, 2]
    tets["number"], tets["tags"] = np.arange(1, len(T) + 1), np.stack([regions, regions], axis=1)
    tets["nodes"] = tags[T]
    head = b"" if single_heads else struct.pack("<3i", 4, len(T), 2)
    path.write_bytes(b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
                     + str(len(V)).encode() + b"\n" + nodes.tobytes() + b"\n$EndNodes\n$Elements\n"
                     + str(len(T)).encode() + b"\n" + head + tets.tobytes() + b"\n$EndElements\n")
    return path


def write_raw_vtu(path, V, T, regions):
    """VTK's XML with raw appended arrays."""
    arrays = [("Points", "Float64", 3, np.asarray(V, "<f8")),
              ("connectivity", "Int64", 1, np.asarray(T, "<i8")),
              ("offsets", "Int64", 1, 4 * np.arange(1, len(T) + 1, dtype="<i8")),
              ("types", "UInt8", 1, np.full(len(T), 10, "u1")),
              ("region", "Int32", 1, np.asarray(regions, "<i4"))]
    tags, data = [], b""
    for name, kind, components, values in arrays:
        tags.append(f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" '
                    f'format="appended" offset="{len(data)}"/>')
        data += struct.pack("<Q", values.nbytes) + values.tobytes()
    text = ('<?xml version="1.0"?><VTKFile type="UnstructuredGrid" version="1.0" '
            'byte_order="LittleEndian" header_type="UInt64"><UnstructuredGrid>'
            f'<Piece NumberOfPoints="{len(V)}" NumberOfCells="{len(T)}"><Points>{tags[0]}</Points>'
            f'<Cells>{tags[1]}{tags[2]}{tags[3]}</Cells><CellData>{tags[4]}</CellData></Piece>'
            '</UnstructuredGrid><AppendedData encoding="raw">_')
    path.write_bytes(text.encode() + data + b"</AppendedData></VTKFile>")
    return path


def read_limber(path):
    """All arrays of a baked body by name."""
    kinds = {1: "<f8", 2: "<f4", 3: "<i4", 4: "<i2", 5: "S1"}
    data = path.read_bytes()
    count, size = struct.unpack_from("<IQ", data, 12)
    assert data[:6] == b"LIMBER" and size == len(data)
    arrays = {}
    for k in range(count):
        entry = data[64 * (k + 1):64 * (k + 2)]
        kind, _, items, offset = struct.unpack_from("<IIQQ", entry, 32)
        arrays[entry[:32].split(b"\0")[0].decode()] = np.frombuffer(data, kinds[kind], items, offset)
    return arrays


def mass_matrix(body):
    """Scalar nodal mass (n×n, sparse)."""
    from scipy.sparse import csr_matrix
    return csr_matrix((body["mass.values"], body["mass.columns"], body["mass.offsets"]))


def subspace_distance(A, B, weight=None):
    """How far the columns of A are from the span of B, relative, in the norm of `weight`."""
    def inner(X, Y):
        return X.T @ (Y if weight is None else weight @ Y)

    coefficients = np.linalg.lstsq(inner(B, B), inner(B, A), rcond=None)[0]
    rest = A - B @ coefficients
    return np.sqrt(np.max(np.diag(inner(rest, rest)) / np.diag(inner(A, A))))
