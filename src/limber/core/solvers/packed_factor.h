// A Cholesky factor packed for one thing: solving fast with one right-hand side, as a
// preconditioner. Reading it is nearly all the work, so its numbers have 8 or 16 bits; sums are
// single precision. Nothing of the double precision factor is kept.
//
// A = D L Lᵀ D, D diagonal and L with ones on its diagonal: G = D L is Cholesky's factor. Each
// supernode of L, diagonal block L₁₁ and rows below it L₂₁, is stored as B = [L₁₁⁻¹; L₂₁ L₁₁⁻¹],
// which has no unit. Forward substitution is then one product w = B x₁ (x₁ ← w₁, x₂ ← x₂ − w₂) and
// backward substitution x₁ ← Bᵀ [x₁; −x₂], both a single pass over memory.
//
// B is cut into tiles of eight rows and up to six columns, each a number times integers: numbers
// fall off with distance, and what rounding takes is a part of the largest of near neighbours.
// Tiles of small numbers, three of four in a factor of 66k tets, have 8 bits. On bars of 10k to 66k
// tets conjugate gradients then take at most one iteration more than with single precision. With
// one number for a whole column they did so at 16 bits, and took 29 iterations for 3 at 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "limber/core/solvers/cholesky.h"

namespace limber {

struct PackedTile {
  float unit;  // of its integers
  int row;     // the first of its eight
};

/// Columns of B that lie side by side: first all their wide tiles, then the narrow ones.
struct PackedPanel {
  int wide;
  int narrow;
};

/// A supernode's B. Its panels and rows follow those of the block before it.
struct PackedBlock {
  int first_column;
  int columns;
  int rows;  // with those of the diagonal block
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
  struct alignas(64) WorkChunk {
    float value[16];
  };

  void pack(const Eigen::MatrixXd& B);

  std::vector<int> place_;
  std::vector<PackedBlock> blocks_;
  std::vector<int> row_indices_;  // of the rows below the diagonal blocks
  std::vector<PackedPanel> panels_;
  std::vector<PackedTile> tiles_;
  std::vector<std::int16_t> wide_;
  std::vector<std::int8_t> narrow_;
  std::vector<float> inverse_D_;  // √scale_ D⁻¹
  double scale_ = 0;
  mutable std::vector<WorkChunk> work_;
};

}  // namespace limber
