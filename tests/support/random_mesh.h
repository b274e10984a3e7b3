// Meshes for tests: regular ones shaken so that nothing holds by symmetry alone.
#pragma once

#include <random>

#include "limber/mesh/sample_shapes.h"

namespace limber {

/// A bar whose nodes are moved by up to `amount` of a cell: graded and unstructured, no tet flat.
inline TetMesh shaken_bar(const Vec3& size, const CellCounts& cells, double amount = 0.2,
                          unsigned seed = 1) {
  TetMesh mesh = bar(size, cells);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-amount, amount);
  for (int node = 0; node < mesh.node_count(); ++node) {
    for (int c = 0; c < 3; ++c) mesh.V(node, c) += shift(random) * size[c] / cells[c];
  }
  return mesh;
}

/// A field that moves and turns the mesh as a rigid body to first order: a + b × x.
inline Vector rigid_field(const TetMesh& mesh, const Vec3& a, const Vec3& b) {
  Vector field(3 * mesh.node_count());
  for (int node = 0; node < mesh.node_count(); ++node) {
    const Vec3 x = mesh.V.row(node).transpose();
    field.segment<3>(3 * node) =
        a + Vec3(b.y() * x.z() - b.z() * x.y(), b.z() * x.x() - b.x() * x.z(),
                 b.x() * x.y() - b.y() * x.x());
  }
  return field;
}

}  // namespace limber
