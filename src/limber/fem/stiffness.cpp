#include "limber/fem/stiffness.h"

#include <array>
#include <vector>

#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"

namespace limber {

namespace {

/// λV and μV of each tet.
std::vector<std::array<double, 2>> scaled_lame(const TetMesh& mesh, const Materials& materials,
                                               const Vector& volumes) {
  std::vector<std::array<double, 2>> lame(mesh.tet_count());
  int last_region = mesh.tet_count() > 0 ? mesh.region(0) : 0;
  Material material = materials.of(last_region);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    if (mesh.region(tet) != last_region) {
      last_region = mesh.region(tet);
      material = materials.of(last_region);
    }
    lame[tet] = {material.lambda() * volumes[tet], material.mu() * volumes[tet]};
  }
  return lame;
}

/// Rows 3j..3j+2 of columns 3i..3i+2 for every neighbour j of node i.
void write_pattern(const NodeGraph& graph, SparseMatrix& K) {
  K.outerIndexPtr()[0] = 0;
  for (int node = 0; node < graph.node_count(); ++node) {
    const auto neighbours = graph.neighbours(node);
    int* row = K.innerIndexPtr() + 9 * graph.offset(node);
    for (int c = 0; c < 3; ++c) {
      for (const int neighbour : neighbours) {
        for (int d = 0; d < 3; ++d) *row++ = 3 * neighbour + d;
      }
      K.outerIndexPtr()[3 * node + c + 1] = static_cast<int>(row - K.innerIndexPtr());
    }
  }
}

}  // namespace

Eigen::Matrix<double, 12, 12> element_stiffness(const Eigen::Matrix<double, 3, 4>& gradients,
                                                double volume, const Material& material) {
  Eigen::Matrix<double, 12, 12> K;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      const Vec3 ga = gradients.col(a);
      const Vec3 gb = gradients.col(b);
      K.block<3, 3>(3 * a, 3 * b) =
          volume * (material.lambda() * ga * gb.transpose() +
                    material.mu() * (gb * ga.transpose() + ga.dot(gb) * Mat3::Identity()));
    }
  }
  return K;
}

SparseMatrix stiffness(const TetMesh& mesh, const Materials& materials) {
  return stiffness(mesh, materials, element_geometry(mesh), NodeGraph(mesh));
}

// Column by column rather than element by element: each column is finished while it is in cache,
// nothing is sorted and no triplet is ever stored.
SparseMatrix stiffness(const TetMesh& mesh, const Materials& materials,
                       const ElementGeometry& geometry, const NodeGraph& graph) {
  const std::vector<std::array<double, 2>> lame = scaled_lame(mesh, materials, geometry.volumes);
  SparseMatrix K(3 * graph.node_count(), 3 * graph.node_count());
  K.resizeNonZeros(9 * graph.entry_count());
  write_pattern(graph, K);
  std::fill_n(K.valuePtr(), K.nonZeros(), 0.0);
  RowSlots slots(graph);
  for (int node = 0; node < graph.node_count(); ++node) {
    slots.select(node);
    const std::ptrdiff_t width = 3 * std::ssize(graph.neighbours(node));
    double* const column = K.valuePtr() + 9 * graph.offset(node);
    for (const int corner : graph.corners(node)) {
      const int tet = corner / 4;
      const auto [lambda, mu] = lame[tet];
      const double* const gradients = geometry.gradients.data() + 12 * tet;
      const double* const gb = gradients + 3 * (corner % 4);  // of this node: the column
      for (int k = 0; k < 4; ++k) {
        const double* const ga = gradients + 3 * k;  // of the neighbour: the row
        double* const block = column + 3 * slots[mesh.T(tet, k)];
        const double diagonal = mu * (ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2]);
        for (int c = 0; c < 3; ++c) {
          for (int d = 0; d < 3; ++d) {
            block[c * width + d] += lambda * ga[d] * gb[c] + mu * gb[d] * ga[c];
          }
          block[c * width + c] += diagonal;
        }
      }
    }
  }
  return K;
}

}  // namespace limber
