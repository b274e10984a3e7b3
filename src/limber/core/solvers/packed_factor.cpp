// The two substitutions are compiled once for each instruction set and chosen at run time.
#include "limber/core/solvers/packed_factor.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "limber/core/solvers/cholesky_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/core/solvers/packed_factor.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#ifndef LIMBER_PACKED_PASS
#define LIMBER_PACKED_PASS
namespace limber {

/// Rows that lie side by side: floats in a vector of the kernels, at most.
inline constexpr int kPackedRows = 8;

constexpr int padded(int rows) { return (rows + kPackedRows - 1) / kPackedRows * kPackedRows; }
/// Where a panel of columns begins: above its first diagonal entry there is nothing.
constexpr int first_row(int first_column) { return first_column / kPackedRows * kPackedRows; }
/// Columns of the panel from `first_column` on: six, since unknowns come by threes; what is left by
/// threes or one by one.
constexpr int panel_width(int first_column, int columns) {
  const int left = columns - first_column;
  return left >= 6 ? 6 : left >= 3 ? 3 : 1;
}

/// Where the factor's numbers lie, and the vector that is being solved.
struct PackedPass {
  const std::int16_t* values;
  const int* row_indices;
  const float* unit;
  float* x;
  float* work;
};

}  // namespace limber
#endif

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kPackedRows>;

HWY_INLINE hn::Vec<Lanes> load_integers(const std::int16_t* from) {
  const hn::Rebind<std::int16_t, Lanes> d16;
  const hn::RebindToSigned<Lanes> d32;
  return hn::ConvertTo(Lanes(), hn::PromoteTo(d32, hn::Load(d16, from)));
}

/// w += B x over a panel that begins with column `first`; returns its end.
template <int Columns>
HWY_INLINE const std::int16_t* add_panel(const std::int16_t* panel, int rows, int first,
                                         const float* unit, const float* x, float* w) {
  const Lanes d;
  hn::Vec<Lanes> factor[Columns];
  for (int c = 0; c < Columns; ++c) factor[c] = hn::Set(d, unit[first + c] * x[first + c]);
  for (int r = first_row(first); r < rows; r += kPackedRows, panel += Columns * kPackedRows) {
    for (int l = 0; l < kPackedRows; l += static_cast<int>(hn::Lanes(d))) {
      auto sum = hn::Load(d, w + r + l);
      for (int c = 0; c < Columns; ++c) {
        sum = hn::MulAdd(load_integers(panel + kPackedRows * c + l), factor[c], sum);
      }
      hn::Store(sum, d, w + r + l);
    }
  }
  return panel;
}

/// x = Bᵀ u for a panel that ends at `panel`, read from its end; returns its begin.
template <int Columns>
HWY_INLINE const std::int16_t* dot_panel(const std::int16_t* panel, int rows, int first,
                                         const float* unit, const float* u, float* x) {
  const Lanes d;
  hn::Vec<Lanes> sum[Columns];
  for (int c = 0; c < Columns; ++c) sum[c] = hn::Zero(d);
  for (int r = rows - kPackedRows; r >= first_row(first); r -= kPackedRows) {
    panel -= Columns * kPackedRows;
    for (int l = 0; l < kPackedRows; l += static_cast<int>(hn::Lanes(d))) {
      const auto value = hn::Load(d, u + r + l);
      for (int c = 0; c < Columns; ++c) {
        sum[c] = hn::MulAdd(load_integers(panel + kPackedRows * c + l), value, sum[c]);
      }
    }
  }
  for (int c = 0; c < Columns; ++c) {
    x[first + c] = unit[first + c] * hn::GetLane(hn::SumOfLanes(d, sum[c]));
  }
  return panel;
}

HWY_INLINE void forward(const PackedPass& pass, const PackedBlock& b) {
  const std::int16_t* B = pass.values + b.value_begin;
  const float* const unit = pass.unit + b.first_column;
  float* const own = pass.x + b.first_column;
  float* const w = pass.work;
  const int rows = padded(b.rows);
  std::fill_n(w, rows, 0.0F);
  int c = 0;
  for (; c + 6 <= b.columns; c += 6) B = add_panel<6>(B, rows, c, unit, own, w);
  for (; c + 3 <= b.columns; c += 3) B = add_panel<3>(B, rows, c, unit, own, w);
  for (; c < b.columns; ++c) B = add_panel<1>(B, rows, c, unit, own, w);
  std::copy_n(w, b.columns, own);
  const int* const row = pass.row_indices + b.row_begin;
  const int below = b.rows - b.columns;
  for (int k = 0; k < below; ++k) pass.x[row[k]] -= w[b.columns + k];
}

HWY_INLINE void backward(const PackedPass& pass, const PackedBlock& b) {
  const std::int16_t* B = pass.values + b.value_end;
  const float* const unit = pass.unit + b.first_column;
  float* const own = pass.x + b.first_column;
  float* const u = pass.work;
  const int rows = padded(b.rows);
  std::copy_n(own, b.columns, u);
  const int* const row = pass.row_indices + b.row_begin;
  const int below = b.rows - b.columns;
  for (int k = 0; k < below; ++k) u[b.columns + k] = -pass.x[row[k]];
  std::fill(u + b.rows, u + rows, 0.0F);
  int c = b.columns;
  for (; c % 6 % 3 != 0; --c) B = dot_panel<1>(B, rows, c - 1, unit, u, own);
  for (; c % 6 != 0; c -= 3) B = dot_panel<3>(B, rows, c - 3, unit, u, own);
  for (; c > 0; c -= 6) B = dot_panel<6>(B, rows, c - 6, unit, u, own);
}

void substitute(const PackedBlock* blocks, int count, const PackedPass& pass) {
  for (int k = 0; k < count; ++k) forward(pass, blocks[k]);
  for (int k = count - 1; k >= 0; --k) backward(pass, blocks[k]);
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(substitute);

namespace {

/// [L₁₁⁻¹; L₂₁ L₁₁⁻¹] of L = D⁻¹ G, zero above the diagonal.
Eigen::MatrixXd substitution_block(const Supernode& node, const Vector& D) {
  Eigen::MatrixXd L = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(
      node.values, node.rows, node.columns, Eigen::OuterStride<>(node.stride));
  for (int r = 0; r < node.rows; ++r) L.row(r) /= D[node.row_indices[r]];
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(node.rows, node.columns);
  B.topRows(node.columns).setIdentity();
  L.topRows(node.columns)
      .triangularView<Eigen::UnitLower>()
      .solveInPlace<Eigen::OnTheLeft>(B.topRows(node.columns));
  const int below = node.rows - node.columns;
  B.bottomRows(below).noalias() =
      L.bottomRows(below) * B.topRows(node.columns).triangularView<Eigen::Lower>();
  return B;
}

std::size_t packed_count(int rows, int columns) {
  std::size_t count = 0;
  for (int c = 0; c < columns; c += panel_width(c, columns)) {
    count += static_cast<std::size_t>(padded(rows) - first_row(c)) * panel_width(c, columns);
  }
  return count;
}

/// Rounds B to integers, panel by panel, in each eight rows of one column, then those of the next.
void pack(const Eigen::MatrixXd& B, float* unit, std::int16_t* packed) {
  constexpr double kLargest = 32767;
  const int columns = static_cast<int>(B.cols());
  const int rows = static_cast<int>(B.rows());
  for (int first = 0; first < columns; first += panel_width(first, columns)) {
    const int end = first + panel_width(first, columns);
    for (int c = first; c < end; ++c) {
      unit[c] = static_cast<float>(B.col(c).lpNorm<Eigen::Infinity>() / kLargest);
    }
    for (int r = first_row(first); r < rows; r += kPackedRows) {
      for (int c = first; c < end; ++c, packed += kPackedRows) {
        for (int l = 0; l < std::min(kPackedRows, rows - r); ++l) {
          packed[l] = static_cast<std::int16_t>(std::lround(B(r + l, c) / unit[c]));
        }
      }
    }
  }
}

}  // namespace

PackedFactor::PackedFactor(const Cholesky& factor)
    : place_(factor.size()), unit_(factor.size()), inverse_D_(factor.size()) {
  const Cholesky::Implementation& source = *factor.implementation_;
  const std::vector<int> order = source.order();
  for (int k = 0; k < size(); ++k) place_[order[k]] = k;
  std::size_t value_count = 0;
  int most_rows = 0;
  Vector D(size());
  source.visit([&](const Supernode& node) {
    const std::size_t begin = value_count;
    value_count += packed_count(node.rows, node.columns);
    blocks_.push_back(
        {node.first_column, node.columns, node.rows, row_indices_.size(), begin, value_count});
    row_indices_.insert(row_indices_.end(), node.row_indices + node.columns,
                        node.row_indices + node.rows);
    most_rows = std::max(most_rows, padded(node.rows));
    for (int c = 0; c < node.columns; ++c) {
      D[node.first_column + c] = node.values[static_cast<std::size_t>(c) * (node.stride + 1)];
    }
  });
  const double largest = D.maxCoeff();
  scale_ = largest * largest;
  for (int k = 0; k < size(); ++k) inverse_D_[k] = static_cast<float>(largest / D[k]);
  values_.resize(value_count / std::size(Chunk{}.value) + 1);
  work_.resize(most_rows / std::size(WorkChunk{}.value) + 1);
  auto block = blocks_.begin();
  source.visit([&](const Supernode& node) {
    pack(substitution_block(node, D), unit_.data() + node.first_column,
         values_.data()->value + block->value_begin);
    ++block;
  });
}

std::size_t PackedFactor::bytes() const {
  return values_.size() * sizeof(Chunk) + row_indices_.size() * sizeof(int) +
         blocks_.size() * sizeof(PackedBlock) + 2 * unit_.size() * sizeof(float);
}

void PackedFactor::solve_in_place(std::vector<float>& x) const {
  const PackedPass pass{values_.data()->value, row_indices_.data(), unit_.data(), x.data(),
                        work_.data()->value};
  for (int k = 0; k < size(); ++k) x[k] *= inverse_D_[k];
  HWY_DYNAMIC_DISPATCH(substitute)(blocks_.data(), static_cast<int>(blocks_.size()), pass);
  for (int k = 0; k < size(); ++k) x[k] *= inverse_D_[k];
}

}  // namespace limber
#endif
