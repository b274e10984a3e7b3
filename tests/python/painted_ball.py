"""A rigged ball with two materials of five pictures, made by code: what it holds and where a clip puts
it is known without reading it back."""

import json
import struct
import zlib

import numpy as np

from rigged_glb import Glb

ROWS, COLUMNS = 10, 12
ELBOW = 0.2  # x of the second joint, m

MATERIALS = [
    {"name": "glass", "doubleSided": True, "alphaMode": "BLEND", "emissiveFactor": [0.5, 0.25, 0],
     "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.25, 0.75], "metallicFactor": 0.125,
                              "roughnessFactor": 0.375, "baseColorTexture": {"index": 0},
                              "metallicRoughnessTexture": {"index": 1}},
     "normalTexture": {"index": 2, "scale": 0.5}, "occlusionTexture": {"index": 3, "strength": 0.25},
     "emissiveTexture": {"index": 4, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 2]}}},
     "extensions": {"KHR_materials_transmission": {"transmissionFactor": 0.5, "transmissionTexture": {"index": 1}},
                    "KHR_materials_volume": {"thicknessFactor": 0.25, "attenuationColor": [0.5, 1, 1]},
                    "KHR_materials_ior": {"ior": 1.25},
                    "KHR_materials_emissive_strength": {"emissiveStrength": 4}},
     "extras": {"note": "kept", "fancyTexture": 7}},
    {"name": "lacquer", "alphaMode": "MASK", "alphaCutoff": 0.25,
     "pbrMetallicRoughness": {"baseColorTexture": {"index": 2}, "metallicFactor": 0},
     "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 0.75, "clearcoatTexture": {"index": 3}},
                    "KHR_materials_sheen": {"sheenColorFactor": [0.25, 0.5, 1], "sheenRoughnessFactor": 0.5},
                    "KHR_materials_specular": {"specularFactor": 0.5}}},
]
EXTENSIONS = sorted({name for material in MATERIALS for name in material["extensions"]} | {"KHR_texture_transform"})
SAMPLERS = [{"wrapS": 33071, "magFilter": 9728}, {"wrapT": 33648, "minFilter": 9987}]


def png(pixels):
    """Rows of r g b bytes as a PNG file."""
    pixels = np.asarray(pixels, np.uint8)
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def pictures():
    """Five, all different; the first is a chequer of red and green."""
    tiles = (np.indices((64, 64)) // 8).sum(0) % 2  # of eight pixels
    chequer = np.stack([255 * tiles, 255 * (1 - tiles), 0 * tiles], axis=-1)
    return [png(chequer)] + [png(np.full((4, 4, 3), 40 * k)) for k in range(1, 5)]


def half_ball(upper):
    """Vertices of one half about x, smooth normals, texture coordinates with a seam, and corners."""
    first, last = (0, ROWS // 2) if upper else (ROWS // 2, ROWS)
    points, uv = [], []
    for i in range(first, last + 1):
        for j in range(COLUMNS + 1):  # the last column is the first again, at another u
            polar, around = np.pi * i / ROWS, 2 * np.pi * (j % COLUMNS) / COLUMNS
            points.append([np.cos(polar), np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around)])
            uv.append([j / COLUMNS, i / ROWS])
    points = np.array(points)
    points[np.abs(points) < 1e-12] = 0  # the poles are one place
    corners = []
    for i in range(last - first):
        for j in range(COLUMNS):
            a = i * (COLUMNS + 1) + j
            b = a + COLUMNS + 1
            if first + i > 0:
                corners.append([a, a + 1, b])
            if first + i < ROWS - 1:
                corners.append([a + 1, b + 1, b])
    return points, np.array(uv), np.array(corners)


def shares_of(points):
    """How much of each vertex hangs on the second joint."""
    return np.clip((points[:, 0] - ELBOW) / 0.5 + 0.5, 0, 1)


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def places(seconds):
    """Where every vertex of the file is at a time of the clip, by hand: the armature is a hundredth as
    large, stands at (1, 2, 3) and is turned by 90 degrees about x; the second joint turns about z by one
    radian a second."""
    armature = 0.01 * np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    found = []
    for upper in (True, False):
        points = half_ball(upper)[0].astype(np.float32).astype(float)
        share = shares_of(points).astype(np.float32).astype(float)[:, None]
        elbow = np.array([ELBOW, 0, 0])
        turned = (points - elbow) @ turn(min(max(seconds, 0), 1)).T + elbow
        near = (1 - shares_of(points)).astype(np.float32).astype(float)[:, None]
        mixed = (near * points + share * turned) / (near + share)
        found.append(100 * mixed @ armature.T + [1, 2, 3])
    return np.concatenate(found)


def used():
    """The vertices that triangles have, among places(): at each pole one has none."""
    first, found = 0, []
    for upper in (True, False):
        points, _, corners = half_ball(upper)
        found.append(first + np.unique(corners))
        first += len(points)
    return np.concatenate(found)


def write_ball(path, skinned=True):
    """The mesh was bound in metres; joints live in the armature's centimetres."""
    glb = Glb()
    quarter = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    armature = glb.node(name="Armature", scale=[0.01] * 3, rotation=quarter, translation=[1, 2, 3])
    near = glb.node(armature, name="near")
    far = glb.node(near, name="far", translation=[100 * ELBOW, 0, 0])
    binds = np.tile(100 * np.eye(4), (2, 1, 1))
    binds[:, 3, 3] = 1
    binds[1, 0, 3] = -100 * ELBOW
    primitives = []
    for material, upper in enumerate((True, False)):
        points, uv, corners = half_ball(upper)
        attributes = {"POSITION": glb.add(points, limits=True, target=34962), "NORMAL": glb.add(points, target=34962),
                      "TEXCOORD_0": glb.add(uv, target=34962)}
        if skinned:
            share = shares_of(points)
            zero = np.zeros_like(share)
            attributes["JOINTS_0"] = glb.add(np.tile([0, 1, 0, 0], (len(share), 1)), "u1", target=34962)
            attributes["WEIGHTS_0"] = glb.add(np.column_stack([1 - share, share, zero, zero]), target=34962)
        primitives.append({"attributes": attributes, "material": material,
                           "indices": glb.add(corners.ravel(), "u2", target=34963)})
    glb.json["meshes"].append({"primitives": primitives})
    glb.json["materials"] = json.loads(json.dumps(MATERIALS))
    glb.json["samplers"] = SAMPLERS
    glb.json["textures"] = [{"source": k, **({"sampler": k % 2} if k else {})} for k in range(5)]
    glb.json["images"] = [{"bufferView": glb.bytes(content), "mimeType": "image/png"} for content in pictures()]
    glb.json["extensionsUsed"] = EXTENSIONS
    if skinned:
        glb.json["skins"] = [{"joints": [near, far], "inverseBindMatrices": glb.add(binds.transpose(0, 2, 1))}]
        glb.node(mesh=0, skin=0)
        times = np.linspace(0, 1, 25)
        turns = [[0, 0, np.sin(t / 2), np.cos(t / 2)] for t in times]
        glb.json["animations"] = [{
            "name": "Turn", "channels": [{"sampler": 0, "target": {"node": far, "path": "rotation"}}],
            "samplers": [{"input": glb.add(times, limits=True), "output": glb.add(np.array(turns))}]}]
    else:
        glb.node(mesh=0)
    return glb.write(path)


class GlbFile:
    """A .glb as JSON and arrays."""

    def __init__(self, path):
        content = path.read_bytes()
        size = struct.unpack("<I", content[12:16])[0]
        self.json = json.loads(content[20:20 + size])
        self.binary = content[28 + size:]

    def view(self, number):
        view = self.json["bufferViews"][number]
        first = view.get("byteOffset", 0)
        return self.binary[first:first + view["byteLength"]]

    def accessor(self, number):
        accessor = self.json["accessors"][number]
        kind = {5126: "<f4", 5125: "<u4", 5123: "<u2", 5121: "u1"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        first = accessor.get("byteOffset", 0)
        values = np.frombuffer(self.view(accessor["bufferView"])[first:], kind, accessor["count"] * width)
        return values.reshape(-1, width)

    def primitives(self):
        return [primitive for mesh in self.json["meshes"] for primitive in mesh["primitives"]]

    def attribute(self, name):
        """Of all primitives, one after another."""
        return np.concatenate([self.accessor(primitive["attributes"][name]) for primitive in self.primitives()])

    def materials(self):
        """With a texture's picture and sampler in place of its number."""
        def resolved(value):
            if not isinstance(value, dict):
                return value
            result = {}
            for key, below in value.items():
                if key.endswith("Texture") and isinstance(below, dict):
                    texture = self.json["textures"][below["index"]]
                    sampler = texture.get("sampler")
                    below = {**below, "index": (self.view(self.json["images"][texture["source"]]["bufferView"]),
                                                {} if sampler is None else self.json["samplers"][sampler])}
                result[key] = resolved(below) if key != "extras" else below
            return result
        return [resolved(material) for material in self.json["materials"]]
