// Small bodies for the tests of dynamics, made by dense algebra.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "limber/core/sparse.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/playback/body.h"

namespace limber::test {

inline NodalMass nodal_mass(const SparseMatrix& scalar) {
  const SparseRows rows = scalar;
  const int n = static_cast<int>(rows.rows());
  NodalMass mass;
  mass.offsets = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(rows.outerIndexPtr(), rows.outerIndexPtr() + n + 1));
  mass.columns = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(rows.innerIndexPtr(), rows.innerIndexPtr() + rows.nonZeros()));
  mass.values =
      SharedArray<double>(std::vector<double>(rows.valuePtr(), rows.valuePtr() + rows.nonZeros()));
  mass.row_sums = SharedArray<double>(Vector(rows * Vector::Ones(n)));
  return mass;
}

/// The lowest modes of a mesh by a dense generalised eigenvalue problem; of a free body the six
/// rigid modes are set apart. `modes` of 0 means all.
inline Body dense_body(const TetMesh& mesh, const Material& material,
                       const std::vector<int>& fixed_nodes, int modes = 0) {
  const FreeDofs free(mesh.node_count(), fixed_nodes);
  const SparseMatrix m = scalar_mass(mesh, material);
  const Eigen::MatrixXd K = free.reduce(stiffness(mesh, material), 3);
  const Eigen::MatrixXd M = free.reduce(expand(m), 3);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> pairs(K, M);
  const int rigid = fixed_nodes.empty() ? 6 : 0;
  const int available = static_cast<int>(K.rows()) - rigid;
  if (modes == 0 || modes > available) modes = available;
  const ModeMatrix Phi = free.expand(pairs.eigenvectors().middleCols(rigid, modes));
  const ModeMatrix Psi = curl_operator(mesh) * Phi;
  Body body;
  body.rest_positions_data = SharedArray<double>(mesh.V);
  body.tets_data = SharedArray<std::int32_t>(mesh.T);
  body.fixed_nodes = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(free.fixed_nodes().begin(), free.fixed_nodes().end()));
  body.eigenvalues_data = SharedArray<double>(Vector(pairs.eigenvalues().segment(rigid, modes)));
  body.Phi_data = SharedArray<double>(Phi);
  body.Psi_data = SharedArray<double>(Psi);
  body.mass = nodal_mass(m);
  body.rigid_modes = rigid;
  body.material = material;
  return body;
}

/// M (3n×3n) of a body, dense.
inline Eigen::MatrixXd dense_mass(const Body& body) {
  const int n = body.node_count();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i) {
    for (int e = body.mass.offsets[i]; e < body.mass.offsets[i + 1]; ++e) {
      M.block<3, 3>(3 * i, 3 * body.mass.columns[e]) += body.mass.values[e] * Mat3::Identity();
    }
  }
  return M;
}

/// Nodes whose coordinate `axis` lies at `value`.
inline std::vector<int> nodes_at(const TetMesh& mesh, int axis, double value) {
  std::vector<int> nodes;
  for (int i = 0; i < mesh.node_count(); ++i) {
    if (std::abs(mesh.V(i, axis) - value) < 1e-9) nodes.push_back(i);
  }
  return nodes;
}

}  // namespace limber::test
