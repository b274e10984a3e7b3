// Damped least squares without allocation, for systems that change from step to step.
#pragma once

#include <Eigen/Cholesky>

#include "limber/core/types.h"

namespace limber {

/// δx that reduces first ‖A₁δx − r₁‖, then within its null space ‖A₂δx − r₂‖. Directions whose
/// singular value is below about 1e-3 of the largest are damped, so that no force grows without
/// bound; repeated on the remaining residual it converges to the least-squares solution.
class PrioritisedDampedSolver {
 public:
  void resize(Eigen::Index first_rows, Eigen::Index second_rows, Eigen::Index unknowns);

  void solve(const Eigen::MatrixXd& A1, const Vector& r1, const Eigen::MatrixXd& A2,
             const Vector& r2, Vector& dx);

 private:
  Eigen::MatrixXd gram1_, gram2_, coupling_, rest_;
  Eigen::LLT<Eigen::MatrixXd> llt1_, llt2_;
  Vector y1_, y2_, r2_;
};

}  // namespace limber
