// A preconditioner that knows of handles and contacts: (P⁻¹ + B Bᵀ)⁻¹ for a preconditioner P of the
// body alone and attached blocks B Bᵀ, by Woodbury's identity
//   P − P B (I + Bᵀ P B)⁻¹ Bᵀ P.
// Without it every attached node costs an iteration or more: it ties what moves most easily, the
// whole body, to the ground with a spring that is stiffer than the body's own.
//
// Bᵀ P B needs P among the attached nodes only. In the nodes' rest frames that never changes: a
// node that was attached once is known from then on.
#pragma once

#include <vector>

#include "limber/dynamics/full_space/attachment.h"
#include "limber/dynamics/full_space/preconditioner.h"

namespace limber {

class AttachedPreconditioner final : public Preconditioner {
 public:
  /// `size`: unknowns. Nothing is allocated after construction.
  explicit AttachedPreconditioner(int size);

  /// Takes `base` in the frames given (null: nothing turns) and these blocks for the next calls of
  /// apply(). `base` must live until then, and be the same for each call.
  void set(RestPreconditioner& base, const NodeRotations* rotations,
           const std::vector<AttachedBlock>& blocks);
  void apply(const Vector& r, Vector& z) const override;

 private:
  /// A column of B: at one node, in its present and its rest frame.
  struct Column {
    int row = 0;
    int slot = 0;
    Vec3 present, rest;
  };

  [[nodiscard]] int slot_of(int row);
  void learn(int row);
  void add_columns(const AttachedBlock& block, const NodeRotations* rotations);
  void factor();

  RestPreconditioner* base_ = nullptr;
  std::vector<int> slots_;          // of each row, −1: not known
  std::vector<int> known_;          // rows, by slot
  Eigen::MatrixXf compliance_;      // P among the known nodes, rest frames
  std::vector<Column> columns_;     // at present
  Eigen::MatrixXd small_;           // I + Bᵀ P B, then its factor L
  mutable Vector weights_, loads_;  // scratch
  Vector unit_, moved_;
};

}  // namespace limber
