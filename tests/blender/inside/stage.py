"""What the checks share: a fresh scene, soft objects on it, and where their vertices are."""

import os
import pathlib
import subprocess

import bpy
import numpy

from limber_blender import point_cache, result

HERE = pathlib.Path.cwd()
# Vertices of Blender and of the program are single precision: some metres times 6e-8, transformed twice.
SAME = 1e-6


def fresh(frames=10, saved=True):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    if saved:
        save()
    return scene


def save():
    bpy.ops.wm.save_as_mainfile(filepath=str(HERE / "scene.blend"))


def box(name="Box", size=(1, 1, 1), place=(0, 0, 0), cuts=2):
    """Of edges `size`, each cut so often."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=1, y_subdivisions=1)
    bpy.data.objects.remove(bpy.context.object)
    bpy.ops.mesh.primitive_cube_add(size=1, location=place)
    obj = bpy.context.object
    obj.name = name
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=cuts)
    bpy.ops.object.mode_set(mode="OBJECT")
    for vertex in obj.data.vertices:
        vertex.co = [c * s for c, s in zip(vertex.co, size)]
    return obj


def soften(obj, **settings):
    select(obj)
    assert bpy.ops.limber.set_role(role="SOFT") == {"FINISHED"}
    obj.limber.cells = 6
    for name, value in settings.items():
        setattr(obj.limber, name, value)
    return obj


def select(obj):
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def group(obj, name, weight_at):
    vertices = obj.vertex_groups.new(name=name)
    for vertex in obj.data.vertices:
        vertices.add([vertex.index], weight_at(vertex.co), "REPLACE")


def bake():
    assert bpy.ops.limber.bake() == {"FINISHED"}


def shown(obj, frame):
    """(n, 3) world coordinates as Blender draws them."""
    bpy.context.scene.frame_set(frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return numpy.array([evaluated.matrix_world @ v.co for v in evaluated.data.vertices])


def all_shown(obj):
    scene = bpy.context.scene
    return numpy.array([shown(obj, frame) for frame in range(scene.frame_start, scene.frame_end + 1)])


def program(*arguments):
    subprocess.run([os.environ["LIMBER"], *map(str, arguments)], cwd=result.cache_folder(), check=True, timeout=120,
                   capture_output=True)


def by_the_program(body=None):
    """The scene that the add-on wrote, simulated by hand: (frames, n, 3)."""
    frames = bpy.context.scene.frame_end - bpy.context.scene.frame_start + 1
    program("simulate", "scene.json", "--frames", frames, "-o", "again.mdd")
    name = f"again.{body}.mdd" if body else "again.mdd"
    return point_cache.read_mdd(result.cache_folder() / name)


def refused(operator, *parts):
    """The operator fails, and says all of this."""
    try:
        operator()
    except RuntimeError as error:
        for part in parts:
            assert part in str(error), str(error)
        return
    raise AssertionError(f"nothing was refused: {parts}")
