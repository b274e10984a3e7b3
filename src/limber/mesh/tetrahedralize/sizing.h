// How fine the background must be where: the octree that suits a body.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "limber/mesh/tetrahedralize/octree.h"
#include "limber/mesh/tetrahedralize/solid.h"

namespace limber {

/// Ways to lay a lattice over a body, apart by fractions of a cell: where its sizes meet badly in
/// one, they seldom do in the next.
inline constexpr int kPlacements = 3;

struct Sizing {
  double cell = 0;         ///< the ordinary leaf's side at the surface, m
  int finer_levels = 0;    ///< halvings allowed below that
  int coarser_levels = 0;  ///< doublings allowed in the interior
  int placement = 0;       ///< where the lattice lies, 0 to kPlacements - 1
  /// Halvings asked for at a point, beside what thin parts need; may be empty.
  std::function<int(const Vec3&)> asked;
};

/// A solid must be this many leaves thick for its lattice to hold together: the longest edge is one
/// leaf, and a layer thinner than that may slip between nodes.
inline constexpr double kCellsAcross = 1.2;

/// For each triangle the thickness of the solid behind it, m; infinite for sheets and where the
/// facing side does not face back.
std::vector<double> thickness_behind(const Solid& solid, const Roles& roles);

/// For each triangle how often the ordinary leaf is to be halved there.
std::vector<int> halvings_at(const Solid& solid, const std::vector<double>& thickness,
                             const Sizing& sizing);

/// Leaves at triangles as small as `halvings` says, with their whole neighbourhood, so that the
/// surface meets a lattice of one size wherever it can; larger away from it.
Octree make_octree(const Solid& solid, const std::vector<int>& halvings, const Sizing& sizing);

}  // namespace limber
