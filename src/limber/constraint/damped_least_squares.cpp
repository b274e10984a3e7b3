#include "limber/constraint/damped_least_squares.h"

#include "limber/core/row_products.h"

namespace limber {

namespace {
/// Square of the relative singular value below which a direction is damped: see kRelativeCut.
constexpr double kDamping = 1e-6;
/// Rows that are so small a share of the largest once others are taken out depend on those.
constexpr double kDependent = 1e-9;

/// The largest row of A: the scale that damping is relative to.
double row_scale(const Eigen::MatrixXd& A) { return A.rowwise().norm().maxCoeff(); }
}  // namespace

void PrioritisedDampedSolver::resize(Task& task, Eigen::Index rows, Eigen::Index unknowns) {
  task.rows.setZero(rows, unknowns);
  task.gram.setZero(rows, rows);
  task.y.setZero(rows);
  // Factoring something of the right size reserves the memory.
  if (rows > 0) task.llt.compute(Eigen::MatrixXd::Identity(rows, rows));
}

void PrioritisedDampedSolver::resize(Eigen::Index first_rows, Eigen::Index second_rows,
                                     Eigen::Index unknowns) {
  resize(first_, first_rows, unknowns);
  resize(second_, second_rows, unknowns);
  basis_.setZero(first_rows, unknowns);
  row_.setZero(unknowns);
}

/// Gram-Schmidt, twice, so that rounding does not add up.
void PrioritisedDampedSolver::take_out_basis(ModeMatrix& rows) const {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index j = 0; j < basis_rows_; ++j) {
        rows.row(i) -= rows.row(i).dot(basis_.row(j)) * basis_.row(j);
      }
    }
  }
}

void PrioritisedDampedSolver::extend_basis(const ModeMatrix& rows, double scale) {
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    row_ = rows.row(i).transpose();
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index j = 0; j < basis_rows_; ++j) {
        row_ -= row_.dot(basis_.row(j)) * basis_.row(j).transpose();
      }
    }
    const double length = row_.norm();
    if (length <= kDependent * scale) continue;
    basis_.row(basis_rows_++) = row_.transpose() / length;
  }
}

/// R Rᵀ + damping of the task's rows R.
void PrioritisedDampedSolver::factor(Task& task, double scale) {
  row_products(task.rows, task.rows, task.gram);
  // A task that nothing can move has no scale of its own; then any damping gives a zero answer.
  task.gram.diagonal().array() += scale > 0 ? kDamping * scale * scale : 1.0;
  task.llt.compute(task.gram);
}

/// dx += Rᵀ (R Rᵀ + damping)⁻¹ y.
void PrioritisedDampedSolver::add_solution(Task& task, Vector& dx) {
  task.llt.solveInPlace(task.y);
  dx.noalias() += task.rows.transpose() * task.y;
}

void PrioritisedDampedSolver::factor(const Eigen::MatrixXd& A1, const Eigen::MatrixXd& A2) {
  basis_rows_ = 0;
  if (A1.rows() > 0) {
    const double scale = row_scale(A1);
    first_.rows = A1;
    factor(first_, scale);
    if (A2.rows() > 0) extend_basis(first_.rows, scale);
  }
  if (A2.rows() == 0) return;
  // Relative to the whole of A₂: what the first task leaves of it may be too little to use.
  const double scale = row_scale(A2);
  second_.rows = A2;
  take_out_basis(second_.rows);
  factor(second_, scale);
}

void PrioritisedDampedSolver::solve(const Vector& r1, const Eigen::MatrixXd& A2, const Vector& r2,
                                    Vector& dx) {
  dx.setZero();
  if (r1.size() > 0) {
    first_.y = r1;
    add_solution(first_, dx);
  }
  if (r2.size() == 0) return;
  second_.y = r2;
  second_.y.noalias() -= A2 * dx;
  add_solution(second_, dx);
}

}  // namespace limber
