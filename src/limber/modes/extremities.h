// Where a body ends: the parts that lie farthest, along the mesh, from where it is held. Tails,
// arms and tips of bars: what people pull and twist.
#pragma once

#include <vector>

#include "limber/mesh/tet_mesh.h"

namespace limber {

struct Extremity {
  std::vector<int> nodes;      // ascending; at least four
  Vec3 centre = Vec3::Zero();  // m
  Vec3 axis = Vec3::UnitX();   // unit length, along the limb and out of it
  double distance = 0;         // of its farthest node along the mesh's edges, m
};

/// Up to `most`, the farthest first; later ones are also far from those before. `held` must not be
/// empty. Nodes without a way to those held are left out.
[[nodiscard]] std::vector<Extremity> extremities(const TetMesh& mesh, const std::vector<int>& held,
                                                 int most);

/// The node that is farthest from the mesh's first one: an end of the body.
[[nodiscard]] int farthest_node(const TetMesh& mesh);

}  // namespace limber
