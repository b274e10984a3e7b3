// Eigen's simplicial Cholesky: no other library needed, slow for large bodies.
#include <Eigen/SparseCholesky>

#include "limber/core/solvers/cholesky_backend.h"

namespace limber {

namespace {

class Simplicial final : public Cholesky::Implementation {
 public:
  Simplicial(const SparseMatrix& A, const std::vector<int>& order) : permutation_(A.rows()) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      permutation_.indices()[order[k]] = static_cast<int>(k);
    }
    llt_.analyzePattern(permuted(A));
  }

  bool factor(const SparseMatrix& A) override {
    llt_.factorize(permuted(A));
    return llt_.info() == Eigen::Success;
  }

  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) override {
    work_ = permutation_ * B;
    llt_.matrixL().solveInPlace(work_);
    llt_.matrixU().solveInPlace(work_);
    B = permutation_.inverse() * work_;
  }

  double factor_nonzeros() const override {
    return static_cast<double>(llt_.matrixL().nestedExpression().nonZeros());
  }
  std::string name() const override { return "eigen-simplicial"; }

 private:
  [[nodiscard]] SparseMatrix permuted(const SparseMatrix& A) const {
    SparseMatrix result(A.rows(), A.cols());
    result.selfadjointView<Eigen::Lower>() =
        A.selfadjointView<Eigen::Lower>().twistedBy(permutation_);
    return result;
  }

  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation_;
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> llt_;
  Eigen::MatrixXd work_;
};

}  // namespace

std::unique_ptr<Cholesky::Implementation> make_simplicial(const SparseMatrix& A,
                                                          std::vector<int> order) {
  return std::make_unique<Simplicial>(A, order);
}

}  // namespace limber
