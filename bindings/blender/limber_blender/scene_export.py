"""Soft objects, obstacles and the scene around them as a scene file of Limber.

Limber knows no axis that is up: gravity and ground say where down is, so Blender's coordinates go in and come out as
they are, in metres.
"""

import json

import numpy

from . import geometry, timeline
from .errors import LimberError
from .properties import MODAL_METHODS


def soft_objects(scene):
    return _with_role(scene, "SOFT")


def obstacles(scene):
    return _with_role(scene, "OBSTACLE")


def _with_role(scene, role):
    return [obj for obj in scene.objects if obj.type == "MESH" and obj.limber.role == role]


class SceneExport:
    """Writes the file and the surfaces beside it. `bodies` are the soft objects in the file's order."""

    def __init__(self, context, folder):
        self.scene = context.scene
        self.folder = folder
        self.unit = context.scene.unit_settings.scale_length
        self.bodies = soft_objects(self.scene)
        if not self.bodies:
            raise LimberError("no object is soft", self.scene.name, "select one and press Make Soft")
        self.obstacles = obstacles(self.scene)
        self.frame_rate = timeline.frame_rate(self.scene)
        self.frame_count = len(timeline.frames_of(self.scene))
        self.times = [k / self.frame_rate for k in range(self.frame_count)]
        for obj in self.bodies + self.obstacles:
            obj.update_from_editmode()
        self.matrices = timeline.matrices_of(context, self.bodies + self.obstacles)
        self.path = folder / "scene.json"
        with timeline.frame_kept(self.scene):
            self.scene.frame_set(self.scene.frame_start)
            description = self._scene(context)
        self.path.write_text(json.dumps(description, indent=1), encoding="utf-8")

    def _scene(self, context):
        settings = self.scene.limber
        gravity = numpy.array(self.scene.gravity) if self.scene.use_gravity else numpy.zeros(3)
        description = {
            "limber": 1,
            "gravity": gravity.tolist(),
            "frame_rate": self.frame_rate,
            "time_step": 1 / (self.frame_rate * settings.steps),
            "duration": self.times[-1],
            "bodies": [self._body(obj, k) for k, obj in enumerate(self.bodies)],
            "obstacles": [self._obstacle(context, obj, k) for k, obj in enumerate(self.obstacles)],
        }
        if settings.use_ground:
            description["ground"] = {"normal": [0, 0, 1], "offset": self.unit * settings.ground_height,
                                     "friction": settings.ground_friction}
        return description

    def _body(self, obj, number):
        settings = obj.limber
        surface = f"soft-{number}.obj"
        body = {
            "name": obj.name,
            "surface": surface,
            "fill": {"cells": settings.cells},
            "material": {"young": settings.young, "poisson": settings.poisson, "density": settings.density},
            "damping": {"stiffness": settings.damping},
            "method": settings.method,
            "friction": settings.friction,
            "restitution": settings.restitution,
        }
        if settings.method in MODAL_METHODS:
            body["modes"] = settings.modes
        pinned = self._pinned(obj)
        if pinned:
            body["fixed"] = ["vertices:" + ",".join(map(str, pinned))]
        else:
            self._throw(settings, body)
        place = self._place(obj, "support", body, keys=bool(pinned))
        shades = None
        if settings.stiff_group:
            shades = geometry.weights_of(obj, settings.stiff_group)
            body["painted_young"] = [settings.young, settings.stiff_young]
        vertices = geometry.transformed(place, geometry.vertices_of(obj.data))
        triangles = geometry.triangles_of(obj.data)
        if not len(triangles):
            raise LimberError("the object has no faces", obj.name, "give it some, or let it be no soft body")
        geometry.write_obj(self.folder / surface, self.unit * vertices, triangles, shades)
        return body

    def _pinned(self, obj):
        """Numbers of the vertices that stay with the object."""
        name = obj.limber.fixed_group
        if not name:
            return []
        pinned = numpy.flatnonzero(geometry.weights_of(obj, name) >= geometry.PINNED_WEIGHT).tolist()
        if not pinned:
            raise LimberError(f'the vertex group "{name}" has no vertex of weight {geometry.PINNED_WEIGHT} or more',
                              obj.name, "assign some, or leave Pinned empty")
        return pinned

    @staticmethod
    def _throw(settings, body):
        for key, value in (("velocity", settings.velocity), ("angular_velocity", settings.angular_velocity)):
            if any(value):
                body[key] = list(value)

    def _place(self, obj, key, description, keys):
        """The matrix from the object's vertices to rest coordinates; with `keys`, those of its motion go in."""
        matrices = self.matrices[obj]
        if len(matrices) == 1 or not keys:
            return numpy.array(matrices[0])
        description[key] = geometry.keys_of(matrices, self.times, self.unit, obj.name)
        start, _ = geometry.rigid_part(matrices[0])
        return numpy.linalg.solve(start, numpy.array(matrices[0]))

    def _obstacle(self, context, obj, number):
        settings = obj.limber
        surface = f"obstacle-{number}.obj"
        description = {"name": obj.name, "surface": surface, "friction": settings.friction,
                       "restitution": settings.restitution}
        place = self._place(obj, "path", description, keys=True)
        shown = obj.evaluated_get(context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        try:
            vertices = geometry.transformed(place, geometry.vertices_of(mesh))
            triangles = geometry.triangles_of(mesh)
        finally:
            shown.to_mesh_clear()
        if not len(triangles):
            raise LimberError("the obstacle has no faces", obj.name, "give it some, or let it be no obstacle")
        geometry.write_obj(self.folder / surface, self.unit * vertices, triangles)
        return description
