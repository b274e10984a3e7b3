"""A world in Polyscope's window: polyscope_world.py, after `pip install polyscope`

Anything that draws triangles works the same way: surface_faces once, surface_positions every frame. Without
Polyscope, or with --frames N, it runs without a window and prints what would be drawn.
"""

from __future__ import annotations

import argparse
import importlib.util

import limber


def pile() -> tuple[limber.World, list[limber.WorldBody]]:
    world = limber.World()
    world.add_ground(friction=0.6)
    mesh = limber.bar([0.3, 0.3, 0.3], [3, 3, 3])
    body = limber.bake(mesh, limber.Material(young=8e4, poisson=0.35, density=800), modes=12)
    return world, [world.add(body, name=f"cube{k}", position=[0.1 * (k % 2), 0.1 + 0.45 * k, 0.05 * k],
                             damping={"mass": 0.3, "stiffness": 2e-3}, fast=True) for k in range(4)]


def without_a_window(world: limber.World, bodies: list[limber.WorldBody], frames: int) -> None:
    for _ in range(frames):
        world.step(1 / 60)
    for body in bodies:
        print(f"{body.name}: {len(body.surface_faces)} triangles, lowest {body.surface_positions[:, 1].min():.3f} m")


def in_a_window(world: limber.World, bodies: list[limber.WorldBody]) -> None:
    import polyscope as ps

    ps.init()
    ps.set_ground_plane_height(0)
    meshes = [ps.register_surface_mesh(body.name, body.surface_positions, body.surface_faces) for body in bodies]

    def draw() -> None:
        world.step(1 / 60)
        for mesh, body in zip(meshes, bodies):
            mesh.update_vertex_positions(body.surface_positions)

    ps.set_user_callback(draw)
    ps.show()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=0, help="so many without a window")
    frames = parser.parse_args().frames
    world, bodies = pile()
    if frames > 0 or importlib.util.find_spec("polyscope") is None:
        without_a_window(world, bodies, frames or 30)
    else:
        in_a_window(world, bodies)


if __name__ == "__main__":
    main()
