"""Bodies that fall, hang, bounce and are thrown; the vertices are the program's."""

import json

import bpy
import numpy
from mathutils import Euler

import stage
from limber_blender import result


def check_a_body_falls_as_fast_as_it_should():
    scene = stage.fresh(frames=7)
    scene.render.fps, scene.render.fps_base = 30, 1.25  # 24 frames a second
    box = stage.soften(stage.box(place=(0, 0, 3)))
    scene.limber.use_ground = False
    stage.bake()
    start, end = stage.shown(box, 1), stage.shown(box, 7)
    assert numpy.abs(start - [box.matrix_world @ v.co for v in box.data.vertices]).max() < stage.SAME
    time = 6 / 24
    # Every step ends as constant acceleration does: no deformation, no drift to the side.
    expected = numpy.array([0, 0, -0.5 * 9.81 * time * time])
    assert numpy.abs(end - start - expected).max() < 1e-5, end - start


def check_vertices_are_those_of_the_program():
    scene = stage.fresh(frames=12)
    box = stage.soften(stage.box(size=(1, 0.6, 0.8), cuts=3), preset="rubber", velocity=(1, 0, 0))
    box.location = (0.3, -2, 0.9)
    box.rotation_euler = Euler((0.4, 0.3, 1.1))
    box.scale = (1.5, 0.7, -1)
    stage.bake()
    baked = stage.all_shown(box)
    again = stage.by_the_program()
    assert numpy.abs(baked - again).max() < stage.SAME
    assert numpy.abs(baked[-1] - baked[0]).max() > 0.05
    assert scene.limber.use_ground and baked[:, :, 2].min() > -0.02, baked[:, :, 2].min(axis=1)


def check_units_are_metres():
    scene = stage.fresh(frames=4)
    scene.unit_settings.scale_length = 0.01
    box = stage.soften(stage.box(size=(50, 50, 50), place=(0, 0, 500)))
    stage.bake()
    fallen = stage.shown(box, 1) - stage.shown(box, 4)
    assert numpy.abs(fallen - [0, 0, 50 * 9.81 * (3 / 24) ** 2]).max() < 2e-3
    assert numpy.abs(stage.all_shown(box) * 0.01 - stage.by_the_program()).max() < stage.SAME


def check_pinned_vertices_stay_and_others_sag():
    stage.fresh(frames=10)
    bar = stage.soften(stage.box(size=(2, 0.4, 0.4), place=(0, 0, 2), cuts=4), young=5e4)
    stage.group(bar, "wall", lambda co: 1.0 if co.x < -0.99 else 0.2)
    bar.limber.fixed_group = "wall"
    stage.bake()
    moved = stage.all_shown(bar) - stage.shown(bar, 1)
    held = numpy.array([v.co.x < -0.99 for v in bar.data.vertices])
    assert held.sum() == 36 and numpy.abs(moved[:, held]).max() < stage.SAME
    assert moved[-1, ~held, 2].min() < -0.02


def check_a_pinned_body_follows_its_object():
    scene = stage.fresh(frames=9)
    bar = stage.soften(stage.box(size=(0.4, 0.4, 2), place=(0, 0, 3), cuts=3), young=3e4)
    stage.group(bar, "top", lambda co: float(co.z > 0.99))
    bar.limber.fixed_group = "top"
    bar.keyframe_insert("location", frame=1)
    bar.location.x, bar.rotation_euler.y = 1, 0.5
    bar.keyframe_insert("location", frame=9)
    scene.frame_set(1)
    stage.bake()
    held = [v.index for v in bar.data.vertices if v.co.z > 0.99]
    for frame in range(1, 10):
        positions = stage.shown(bar, frame)
        carried = numpy.array([bar.matrix_world @ bar.data.vertices[k].co for k in held])
        assert numpy.abs(positions[held] - carried).max() < 2e-6, frame
    free = [v.index for v in bar.data.vertices if v.co.z < -0.99]
    rigid = numpy.array([bar.matrix_world @ bar.data.vertices[k].co for k in free])
    assert numpy.abs(positions[free] - rigid)[:, 0].min() > 0.02  # it lags behind


def check_a_body_that_grows_is_refused():
    scene = stage.fresh(frames=5)
    bar = stage.soften(stage.box())
    stage.group(bar, "all", lambda co: float(co.z > 0))
    bar.limber.fixed_group = "all"
    bar.keyframe_insert("scale", frame=1)
    bar.scale = (2, 2, 2)
    bar.keyframe_insert("scale", frame=5)
    scene.frame_set(1)
    stage.refused(bpy.ops.limber.bake, "changes its size", "Box", "apply its scale")


def check_weights_are_stiffness():
    stage.fresh(frames=12)

    def bend(stiff):
        bar = stage.soften(stage.box(f"Bar{stiff}", size=(2, 0.3, 0.3), place=(0, 0, 2), cuts=4), young=1e5)
        stage.group(bar, "wall", lambda co: float(co.x < -0.99))
        stage.group(bar, "stiff", lambda co: float(co.x < 0.3))
        bar.limber.fixed_group = "wall"
        bar.limber.stiff_group = "stiff" if stiff else ""
        bar.limber.stiff_young = 1e8
        stage.bake()
        sag = (stage.shown(bar, 12) - stage.shown(bar, 1))[:, 2].min()
        bpy.data.objects.remove(bar)
        return sag

    soft, stiff = bend(False), bend(True)
    assert soft < -0.05 and stiff > 0.3 * soft, (soft, stiff)
    described = json.loads((result.cache_folder() / "scene.json").read_text())["bodies"][0]
    assert described["painted_young"] == [1e5, 1e8]


def check_loose_parts_are_put_together():
    stage.fresh(frames=8)
    first = stage.box("Parts", place=(0, 0, 0.5))
    second = stage.box("Other", size=(0.5, 0.5, 0.5), place=(3, 0, 2))
    first.select_set(True)
    bpy.context.view_layer.objects.active = first
    second.select_set(True)
    bpy.ops.object.join()
    assert len(first.data.vertices) == 2 * 56
    stage.soften(first, cells=12, preset="rubber")
    stage.bake()
    moved = stage.shown(first, 8) - stage.shown(first, 1)
    high = numpy.array([(first.matrix_world @ v.co).z > 1.2 for v in first.data.vertices])
    assert high.sum() == 56
    fall = 0.5 * 9.81 * (7 / 24) ** 2
    assert numpy.abs(moved[high] - [0, 0, -fall]).max() < 1e-4
    assert numpy.abs(moved[~high]).max() < 0.02  # that one stands on the ground
