// What a surface is before anything is filled: its parts and bodies, and what is wrong with it.
#pragma once

#include "limber/mesh/tetrahedralize/bodies.h"
#include "limber/mesh/tetrahedralize/roles.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {

struct SurfaceFindings {
  Soup soup;
  SelfIntersections crossings;
  Bodies bodies;
};

/// Also fills in the surface's half of `report`, except for `sheet_parts` and the volume.
SurfaceFindings examine_surface(const TriMesh& surface, TetrahedralizeReport& report);

/// What the walls of a body enclose by the divergence theorem, overlaps counted twice; m³.
double wall_volume(const Soup& body, const Roles& roles);

}  // namespace limber
