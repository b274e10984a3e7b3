// The corotational rest shape of a clamped body, every node free: Newton's method with exact
// tangents and a line search, an anchor that shares only the element forces with what is tested.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "limber/core/error.h"
#include "limber/core/solvers/cholesky.h"
#include "limber/fem/corotational.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/node_graph.h"

namespace limber {

class StaticCorotational {
 public:
  StaticCorotational(const TetMesh& mesh, const Materials& materials, const std::vector<int>& fixed)
      : free_(mesh.node_count(), fixed),
        pattern_(std::make_shared<BlockPattern>(block_pattern(NodeGraph(mesh), free_))),
        tets_(mesh, materials, element_geometry(mesh)),
        rotations_(static_cast<std::size_t>(tets_.batch_count())) {
    std::vector<int> all(static_cast<std::size_t>(mesh.tet_count()));
    std::iota(all.begin(), all.end(), 0);
    slots_ = tet_slots(*pattern_, free_, mesh, all);
  }

  /// From the positions given, under nodal forces (n×3). Returns whether it converged to 1e-9.
  bool settle(const Positions& forces, Positions& positions) {
    const double size = Vector(free_.reduce(stacked(forces))).norm();
    double energy = total_energy(positions, forces);
    for (int iteration = 0; iteration < 200; ++iteration) {
      tet_rotations(tets_, positions, rotations_);
      Positions f = forces;
      add_corotational_forces(tets_, rotations_, positions, f);
      const Vector residual = free_.reduce(stacked(f));
      // Where nothing but held nodes push, against their forces.
      const double scale = size > 0 ? size : f.norm();
      if (residual.norm() <= 1e-9 * scale) return true;
      const Vector step = newton_step(positions, residual);
      for (double length = 1;; length /= 2) {
        Positions trial = positions;
        stacked(trial) += length * Vector(free_.expand(step));
        const double value = total_energy(trial, forces);
        const double wanted = energy - 1e-4 * length * residual.dot(step);
        if (value > wanted + 1e-11 * std::abs(energy) && length > 1e-4) continue;
        positions = trial;
        energy = value;
        break;
      }
    }
    return false;
  }

 private:
  double total_energy(const Positions& x, const Positions& forces) {
    tet_rotations(tets_, x, rotations_);
    return corotational_energy(tets_, rotations_, x) - forces.cwiseProduct(x).sum();
  }
  Vector newton_step(const Positions& x, const Vector& residual) {
    BlockMatrix A(pattern_);
    add_exact_corotational_tangent(tets_, rotations_, x, 1, slots_, A);
    try {
      return Cholesky(A.to_sparse()).solve(residual);
    } catch (const Error&) {  // indefinite: the way down with rotations held
      A.set_zero();
      add_corotational_tangent(tets_, rotations_, 1, slots_, A);
      return Cholesky(A.to_sparse()).solve(residual);
    }
  }

  FreeDofs free_;
  std::shared_ptr<const BlockPattern> pattern_;
  TetBatches tets_;
  TetSlots slots_;
  TetMatrices rotations_;
};

/// Nodal forces of a uniform acceleration.
inline Positions weight(const TetMesh& mesh, const Materials& materials, const Vec3& gravity) {
  const SparseMatrix m = scalar_mass(mesh, materials);
  return m * Vector::Ones(m.cols()) * gravity.transpose();
}

}  // namespace limber
