#include "limber/interpolate/reconstruction/nodal_factor.h"

#include <Eigen/SparseCholesky>
#include <numeric>

#include "limber/core/error.h"
#include "limber/core/solvers/cholesky.h"
#include "limber/core/solvers/ordering.h"

namespace limber {

namespace {

constexpr int kLargestOwn = 30'000;
/// Neighbouring supernodes are joined while the zeros this stores stay below this share of the
/// joined panel: wider panels are worth a few needless products.
constexpr double kMostZeros = 0.2;

using Factor = Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>>;

SparseMatrix permuted(const SparseMatrix& A, const std::vector<int>& order) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation(A.rows());
  for (std::size_t k = 0; k < order.size(); ++k) {
    permutation.indices()[order[k]] = static_cast<int>(k);
  }
  SparseMatrix result(A.rows(), A.cols());
  result.selfadjointView<Eigen::Lower>() = A.selfadjointView<Eigen::Lower>().twistedBy(permutation);
  return result;
}

/// Ranges of columns that become one panel, each given by its end.
class SupernodeFinder {
 public:
  explicit SupernodeFinder(const SparseMatrix& L) : L_(L) {}

  std::vector<int> ends() {
    for (int column = 0; column < L_.cols(); ++column) {
      open_.push_back({column, column + 1, height(column), static_cast<double>(height(column))});
      while (open_.size() > 1 && try_join()) {
      }
    }
    std::vector<int> ends;
    for (const Range& range : open_) ends.push_back(range.end);
    return ends;
  }

 private:
  struct Range {
    int begin, end;
    int rows;         ///< of the panel, diagonal block included
    double nonzeros;  ///< of L in it
  };

  [[nodiscard]] int height(int column) const {
    return L_.outerIndexPtr()[column + 1] - L_.outerIndexPtr()[column];
  }
  /// The column whose elimination needs this one first; rows ascend, so it stands second.
  [[nodiscard]] int parent(int column) const {
    return height(column) > 1 ? L_.innerIndexPtr()[L_.outerIndexPtr()[column] + 1] : -1;
  }

  /// Joins the last two ranges when the first one's rows lie within the second: then the panel has
  /// the second's rows and the first's columns on top.
  bool try_join() {
    const Range& last = open_.back();
    Range& before = open_[open_.size() - 2];
    if (parent(before.end - 1) != last.begin) return false;
    const int width = last.end - before.begin;
    const int rows = last.rows + before.end - before.begin;
    const double stored = static_cast<double>(rows) * width - 0.5 * width * (width - 1);
    const double nonzeros = before.nonzeros + last.nonzeros;
    if (nonzeros < (1 - kMostZeros) * stored) return false;
    before = {before.begin, last.end, rows, nonzeros};
    open_.pop_back();
    return true;
  }

  const SparseMatrix& L_;
  std::vector<Range> open_;
};

/// Copies the columns of L into dense panels.
NodalFactor::Panels make_panels(const SparseMatrix& L) {
  NodalFactor::Panels panels;
  std::vector<int> place(L.rows(), -1);
  int begin = 0;
  for (const int end : SupernodeFinder(L).ends()) {
    NodalFactor::Supernode node{begin, end - begin, 0, panels.rows.size(), panels.values.size()};
    // The last column has all rows of the panel below the diagonal block.
    for (SparseMatrix::InnerIterator entry(L, end - 1); entry; ++entry) {
      if (entry.row() < end) continue;
      place[entry.row()] = node.row_count++;
      panels.rows.push_back(static_cast<int>(entry.row()));
    }
    panels.values.resize(node.value_begin +
                         static_cast<std::size_t>(node.width + node.row_count) * node.width);
    double* const diagonal = panels.values.data() + node.value_begin;
    double* const below = diagonal + static_cast<std::size_t>(node.width) * node.width;
    for (int k = 0; k < node.width; ++k) {
      for (SparseMatrix::InnerIterator entry(L, begin + k); entry; ++entry) {
        const int row = static_cast<int>(entry.row());
        double* const target = row < end
                                   ? diagonal + (row - begin) * node.width
                                   : below + static_cast<std::size_t>(place[row]) * node.width;
        target[k] = row == begin + k ? 1 / entry.value() : entry.value();
      }
    }
    panels.supernodes.push_back(node);
    begin = end;
  }
  return panels;
}

}  // namespace

NodalFactor::NodalFactor(const SparseMatrix& A) {
  if (A.rows() > kLargestOwn) {
    order_.resize(A.rows());
    std::iota(order_.begin(), order_.end(), 0);
    large_ = std::make_unique<Cholesky>(A);
    work_.resize(A.rows(), 3);
    large_->solve_in_place(work_);  // so that later solves find their memory
    return;
  }
  factor_small(A);
}

NodalFactor::~NodalFactor() = default;
NodalFactor::NodalFactor(NodalFactor&&) noexcept = default;
NodalFactor& NodalFactor::operator=(NodalFactor&&) noexcept = default;

void NodalFactor::factor_small(const SparseMatrix& A) {
  order_ = nested_dissection(A, 1);
  const Factor factor(permuted(A, order_));
  if (factor.info() != Eigen::Success) {
    throw Error("matrix is not positive definite", std::to_string(A.rows()) + " nodes",
                "check the mesh for flat tets", Error::Kind::work_failed);
  }
  panels_ = make_panels(factor.matrixL().nestedExpression());
}

void NodalFactor::solve_in_place(double* B) const {
  if (!large_) {
    solve_panels(panels_, B);
    return;
  }
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, kRowSize, Eigen::RowMajor>> rows(B, size(),
                                                                                    kRowSize);
  work_ = rows.leftCols<3>();
  large_->solve_in_place(work_);
  rows.leftCols<3>() = work_;
}

}  // namespace limber
