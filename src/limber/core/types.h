// The vocabulary of the whole project: node positions, elements, stacked vectors.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace limber {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vector = Eigen::VectorXd;

/// n×3, one node a row, metres.
using Positions = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
/// Tetrahedra, four node numbers a row; positive volume: det(v1-v0, v2-v0, v3-v0) > 0.
using Tets = Eigen::Matrix<std::int32_t, Eigen::Dynamic, 4, Eigen::RowMajor>;
/// Triangles, three vertex numbers a row, counter-clockwise seen from outside.
using Triangles = Eigen::Matrix<std::int32_t, Eigen::Dynamic, 3, Eigen::RowMajor>;
/// 3n×m, row 3i+c is component c of node i; row-major so that a node's three rows lie together.
using ModeMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The same numbers seen as a stacked vector of length 3n, node by node.
inline Eigen::Map<const Vector> stacked(const Positions& positions) {
  return {positions.data(), positions.size()};
}
inline Eigen::Map<Vector> stacked(Positions& positions) {
  return {positions.data(), positions.size()};
}

}  // namespace limber
