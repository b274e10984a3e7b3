"""A world in memory: world_of_bodies.py [OUT.glb]

Cubes of three methods fall on the ground beside a ball of steel; one is held and let go, one is hit. A snapshot is
restored bit for bit. The last state is saved where a file is named.
"""

from __future__ import annotations

import sys
from typing import Literal

import numpy as np

import limber

STEP = 1 / 120
METHODS: tuple[Literal["modal-warping", "linear-modal", "corotational"], ...] = (
    "modal-warping", "linear-modal", "corotational")


def run(world: limber.World, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        world.step(STEP)


def main() -> None:
    world = limber.World(gravity=(0, -9.81, 0))
    world.add_ground(friction=0.5)
    world.add_obstacle(name="ball", shape="sphere", size=[0.1], mass=8, position=[-0.4, 0.3, 0.1])
    mesh = limber.bar([0.2, 0.2, 0.2], [3, 3, 3])
    soft = limber.Material(young=1e5, poisson=0.3, density=1000)
    cubes = [world.add(mesh, name=method, method=method, material=soft, position=[0.4 * k, 0.05, 0],
                       damping={"mass": 0.5, "stiffness": 2e-3})
             for k, method in enumerate(METHODS)]

    run(world, 1.0)
    for cube in cubes:
        weight = -cube.contact_force[1] / 9.81
        print(f"{cube.name:>14}: rests on the ground with {abs(weight):.1f} kg")

    hold = cubes[0].hold((0.1, 0.2, 0.1), (0.1, 0.6, 0.1))  # the middle of its top
    run(world, 0.5)
    print(f"{'held':>14}: top at {cubes[0].positions[:, 1].max():.2f} m")
    hold.release()
    cubes[1].apply_impulse((0.1, 0.1, 0.1), (0, 12, 0))

    state = world.snapshot()
    run(world, 0.25)
    first = [cube.positions for cube in cubes]
    world.restore(state)
    run(world, 0.25)
    print("the same bits again:", all(np.array_equal(a, cube.positions) for a, cube in zip(first, cubes)))

    touching = world.contacts()
    print(f"{len(touching)} contacts, the deepest {1e3 * touching.depth.max():.2f} mm" if len(touching) else "no contact")
    if len(sys.argv) > 1:
        world.save(sys.argv[1])
        print("wrote", sys.argv[1])


if __name__ == "__main__":
    main()
