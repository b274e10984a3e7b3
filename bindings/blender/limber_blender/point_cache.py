"""Point caches as numpy arrays: the program's .mdd in, Blender's .pc2 out."""

import struct

import numpy

from .errors import LimberError

PC2_HEADER = "<12siiffi"  # magic, version, points, first frame, frames a sample, samples


def read_mdd(path):
    """(frames, points, 3), single precision. Big-endian: counts, times, positions."""
    data = path.read_bytes()
    if len(data) < 8:
        raise LimberError("the file is too short", str(path), "bake again")
    frames, points = struct.unpack(">ii", data[:8])
    if len(data) != 8 + 4 * frames + 12 * frames * points:
        raise LimberError("the file has another length than its header says", str(path), "bake again")
    values = numpy.frombuffer(data, dtype=">f4", offset=8 + 4 * frames)
    return values.astype(numpy.float32).reshape(frames, points, 3)


def write_pc2(path, positions):
    """One sample a frame, the first at the frame that the modifier starts at."""
    frames, points, _ = positions.shape
    with open(path, "wb") as file:
        file.write(struct.pack(PC2_HEADER, b"POINTCACHE2\0", 1, points, 0.0, 1.0, frames))
        file.write(numpy.ascontiguousarray(positions, dtype="<f4").tobytes())


def read_pc2(path):
    data = path.read_bytes()
    size = struct.calcsize(PC2_HEADER)
    _, _, points, _, _, frames = struct.unpack(PC2_HEADER, data[:size])
    return numpy.frombuffer(data, dtype="<f4", offset=size).reshape(frames, points, 3)
