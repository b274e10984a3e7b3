#include "limber/modes/reduced_basis.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/fem/stiffness.h"
#include "limber/modes/modal_derivatives.h"

namespace limber {

namespace {

/// The largest turn of a node, rad, per unit of each mode.
Vector turns_of(const ModalModel& model) {
  Vector turns(model.mode_count());
  for (int j = 0; j < model.mode_count(); ++j) {
    double largest = 0;
    for (int i = 0; i < model.node_count(); ++i) {
      largest = std::max(largest, model.Psi().col(j).segment<3>(3 * i).norm());
    }
    turns[j] = std::max(largest, 1e-300);
  }
  return turns;
}

/// Takes the span of `basis` (M-orthonormal) out of `fields`, twice for rounding's sake.
void deflate(const SparseMatrix& M, const Eigen::MatrixXd& basis, Eigen::MatrixXd& fields) {
  for (int pass = 0; pass < 2; ++pass) {
    fields -= basis * (basis.transpose() * (M * fields));
  }
}

/// The `count` M-orthonormal directions that carry most of the fields.
Eigen::MatrixXd principal_directions(const SparseMatrix& M, const Eigen::MatrixXd& fields,
                                     int count) {
  const Eigen::MatrixXd gram = fields.transpose() * (M * fields);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
  const Eigen::Index all = gram.rows();
  const double least = 1e-12 * eigen.eigenvalues()[all - 1];  // of its own rounding
  Eigen::MatrixXd result(fields.rows(), count);
  int found = 0;
  for (Eigen::Index k = all; k-- > 0 && found < count;) {
    if (eigen.eigenvalues()[k] <= least) break;
    result.col(found++) = fields * eigen.eigenvectors().col(k) / std::sqrt(eigen.eigenvalues()[k]);
  }
  return result.leftCols(found);
}

/// Turns the basis so that mass and stiffness are both diagonal.
ReducedBasis diagonalise(const SparseMatrix& M, const SparseMatrix& K, const Eigen::MatrixXd& V) {
  const Eigen::MatrixXd reduced_K = V.transpose() * (K * V);
  const Eigen::MatrixXd reduced_M = V.transpose() * (M * V);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(reduced_K, reduced_M);
  return {eigen.eigenvalues().cwiseMax(0), V * eigen.eigenvectors(), {}};
}

}  // namespace

ReducedBasis reduced_basis(const TetMesh& mesh, const Materials& materials, const ModalModel& model,
                           const ReducedBasisOptions& options, const Progress& progress) {
  const int grown = std::min(options.grown_modes, model.mode_count());
  const int kept = std::min({options.kept_modes, model.mode_count(), options.size});
  const std::vector<int> fixed(model.fixed_nodes.begin(), model.fixed_nodes.end());
  const SparseMatrix M = mass(mesh, materials, options.mass);
  const SparseMatrix K = stiffness(mesh, materials);
  const Vector turns = turns_of(model);
  const Vector lambda = model.eigenvalues();
  const Eigen::MatrixXd Phi = model.Phi();
  // Amplitudes under one load: equal forces make p_j fall with the eigenvalue.
  const Vector p = lambda[0] / turns[0] * lambda.cwiseInverse();

  const Eigen::MatrixXd Theta = modal_derivatives(mesh, materials, fixed, Phi.leftCols(grown));
  const Eigen::MatrixXd shapes = grown_shapes(mesh, materials, fixed, M, options.shapes, progress);
  Eigen::MatrixXd fields(Phi.rows(), Phi.cols() + Theta.cols() + shapes.cols());
  Eigen::Index column = 0;
  for (int j = 0; j < model.mode_count(); ++j) fields.col(column++) = p[j] * Phi.col(j);
  Eigen::Index pair = 0;
  for (int i = 0; i < grown; ++i) {
    for (int j = i; j < grown; ++j, ++pair) {
      fields.col(column++) = (i == j ? 0.5 : 1.0) * p[i] * p[j] * Theta.col(pair);
    }
  }
  fields.rightCols(shapes.cols()) = shapes;
  const Eigen::MatrixXd basis = Phi.leftCols(kept);
  deflate(M, basis, fields);
  const Eigen::MatrixXd rest = principal_directions(M, fields, options.size - kept);
  if (rest.cols() < options.size - kept) {
    throw Error("the body moves in " + std::to_string(rest.cols() + kept) +
                    " ways only, fewer than the " + std::to_string(options.size) + " asked for",
                "reduced basis", "ask for fewer, or mesh it finer");
  }
  Eigen::MatrixXd V(basis.rows(), options.size);
  V << basis, rest;
  ReducedBasis result = diagonalise(M, K, V);
  result.grown = result.Phi.transpose() * (M * shapes);
  return result;
}

}  // namespace limber
