#include "limber/dynamics/rings/modal_share.h"

#include <Eigen/Cholesky>

#include "limber/modes/rigid_motions.h"

namespace limber {

namespace {

ModeMatrix times_mass(const NodalRows& rows, const ModeMatrix& X) {
  ModeMatrix MX = ModeMatrix::Zero(X.rows(), X.cols());
  for (int i = 0; i < rows.node_count(); ++i) {
    for (int entry = rows.offset(i); entry < rows.offset(i + 1); ++entry) {
      if (rows.m(entry) == 0) continue;
      MX.middleRows<3>(3 * i) += rows.m(entry) * X.middleRows<3>(3 * rows.neighbour(entry));
    }
  }
  return MX;
}

/// The six rigid motions of a free body, NᵀMN = I.
ModeMatrix rigid_columns(const NodalRows& rows, const ModalModel& model) {
  const Eigen::Map<const Positions> X = model.rest_positions();
  const Vec3 middle = X.colwise().mean();
  ModeMatrix N(3 * model.node_count(), 6);
  for (int i = 0; i < model.node_count(); ++i)
    N.middleRows<3>(3 * i) = unit_motions(X.row(i).transpose() - middle);
  const Eigen::Matrix<double, 6, 6> gram = N.transpose() * times_mass(rows, N);
  const Eigen::Matrix<double, 6, 6> L = gram.llt().matrixL();
  return L.triangularView<Eigen::Lower>().solve(N.transpose().eval()).transpose();
}

}  // namespace

ModalShare::ModalShare(const NodalRows& rows, const ModalModel& model) {
  const bool is_free = model.rigid_modes == 6;
  Phi_.resize(3 * model.node_count(), model.mode_count() + (is_free ? 6 : 0));
  Phi_.leftCols(model.mode_count()) = model.Phi();
  if (is_free) Phi_.rightCols(6) = rigid_columns(rows, model);
  MPhi_ = times_mass(rows, Phi_);
}

}  // namespace limber
