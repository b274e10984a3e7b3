"""What the buttons do. Errors become Blender's reports; every operator that changes data can be undone."""

import bpy
from bpy.props import EnumProperty

from . import jobs, plans, program, result
from .errors import LimberError
from .properties import ROLES

TICK_SECONDS = 0.1


def _preferred_program(context):
    addon = context.preferences.addons.get(__package__)
    return program.find_program(bpy.path.abspath(addon.preferences.program) if addon else "")


def _meshes(context):
    return [obj for obj in context.selected_objects if obj.type == "MESH"]


class LIMBER_OT_set_role(bpy.types.Operator):
    """Let the selected objects be soft bodies, obstacles or neither"""

    bl_idname = "limber.set_role"
    bl_label = "Make Soft"
    bl_options = {"REGISTER", "UNDO"}

    role: EnumProperty(name="Role", items=ROLES, default="SOFT")

    @classmethod
    def poll(cls, context):
        return bool(_meshes(context))

    def execute(self, context):
        for obj in _meshes(context):
            obj.limber.role = self.role
            if self.role != "SOFT":
                result.clear(obj)
        return {"FINISHED"}


class LIMBER_OT_clear(bpy.types.Operator):
    """Take the baked motion off the selected objects"""

    bl_idname = "limber.clear"
    bl_label = "Clear Motion"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return bool(_meshes(context))

    def execute(self, context):
        for obj in _meshes(context):
            result.clear(obj)
        return {"FINISHED"}


class LIMBER_OT_remove_unused(bpy.types.Operator):
    """Delete cache files that no object plays. Bakes that only undo would bring back are gone then"""

    bl_idname = "limber.remove_unused"
    bl_label = "Delete Unused Caches"

    def execute(self, _context):
        paths = result.unused_files()
        for path in paths:
            path.unlink()
        self.report({"INFO"}, f"{len(paths)} files deleted")
        return {"FINISHED"}


class LIMBER_OT_add_pose(bpy.types.Operator):
    """A pose at the current frame: the active shape key, or the object as it is there"""

    bl_idname = "limber.add_pose"
    bl_label = "Add Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def execute(self, context):
        obj = context.object
        pose = obj.limber.poses.add()
        pose.frame = context.scene.frame_current
        if obj.data.shape_keys:
            pose.shape_key = obj.active_shape_key.name
        obj.limber.pose_index = len(obj.limber.poses) - 1
        return {"FINISHED"}


class LIMBER_OT_remove_pose(bpy.types.Operator):
    """Take the chosen pose out of the list"""

    bl_idname = "limber.remove_pose"
    bl_label = "Remove Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and len(context.object.limber.poses) > 0

    def execute(self, context):
        settings = context.object.limber
        settings.poses.remove(settings.pose_index)
        settings.pose_index = max(0, min(settings.pose_index, len(settings.poses) - 1))
        return {"FINISHED"}


class LongWork:
    """Runs a plan: with windows in the background of Blender's own work, from scripts until it is done."""

    _timer = None
    _job = None

    @classmethod
    def poll(cls, context):
        return jobs.current is None and context.mode == "OBJECT"

    def plan(self, context):
        raise NotImplementedError

    def _start(self, context):
        self._job = jobs.Job(self.plan(context), _preferred_program(context))

    def _finish(self):
        text, warnings = self._job.finish()
        for warning in warnings:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, text)
        return {"CANCELLED"} if self._job.cancelled else {"FINISHED"}

    def execute(self, context):
        try:
            self._start(context)
            return self._finish()
        except LimberError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self._start(context)
        except LimberError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        manager = context.window_manager
        self._timer = manager.event_timer_add(TICK_SECONDS, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._job.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        if not self._job.done:
            self._job.tick()
            shown = context.window_manager.limber
            context.window_manager.progress_update(shown.fraction)
            context.workspace.status_text_set(f"Limber: {shown.stage} {shown.fraction:.0f} %   Esc: cancel")
            _redraw(context)
            return {"PASS_THROUGH"}
        try:
            return self._finish()
        except LimberError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            context.window_manager.event_timer_remove(self._timer)
            context.window_manager.progress_end()
            context.workspace.status_text_set(None)
            _redraw(context)

    def cancel(self, _context):
        """Blender is closing or loads another file."""
        self._job.cancel()
        self._job.finish()


def _redraw(context):
    for area in context.screen.areas:
        area.tag_redraw()


class LIMBER_OT_bake(LongWork, bpy.types.Operator):
    """Simulate all soft objects over the scene's frames"""

    bl_idname = "limber.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    def plan(self, context):
        return plans.SimulationPlan(context)


class LIMBER_OT_interpolate(LongWork, bpy.types.Operator):
    """A living motion of the active object through its poses"""

    bl_idname = "limber.interpolate"
    bl_label = "Bake Motion Through Poses"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return super().poll(context) and context.object is not None and context.object.type == "MESH"

    def plan(self, context):
        return plans.LivingMotionPlan(context)


class LIMBER_OT_cancel(bpy.types.Operator):
    """Stop the work under way; nothing changes"""

    bl_idname = "limber.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, _context):
        return jobs.current is not None

    def execute(self, _context):
        jobs.current.cancel()
        return {"FINISHED"}


CLASSES = [LIMBER_OT_set_role, LIMBER_OT_clear, LIMBER_OT_remove_unused, LIMBER_OT_add_pose, LIMBER_OT_remove_pose,
           LIMBER_OT_bake, LIMBER_OT_interpolate, LIMBER_OT_cancel]
