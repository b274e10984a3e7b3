// Substitution through the panels of a NodalFactor, compiled for each instruction set.
//
// One vector holds a row's coordinates (in halves or singly where vectors are shorter). Panels are
// walked four rows or eight columns at a time, so that sums stay in registers.
#include <algorithm>

#include "limber/interpolate/reconstruction/nodal_factor.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/interpolate/reconstruction/nodal_factor_kernel.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kRow = NodalFactor::kRowSize;
using Lanes = hn::CappedTag<double, kRow>;
using V = hn::Vec<Lanes>;

HWY_INLINE V times(double factor, V value) { return hn::Mul(hn::Set(Lanes(), factor), value); }
HWY_INLINE V minus_times(V sum, double factor, V value) {
  return hn::NegMulAdd(hn::Set(Lanes(), factor), value, sum);
}

/// L_ss x = y within the supernode.
HWY_INLINE void solve_diagonal(const double* diagonal, int width, double* x) {
  const Lanes d;
  for (int k = 0; k < width; ++k) {
    V sum = hn::LoadU(d, x + kRow * k);
    for (int j = 0; j < k; ++j) {
      sum = minus_times(sum, diagonal[width * k + j], hn::LoadU(d, x + kRow * j));
    }
    hn::StoreU(times(diagonal[width * k + k], sum), d, x + kRow * k);
  }
}

/// y_rows −= L_rs x.
HWY_INLINE void update_rows(const double* below, int width, const int* rows, int count,
                            const double* x, double* y) {
  const Lanes d;
  int r = 0;
  for (; r + 4 <= count; r += 4) {
    double* const y0 = y + kRow * rows[r];
    double* const y1 = y + kRow * rows[r + 1];
    double* const y2 = y + kRow * rows[r + 2];
    double* const y3 = y + kRow * rows[r + 3];
    const double* const panel = below + static_cast<std::size_t>(r) * width;
    V s0 = hn::LoadU(d, y0);
    V s1 = hn::LoadU(d, y1);
    V s2 = hn::LoadU(d, y2);
    V s3 = hn::LoadU(d, y3);
    for (int k = 0; k < width; ++k) {
      const V value = hn::LoadU(d, x + kRow * k);
      s0 = minus_times(s0, panel[k], value);
      s1 = minus_times(s1, panel[width + k], value);
      s2 = minus_times(s2, panel[2 * width + k], value);
      s3 = minus_times(s3, panel[3 * width + k], value);
    }
    hn::StoreU(s0, d, y0);
    hn::StoreU(s1, d, y1);
    hn::StoreU(s2, d, y2);
    hn::StoreU(s3, d, y3);
  }
  for (; r < count; ++r) {
    double* const row = y + kRow * rows[r];
    V sum = hn::LoadU(d, row);
    for (int k = 0; k < width; ++k) {
      sum = minus_times(sum, below[static_cast<std::size_t>(r) * width + k],
                        hn::LoadU(d, x + kRow * k));
    }
    hn::StoreU(sum, d, row);
  }
}

/// x −= L_rsᵀ y_rows for `kColumns` columns from `column`.
template <int kColumns>
HWY_INLINE void gather_columns(const double* below, int width, const int* rows, int count,
                               int column, const double* y, double* x) {
  const Lanes d;
  V sums[kColumns];
  for (int k = 0; k < kColumns; ++k) sums[k] = hn::LoadU(d, x + kRow * (column + k));
  for (int r = 0; r < count; ++r) {
    const V value = hn::LoadU(d, y + kRow * rows[r]);
    const double* const panel = below + static_cast<std::size_t>(r) * width + column;
    for (int k = 0; k < kColumns; ++k) sums[k] = minus_times(sums[k], panel[k], value);
  }
  for (int k = 0; k < kColumns; ++k) hn::StoreU(sums[k], d, x + kRow * (column + k));
}

HWY_INLINE void gather_rows(const double* below, int width, const int* rows, int count,
                            const double* y, double* x) {
  int column = 0;
  for (; column + 8 <= width; column += 8) {
    gather_columns<8>(below, width, rows, count, column, y, x);
  }
  if (column + 4 <= width) {
    gather_columns<4>(below, width, rows, count, column, y, x);
    column += 4;
  }
  if (column + 2 <= width) {
    gather_columns<2>(below, width, rows, count, column, y, x);
    column += 2;
  }
  if (column < width) gather_columns<1>(below, width, rows, count, column, y, x);
}

/// L_ssᵀ x = y within the supernode.
HWY_INLINE void solve_diagonal_transposed(const double* diagonal, int width, double* x) {
  const Lanes d;
  for (int k = width - 1; k >= 0; --k) {
    V sum = hn::LoadU(d, x + kRow * k);
    for (int j = k + 1; j < width; ++j) {
      sum = minus_times(sum, diagonal[width * j + k], hn::LoadU(d, x + kRow * j));
    }
    hn::StoreU(times(diagonal[width * k + k], sum), d, x + kRow * k);
  }
}

void substitute(const NodalFactor::Panels& panels, double* y) {
  const double* const values = panels.values.data();
  const int* const rows = panels.rows.data();
  for (const NodalFactor::Supernode& node : panels.supernodes) {
    const double* const diagonal = values + node.value_begin;
    double* const x = y + static_cast<std::size_t>(kRow) * node.first;
    solve_diagonal(diagonal, node.width, x);
    update_rows(diagonal + static_cast<std::size_t>(node.width) * node.width, node.width,
                rows + node.row_begin, node.row_count, x, y);
  }
  for (auto node = panels.supernodes.rbegin(); node != panels.supernodes.rend(); ++node) {
    const double* const diagonal = values + node->value_begin;
    double* const x = y + static_cast<std::size_t>(kRow) * node->first;
    gather_rows(diagonal + static_cast<std::size_t>(node->width) * node->width, node->width,
                rows + node->row_begin, node->row_count, y, x);
    solve_diagonal_transposed(diagonal, node->width, x);
  }
}

void solve_all(const NodalFactor::Panels& panels, double* B) {
  for (std::size_t part = 0; part < 3; part += hn::Lanes(Lanes())) substitute(panels, B + part);
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(solve_all);

void solve_panels(const NodalFactor::Panels& panels, double* B) {
  HWY_DYNAMIC_DISPATCH(solve_all)(panels, B);
}

}  // namespace limber
#endif
