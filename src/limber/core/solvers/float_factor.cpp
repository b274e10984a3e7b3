// The two substitutions are compiled once for each instruction set and chosen at run time.
#include "limber/core/solvers/float_factor.h"

#include <Eigen/Dense>
#include <algorithm>

#include "limber/core/solvers/cholesky_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/core/solvers/float_factor.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Rows are padded to this many, so that a vector never crosses into the next column.
using Lanes = hn::CappedTag<float, 8>;

/// w += B x over `Columns` columns from `first` on; rows above the diagonal are skipped.
template <int Columns>
HWY_INLINE void add_columns(const float* B, int stride, int rows, int first, const float* x,
                            float* w) {
  const Lanes d;
  hn::Vec<Lanes> factor[Columns];
  for (int c = 0; c < Columns; ++c) factor[c] = hn::Set(d, x[first + c]);
  const float* const column = B + static_cast<std::size_t>(first) * stride;
  for (int r = first & ~7; r < rows; r += static_cast<int>(hn::Lanes(d))) {
    auto sum = hn::Load(d, w + r);
    for (int c = 0; c < Columns; ++c) {
      sum = hn::MulAdd(hn::Load(d, column + static_cast<std::size_t>(c) * stride + r), factor[c],
                       sum);
    }
    hn::Store(sum, d, w + r);
  }
}

/// x = Bᵀ u for `Columns` columns from `first` on.
template <int Columns>
HWY_INLINE void dot_columns(const float* B, int stride, int rows, int first, const float* u,
                            float* x) {
  const Lanes d;
  hn::Vec<Lanes> sum[Columns];
  for (int c = 0; c < Columns; ++c) sum[c] = hn::Zero(d);
  const float* const column = B + static_cast<std::size_t>(first) * stride;
  for (int r = first & ~7; r < rows; r += static_cast<int>(hn::Lanes(d))) {
    const auto value = hn::Load(d, u + r);
    for (int c = 0; c < Columns; ++c) {
      sum[c] =
          hn::MulAdd(hn::Load(d, column + static_cast<std::size_t>(c) * stride + r), value, sum[c]);
    }
  }
  for (int c = 0; c < Columns; ++c) x[first + c] = hn::GetLane(hn::SumOfLanes(d, sum[c]));
}

/// Groups of six columns, since unknowns come by threes; what is left one by one or by threes.
template <class Six, class Three, class One>
HWY_INLINE void by_groups(int columns, Six six, Three three, One one) {
  int c = 0;
  for (; c + 6 <= columns; c += 6) six(c);
  for (; c + 3 <= columns; c += 3) three(c);
  for (; c < columns; ++c) one(c);
}

/// Where the factor's numbers lie, and the vector that is being solved.
struct Pass {
  const float* values;
  const int* row_indices;
  float* x;
  float* work;
};

HWY_INLINE void forward(const Pass& pass, const FloatBlock& b) {
  const float* const B = pass.values + b.value_begin;
  float* const own = pass.x + b.first_column;
  float* const w = pass.work;
  std::fill_n(w, b.stride, 0.0F);
  by_groups(
      b.columns, [&](int c) { add_columns<6>(B, b.stride, b.rows, c, own, w); },
      [&](int c) { add_columns<3>(B, b.stride, b.rows, c, own, w); },
      [&](int c) { add_columns<1>(B, b.stride, b.rows, c, own, w); });
  std::copy_n(w, b.columns, own);
  const int* const row = pass.row_indices + b.row_begin;
  const int below = b.rows - b.columns;
  for (int k = 0; k < below; ++k) pass.x[row[k]] -= w[b.columns + k];
}

HWY_INLINE void backward(const Pass& pass, const FloatBlock& b) {
  const float* const B = pass.values + b.value_begin;
  float* const own = pass.x + b.first_column;
  float* const u = pass.work;
  std::copy_n(own, b.columns, u);
  const int* const row = pass.row_indices + b.row_begin;
  const int below = b.rows - b.columns;
  for (int k = 0; k < below; ++k) u[b.columns + k] = -pass.x[row[k]];
  std::fill(u + b.rows, u + b.stride, 0.0F);
  by_groups(
      b.columns, [&](int c) { dot_columns<6>(B, b.stride, b.rows, c, u, own); },
      [&](int c) { dot_columns<3>(B, b.stride, b.rows, c, u, own); },
      [&](int c) { dot_columns<1>(B, b.stride, b.rows, c, u, own); });
}

void substitute(const FloatBlock* blocks, int count, const float* values, const int* row_indices,
                float* x, float* work) {
  const Pass pass{values, row_indices, x, work};
  for (int k = 0; k < count; ++k) forward(pass, blocks[k]);
  for (int k = count - 1; k >= 0; --k) backward(pass, blocks[k]);
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(substitute);

namespace {

/// Floats in a vector of the kernels, at most.
constexpr int kPadding = 8;

int padded(int rows) { return (rows + kPadding - 1) / kPadding * kPadding; }

/// [L₁₁⁻¹; L₂₁ L₁₁⁻¹], zero above the diagonal.
Eigen::MatrixXd substitution_block(const Supernode& node) {
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> L(
      node.values, node.rows, node.columns, Eigen::OuterStride<>(node.stride));
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(node.rows, node.columns);
  B.topRows(node.columns).setIdentity();
  L.topRows(node.columns)
      .triangularView<Eigen::Lower>()
      .solveInPlace<Eigen::OnTheLeft>(B.topRows(node.columns));
  const int below = node.rows - node.columns;
  B.bottomRows(below).noalias() =
      L.bottomRows(below) * B.topRows(node.columns).triangularView<Eigen::Lower>();
  return B;
}

}  // namespace

FloatFactor::FloatFactor(const Cholesky& factor) : place_(factor.size()) {
  const Cholesky::Implementation& source = *factor.implementation_;
  const std::vector<int> order = source.order();
  for (int k = 0; k < size(); ++k) place_[order[k]] = k;
  std::size_t value_count = 0;
  int most_rows = 0;
  source.visit([&](const Supernode& node) {
    blocks_.push_back({node.first_column, node.columns, node.rows, padded(node.rows),
                       row_indices_.size(), value_count});
    row_indices_.insert(row_indices_.end(), node.row_indices + node.columns,
                        node.row_indices + node.rows);
    value_count += static_cast<std::size_t>(padded(node.rows)) * node.columns;
    most_rows = std::max(most_rows, padded(node.rows));
  });
  const auto chunks = [](std::size_t floats) { return floats / std::size(Chunk{}.value) + 1; };
  values_.resize(chunks(value_count));
  work_.resize(chunks(most_rows));
  auto block = blocks_.begin();
  source.visit([&](const Supernode& node) {
    Eigen::Map<Eigen::MatrixXf>(values_.data()->value + block->value_begin, block->stride,
                                block->columns)
        .topRows(node.rows) = substitution_block(node).cast<float>();
    ++block;
  });
}

std::size_t FloatFactor::bytes() const {
  return values_.size() * sizeof(Chunk) + row_indices_.size() * sizeof(int) +
         blocks_.size() * sizeof(FloatBlock);
}

void FloatFactor::solve_in_place(std::vector<float>& x) const {
  HWY_DYNAMIC_DISPATCH(substitute)
  (blocks_.data(), static_cast<int>(blocks_.size()), values_.data()->value, row_indices_.data(),
   x.data(), work_.data()->value);
}

}  // namespace limber
#endif
