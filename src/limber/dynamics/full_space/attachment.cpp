#include "limber/dynamics/full_space/attachment.h"

#include <cmath>

namespace limber {

bool add_to(const AttachedBlock& block, BlockMatrix& A) {
  const BlockPattern& pattern = A.pattern();
  if (block.count == 1) {
    const double square = block.weights[0] * block.weights[0];
    A.block(pattern.diagonal[block.rows[0]]) += square * block.matrix;
    return true;
  }
  bool complete = true;
  for (int k = 0; k < block.count; ++k) {
    for (int l = 0; l < block.count; ++l) {
      complete &= pattern.find(block.rows[k], block.rows[l]) < pattern.block_count();
    }
  }
  for (int k = 0; k < block.count; ++k) {
    for (int l = 0; l < block.count; ++l) {
      const double product = block.weights[k] * block.weights[l];
      if (complete) {
        A.block(pattern.find(block.rows[k], block.rows[l])) += product * block.matrix;
      } else {
        A.block(pattern.diagonal[block.rows[k]]) += std::abs(product) * block.matrix;
      }
    }
  }
  return complete;
}

}  // namespace limber
