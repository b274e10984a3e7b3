"""The sidebar's tab in the 3D viewport."""

import bpy

from .properties import MODAL_METHODS


class LimberPanel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Limber"


def in_two_columns(layout):
    """Names left, values right; without the dots for keys, since nothing here changes during a bake."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


class OfSoftObject(LimberPanel):
    bl_parent_id = "LIMBER_PT_main"

    @classmethod
    def poll(cls, context):
        obj = context.object
        return obj is not None and obj.type == "MESH" and obj.limber.role == "SOFT"


class LIMBER_PT_main(LimberPanel, bpy.types.Panel):
    bl_label = "Limber"

    def draw(self, context):
        layout = self.layout
        obj = context.object
        if obj is None or obj.type != "MESH":
            layout.label(text="Select a mesh object", icon="INFO")
        else:
            row = layout.row(align=True)
            for role, label in (("SOFT", "Soft"), ("OBSTACLE", "Obstacle"), ("NONE", "None")):
                row.operator("limber.set_role", text=label, depress=obj.limber.role == role).role = role
            if obj.limber.role == "OBSTACLE":
                row = layout.row(align=True)
                row.prop(obj.limber, "friction")
                row.prop(obj.limber, "restitution")
        draw_work(layout, context)


def draw_work(layout, context):
    progress = context.window_manager.limber
    if progress.running:
        if hasattr(layout, "progress"):  # Blender 4.0 and later
            layout.progress(factor=progress.fraction / 100, text=progress.stage)
        else:
            layout.prop(progress, "fraction", text=progress.stage, slider=True)
        layout.operator("limber.cancel", icon="CANCEL")
        return
    row = layout.row(align=True)
    row.scale_y = 1.4
    row.operator("limber.bake", icon="PHYSICS")
    playing = context.screen is not None and context.screen.is_animation_playing
    row.operator("screen.animation_play", text="", icon="PAUSE" if playing else "PLAY")


class LIMBER_PT_material(OfSoftObject, bpy.types.Panel):
    bl_label = "Material"

    def draw(self, context):
        settings = context.object.limber
        layout = in_two_columns(self.layout)
        layout.prop(settings, "preset")
        for name in ("young", "poisson", "density", "damping", "friction", "restitution"):
            layout.prop(settings, name)


class LIMBER_PT_regions(OfSoftObject, bpy.types.Panel):
    bl_label = "Pinned and Stiff"

    def draw(self, context):
        obj = context.object
        layout = in_two_columns(self.layout)
        layout.prop_search(obj.limber, "fixed_group", obj, "vertex_groups")
        layout.prop_search(obj.limber, "stiff_group", obj, "vertex_groups")
        row = layout.row()
        row.active = bool(obj.limber.stiff_group)
        row.prop(obj.limber, "stiff_young")


class LIMBER_PT_motion(OfSoftObject, bpy.types.Panel):
    bl_label = "Motion"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        settings = context.object.limber
        layout = in_two_columns(self.layout)
        layout.prop(settings, "method")
        row = layout.row()
        row.active = settings.method in MODAL_METHODS
        row.prop(settings, "modes")
        layout.prop(settings, "cells")
        column = layout.column()
        column.active = not settings.fixed_group
        column.prop(settings, "velocity")
        column.prop(settings, "angular_velocity")
        layout.prop(settings, "result")
        row = layout.row(align=True)
        row.operator("limber.clear", icon="X")
        row.operator("limber.remove_unused", icon="TRASH")


class LIMBER_PT_world(LimberPanel, bpy.types.Panel):
    bl_label = "World"
    bl_parent_id = "LIMBER_PT_main"

    def draw(self, context):
        settings = context.scene.limber
        layout = in_two_columns(self.layout)
        layout.prop(settings, "use_ground")
        column = layout.column()
        column.active = settings.use_ground
        column.prop(settings, "ground_height")
        column.prop(settings, "ground_friction")
        layout.prop(settings, "steps")


class LIMBER_UL_poses(bpy.types.UIList):
    def draw_item(self, _context, layout, data, item, _icon, _active, _property, _index=0, _flag=0):
        layout.prop(item, "frame", text="", emboss=False)
        keys = data.id_data.data.shape_keys
        if keys:
            layout.prop_search(item, "shape_key", keys, "key_blocks", text="")
        else:
            layout.label(text="as at this frame")


class LIMBER_PT_poses(LimberPanel, bpy.types.Panel):
    bl_label = "Living Motion"
    bl_parent_id = "LIMBER_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        settings = context.object.limber
        layout = self.layout
        row = layout.row()
        row.template_list("LIMBER_UL_poses", "", settings, "poses", settings, "pose_index", rows=3)
        buttons = row.column(align=True)
        buttons.operator("limber.add_pose", text="", icon="ADD")
        buttons.operator("limber.remove_pose", text="", icon="REMOVE")
        column = in_two_columns(layout.column())
        for name in ("swing", "pose_modes", "after"):
            column.prop(settings, name)
        layout.operator("limber.interpolate", icon="ANIM")


CLASSES = [LIMBER_PT_main, LIMBER_PT_material, LIMBER_PT_regions, LIMBER_PT_motion, LIMBER_PT_world, LIMBER_UL_poses,
           LIMBER_PT_poses]
