#include "limber/core/row_products.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/core/row_products.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Three rows of A with two of B: six sums from five loads.
constexpr int kRowsA = 3;
constexpr int kRowsB = 2;

HWY_INLINE void multiply_block(const double* const (&a)[kRowsA], const double* const (&b)[kRowsB],
                               std::size_t length, double (&sums)[kRowsA][kRowsB]) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t width = hn::Lanes(d);
  V s00 = hn::Zero(d), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00;
  std::size_t k = 0;
  for (; k + width <= length; k += width) {
    const V b0 = hn::LoadU(d, b[0] + k);
    const V b1 = hn::LoadU(d, b[1] + k);
    const V a0 = hn::LoadU(d, a[0] + k);
    const V a1 = hn::LoadU(d, a[1] + k);
    const V a2 = hn::LoadU(d, a[2] + k);
    s00 = hn::MulAdd(a0, b0, s00);
    s01 = hn::MulAdd(a0, b1, s01);
    s10 = hn::MulAdd(a1, b0, s10);
    s11 = hn::MulAdd(a1, b1, s11);
    s20 = hn::MulAdd(a2, b0, s20);
    s21 = hn::MulAdd(a2, b1, s21);
  }
  const auto total = [&](V sum, int i, int j) HWY_ATTR {
    double rest = hn::GetLane(hn::SumOfLanes(d, sum));
    for (std::size_t l = k; l < length; ++l) rest += a[i][l] * b[j][l];
    sums[i][j] = rest;
  };
  total(s00, 0, 0);
  total(s01, 0, 1);
  total(s10, 1, 0);
  total(s11, 1, 1);
  total(s20, 2, 0);
  total(s21, 2, 1);
}

void multiply_rows(const double* A, std::ptrdiff_t a_stride, int m, const double* B,
                   std::ptrdiff_t b_stride, int n, std::size_t length, double* C,
                   std::ptrdiff_t c_stride) {
  for (int i = 0; i < m; i += kRowsA) {
    // Rows past the end are the last one again; their sums are dropped.
    const double* const a[kRowsA] = {A + i * a_stride, A + std::min(i + 1, m - 1) * a_stride,
                                     A + std::min(i + 2, m - 1) * a_stride};
    for (int j = 0; j < n; j += kRowsB) {
      const double* const b[kRowsB] = {B + j * b_stride, B + std::min(j + 1, n - 1) * b_stride};
      double sums[kRowsA][kRowsB];
      multiply_block(a, b, length, sums);
      for (int p = 0; p < kRowsA && i + p < m; ++p) {
        for (int q = 0; q < kRowsB && j + q < n; ++q) C[i + p + (j + q) * c_stride] = sums[p][q];
      }
    }
  }
}

/// Four vectors of y at a time, over all rows.
void combine_all(const double* A, int rows, std::size_t length, const double* x, double* y) {
  const hn::ScalableTag<double> d;
  const std::size_t width = hn::Lanes(d);
  std::size_t k = 0;
  for (; k + 4 * width <= length; k += 4 * width) {
    auto y0 = hn::Zero(d), y1 = y0, y2 = y0, y3 = y0;
    for (int i = 0; i < rows; ++i) {
      const double* a = A + i * length + k;
      const auto xi = hn::Set(d, x[i]);
      y0 = hn::MulAdd(hn::LoadU(d, a), xi, y0);
      y1 = hn::MulAdd(hn::LoadU(d, a + width), xi, y1);
      y2 = hn::MulAdd(hn::LoadU(d, a + 2 * width), xi, y2);
      y3 = hn::MulAdd(hn::LoadU(d, a + 3 * width), xi, y3);
    }
    hn::StoreU(y0, d, y + k);
    hn::StoreU(y1, d, y + k + width);
    hn::StoreU(y2, d, y + k + 2 * width);
    hn::StoreU(y3, d, y + k + 3 * width);
  }
  for (; k < length; ++k) {
    double sum = 0;
    for (int i = 0; i < rows; ++i) sum += x[i] * A[i * length + k];
    y[k] = sum;
  }
}

void add_dots(const double* A, int rows, std::size_t length, const double* y, double* x) {
  const double* const b[kRowsB] = {y, y};
  for (int i = 0; i < rows; i += kRowsA) {
    const double* const a[kRowsA] = {A + i * length, A + std::min(i + 1, rows - 1) * length,
                                     A + std::min(i + 2, rows - 1) * length};
    double sums[kRowsA][kRowsB];
    multiply_block(a, b, length, sums);
    for (int p = 0; p < kRowsA && i + p < rows; ++p) x[i + p] += sums[p][0];
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(multiply_rows);
HWY_EXPORT(combine_all);
HWY_EXPORT(add_dots);

void row_products(const ConstRows& A, const ConstRows& B, ColumnMajor C) {
  HWY_DYNAMIC_DISPATCH(multiply_rows)
  (A.data(), A.outerStride(), static_cast<int>(A.rows()), B.data(), B.outerStride(),
   static_cast<int>(B.rows()), static_cast<std::size_t>(A.cols()), C.data(), C.outerStride());
}

void combine_rows(const ModeMatrix& A, const Vector& x, double* y) {
  HWY_DYNAMIC_DISPATCH(combine_all)
  (A.data(), static_cast<int>(A.rows()), static_cast<std::size_t>(A.cols()), x.data(), y);
}

void add_row_dots(const ModeMatrix& A, const double* y, Vector& x) {
  HWY_DYNAMIC_DISPATCH(add_dots)
  (A.data(), static_cast<int>(A.rows()), static_cast<std::size_t>(A.cols()), y, x.data());
}

}  // namespace limber
#endif
