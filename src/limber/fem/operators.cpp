#include "limber/fem/operators.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "limber/core/rotation.h"
#include "limber/fem/node_graph.h"

namespace limber {

ElementGeometry element_geometry(const TetMesh& mesh) {
  ElementGeometry geometry;
  geometry.gradients.resize(mesh.tet_count(), 12);
  geometry.volumes.resize(mesh.tet_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const auto corner = [&](int k) { return Vec3(mesh.V.row(mesh.T(tet, k)).transpose()); };
    const Vec3 origin = corner(0);
    const Vec3 a = corner(1) - origin;
    const Vec3 b = corner(2) - origin;
    const Vec3 c = corner(3) - origin;
    // Rows of the inverse of [a b c]: each gradient stands on the face opposite to its node.
    const Vec3 bc = b.cross(c);
    const Vec3 ca = c.cross(a);
    const Vec3 ab = a.cross(b);
    const double determinant = a.dot(bc);
    Eigen::Map<Eigen::Matrix<double, 3, 4>> gradient(geometry.gradients.data() + 12 * tet);
    gradient.col(1) = bc / determinant;
    gradient.col(2) = ca / determinant;
    gradient.col(3) = ab / determinant;
    gradient.col(0) = -(gradient.col(1) + gradient.col(2) + gradient.col(3));
    geometry.volumes[tet] = determinant / 6;
  }
  return geometry;
}

SparseRows gradient_operator(const TetMesh& mesh) {
  const ElementGeometry geometry = element_geometry(mesh);
  SparseRows G(9 * mesh.tet_count(), 3 * mesh.node_count());
  G.resizeNonZeros(36 * mesh.tet_count());
  for (int row = 0; row <= G.rows(); ++row) G.outerIndexPtr()[row] = 4 * row;
  int* column = G.innerIndexPtr();
  double* value = G.valuePtr();
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    // Columns ascend within a row, as compressed storage wants.
    std::array<int, 4> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(),
              [&](int p, int q) { return mesh.T(tet, p) < mesh.T(tet, q); });
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (const int k : order) {
          *column++ = 3 * mesh.T(tet, k) + i;
          *value++ = geometry.gradient(tet, k)[j];
        }
      }
    }
  }
  return G;
}

SparseRows curl_operator(const TetMesh& mesh) {
  return curl_operator(mesh, element_geometry(mesh), NodeGraph(mesh));
}

SparseRows curl_operator(const TetMesh& mesh, const ElementGeometry& geometry,
                         const NodeGraph& graph) {
  SparseRows W(3 * graph.node_count(), 3 * graph.node_count());
  W.resizeNonZeros(9 * graph.entry_count());
  std::fill_n(W.valuePtr(), 9 * graph.entry_count(), 0.0);
  W.outerIndexPtr()[0] = 0;
  RowSlots slots(graph);
  for (int node = 0; node < graph.node_count(); ++node) {
    slots.select(node);
    const auto neighbours = graph.neighbours(node);
    const int width = 3 * static_cast<int>(neighbours.size());
    const int begin = 9 * graph.offset(node);
    for (int c = 0; c < 3; ++c) {
      int* column = W.innerIndexPtr() + begin + c * width;
      for (const int neighbour : neighbours) {
        for (int d = 0; d < 3; ++d) *column++ = 3 * neighbour + d;
      }
      W.outerIndexPtr()[3 * node + c + 1] = begin + (c + 1) * width;
    }
    double* const values = W.valuePtr() + begin;
    const double share = graph.corners(node).empty() ? 0.0 : 0.5 / graph.corners(node).size();
    for (const int corner : graph.corners(node)) {
      const int tet = corner / 4;
      for (int k = 0; k < 4; ++k) {
        const Mat3 curl = share * skew(geometry.gradient(tet, k));
        double* const first = values + 3 * slots[mesh.T(tet, k)];
        for (int c = 0; c < 3; ++c) {
          for (int d = 0; d < 3; ++d) first[c * width + d] += curl(c, d);
        }
      }
    }
  }
  return W;
}

std::vector<Mat3> deformation_gradients(const TetMesh& mesh, const ElementGeometry& geometry,
                                        const Positions& positions) {
  std::vector<Mat3> gradients(mesh.tet_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    Mat3 F = Mat3::Zero();
    for (int k = 0; k < 4; ++k) {
      F += positions.row(mesh.T(tet, k)).transpose() * geometry.gradient(tet, k).transpose();
    }
    gradients[tet] = F;
  }
  return gradients;
}

}  // namespace limber
