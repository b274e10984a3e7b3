"""Key poses become a living motion."""

import math

import bpy
import numpy

import stage
from limber_blender import point_cache, result


def bent_bar():
    """A bar with a shape key that bends it."""
    bar = stage.box("Bar", size=(0.3, 0.3, 2), cuts=3)
    bar.shape_key_add(name="Basis")
    bent = bar.shape_key_add(name="Bent")
    for vertex, point in zip(bar.data.vertices, bent.data):
        angle = 0.8 * (vertex.co.z + 1) / 2
        point.co = ((1 / 0.4 + vertex.co.x) * math.cos(angle) - 1 / 0.4, vertex.co.y,
                    (1 / 0.4 + vertex.co.x) * math.sin(angle) - 1)
    stage.select(bar)
    bar.limber.cells = 8
    bar.limber.pose_modes = 20
    return bar


def add_pose(frame, shape_key=None):
    bpy.context.scene.frame_set(frame)
    assert bpy.ops.limber.add_pose() == {"FINISHED"}
    if shape_key is not None:
        bpy.context.object.limber.poses[-1].shape_key = shape_key


def own(obj, frame):
    inverse = numpy.linalg.inv(numpy.array(obj.matrix_world))
    return stage.shown(obj, frame) @ inverse[:3, :3].T + inverse[:3, 3]


def check_a_living_motion_passes_its_poses():
    stage.fresh(frames=40)
    bar = bent_bar()
    bar.location, bar.scale = (1, 2, 3), (1, 2, 1)
    for frame, key in ((5, "Basis"), (15, "Bent"), (30, "Basis")):
        add_pose(frame, key)
    bar.limber.after = 4
    assert bpy.ops.limber.interpolate() == {"FINISHED"}
    keys = {name: numpy.array([p.co for p in bar.data.shape_keys.key_blocks[name].data]) for name in ("Basis", "Bent")}
    for frame, key in ((5, "Basis"), (15, "Bent"), (30, "Basis")):
        assert numpy.abs(own(bar, frame) - keys[key]).max() < 5e-4, (frame, key)
    between = own(bar, 10)
    assert min(numpy.abs(between - pose).max() for pose in keys.values()) > 0.05
    assert numpy.abs(own(bar, 33) - keys["Basis"]).max() > 1e-4  # it swings on
    same_as_the_program(bar)


def same_as_the_program(bar):
    stage.program("interpolate", "rest.obj", "pose-0.obj", "pose-1.obj", "pose-2.obj", "--times", "0,%r,%r" % (
        10 / 24, 25 / 24), "--fps", 24, "--modes", 20, "--cells", 8, "--swing", bar.limber.swing, "--after",
        repr(4 / 24), "--young", bar.limber.young, "--poisson", bar.limber.poisson, "-o", "again.mdd")
    again = point_cache.read_mdd(result.cache_folder() / "again.mdd")
    assert len(again) == 30
    for k, positions in enumerate(again):
        # The program works on the scaled bar: y is twice as long there.
        assert numpy.abs(own(bar, 5 + k) * [1, 2, 1] - positions).max() < 2 * stage.SAME, k


def check_poses_of_modifiers_are_taken_as_they_are():
    scene = stage.fresh(frames=20)
    bar = stage.box("Bar", size=(0.3, 0.3, 2), cuts=3)
    bar.limber.cells, bar.limber.pose_modes = 8, 20
    twist = bar.modifiers.new("Twist", "SIMPLE_DEFORM")
    twist.deform_method, twist.deform_axis = "TWIST", "Z"
    for frame, angle in ((1, 0), (11, 1.0)):
        twist.angle = angle
        twist.keyframe_insert("angle", frame=frame)
    scene.frame_set(11)
    posed = stage.shown(bar, 11)
    add_pose(1)
    add_pose(11)
    assert bpy.ops.limber.interpolate() == {"FINISHED"}
    assert [m.name for m in bar.modifiers] == ["Twist", "Limber"]
    assert numpy.abs(stage.shown(bar, 11) - posed).max() < 5e-4


def check_poses_are_refused_by_name():
    stage.fresh()
    bar = bent_bar()
    add_pose(1, "Basis")
    stage.refused(bpy.ops.limber.interpolate, "1 poses", "Bar")
    add_pose(1, "Bent")
    stage.refused(bpy.ops.limber.interpolate, "two poses at one frame")
    bar.limber.poses[1].frame = 9
    bar.limber.poses[1].shape_key = "Broken"
    stage.refused(bpy.ops.limber.interpolate, 'no shape key "Broken"', "Bar")
    assert bpy.ops.limber.remove_pose() == {"FINISHED"}
    assert len(bar.limber.poses) == 1
