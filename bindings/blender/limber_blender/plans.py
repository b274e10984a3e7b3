"""What the program is asked to do, and how its answer reaches the objects: a bake, or a motion through poses.

A plan writes its files when made, has `arguments` for the program, and `apply(files)` what came back.
"""

import bpy
import numpy

from . import geometry, pieces, point_cache, result, timeline
from .errors import LimberError
from .scene_export import SceneExport


def _object(name):
    """By name, for undo makes other objects of the same name while the program works."""
    obj = bpy.data.objects.get(name)
    if obj is None:
        raise LimberError("the object is gone", name, "bake again")
    return obj


class SimulationPlan:
    """All soft objects of the scene together, with the obstacles."""

    def __init__(self, context):
        folder = result.cache_folder()
        export = SceneExport(context, folder)
        for obj in export.bodies:
            result.refuse_other_keys(obj)
        self.folder = folder
        self.scene_path = export.path
        self.first_frame = context.scene.frame_start
        self.unit = export.unit
        self.names = [obj.name for obj in export.bodies]
        self.matrices = [list(map(numpy.array, export.matrices[obj])) for obj in export.bodies]
        self.output = folder / "result.mdd"
        self.arguments = ["simulate", export.path.name, "--frames", export.frame_count, "-o", self.output.name]

    def apply(self, files):
        """The files of one body, or of each of its loose parts, follow each other; obstacles come last."""
        caches = [point_cache.read_mdd(self.folder / path) for path in files]
        told = []
        for name, matrices in zip(self.names, self.matrices):
            obj = _object(name)
            caches, world = self._take(obj, matrices[0], caches)
            result.put(obj, self._own_coordinates(world, matrices), self.first_frame)
            told.append(f"{name}: {len(world)} frames")
        for path in files:
            (self.folder / path).unlink()
        return ", ".join(told)

    def _take(self, obj, matrix, caches):
        """The caches of the object from the front of the list, as one of all its vertices."""
        rest = self.unit * geometry.transformed(matrix, geometry.vertices_of(obj.data))
        triangles = geometry.triangles_of(obj.data)
        if caches[0].shape[1] == len(rest):
            return caches[1:], caches[0]
        count, vertices = 0, 0
        while vertices < len(numpy.unique(triangles)) and count < len(caches):
            vertices += caches[count].shape[1]
            count += 1
        return caches[count:], pieces.together(caches[:count], rest, triangles, obj.name)

    def _own_coordinates(self, world, matrices):
        own = numpy.empty_like(world)
        for k, positions in enumerate(world):
            inverse = numpy.linalg.inv(matrices[min(k, len(matrices) - 1)])
            own[k] = geometry.transformed(inverse, positions.astype(float) / self.unit)
        return own


class LivingMotionPlan:
    """The active object through its poses (Huang et al. 2011), in its own coordinates."""

    def __init__(self, context):
        obj = context.object
        poses = sorted(obj.limber.poses, key=lambda pose: pose.frame)
        if len(poses) < 2:
            raise LimberError(f"{len(poses)} poses", obj.name, "add two or more with Add Pose")
        frames = [pose.frame for pose in poses]
        if len(set(frames)) < len(frames):
            raise LimberError("two poses at one frame", obj.name, "give each pose a frame of its own")
        result.refuse_other_keys(obj)
        obj.update_from_editmode()
        self.folder = result.cache_folder()
        self.name = obj.name
        self.first_frame = frames[0]
        start, _ = geometry.rigid_part(obj.matrix_world)
        self.shape = context.scene.unit_settings.scale_length * numpy.linalg.solve(
            start, numpy.array(obj.matrix_world))[:3, :3]
        self._write("rest.obj", obj, geometry.vertices_of(obj.data))
        files = []
        for k, positions in enumerate(_pose_positions(context, obj, poses)):
            files.append(f"pose-{k}.obj")
            self._write(files[-1], obj, positions)
        rate = timeline.frame_rate(context.scene)
        settings = obj.limber
        self.arguments = [
            "interpolate", "rest.obj", *files, "--times", ",".join(repr((f - frames[0]) / rate) for f in frames),
            "--fps", repr(rate), "--modes", settings.pose_modes, "--cells", settings.cells, "--young", settings.young,
            "--poisson", settings.poisson, "--density", settings.density, "-o", "result.mdd"]
        if settings.swing > 0:
            self.arguments += ["--swing", settings.swing]
        if settings.after:
            self.arguments += ["--after", repr(settings.after / rate)]

    def _write(self, name, obj, positions):
        geometry.write_obj(self.folder / name, positions @ self.shape.T, geometry.triangles_of(obj.data))

    def apply(self, files):
        obj = _object(self.name)
        path = self.folder / files[0]
        positions = point_cache.read_mdd(path).astype(float) @ numpy.linalg.inv(self.shape).T
        result.put(obj, positions, self.first_frame)
        path.unlink()
        return f"{self.name}: {len(positions)} frames through the poses"


def _pose_positions(context, obj, poses):
    """(n, 3) for each pose: of its shape key, or of the object as the scene shows it at the pose's frame."""
    modifier = obj.modifiers.get(result.MODIFIER)
    shown = modifier is not None and modifier.show_viewport
    if shown:
        modifier.show_viewport = False
    try:
        with timeline.frame_kept(context.scene):
            return [_positions(context, obj, pose) for pose in poses]
    finally:
        if shown:
            modifier.show_viewport = True


def _positions(context, obj, pose):
    if pose.shape_key:
        keys = obj.data.shape_keys
        block = keys.key_blocks.get(pose.shape_key) if keys else None
        if block is None:
            raise LimberError(f'there is no shape key "{pose.shape_key}"', obj.name, "choose one that is there")
        flat = numpy.empty(3 * len(block.data), dtype=numpy.float32)
        block.data.foreach_get("co", flat)
        return flat.reshape(-1, 3).astype(float)
    context.scene.frame_set(pose.frame)
    evaluated = obj.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        positions = geometry.vertices_of(mesh)
    finally:
        evaluated.to_mesh_clear()
    if len(positions) != len(obj.data.vertices):
        raise LimberError(f"modifiers make {len(positions)} vertices of {len(obj.data.vertices)} at frame {pose.frame}",
                          obj.name, "switch off those that add or remove vertices while poses are taken")
    return positions
