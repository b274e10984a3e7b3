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

  std::vector<int> order() const override {
    std::vector<int> result(permutation_.size());
    for (int unknown = 0; unknown < permutation_.size(); ++unknown) {
      result[permutation_.indices()[unknown]] = unknown;
    }
    return result;
  }

  void visit(const std::function<void(const Supernode&)>& visitor) const override {
    const SparseMatrix& L = llt_.matrixL().nestedExpression();
    const int* const begin = L.outerIndexPtr();
    const auto count = [&](int column) { return begin[column + 1] - begin[column]; };
    Eigen::MatrixXd block;
    for (int first = 0; first < L.cols();) {
      // A column whose rows below the diagonal are those of the next one goes together with it:
      // they are a subset of them anyway, so their number decides.
      int end = first + 1;
      while (end < L.cols() && count(end) == count(end - 1) - 1 &&
             L.innerIndexPtr()[begin[end - 1] + 1] == end) {
        ++end;
      }
      block.setZero(count(first), end - first);
      for (int column = first; column < end; ++column) {
        const int k = column - first;
        for (int r = 0; r < count(column); ++r) block(k + r, k) = L.valuePtr()[begin[column] + r];
      }
      visitor({first, end - first, count(first), L.innerIndexPtr() + begin[first], block.data(),
               count(first)});
      first = end;
    }
  }

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
