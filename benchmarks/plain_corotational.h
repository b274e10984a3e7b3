// A corotational step as most programs do it, to compare with: scalar polar decompositions, element
// matrices R K Rᵀ added into a scalar compressed-row matrix, conjugate gradients with its diagonal.
#pragma once

#include <vector>

#include "limber/core/sparse.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/operators.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

class PlainCorotational {
 public:
  PlainCorotational(const TetMesh& mesh, const Material& material, const std::vector<int>& fixed);

  struct Result {
    int iterations = 0;
    double seconds = 0;        // processor time of the whole step
    double solve_seconds = 0;  // of its conjugate gradients
  };

  /// Backward Euler under gravity from x, v (n×3) with step h, started from v, to a residual of
  /// `tolerance` relative to momenta and impulses; leaves the new state in x and v.
  Result step(double h, const Vec3& gravity, double tolerance, Positions& x, Positions& v);

 private:
  void assemble(double h, const Positions& x, Vector& elastic);

  TetMesh mesh_;
  FreeDofs free_;
  ElementGeometry geometry_;
  std::vector<Eigen::Matrix<double, 12, 12>> stiffness_;
  std::vector<std::array<int, 144>> slots_;
  SparseRows M_, A_;
  Vector node_mass_;
};

}  // namespace limber
