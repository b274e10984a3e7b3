"""Blender places rigged glTF assets where Limber does: rest, clips, and the vertices' order."""

import os
import pathlib
import subprocess
import sys

import bpy
import numpy

import stage

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import painted_ball  # noqa: E402

FRAMES_A_SECOND = 24
numpy.bool = bool  # Blender 3.4's importer asks for it, and Debian's NumPy has it no more


def limber(*arguments):
    subprocess.run([os.environ["LIMBER"], *map(str, arguments)], check=True, cwd=stage.HERE, timeout=120)


def shown(path, seconds=None):
    """The vertices of all meshes of a file as Blender shows them, in glTF's axes."""
    stage.fresh(saved=False)
    bpy.context.scene.render.fps = FRAMES_A_SECOND
    bpy.ops.import_scene.gltf(filepath=str(path))
    if seconds is not None:
        bpy.context.scene.frame_set(0, subframe=0)
        frame = seconds * FRAMES_A_SECOND
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    places = []
    for obj in bpy.context.scene.objects:
        if obj.type != "MESH" or obj.name.startswith("Icosphere"):  # Blender's own picture of bones
            continue
        evaluated = obj.evaluated_get(depsgraph)
        flat = numpy.empty(3 * len(evaluated.data.vertices))
        evaluated.data.vertices.foreach_get("co", flat)
        matrix = numpy.array(evaluated.matrix_world)
        places.append(flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    x, y, z = numpy.concatenate(places).T
    return numpy.column_stack([x, z, -y])


def expect_same(ours, theirs):
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    size = numpy.linalg.norm(theirs.max(0) - theirs.min(0))
    error = numpy.abs(ours - theirs).max() / size
    print(f"largest difference {error:.1e} of the size")
    assert error < 1e-4


def check_blender_places_a_rig_as_we_do():
    ball = painted_ball.write_ball(stage.HERE / "ball.glb")
    for seconds in (0, 0.25, 1):
        limber("pose", ball, "--clip", "turn", "--time", seconds, "-o", "pose.glb")
        theirs = shown(ball, seconds)
        expect_same(shown(stage.HERE / "pose.glb"), theirs)
        expect_same(painted_ball.places(seconds)[painted_ball.used()], theirs)  # it drops the others
