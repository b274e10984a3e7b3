// A Cholesky factor packed for one thing: solving fast with one right-hand side, as a
// preconditioner. Reading it is nearly all the work, so its numbers have 16 bits; sums are single
// precision. Nothing of the double precision factor is kept.
//
// A = D L Lᵀ D, D diagonal and L with ones on its diagonal: G = D L is Cholesky's factor. Each
// supernode of L, diagonal block L₁₁ and rows below it L₂₁, is stored as B = [L₁₁⁻¹; L₂₁ L₁₁⁻¹],
// which has no unit. Forward substitution is then one product w = B x₁ (x₁ ← w₁, x₂ ← x₂ − w₂) and
// backward substitution x₁ ← Bᵀ [x₁; −x₂], both a single pass over memory. A column of B is a
// number times integers up to 32767: what is lost is 1.5e-5 of its largest entry. Numbers of 11
// bits, as IEEE halves have, cost conjugate gradients half as many iterations again on 66k tets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "limber/core/solvers/cholesky.h"

namespace limber {

/// Where a supernode's B lies.
struct PackedBlock {
  int first_column;
  int columns;
  int rows;               // with those of the diagonal block
  std::size_t row_begin;  // numbers of the rows below the diagonal block
  std::size_t value_begin, value_end;
};

class PackedFactor {
 public:
  explicit PackedFactor(const Cholesky& factor);

  [[nodiscard]] int size() const { return static_cast<int>(place_.size()); }
  [[nodiscard]] std::size_t bytes() const;

  /// Where unknown k stands in the order of elimination.
  [[nodiscard]] const std::vector<int>& place() const { return place_; }

  /// The largest entry of D²: of the size of A.
  [[nodiscard]] double scale() const { return scale_; }

  /// Overwrites x, given in the order of elimination, with scale() A⁻¹ x: where x is about 1 single
  /// precision neither overflows nor vanishes, whatever the size of A. Does not allocate; one
  /// thread at a time.
  void solve_in_place(std::vector<float>& x) const;

 private:
  struct alignas(64) Chunk {
    std::int16_t value[32];
  };
  struct alignas(64) WorkChunk {
    float value[16];
  };

  std::vector<int> place_;
  std::vector<PackedBlock> blocks_;
  std::vector<int> row_indices_;
  std::vector<Chunk> values_;
  std::vector<float> unit_;       // of a column's integers
  std::vector<float> inverse_D_;  // √scale_ D⁻¹
  double scale_ = 0;
  mutable std::vector<WorkChunk> work_;
};

}  // namespace limber
