// What help() says of functions that take the keys of a scene: signatures with their defaults.
// tests/python/test_types.py holds them against the schema.
#pragma once

namespace limber::python {

inline constexpr const char* kAddHelp =
    R"(add(self, body: Union[TetMesh, TriMesh, Body, Tuple[V, T or F]], *, name='body0', surface=None,
    fill=None, method='modal-warping', modes=20, material=None, regions=None, painted_young=None,
    fixed=(), damping=None, mass=None, integrator='exact', theta=0.55,
    initial_modes=None, loads='work', fast=False, coriolis=False,
    fields=30, elasticity='corotational', local=None, pieces='apart', full_space=None, core=None,
    position=(0, 0, 0), rotation=(0, 0, 0, 1), velocity=(0, 0, 0), angular_velocity=(0, 0, 0),
    support=None, support_interpolation='smooth', constraints=(), priority='position',
    forces=(), probes=None, friction=None, restitution=0, collides=True,
    self_contact=None, importance=1) -> WorldBody

A body from memory, with the keys of a scene's body.

body: a TetMesh; a Body, baked with its modes; or a TriMesh, which is filled with tets (fill:
    {"cells": 32} or {"tets": 5000}). Arrays (V, T) and (V, F) are taken for such meshes
surface: a TriMesh, or (V, F), that is shown in place of the tets' boundary
fixed: node numbers, a mask (n,), or SELECT expressions such as "x<=0.001"
material: {"young": Pa, "poisson": nu, "density": kg/m³}; regions: {number: material}
damping: {"mass": 1/s, "stiffness": s}
position (3,), rotation (4,) as x y z w: of the rest coordinates; velocity (3,), angular_velocity (3,)
forces: [{"nodes": numbers, mask or expression, "force": (3,) N, "from": s, "to": s}]

The rest is as docs/scene.schema.json says.

>>> import limber
>>> world = limber.World()
>>> world.add_ground(friction=0.5)
>>> cube = world.add(limber.bar([0.2] * 3, [2] * 3), name="cube", position=[0, 0.5, 0], modes=6)
>>> world.step(1 / 60)
>>> cube.positions.shape, cube.surface_faces.shape
((27, 3), (48, 3))
)";

inline constexpr const char* kAddGroundHelp =
    R"(add_ground(self, *, normal=(0, 1, 0), offset=0, friction=None, restitution=0) -> None

A plane to fall on, called "ground": bodies stay where normal·x >= offset. Before bodies at full
resolution, whose equations it becomes a part of.)";

inline constexpr const char* kAddObstacleHelp =
    R"(add_obstacle(self, *, name='obstacle0', shape=None, size=None, surface=None, position=(0, 0, 0),
    rotation=(0, 0, 0, 1), path=None, interpolation='smooth', mass=None, velocity=(0, 0, 0),
    angular_velocity=(0, 0, 0), friction=None, restitution=0, collides=True) -> str

What bodies bounce off; gives its name.

shape, size: "sphere" [radius], "box" [x, y, z], "capsule" [radius, length] or "plane"; m
surface: a TriMesh, (V, F), or a file, instead
mass: kg, of a rigid body that moves by itself; path: keys {"time", "position", "rotation"} instead)";

inline constexpr const char* kAddJointHelp =
    R"(add_joint(self, *, type, bodies, at, to=None, axis=None, radius=None, limits=None, motor=None,
    break_force=None, collide=False) -> int

Joins two bodies or obstacles, or one and the world; gives its number for joint().

type: "ball", "hinge", "weld", "slider" or "distance"; bodies: two names, None is the world
at, axis: (3,) in world coordinates; to: the other end of a distance; radius of a weld, m
limits: [least, most] in rad or m; motor: {"speed": rad/s, "torque": N m}; break_force: N)";

inline constexpr const char* kSetContactHelp =
    R"(set_contact(self, *, substeps=16, sleep=True, response='soft') -> None

How contacts and joints are solved: substeps of each step, whether bodies at rest sleep, and
"soft" or "penalty".)";

inline constexpr const char* kSetBudgetHelp =
    R"(set_budget(self, *, microseconds=None, machine=1, view=None) -> None

What a step may cost: bodies that are seen least get fewer modes, local nodes and forces, by a model
of what bodies cost, so that every run is the same. Without microseconds all have full detail again.

machine: how many times slower this one is than the model's, or "measure"
view: {"eye": (3,), "at": (3,), "angle": degrees}; call again when it moves)";

}  // namespace limber::python
