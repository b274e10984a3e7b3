// Two tasks by damped least squares, the first before the second, without allocation: for systems
// that change from step to step.
#pragma once

#include <Eigen/Cholesky>

#include "limber/core/types.h"

namespace limber {

/// δx that reduces first ‖A₁δx − r₁‖, then within A₁'s null space ‖A₂δx − r₂‖ (Nakamura &
/// Hanafusa 1986). Directions whose singular value is below about 1e-3 of the largest are damped,
/// so that no force grows without bound; repeated on the remaining residual it converges to the
/// least-squares solution. What the second task does leaves the first one alone, to rounding.
class PrioritisedDampedSolver {
 public:
  void resize(Eigen::Index first_rows, Eigen::Index second_rows, Eigen::Index unknowns);

  void factor(const Eigen::MatrixXd& A1, const Eigen::MatrixXd& A2);
  /// With the A₁ and A₂ of the last factor().
  void solve(const Vector& r1, const Eigen::MatrixXd& A2, const Vector& r2, Vector& dx);

 private:
  /// Memory of one task.
  struct Task {
    ModeMatrix rows;  // what the tasks before leave of A
    Eigen::MatrixXd gram;
    Eigen::LLT<Eigen::MatrixXd> llt;
    Vector y;
  };
  static void resize(Task& task, Eigen::Index rows, Eigen::Index unknowns);
  void take_out_basis(ModeMatrix& rows) const;
  void extend_basis(const ModeMatrix& rows, double scale);
  static void factor(Task& task, double scale);
  static void add_solution(Task& task, Vector& dx);

  Task first_, second_;
  ModeMatrix basis_;  // orthonormal rows that span those of the first task
  Eigen::Index basis_rows_ = 0;
  Vector row_;
};

}  // namespace limber
