// A Cholesky factor in single precision, packed for one thing: solving fast with one right-hand
// side, as a preconditioner. Nothing of the double precision factor is kept.
//
// Each supernode of L, diagonal block L₁₁ and rows below it L₂₁, is stored as
// B = [L₁₁⁻¹; L₂₁ L₁₁⁻¹]. Forward substitution is then one product w = B x₁ (x₁ ← w₁, x₂ ← x₂ − w₂)
// and backward substitution x₁ ← Bᵀ [x₁; −x₂], both a single pass over memory.
#pragma once

#include <cstddef>
#include <vector>

#include "limber/core/solvers/cholesky.h"

namespace limber {

/// Where a supernode's B lies.
struct FloatBlock {
  int first_column;
  int columns;
  int rows;               // with those of the diagonal block
  int stride;             // distance of two columns in memory
  std::size_t row_begin;  // numbers of the rows below the diagonal block
  std::size_t value_begin;
};

class FloatFactor {
 public:
  explicit FloatFactor(const Cholesky& factor);

  [[nodiscard]] int size() const { return static_cast<int>(place_.size()); }
  [[nodiscard]] std::size_t bytes() const;

  /// Where unknown k stands in the order of elimination.
  [[nodiscard]] const std::vector<int>& place() const { return place_; }

  /// Overwrites x, given in the order of elimination, with A⁻¹ x. Does not allocate; one thread at
  /// a time.
  void solve_in_place(std::vector<float>& x) const;

 private:
  struct alignas(64) Chunk {
    float value[16];
  };

  std::vector<int> place_;
  std::vector<FloatBlock> blocks_;
  std::vector<int> row_indices_;
  std::vector<Chunk> values_;
  mutable std::vector<Chunk> work_;
};

}  // namespace limber
