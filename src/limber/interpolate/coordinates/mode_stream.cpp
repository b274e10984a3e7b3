#include "limber/interpolate/coordinates/mode_stream.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/interpolate/coordinates/mode_stream.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kRows = ModeStream::kBlockRows;

void multiply_blocks(const float* values, int blocks, int modes, const double* z, double* u) {
  using Doubles = hn::CappedTag<double, 4>;
  const Doubles d;
  const hn::Rebind<float, Doubles> f;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
  constexpr int kVectors = kRows / kLanes;
  // Two halves where vectors are short, so that the sums fit the registers.
  constexpr int kAtOnce = kVectors < 8 ? kVectors : 8;
  for (int block = 0; block < blocks; ++block, values += kRows * modes, u += kRows) {
    for (int first = 0; first < kVectors; first += kAtOnce) {
      hn::Vec<Doubles> sums[kAtOnce];
      for (int v = 0; v < kAtOnce; ++v) sums[v] = hn::Zero(d);
      const float* column = values + first * kLanes;
      for (int mode = 0; mode < modes; ++mode, column += kRows) {
        const auto factor = hn::Set(d, z[mode]);
        for (int v = 0; v < kAtOnce; ++v) {
          const auto entry = hn::PromoteTo(d, hn::LoadU(f, column + v * kLanes));
          sums[v] = hn::MulAdd(entry, factor, sums[v]);
        }
      }
      for (int v = 0; v < kAtOnce; ++v) hn::StoreU(sums[v], d, u + (first + v) * kLanes);
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(multiply_blocks);

ModeStream::ModeStream(const Eigen::Ref<const Eigen::MatrixXd>& W)
    : rows_(static_cast<int>(W.rows())),
      modes_(static_cast<int>(W.cols())),
      blocks_((rows_ + kBlockRows - 1) / kBlockRows),
      values_(static_cast<std::size_t>(blocks_) * modes_ * kBlockRows, 0.0F) {
  for (int row = 0; row < rows_; ++row) {
    float* const first = values_.data() +
                         static_cast<std::size_t>(row / kBlockRows) * modes_ * kBlockRows +
                         row % kBlockRows;
    for (int mode = 0; mode < modes_; ++mode) {
      first[mode * kBlockRows] = static_cast<float>(W(row, mode));
    }
  }
}

void ModeStream::multiply(const double* z, double* u) const {
  HWY_DYNAMIC_DISPATCH(multiply_blocks)(values_.data(), blocks_, modes_, z, u);
}

Vector ModeStream::multiply_transposed(const Eigen::Ref<const Vector>& f) const {
  Vector sums = Vector::Zero(modes_);
  for (int row = 0; row < rows_; ++row) {
    const float* const first = block(row / kBlockRows) + row % kBlockRows;
    for (int mode = 0; mode < modes_; ++mode) sums[mode] += first[mode * kBlockRows] * f[row];
  }
  return sums;
}

Vector ModeStream::column(int mode) const {
  Vector result(rows_);
  for (int row = 0; row < rows_; ++row) {
    result[row] = block(row / kBlockRows)[mode * kBlockRows + row % kBlockRows];
  }
  return result;
}

}  // namespace limber
#endif
