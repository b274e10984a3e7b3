"""Random rigged .glb files: chains of joints under scaled armatures, skins, morph targets, instances
and clips of every interpolation."""

import json
import struct

import numpy as np


class Glb:
    """JSON and one buffer that grow together."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [],
                     "nodes": [], "meshes": [], "scene": 0, "scenes": [{"nodes": []}]}
        self.binary = b""

    def add(self, values, kind="f4", limits=False, target=None):
        values = np.ascontiguousarray(values, dtype="<" + kind)
        width = 1 if values.ndim == 1 else int(np.prod(values.shape[1:]))
        self.binary += b"\0" * (-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": values.nbytes}
        if target:
            view["target"] = target
        self.binary += values.tobytes()
        self.json["bufferViews"].append(view)
        accessor = {"bufferView": len(self.json["bufferViews"]) - 1, "count": len(values),
                    "componentType": {"f4": 5126, "u1": 5121, "u2": 5123}[kind],
                    "type": {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[width]}
        if limits:
            flat = values.reshape(len(values), width).astype(float)
            accessor["min"], accessor["max"] = flat.min(0).tolist(), flat.max(0).tolist()
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def bytes(self, content):
        """A view of bytes that are no numbers, a picture's."""
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(content)})
        self.binary += content
        return len(self.json["bufferViews"]) - 1

    def node(self, parent=None, **content):
        self.json["nodes"].append(content)
        number = len(self.json["nodes"]) - 1
        if parent is None:
            self.json["scenes"][0]["nodes"].append(number)
        else:
            self.json["nodes"][parent].setdefault("children", []).append(number)
        return number

    def write(self, path):
        self.json["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        binary = self.binary + b"\0" * (-len(self.binary) % 4)
        size = 12 + 8 + len(text) + 8 + len(binary)
        path.write_bytes(struct.pack("<III", 0x46546C67, 2, size)
                         + struct.pack("<II", len(text), 0x4E4F534A) + text
                         + struct.pack("<II", len(binary), 0x004E4942) + binary)
        return path


def unit(random, count=4):
    q = random.normal(size=count)
    return (q / np.linalg.norm(q)).tolist()


def sheet(cells):
    """A strip of triangles along x: vertices and corners."""
    grid = np.array([[i / cells, j, 0.1 * np.sin(3 * i)] for i in range(cells + 1) for j in (0, 1)])
    corners = [[2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3] for i in range(cells)]
    return grid, np.array(corners).ravel()


def add_channel(glb, random, animation, node, path, width, keys):
    mode = ["LINEAR", "STEP", "CUBICSPLINE"][random.integers(3)]
    rows = keys * (3 if mode == "CUBICSPLINE" else 1)
    values = 0.3 * random.normal(size=(rows, width)) + (1 if path == "scale" else 0)
    if path == "rotation":
        values = np.array([unit(random) for _ in range(rows)])
        if mode == "CUBICSPLINE":
            values[0::3] *= 0.1
            values[2::3] *= 0.1
    if path == "weights":
        values = values.ravel()
    times = np.sort(random.choice(np.arange(1, 40), keys, replace=False)) / 20
    animation["samplers"].append({"input": glb.add(times, limits=True), "output": glb.add(values),
                                  "interpolation": mode})
    animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                  "target": {"node": node, "path": path}})


def write_rigged(path, seed):
    random = np.random.default_rng(seed)
    glb = Glb()
    grid, corners = sheet(12)
    joints = 2 + int(random.integers(4))
    armature = glb.node(name="armature", scale=[float(random.choice([0.01, 1, 100]))] * 3,
                        rotation=unit(random), translation=random.normal(size=3).tolist())
    chain = [armature]
    for j in range(joints):
        chain.append(glb.node(chain[-1], name=f"joint {j}", translation=[1 / joints, 0, 0],
                              rotation=[0, 0, 0.1, (1 - 0.01) ** 0.5]))
    bones = chain[1:]
    binds = np.tile(np.eye(4), (joints, 1, 1)) + 0.2 * random.normal(size=(joints, 4, 4))
    binds[:, 3] = [0, 0, 0, 1]
    glb.json["skins"] = [{"joints": bones, "inverseBindMatrices": glb.add(binds.transpose(0, 2, 1))}]
    shares = random.random((len(grid), 4)) + 1e-3
    shares /= shares.sum(1, keepdims=True)
    indices = np.array([random.permutation(max(4, joints))[:4] % joints for _ in grid])
    primitive = {"attributes": {
        "POSITION": glb.add(grid, limits=True, target=34962),
        "JOINTS_0": glb.add(indices, "u1", target=34962),
        "WEIGHTS_0": glb.add(shares, target=34962)},
        "indices": glb.add(corners, "u2", target=34963),
        "targets": [{"POSITION": glb.add(0.2 * random.normal(size=grid.shape), limits=True,
                                         target=34962)} for _ in range(2)]}
    glb.json["meshes"].append({"primitives": [primitive], "weights": [0.25, -0.5]})
    skinned = glb.node(mesh=0, skin=0, translation=[7, 8, 9], scale=[3, 3, 3])
    stiff = {"attributes": {"POSITION": primitive["attributes"]["POSITION"]},
             "indices": primitive["indices"]}
    again = {**stiff, "attributes": {"POSITION": glb.add(grid + [0, 0, 1], limits=True, target=34962)}}
    glb.json["meshes"].append({"primitives": [stiff, again]})
    glb.node(chain[1 + int(random.integers(joints))], mesh=1, scale=[1, -1, 2])
    glb.json["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    glb.json["meshes"].append({"primitives": [stiff]})
    glb.node(mesh=2, rotation=unit(random), extensions={"EXT_mesh_gpu_instancing": {"attributes": {
        "TRANSLATION": glb.add(random.normal(size=(5, 3))),
        "ROTATION": glb.add(np.array([unit(random) for _ in range(5)])),
        "SCALE": glb.add(1 + random.random((5, 3)))}}})
    animation = {"name": "Move", "samplers": [], "channels": []}
    for bone in bones:
        add_channel(glb, random, animation, bone, "rotation", 4, 2 + int(random.integers(4)))
    add_channel(glb, random, animation, bones[0], "translation", 3, 3)
    add_channel(glb, random, animation, armature, "scale", 3, 2)
    add_channel(glb, random, animation, skinned, "weights", 2, 3)
    glb.json["animations"] = [animation]
    return glb.write(path)
