// Rest shapes by corotational FEM with every node free: what a reduced space is to hold.
//
// Newton's method with the exact tangent, or where that is indefinite with rotations held, and a
// line search on the energy W(x) − F·x.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/core/solvers/cholesky.h"
#include "limber/fem/block_matrix.h"
#include "limber/fem/corotational.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

class CorotationalRest {
 public:
  /// `held` nodes stay where positions have them.
  CorotationalRest(const TetMesh& mesh, const Materials& materials, const std::vector<int>& held);

  /// Moves the free nodes of `positions` (n×3) to where nodal forces (n×3, N) balance, to
  /// `tolerance` of the forces that act. Returns whether it came so far.
  bool settle(const Positions& forces, Positions& positions, double tolerance, int most_iterations);

  /// How free nodes follow to first order, in equilibrium, when held ones move on by `way` (n×3).
  void follow(const Positions& way, Positions& positions);
  /// Displacements (3n) of linear elasticity under nodal forces; `rest` are the rest positions.
  [[nodiscard]] Vector linear_response(const Positions& rest, const Positions& forces);

 private:
  [[nodiscard]] double energy(const Positions& positions, const Positions& forces);
  [[nodiscard]] Vector newton_step(const Positions& positions, const Vector& residual);
  void factor();

  FreeDofs free_;
  TetBatches tets_;
  TetSlots slots_;
  TetMatrices rotations_;
  BlockMatrix A_;
  SparseMatrix sparse_;
  std::optional<Cholesky> cholesky_;
};

}  // namespace limber
