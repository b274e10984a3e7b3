// A preconditioner that knows of handles and contacts: (P⁻¹ + B Bᵀ)⁻¹ for a preconditioner P of the
// body alone and attached blocks B Bᵀ, by Woodbury's identity
//   P − P B (I + Bᵀ P B)⁻¹ Bᵀ P.
// Without it every attached node costs an iteration or more: it ties what moves most easily, the
// whole body, to the ground with a spring that is stiffer than the body's own.
//
// Bᵀ P B needs P among the attached nodes only: NodeCompliance.
#pragma once

#include <vector>

#include "limber/dynamics/full_space/attachment.h"
#include "limber/dynamics/full_space/node_compliance.h"
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

  /// `base` as for set(), at rest.
  void archive(StateArchive& state, const RestPreconditioner& base) {
    compliance_.archive(state, base);
  }

 private:
  /// A column of B: up to four nodes, in their present and rest frames.
  struct Column {
    int count = 0;
    std::array<int, AttachedBlock::kMostNodes> rows{}, slots{};
    std::array<Vec3, AttachedBlock::kMostNodes> present, rest;
  };

  [[nodiscard]] bool find_slots(const AttachedBlock& block, Column& column);
  void add_columns(const AttachedBlock& block, const NodeRotations* rotations);
  void factor();
  [[nodiscard]] double compliance(const Column& a, const Column& b) const;

  RestPreconditioner* base_ = nullptr;
  NodeCompliance compliance_;
  std::vector<Column> columns_;     // at present
  Eigen::MatrixXd small_;           // I + Bᵀ P B, then its factor L
  mutable Vector weights_, loads_;  // scratch
};

}  // namespace limber
