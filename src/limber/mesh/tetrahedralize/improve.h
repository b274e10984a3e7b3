// Mends the few bad tets that are left where the background changes size at the surface.
#pragma once

#include <functional>
#include <vector>

#include "limber/mesh/tet_mesh.h"

namespace limber {

struct ImproveOptions {
  double wanted_degrees = 13;    ///< tets with a smaller dihedral angle are worked on
  double required_degrees = 10;  ///< those still below this are peeled off where the surface allows
};

/// Moves nodes of bad tets to where their worst angle is best, nodes on the surface along it:
/// `onto_surface` brings a place near a surface node back onto the surface. Then peels bad tets off
/// the boundary where that changes nothing but a sliver. Returns the smallest dihedral angle left,
/// degrees. `on_surface` is kept in step with the mesh.
double improve(TetMesh& mesh, std::vector<bool>& on_surface,
               const std::function<Vec3(const Vec3&)>& onto_surface,
               const ImproveOptions& options = {});

}  // namespace limber
