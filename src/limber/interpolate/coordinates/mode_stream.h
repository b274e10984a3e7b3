// Modes in single precision, laid out to be read once from front to back for a sum u = W z.
//
// W (rows×m) is cut into blocks of kBlockRows rows; a block holds its rows' numbers mode by mode.
// Sums are formed in double precision: with the rounded W as the definition of the modes, W z is
// exact to double rounding, and half the memory has to be read.
#pragma once

#include <vector>

#include "limber/core/types.h"

namespace limber {

class ModeStream {
 public:
  static constexpr int kBlockRows = 16;

  ModeStream() = default;
  explicit ModeStream(const Eigen::Ref<const Eigen::MatrixXd>& W);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int mode_count() const { return modes_; }
  /// Room that multiply() needs: rows, rounded up to whole blocks.
  [[nodiscard]] int padded_rows() const { return blocks_ * kBlockRows; }

  /// u = W z; z has mode_count() numbers, u padded_rows().
  void multiply(const double* z, double* u) const;
  /// Wᵀ f.
  [[nodiscard]] Vector multiply_transposed(const Eigen::Ref<const Vector>& f) const;
  /// Column `mode` of the rounded W.
  [[nodiscard]] Vector column(int mode) const;

 private:
  [[nodiscard]] const float* block(int index) const {
    return values_.data() + static_cast<std::size_t>(index) * modes_ * kBlockRows;
  }

  int rows_ = 0;
  int modes_ = 0;
  int blocks_ = 0;
  std::vector<float> values_;
};

}  // namespace limber
