"""Started by Blender with a window: bakes as the button does, while Blender goes on; then cancels one with Esc's
operator. Checks are steps of a timer, for Blender must run its own events between them. Argument: a file for the verdict.
"""

import os
import pathlib
import sys
import traceback

import bpy

sys.path[:0] = [os.environ["LIMBER_ADDON"], str(pathlib.Path(__file__).parent)]
verdict = pathlib.Path(sys.argv[sys.argv.index("--") + 1])

import limber_blender  # noqa: E402

limber_blender.register()
bpy.context.preferences.view.show_splash = False
progress = []


def press(operator):
    """As a button: with a window, which timers do not have of themselves."""
    window = bpy.context.window_manager.windows[0]
    area = next(a for a in window.screen.areas if a.type == "VIEW_3D")
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        assert operator("INVOKE_DEFAULT") == {"RUNNING_MODAL"}


def running():
    shown = bpy.context.window_manager.limber
    if shown.running:
        progress.append(shown.fraction)
    return shown.running


def story():
    cube = bpy.data.objects["Cube"]
    cube.select_set(True)
    cube.location.z = 1.5
    bpy.ops.limber.set_role()
    cube.limber.method, cube.limber.cells = "corotational", 6
    bpy.context.scene.frame_end = 160  # long enough for some ticks of the timer
    bpy.ops.ed.undo_push(message="Make Soft")  # as Blender itself does after what people click
    press(bpy.ops.limber.bake)
    assert running() and not bpy.ops.limber.bake.poll()
    while running():
        yield
    assert "Limber" in cube.modifiers
    assert len(set(progress)) > 3 and max(progress) > 50, progress
    bpy.ops.ed.undo()
    yield
    cube = bpy.data.objects["Cube"]
    assert "Limber" not in cube.modifiers and cube.limber.role == "SOFT"
    bpy.context.scene.frame_end = 2000
    press(bpy.ops.limber.bake)
    while bpy.context.window_manager.limber.stage != "simulate":
        yield
    bpy.ops.limber.cancel()
    while running():
        yield
    assert "Limber" not in bpy.data.objects["Cube"].modifiers


steps = story()


def step():
    try:
        next(steps)
        return 0.05
    except StopIteration:
        verdict.write_text("passed")
    except Exception:
        verdict.write_text(traceback.format_exc())
    os._exit(0)  # Blender's own way out asks about unsaved files


bpy.app.timers.register(step, first_interval=1)
