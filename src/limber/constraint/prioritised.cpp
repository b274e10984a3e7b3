#include "limber/constraint/prioritised.h"

#include <Eigen/QR>

namespace limber {

double column_scale(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  return A.size() == 0 ? 0 : A.colwise().norm().maxCoeff();
}

PseudoInverse pseudo_inverse(const Eigen::Ref<const Eigen::MatrixXd>& A, double scale) {
  const double own = column_scale(A);
  const double cut = kRelativeCut * (scale > 0 ? scale / own : 1.0);
  if (!(own > 0) || cut >= 1) return {Eigen::MatrixXd::Zero(A.cols(), A.rows()), 0};
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(cut);  // relative to the largest pivot, which is `own`
  decomposition.compute(A);
  return {decomposition.pseudoInverse(), decomposition.rank()};
}

Vector prioritised_solution(const Eigen::Ref<const Eigen::MatrixXd>& A1,
                            const Eigen::Ref<const Vector>& b1,
                            const Eigen::Ref<const Eigen::MatrixXd>& A2,
                            const Eigen::Ref<const Vector>& b2) {
  const Eigen::MatrixXd first = pseudo_inverse(A1).matrix;
  Vector x = first * b1;
  const Eigen::MatrixXd rest = A2 - (A2 * first) * A1;  // A₂ within the null space of A₁
  x += pseudo_inverse(rest, column_scale(A2)).matrix * (b2 - A2 * x);
  return x;
}

}  // namespace limber
