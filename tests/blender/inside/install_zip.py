"""Started by Blender: installs the zip as a user does, and bakes. Arguments: ZIP PROGRAM."""

import sys

import bpy

archive, program = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.preferences.addon_install(filepath=archive)
bpy.ops.preferences.addon_enable(module="limber_blender")
bpy.context.preferences.addons["limber_blender"].preferences.program = program
bpy.context.scene.frame_end = 3
cube = bpy.data.objects["Cube"]
cube.select_set(True)
assert bpy.ops.limber.set_role() == {"FINISHED"}
assert bpy.ops.limber.bake() == {"FINISHED"}
assert cube.modifiers["Limber"].filepath
bpy.ops.preferences.addon_disable(module="limber_blender")
assert not hasattr(bpy.types.Scene, "limber")
print("the zip: passed")
