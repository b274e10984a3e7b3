"""The frames of a scene, and where its objects are at each."""

from contextlib import contextmanager


def frame_rate(scene):
    return scene.render.fps / scene.render.fps_base


def frames_of(scene):
    return range(scene.frame_start, scene.frame_end + 1)


@contextmanager
def frame_kept(scene):
    """The scene may be sent to other frames inside, and is back where it was behind."""
    frame, part = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        scene.frame_set(frame, subframe=part)


def may_move(obj):
    """Whether anything could carry the object along: keys, drivers, constraints, parents."""
    while obj is not None:
        if obj.animation_data is not None or len(obj.constraints) or obj.rigid_body is not None:
            return True
        obj = obj.parent
    return False


def matrices_of(context, objects):
    """For each object its world matrices at the scene's frames: one alone where nothing moves it."""
    scene = context.scene
    with frame_kept(scene):
        scene.frame_set(scene.frame_start)
        found = {obj: [obj.matrix_world.copy()] for obj in objects}
        moving = [obj for obj in objects if may_move(obj)]
        for frame in frames_of(scene)[1:] if moving else ():
            scene.frame_set(frame)
            for obj in moving:
                found[obj].append(obj.matrix_world.copy())
    for obj, matrices in found.items():
        if all(matrix == matrices[0] for matrix in matrices):
            del matrices[1:]
    return found
