"""Progress, cancelling, and what is refused by name."""

import os
import time

import bpy

import stage
from limber_blender import jobs, plans, program, result


def long_job():
    scene = stage.fresh(frames=250)
    box = stage.soften(stage.box(place=(0, 0, 0.6), cuts=5), method="corotational", cells=16)
    scene.limber.steps = 20
    return box, jobs.Job(plans.SimulationPlan(bpy.context), program.find_program())


def check_a_cancelled_bake_changes_nothing():
    box, job = long_job()
    shown = bpy.context.window_manager.limber
    deadline = time.monotonic() + 120
    while not (shown.stage == "simulate" and shown.fraction > 0) and time.monotonic() < deadline:
        job.tick()
        time.sleep(0.02)
    assert shown.running and not job.done, shown.stage
    assert not bpy.ops.limber.bake.poll()
    assert bpy.ops.limber.cancel() == {"FINISHED"}
    assert job.done
    assert job.finish() == ("cancelled", [])
    assert not shown.running and not bpy.ops.limber.cancel.poll()
    assert not box.modifiers
    assert not [p for p in result.cache_folder().iterdir() if p.suffix in (".mdd", ".pc2")]
    assert bpy.ops.limber.bake.poll()


def check_what_is_missing_is_named():
    scene = stage.fresh()
    stage.refused(bpy.ops.limber.bake, "no object is soft")
    box = stage.soften(stage.box())
    box.limber.fixed_group = "wings"
    stage.refused(bpy.ops.limber.bake, 'no vertex group "wings"', "Box")
    box.vertex_groups.new(name="wings")
    stage.refused(bpy.ops.limber.bake, "no vertex of weight 0.5", "Box")
    box.limber.fixed_group = ""
    box.limber.cells = 200
    box.limber.modes = 500
    box.data.clear_geometry()
    stage.refused(bpy.ops.limber.bake, "no faces", "Box")
    bpy.data.objects.remove(box)
    flat = stage.soften(stage.box("Far", place=(0, 0, -3)), method="corotational")
    stage.refused(bpy.ops.limber.bake, "under the ground", flat.name)
    scene.limber.use_ground = False
    os.environ["LIMBER"] = "no-such-program"
    stage.refused(bpy.ops.limber.bake, "no-such-program", "add-on preferences")
    assert jobs.current is None
