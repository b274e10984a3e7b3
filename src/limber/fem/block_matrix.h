// Square sparse matrices of 3×3 blocks, one block row for each free node.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "limber/core/sparse.h"
#include "limber/core/types.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/node_graph.h"

namespace limber {

/// Which blocks there are; rows ascend, and columns within a row.
struct BlockPattern {
  std::vector<int> offsets;   ///< row i owns blocks offsets[i] to offsets[i+1]
  std::vector<int> columns;   ///< of each block
  std::vector<int> diagonal;  ///< the diagonal block of each row

  [[nodiscard]] int row_count() const { return static_cast<int>(diagonal.size()); }
  [[nodiscard]] int block_count() const { return static_cast<int>(columns.size()); }
  /// The block (row, column), or block_count() where there is none.
  [[nodiscard]] int find(int row, int column) const;
};

/// Free nodes that share a tet. Row and column numbers are those of FreeDofs::nodes().
[[nodiscard]] BlockPattern block_pattern(const NodeGraph& graph, const FreeDofs& free);

/// Blocks are column-major; behind the last one lies a block that belongs to nobody: what element
/// kernels add for fixed nodes ends there.
class BlockMatrix {
 public:
  BlockMatrix() = default;
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);

  [[nodiscard]] const BlockPattern& pattern() const { return *pattern_; }
  [[nodiscard]] const std::shared_ptr<const BlockPattern>& shared_pattern() const {
    return pattern_;
  }
  /// Number of scalar unknowns.
  [[nodiscard]] int size() const { return 3 * pattern_->row_count(); }
  [[nodiscard]] double* data() { return values_.data(); }
  [[nodiscard]] Eigen::Map<Mat3> block(int k) { return Eigen::Map<Mat3>(values_.data() + 9 * k); }
  [[nodiscard]] Eigen::Map<const Mat3> block(int k) const {
    return Eigen::Map<const Mat3>(values_.data() + 9 * k);
  }
  void set_zero();
  /// The square root of the sum of all squares.
  [[nodiscard]] double norm() const;

  /// y = A x. Needs y of the right size; does not allocate.
  void multiply(const Vector& x, Vector& y) const;

  /// The same matrix, scalar by scalar, for a factorisation.
  [[nodiscard]] SparseMatrix to_sparse() const;
  /// Copies the numbers into `A`, a matrix that to_sparse() gave before.
  void copy_to(SparseMatrix& A) const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> values_;
};

/// For each tet the block that its corners a and b share, at 4a+b.
using TetSlots = std::vector<std::array<std::int32_t, 16>>;

/// Only the given tets, in their order.
[[nodiscard]] TetSlots tet_slots(const BlockPattern& pattern, const FreeDofs& free,
                                 const TetMesh& mesh, std::span<const int> tets);

}  // namespace limber
