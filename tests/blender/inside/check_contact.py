"""Soft objects among each other and among obstacles."""

import bpy
import numpy

import stage


def check_an_obstacle_catches_a_body():
    stage.fresh(frames=30)
    table = stage.box("Table", size=(2, 2, 0.2), place=(0, 0, 1))
    assert bpy.ops.limber.set_role(role="OBSTACLE") == {"FINISHED"}
    box = stage.soften(stage.box(size=(0.5, 0.5, 0.5), place=(0, 0, 1.6)), preset="rubber")
    stage.bake()
    assert table.modifiers.get("Limber") is None
    last = stage.shown(box, 30)
    assert 1.09 < last[:, 2].min() < 1.12, last[:, 2].min()  # on the table, 1.1 m high
    assert numpy.abs(stage.all_shown(box) - stage.by_the_program("Box")).max() < stage.SAME


def check_a_moving_obstacle_pushes():
    scene = stage.fresh(frames=12)
    pusher = stage.box("Pusher", size=(0.2, 1, 1), place=(-1, 0, 0.5))
    assert bpy.ops.limber.set_role(role="OBSTACLE") == {"FINISHED"}
    pusher.keyframe_insert("location", frame=1)
    pusher.location.x = 0.5
    pusher.keyframe_insert("location", frame=12)
    scene.frame_set(1)
    box = stage.soften(stage.box(size=(0.5, 0.5, 0.5), place=(0, 0, 0.25)), preset="rubber", friction=0.1)
    stage.bake()
    last = stage.shown(box, 12)
    assert last[:, 0].min() > 0.55, last[:, 0].min()  # beyond the pusher's face at 0.6, less some give


def check_soft_bodies_rest_on_each_other():
    stage.fresh(frames=30)
    low = stage.soften(stage.box("Low", place=(0, 0, 0.5)), preset="rubber")
    high = stage.soften(stage.box("High", size=(0.6, 0.6, 0.6), place=(0, 0, 1.35)), preset="rubber")
    stage.bake()
    assert abs(stage.shown(low, 30)[:, 2].max() - 1) < 0.05
    assert abs(stage.shown(high, 30)[:, 2].min() - 1) < 0.05
