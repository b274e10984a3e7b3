#include "limber/modes/modal_derivatives.h"

#include <Eigen/Cholesky>

#include "limber/core/solvers/cholesky.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"
#include "limber/fem/stvk.h"
#include "limber/mesh/checks.h"
#include "limber/modes/rigid_motions.h"

namespace limber {

namespace {

/// Q(u, u) for stacked u: minus the even part of the StVK forces.
class QuadraticForce {
 public:
  QuadraticForce(const TetMesh& mesh, const Materials& materials, const ElementGeometry& geometry)
      : rest_(mesh.V), tets_(mesh, materials, geometry) {}

  [[nodiscard]] Vector operator()(const Vector& u) const {
    Positions even = Positions::Zero(rest_.rows(), 3);
    for (const double sign : {1.0, -1.0}) {
      Positions x = rest_;
      stacked(x) += sign * u;
      add_stvk_forces(tets_, x, even);
    }
    return -0.5 * stacked(even);
  }

 private:
  const Positions& rest_;
  TetBatches tets_;
};

/// K made definite by springs that carry no force under balanced loads.
SparseMatrix held(SparseMatrix K, const Eigen::MatrixXd& rigid) {
  if (rigid.cols() == 0) return K;
  const double spring = K.diagonal().mean();
  for (const int unknown : holding_unknowns(rigid)) K.coeffRef(unknown, unknown) += spring;
  return K;
}

/// B − M N (NᵀMN)⁻¹ Nᵀ B.
void balance(const SparseMatrix& M, const Eigen::MatrixXd& N, Eigen::MatrixXd& B) {
  if (N.cols() == 0) return;
  const Eigen::MatrixXd MN = M * N;
  B -= MN * (N.transpose() * MN).ldlt().solve(N.transpose() * B);
}

}  // namespace

Eigen::MatrixXd modal_derivatives(const TetMesh& mesh, const Materials& materials,
                                  const std::vector<int>& fixed_nodes,
                                  const Eigen::Ref<const Eigen::MatrixXd>& Phi) {
  const ElementGeometry geometry = element_geometry(mesh);
  const NodeGraph graph(mesh);
  const FreeDofs free(mesh.node_count(), fixed_nodes);
  const SparseMatrix K = free.reduce(stiffness(mesh, materials, geometry, graph), 3);
  const SparseMatrix M =
      expand(free.reduce(scalar_mass(mesh, materials, MassKind::consistent, geometry, graph), 1));
  const Eigen::MatrixXd N = rigid_motions(mesh.V, connected_parts(mesh), free);

  // Amplitudes at which linear and quadratic forces are of like size, for rounding's sake.
  const double size = (mesh.V.colwise().maxCoeff() - mesh.V.colwise().minCoeff()).norm();
  const Eigen::Index modes = Phi.cols();
  Eigen::MatrixXd unit = Phi;
  Vector scale(modes);
  for (Eigen::Index j = 0; j < modes; ++j) {
    scale[j] = 0.1 * size / Phi.col(j).lpNorm<Eigen::Infinity>();
    unit.col(j) *= scale[j];
  }
  const QuadraticForce Q(mesh, materials, geometry);
  Eigen::MatrixXd loads(Phi.rows(), modes * (modes + 1) / 2);
  Eigen::Index column = 0;
  for (Eigen::Index i = 0; i < modes; ++i) {
    for (Eigen::Index j = i; j < modes; ++j, ++column) {
      // 2 Q(a, b) = ½ (Q(a+b, a+b) − Q(a−b, a−b)).
      const Vector twice =
          i == j ? Vector(2 * Q(unit.col(i)))
                 : Vector(0.5 * (Q(unit.col(i) + unit.col(j)) - Q(unit.col(i) - unit.col(j))));
      loads.col(column) = -twice / (scale[i] * scale[j]);
    }
  }
  Eigen::MatrixXd Theta = free.reduce(loads);
  balance(M, N, Theta);
  Cholesky::Options options;
  options.block_size = 3;
  Cholesky(held(K, N), options).solve_in_place(Theta);
  if (N.cols() > 0) {
    const Eigen::MatrixXd MN = M * N;
    Theta -= N * (N.transpose() * MN).ldlt().solve(MN.transpose() * Theta);
  }
  return free.expand(Theta);
}

}  // namespace limber
