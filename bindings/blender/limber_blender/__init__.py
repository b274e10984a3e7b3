"""Limber in Blender: objects become soft, are baked by the program `limber`, and play in the viewport."""

bl_info = {
    "name": "Limber: soft bodies",
    "author": "The Limber authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D Viewport > Sidebar > Limber",
    "description": "Elastic bodies by modal warping, with contact, and living motion between poses",
    "doc_url": "docs/blender.md",
    "category": "Physics",
}

from . import operators, panels, properties  # noqa: E402  bl_info comes first, for Blender reads it

CLASSES = properties.CLASSES + operators.CLASSES + panels.CLASSES


def register():
    import bpy
    for one in CLASSES:
        bpy.utils.register_class(one)
    properties.attach()


def unregister():
    import bpy
    properties.detach()
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
