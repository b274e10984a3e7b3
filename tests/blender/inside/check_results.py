"""Mesh caches and shape keys; saved, opened again, undone, cleared."""

import bpy
import numpy

import stage
from limber_blender import result


def falling_box(**settings):
    return stage.soften(stage.box(place=(0, 0, 1.2)), velocity=(0.5, 0, 0), **settings)


def check_shape_keys_move_as_the_cache_does():
    stage.fresh(frames=8)
    box = falling_box()
    stage.bake()
    cached = stage.all_shown(box)
    box.limber.result = "SHAPE_KEYS"
    stage.bake()
    assert "Limber" not in box.modifiers and len(box.data.shape_keys.key_blocks) == 9
    assert numpy.abs(stage.all_shown(box) - cached).max() < stage.SAME
    box.limber.result = "MESH_CACHE"
    stage.bake()
    assert box.data.shape_keys is None
    assert numpy.abs(stage.all_shown(box) - cached).max() < stage.SAME


def check_shape_keys_of_others_are_left_alone():
    stage.fresh()
    box = falling_box(result="SHAPE_KEYS")
    box.shape_key_add(name="Basis")
    box.shape_key_add(name="Smile")
    stage.refused(bpy.ops.limber.bake, "shape keys of its own", "Mesh Cache")
    assert [k.name for k in box.data.shape_keys.key_blocks] == ["Basis", "Smile"]


def check_saved_files_play_when_opened_again():
    stage.fresh(frames=6)
    box = falling_box(preset="foam")
    stage.bake()
    before = stage.all_shown(box)
    assert box.modifiers["Limber"].filepath.startswith("//")
    stage.save()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    box = bpy.data.objects["Box"]
    assert box.limber.role == "SOFT" and box.limber.preset == "foam"
    assert numpy.abs(stage.all_shown(box) - before).max() == 0


def check_a_bake_is_undone_and_done_again():
    stage.fresh(frames=6)
    falling_box()
    bpy.ops.ed.undo_push(message="before")
    stage.bake()
    bpy.ops.ed.undo_push(message="baked")
    first = stage.all_shown(bpy.data.objects["Box"])
    bpy.data.objects["Box"].limber.velocity = (-2, 0, 0)
    stage.bake()
    bpy.ops.ed.undo_push(message="baked again")
    assert numpy.abs(stage.all_shown(bpy.data.objects["Box"]) - first).max() > 0.1
    bpy.ops.ed.undo()
    assert numpy.abs(stage.all_shown(bpy.data.objects["Box"]) - first).max() == 0  # its file is still there
    bpy.ops.ed.undo()
    assert "Limber" not in bpy.data.objects["Box"].modifiers
    assert bpy.data.objects["Box"].limber.role == "SOFT"
    bpy.ops.ed.redo()
    assert numpy.abs(stage.all_shown(bpy.data.objects["Box"]) - first).max() == 0


def check_unused_caches_are_deleted_on_request():
    stage.fresh(frames=3)
    box = falling_box()
    stage.bake()
    stage.bake()
    assert len(list(result.cache_folder().glob("*.pc2"))) == 2
    bpy.ops.limber.remove_unused()
    left = list(result.cache_folder().glob("*.pc2"))
    assert len(left) == 1 and left[0].name in box.modifiers["Limber"].filepath
    bpy.ops.limber.clear()
    assert not box.modifiers and box.limber.role == "SOFT"


def check_the_cache_stands_between_armature_and_subdivision():
    stage.fresh(frames=3)
    box = falling_box()
    box.modifiers.new("Smooth", "SUBSURF")
    box.modifiers.new("Wave", "WAVE")
    box.modifiers.move(1, 0) if hasattr(box.modifiers, "move") else bpy.ops.object.modifier_move_to_index(
        modifier="Wave", index=0)
    stage.bake()
    assert [m.name for m in box.modifiers] == ["Wave", "Limber", "Smooth"]


def check_a_file_never_saved_bakes_too():
    stage.fresh(frames=3, saved=False)
    box = falling_box()
    stage.bake()
    assert bpy.app.tempdir in box.modifiers["Limber"].filepath


def check_presets_fill_in_the_numbers():
    stage.fresh()
    box = falling_box(preset="steel")
    assert abs(box.limber.young / 2.1e11 - 1) < 1e-6 and box.limber.density == 7850
    box.limber.density = 7000
    assert box.limber.preset == "custom"
    box.limber.preset = "jelly"
    assert box.limber.density == 1000 and box.limber.preset == "jelly"
