// Incomplete Cholesky factor on the pattern of the matrix itself, 3×3 blocks: A ≈ L Lᵀ.
#pragma once

#include <vector>

#include "limber/fem/block_matrix.h"

namespace limber {

class IncompleteCholesky {
 public:
  /// Where the factor would lose positive definiteness, the diagonal blocks are enlarged until it
  /// does not (Manteuffel 1980).
  explicit IncompleteCholesky(const BlockMatrix& A);

  /// x ← (L Lᵀ)⁻¹ x.
  void solve_in_place(std::vector<float>& x) const;

  /// By how much the diagonal had to be enlarged, relatively.
  [[nodiscard]] double shift() const { return shift_; }

 private:
  [[nodiscard]] bool factor(const BlockMatrix& A, double shift);

  // Row i of L left of the diagonal: blocks offsets_[i] to offsets_[i+1].
  std::vector<int> offsets_;
  std::vector<int> columns_;
  std::vector<double> lower_;       // while factoring, row-major
  std::vector<double> inverse_;     // of the diagonal blocks of L, row-major
  std::vector<float> lower_float_;  // for solving
  std::vector<float> inverse_float_;
  double shift_ = 0;
};

}  // namespace limber
