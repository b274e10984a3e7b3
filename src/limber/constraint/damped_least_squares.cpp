#include "limber/constraint/damped_least_squares.h"

namespace limber {

namespace {
/// Square of the relative singular value below which a direction is damped: see kRelativeCut.
constexpr double kDamping = 1e-6;

/// The largest squared row of A: the scale that damping is relative to.
double squared_scale(const Eigen::MatrixXd& A) { return A.rowwise().squaredNorm().maxCoeff(); }

/// L Lᵀ = A Aᵀ + damping.
void factor(const Eigen::MatrixXd& A, double scale, Eigen::MatrixXd& gram,
            Eigen::LLT<Eigen::MatrixXd>& llt) {
  gram.noalias() = A.lazyProduct(A.transpose());  // Eigen's large products allocate
  // A task that nothing can move has no scale of its own; then any damping gives a zero answer.
  gram.diagonal().array() += scale > 0 ? kDamping * scale : 1.0;
  llt.compute(gram);
}
}  // namespace

void PrioritisedDampedSolver::resize(Eigen::Index first_rows, Eigen::Index second_rows,
                                     Eigen::Index unknowns) {
  gram1_.resize(first_rows, first_rows);
  gram2_.resize(second_rows, second_rows);
  coupling_.resize(first_rows, second_rows);
  rest_.resize(second_rows, unknowns);
  // Factoring something of the right size reserves the memory.
  if (first_rows > 0) llt1_.compute(Eigen::MatrixXd::Identity(first_rows, first_rows));
  if (second_rows > 0) llt2_.compute(Eigen::MatrixXd::Identity(second_rows, second_rows));
  y1_.resize(first_rows);
  y2_.resize(second_rows);
  r2_.resize(second_rows);
}

void PrioritisedDampedSolver::solve(const Eigen::MatrixXd& A1, const Vector& r1,
                                    const Eigen::MatrixXd& A2, const Vector& r2, Vector& dx) {
  dx.setZero();
  if (A1.rows() > 0) {
    factor(A1, squared_scale(A1), gram1_, llt1_);
    y1_ = r1;
    llt1_.solveInPlace(y1_);
    dx.noalias() += A1.transpose() * y1_;
  }
  if (A2.rows() == 0) return;
  rest_ = A2;
  if (A1.rows() > 0) {
    coupling_.noalias() = A1.lazyProduct(A2.transpose());
    llt1_.solveInPlace(coupling_);
    rest_.noalias() -= coupling_.transpose().lazyProduct(A1);  // A₂ (I − A₁⁺A₁)
  }
  // Relative to the whole of A₂: what the first task leaves of it may be too little to use.
  factor(rest_, squared_scale(A2), gram2_, llt2_);
  r2_ = r2;
  r2_.noalias() -= A2 * dx;
  y2_ = r2_;
  llt2_.solveInPlace(y2_);
  dx.noalias() += rest_.transpose() * y2_;
}

}  // namespace limber
