// Preconditioners made once from the rest state and used in the nodes' present frames: z = R P Rᵀ
// r.
//
// Turning the residual by the nodes' rotations around a constant factor is stiffness warping used
// as a preconditioner: the body's matrix is nearly the rest matrix, turned node by node.
#pragma once

#include <memory>

#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/dynamics/full_space/krylov.h"
#include "limber/dynamics/full_space/rotation_field.h"
#include "limber/fem/block_matrix.h"

namespace limber {

class RestPreconditioner : public Preconditioner {
 public:
  /// Rotations of the nodes for the next calls of apply(); null: nothing turns.
  virtual void set_rotations(const NodeRotations* rotations) = 0;
  /// A complete factor: a few iterations are enough.
  [[nodiscard]] virtual bool complete() const = 0;
  /// "rest factor" or "incomplete Cholesky".
  [[nodiscard]] virtual const char* name() const = 0;
};

/// `rest`: the step's matrix at rest, symmetric and positive definite. The automatic choice takes
/// the complete factor while its size, guessed from the number of nodes, stays below
/// `largest_bytes`.
[[nodiscard]] std::unique_ptr<RestPreconditioner> make_preconditioner(const BlockMatrix& rest,
                                                                      PreconditionerKind kind,
                                                                      std::size_t largest_bytes);

}  // namespace limber
