// The product is compiled once for each instruction set and chosen at run time.
#include "limber/fem/block_matrix.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/fem/block_matrix.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A block's column and one more number are loaded at once; the fourth lane is never stored. A sum
// for each of the three columns keeps three chains of products under way.
template <class D>
void multiply_fours(D d, const BlockPattern& pattern, const double* values, const double* x,
                    double* y) {
  alignas(32) double row[4];
  const int rows = pattern.row_count();
  for (int i = 0; i < rows; ++i) {
    auto sum0 = hn::Zero(d);
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      const double* const block = values + 9 * static_cast<std::size_t>(k);
      const double* const xj = x + 3 * static_cast<std::size_t>(pattern.columns[k]);
      sum0 = hn::MulAdd(hn::LoadU(d, block), hn::Set(d, xj[0]), sum0);
      sum1 = hn::MulAdd(hn::LoadU(d, block + 3), hn::Set(d, xj[1]), sum1);
      sum2 = hn::MulAdd(hn::LoadU(d, block + 6), hn::Set(d, xj[2]), sum2);
    }
    hn::Store(hn::Add(hn::Add(sum0, sum1), sum2), d, row);
    std::copy_n(row, 3, y + 3 * static_cast<std::size_t>(i));
  }
}

void multiply_scalar(const BlockPattern& pattern, const double* values, const double* x,
                     double* y) {
  for (int i = 0; i < pattern.row_count(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      sum += Eigen::Map<const Mat3>(values + 9 * static_cast<std::size_t>(k)) *
             Eigen::Map<const Vec3>(x + 3 * static_cast<std::size_t>(pattern.columns[k]));
    }
    Eigen::Map<Vec3>(y + 3 * static_cast<std::size_t>(i)) = sum;
  }
}

void multiply_blocks(const BlockPattern& pattern, const double* values, const double* x,
                     double* y) {
#if HWY_MAX_BYTES >= 32
  multiply_fours(hn::CappedTag<double, 4>(), pattern, values, x, y);
#else
  multiply_scalar(pattern, values, x, y);
#endif
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(multiply_blocks);

int BlockPattern::find(int row, int column) const {
  const auto begin = columns.begin() + offsets[row];
  const auto end = columns.begin() + offsets[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? static_cast<int>(found - columns.begin())
                                          : block_count();
}

BlockPattern block_pattern(const NodeGraph& graph, const FreeDofs& free) {
  BlockPattern pattern;
  pattern.offsets.assign(1, 0);
  for (const int node : free.nodes()) {
    const int row = free.free_index(node);
    for (const int neighbour : graph.neighbours(node)) {
      const int column = free.free_index(neighbour);
      if (column == row) pattern.diagonal.push_back(pattern.block_count());
      if (column >= 0) pattern.columns.push_back(column);
    }
    pattern.offsets.push_back(pattern.block_count());
  }
  return pattern;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)),
      // The block of nobody, and what the product reads behind a block's last column.
      values_(9 * (static_cast<std::size_t>(pattern_->block_count()) + 1) + 3, 0.0) {}

void BlockMatrix::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

double BlockMatrix::norm() const {
  const Eigen::Index count = 9 * static_cast<Eigen::Index>(pattern_->block_count());
  return Eigen::Map<const Vector>(values_.data(), count).norm();
}

void BlockMatrix::multiply(const Vector& x, Vector& y) const {
  HWY_DYNAMIC_DISPATCH(multiply_blocks)(*pattern_, values_.data(), x.data(), y.data());
}

SparseMatrix BlockMatrix::to_sparse() const {
  const BlockPattern& pattern = *pattern_;
  // The pattern is symmetric, so the columns of a block row are the rows of its block column.
  SparseMatrix A(size(), size());
  A.resizeNonZeros(9 * static_cast<Eigen::Index>(pattern.block_count()));
  int next = 0;
  for (int i = 0; i < pattern.row_count(); ++i) {
    for (int c = 0; c < 3; ++c) {
      for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
        for (int d = 0; d < 3; ++d) A.innerIndexPtr()[next++] = 3 * pattern.columns[k] + d;
      }
      A.outerIndexPtr()[3 * i + c + 1] = next;
    }
  }
  copy_to(A);
  return A;
}

void BlockMatrix::copy_to(SparseMatrix& A) const {
  const BlockPattern& pattern = *pattern_;
  double* value = A.valuePtr();
  for (int i = 0; i < pattern.row_count(); ++i) {
    for (int c = 0; c < 3; ++c) {
      for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
        const int transposed = pattern.find(pattern.columns[k], i);
        const double* const column = values_.data() + 9 * transposed + 3 * c;
        value = std::copy_n(column, 3, value);
      }
    }
  }
}

TetSlots tet_slots(const BlockPattern& pattern, const FreeDofs& free, const TetMesh& mesh,
                   std::span<const int> tets) {
  TetSlots slots(tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        const int row = free.free_index(mesh.T(tets[t], a));
        const int column = free.free_index(mesh.T(tets[t], b));
        slots[t][4 * a + b] =
            row < 0 || column < 0 ? pattern.block_count() : pattern.find(row, column);
      }
    }
  }
  return slots;
}

}  // namespace limber
#endif
