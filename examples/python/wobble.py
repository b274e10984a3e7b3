"""wobble.py BODY.limber: the C interface from Python, with nothing but ctypes.

LIMBER_LIBRARY names liblimber.so where the system does not find it by itself.
"""

import ctypes
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

library = ctypes.CDLL(os.environ.get("LIMBER_LIBRARY", "liblimber.so"))
library.limber_error.restype = c_char_p


class Info(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("nodes", c_int32), ("modes", c_int32), ("vertices", c_int32),
                ("triangles", c_int32), ("is_free", c_int32), ("mass", c_double)]


class Stream(ctypes.Structure):
    _fields_ = [("data", POINTER(c_float)), ("stride", c_size_t), ("count", c_size_t)]


def call(name, *arguments):
    if getattr(library, name)(*arguments) != 0:
        raise RuntimeError(library.limber_error().decode())


def main(path):
    model, world, body = c_void_p(), c_void_p(), c_uint64()
    call("limber_model_open", path.encode(), byref(model))
    info = Info(ctypes.sizeof(Info))
    call("limber_model_get_info", model, byref(info))
    call("limber_world_new", None, byref(world))
    call("limber_world_add", world, model, None, byref(body))

    numbers = (c_float * (3 * info.vertices))()
    positions = Stream(numbers, 0, info.vertices)
    for _ in range(60):
        call("limber_world_step", world, c_double(1 / 60))
    call("limber_body_surface", world, body, 0, byref(positions), None)
    lowest = min(numbers[1::3])
    print(f"{info.vertices} vertices, {info.modes} modes, {info.mass:.3f} kg; lowest after a second: {lowest:.4f} m")
    library.limber_world_free(world)
    library.limber_model_free(model)


if __name__ == "__main__":
    main(sys.argv[1])
