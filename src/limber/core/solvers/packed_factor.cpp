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

/// Where a pass over the factor's numbers is, and the vector that is being solved.
struct PackedPass {
  const PackedPanel* panel;
  const PackedTile* tile;
  const std::int16_t* wide;
  const std::int8_t* narrow;
  const int* row_index;
  float* x;
  float* work;
};

}  // namespace limber
#endif

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kPackedRows>;

template <class Integer>
HWY_INLINE hn::Vec<Lanes> load_integers(const Integer* from) {
  const hn::Rebind<Integer, Lanes> narrow;
  const hn::RebindToSigned<Lanes> d32;
  return hn::ConvertTo(Lanes(), hn::PromoteTo(d32, hn::LoadU(narrow, from)));
}

/// w += unit · tile x, the columns' x in all lanes.
template <int Columns, class Integer>
HWY_INLINE void add_tile(const Integer* tile, float unit, const hn::Vec<Lanes>* x, float* w) {
  const Lanes d;
  for (int l = 0; l < kPackedRows; l += static_cast<int>(hn::Lanes(d))) {
    auto sum = hn::Mul(load_integers(tile + l), x[0]);
    for (int c = 1; c < Columns; ++c) {
      sum = hn::MulAdd(load_integers(tile + kPackedRows * c + l), x[c], sum);
    }
    hn::Store(hn::MulAdd(sum, hn::Set(d, unit), hn::Load(d, w + l)), d, w + l);
  }
}

/// sum += unit · tileᵀ u.
template <int Columns, class Integer>
HWY_INLINE void dot_tile(const Integer* tile, float unit, const float* u, hn::Vec<Lanes>* sum) {
  const Lanes d;
  for (int l = 0; l < kPackedRows; l += static_cast<int>(hn::Lanes(d))) {
    const auto value = hn::Mul(hn::Set(d, unit), hn::Load(d, u + l));
    for (int c = 0; c < Columns; ++c) {
      sum[c] = hn::MulAdd(load_integers(tile + kPackedRows * c + l), value, sum[c]);
    }
  }
}

/// w += B x over the panel that begins with column `first`.
template <int Columns>
HWY_INLINE void add_panel(PackedPass& pass, int first, const float* x, float* w) {
  constexpr int kTile = Columns * kPackedRows;
  hn::Vec<Lanes> factor[Columns];
  for (int c = 0; c < Columns; ++c) factor[c] = hn::Set(Lanes(), x[first + c]);
  const PackedPanel panel = *pass.panel++;
  for (int k = 0; k < panel.wide; ++k, ++pass.tile, pass.wide += kTile) {
    add_tile<Columns>(pass.wide, pass.tile->unit, factor, w + pass.tile->row);
  }
  for (int k = 0; k < panel.narrow; ++k, ++pass.tile, pass.narrow += kTile) {
    add_tile<Columns>(pass.narrow, pass.tile->unit, factor, w + pass.tile->row);
  }
}

/// x = Bᵀ u for the panel that begins with column `first`, read from its end.
template <int Columns>
HWY_INLINE void dot_panel(PackedPass& pass, int first, const float* u, float* x) {
  constexpr int kTile = Columns * kPackedRows;
  const Lanes d;
  hn::Vec<Lanes> sum[Columns];
  for (int c = 0; c < Columns; ++c) sum[c] = hn::Zero(d);
  const PackedPanel panel = *--pass.panel;
  for (int k = 0; k < panel.narrow; ++k) {
    --pass.tile;
    dot_tile<Columns>(pass.narrow -= kTile, pass.tile->unit, u + pass.tile->row, sum);
  }
  for (int k = 0; k < panel.wide; ++k) {
    --pass.tile;
    dot_tile<Columns>(pass.wide -= kTile, pass.tile->unit, u + pass.tile->row, sum);
  }
  for (int c = 0; c < Columns; ++c) x[first + c] = hn::GetLane(hn::SumOfLanes(d, sum[c]));
}

HWY_INLINE void forward(PackedPass& pass, const PackedBlock& b) {
  float* const own = pass.x + b.first_column;
  float* const w = pass.work;
  const int rows = padded(b.rows);
  std::fill_n(w, rows, 0.0F);
  int c = 0;
  for (; c + 6 <= b.columns; c += 6) add_panel<6>(pass, c, own, w);
  for (; c + 3 <= b.columns; c += 3) add_panel<3>(pass, c, own, w);
  for (; c < b.columns; ++c) add_panel<1>(pass, c, own, w);
  std::copy_n(w, b.columns, own);
  for (int r = b.columns; r < b.rows; ++r) pass.x[*pass.row_index++] -= w[r];
}

HWY_INLINE void backward(PackedPass& pass, const PackedBlock& b) {
  float* const own = pass.x + b.first_column;
  float* const u = pass.work;
  const int rows = padded(b.rows);
  std::copy_n(own, b.columns, u);
  for (int r = b.rows; r-- > b.columns;) u[r] = -pass.x[*--pass.row_index];
  std::fill(u + b.rows, u + rows, 0.0F);
  int c = b.columns;
  for (; c % 6 % 3 != 0; --c) dot_panel<1>(pass, c - 1, u, own);
  for (; c % 6 != 0; c -= 3) dot_panel<3>(pass, c - 3, u, own);
  for (; c > 0; c -= 6) dot_panel<6>(pass, c - 6, u, own);
}

/// From the begin of the factor to its end and back.
void substitute(const PackedBlock* blocks, int count, PackedPass pass) {
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

/// A tile whose numbers are all below this gets 8 bits; the diagonal of L has ones.
constexpr double kSmall = 0.0625;

template <class Integer>
void round_tile(const Eigen::MatrixXd& tile, double unit, std::vector<Integer>& integers) {
  for (int c = 0; c < tile.cols(); ++c) {
    for (int r = 0; r < kPackedRows; ++r) {
      const double value = r < tile.rows() ? tile(r, c) / unit : 0.0;
      integers.push_back(static_cast<Integer>(std::lround(value)));
    }
  }
}

}  // namespace

PackedFactor::PackedFactor(const Cholesky& factor)
    : place_(factor.size()), inverse_D_(factor.size()) {
  const Cholesky::Implementation& source = *factor.implementation_;
  const std::vector<int> order = source.order();
  for (int k = 0; k < size(); ++k) place_[order[k]] = k;
  int most_rows = 0;
  Vector D(size());
  source.visit([&](const Supernode& node) {
    blocks_.push_back({node.first_column, node.columns, node.rows});
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
  work_.resize(most_rows / std::size(WorkChunk{}.value) + 1);
  source.visit([&](const Supernode& node) { pack(substitution_block(node, D)); });
  tiles_.shrink_to_fit();
  wide_.shrink_to_fit();
  narrow_.shrink_to_fit();
}

/// Panel by panel, in each tile eight rows of one column, then those of the next.
void PackedFactor::pack(const Eigen::MatrixXd& B) {
  const int columns = static_cast<int>(B.cols());
  const int rows = static_cast<int>(B.rows());
  for (int first = 0; first < columns; first += panel_width(first, columns)) {
    PackedPanel counts{0, 0};
    for (const bool narrow : {false, true}) {
      for (int r = first_row(first); r < rows; r += kPackedRows) {
        const Eigen::MatrixXd tile =
            B.block(r, first, std::min(kPackedRows, rows - r), panel_width(first, columns));
        const double largest = tile.lpNorm<Eigen::Infinity>();
        if (largest == 0 || (largest < kSmall) != narrow) continue;
        const double unit = largest / (narrow ? INT8_MAX : INT16_MAX);
        tiles_.push_back({static_cast<float>(unit), r});
        narrow ? round_tile(tile, unit, narrow_) : round_tile(tile, unit, wide_);
        ++(narrow ? counts.narrow : counts.wide);
      }
    }
    panels_.push_back(counts);
  }
}

std::size_t PackedFactor::bytes() const {
  return wide_.size() * sizeof(std::int16_t) + narrow_.size() + tiles_.size() * sizeof(PackedTile) +
         panels_.size() * sizeof(PackedPanel) + inverse_D_.size() * sizeof(float) +
         row_indices_.size() * sizeof(int) + blocks_.size() * sizeof(PackedBlock);
}

void PackedFactor::solve_in_place(std::vector<float>& x) const {
  const PackedPass pass{panels_.data(),      tiles_.data(), wide_.data(),       narrow_.data(),
                        row_indices_.data(), x.data(),      work_.data()->value};
  for (int k = 0; k < size(); ++k) x[k] *= inverse_D_[k];
  HWY_DYNAMIC_DISPATCH(substitute)(blocks_.data(), static_cast<int>(blocks_.size()), pass);
  for (int k = 0; k < size(); ++k) x[k] *= inverse_D_[k];
}

}  // namespace limber
#endif
