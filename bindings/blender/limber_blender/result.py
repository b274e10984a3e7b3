"""Motions put on objects: a Mesh Cache modifier, or one shape key a frame."""

import pathlib
import re

import bpy

from . import point_cache
from .errors import LimberError

MODIFIER = "Limber"
KEY_PREFIX = "Limber "
# Modifiers that move vertices only: the cache stands behind the last of them that comes first in the stack.
DEFORMING = {"ARMATURE", "CAST", "CORRECTIVE_SMOOTH", "CURVE", "DISPLACE", "HOOK", "LAPLACIANDEFORM",
             "LAPLACIANSMOOTH", "LATTICE", "MESH_CACHE", "MESH_DEFORM", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH",
             "SURFACE_DEFORM", "WARP", "WAVE"}


def cache_folder():
    """Beside the .blend; for one that was never saved, in Blender's own temporary folder."""
    saved = bpy.data.filepath
    if saved:
        folder = pathlib.Path(saved).parent / f"{pathlib.Path(saved).stem}_limber"
    else:
        folder = pathlib.Path(bpy.app.tempdir) / "limber"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def free_path(folder, name):
    """A new file for each bake, so that undo finds the one before: Cube.1.pc2, Cube.2.pc2."""
    stem = re.sub(r"[^\w-]", "_", name)
    number = 1
    while (folder / f"{stem}.{number}.pc2").exists():
        number += 1
    return folder / f"{stem}.{number}.pc2"


def put(obj, positions, first_frame):
    """(frames, n, 3) in the object's own coordinates, from this frame of the scene on."""
    if positions.shape[1] != len(obj.data.vertices):
        raise LimberError(f"the motion has {positions.shape[1]} vertices, the object {len(obj.data.vertices)}",
                          obj.name, "bake again: the mesh was changed")
    if obj.limber.result == "SHAPE_KEYS":
        _put_shape_keys(obj, positions, first_frame)
    else:
        _put_cache(obj, positions, first_frame)


def refuse_other_keys(obj):
    """Shape keys of a motion leave no room for others. Asked before long work too."""
    keys = obj.data.shape_keys
    if obj.limber.result == "SHAPE_KEYS" and keys and not _is_ours(keys):
        raise LimberError("the object has shape keys of its own", obj.name, "choose Mesh Cache as the result")


def _is_ours(keys):
    return all(block.name.startswith(KEY_PREFIX) for block in keys.key_blocks[1:])


def _put_cache(obj, positions, first_frame):
    path = free_path(cache_folder(), obj.name)
    point_cache.write_pc2(path, positions)
    _remove_shape_keys(obj)
    modifier = obj.modifiers.get(MODIFIER)
    if modifier is None or modifier.type != "MESH_CACHE":
        modifier = obj.modifiers.new(MODIFIER, "MESH_CACHE")
        _move_behind_deforming(obj, modifier)
    modifier.cache_format = "PC2"
    modifier.filepath = bpy.path.relpath(str(path)) if bpy.data.filepath else str(path)
    modifier.deform_mode = "OVERWRITE"
    modifier.interpolation = "LINEAR"
    modifier.time_mode = "FRAME"
    modifier.play_mode = "SCENE"
    modifier.frame_start = first_frame
    modifier.frame_scale = 1
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.flip_axis = set()
    modifier.factor = 1


def _move_behind_deforming(obj, modifier):
    others = [m for m in obj.modifiers if m != modifier]
    place = next((k for k, m in enumerate(others) if m.type not in DEFORMING), len(others))
    with bpy.context.temp_override(object=obj, active_object=obj):
        bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=place)


def _put_shape_keys(obj, positions, first_frame):
    """Absolute keys, ten units of their time apart as Blender lays them, and that time keyed straight."""
    refuse_other_keys(obj)
    clear(obj)
    obj.shape_key_add(name="Basis", from_mix=False)
    for k, frame in enumerate(positions):
        block = obj.shape_key_add(name=f"{KEY_PREFIX}{first_frame + k}", from_mix=False)
        block.interpolation = "KEY_LINEAR"
        block.data.foreach_set("co", frame.ravel())
    keys = obj.data.shape_keys
    keys.use_relative = False
    blocks = keys.key_blocks
    for frame, block in ((first_frame, blocks[1]), (first_frame + len(positions) - 1, blocks[-1])):
        keys.eval_time = block.frame
        keys.keyframe_insert("eval_time", frame=frame)
    for curve in _curves_of(keys.animation_data.action):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    obj.data.update()


def _curves_of(action):
    """In 4.4 and later an action may have layers; `fcurves` stays for the first of them."""
    return action.fcurves if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbags[0].fcurves


def _remove_shape_keys(obj):
    keys = obj.data.shape_keys
    if keys and len(keys.key_blocks) > 1 and _is_ours(keys):
        obj.shape_key_clear()


def clear(obj):
    """The object is as before its first bake. Files stay, for undo; see unused_files()."""
    modifier = obj.modifiers.get(MODIFIER)
    if modifier is not None and modifier.type == "MESH_CACHE":
        obj.modifiers.remove(modifier)
    _remove_shape_keys(obj)


def unused_files():
    """Caches in the folder that no object plays."""
    used = {pathlib.Path(bpy.path.abspath(m.filepath)).resolve()
            for obj in bpy.data.objects for m in obj.modifiers if m.type == "MESH_CACHE"}
    return [path for path in cache_folder().glob("*.pc2") if path.resolve() not in used]
