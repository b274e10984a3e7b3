// The small bodies of bodies.h: compiled once for all tests of this folder, and checked.
#include "bodies.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/fem/operators.h"

namespace limber::test {

NodalMass nodal_mass(const SparseMatrix& scalar) {
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

ModalModel dense_body(const TetMesh& mesh, const Material& material,
                      const std::vector<int>& fixed_nodes, int modes) {
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
  ModalModel body;
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

const ModalModel& soft_bar() {
  static const ModalModel body = [] {
    const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
    return dense_body(mesh, {2e5, 0.3, 1000}, nodes_at(mesh, 0, 0), 8);
  }();
  return body;
}

Eigen::MatrixXd dense_mass(const ModalModel& body) {
  const int n = body.node_count();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i) {
    for (int e = body.mass.offsets[i]; e < body.mass.offsets[i + 1]; ++e) {
      M.block<3, 3>(3 * i, 3 * body.mass.columns[e]) += body.mass.values[e] * Mat3::Identity();
    }
  }
  return M;
}

std::vector<int> nodes_at(const TetMesh& mesh, int axis, double value) {
  std::vector<int> nodes;
  for (int i = 0; i < mesh.node_count(); ++i) {
    if (std::abs(mesh.V(i, axis) - value) < 1e-9) nodes.push_back(i);
  }
  return nodes;
}

TEST(DenseBodies, HaveOrthonormalModesWithoutRigidOnes) {
  const TetMesh mesh = bar({1, 0.3, 0.2}, {4, 1, 1});
  for (const std::vector<int>& fixed : {nodes_at(mesh, 0, 0), std::vector<int>{}}) {
    const ModalModel body = dense_body(mesh, {2e5, 0.3, 1000}, fixed, 10);
    const Eigen::MatrixXd product = body.Phi().transpose() * dense_mass(body) * body.Phi();
    EXPECT_LT((product - Eigen::MatrixXd::Identity(10, 10)).norm(), 1e-10);
    EXPECT_EQ(body.rigid_modes, fixed.empty() ? 6 : 0);
    EXPECT_GT(body.eigenvalues()[0], 1);
  }
}

}  // namespace limber::test
