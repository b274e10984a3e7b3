#include "limber/modes/corotational_rest.h"

#include <cmath>
#include <numeric>

#include "limber/core/error.h"
#include "limber/fem/operators.h"

namespace limber {

CorotationalRest::CorotationalRest(const TetMesh& mesh, const Materials& materials,
                                   const std::vector<int>& held)
    : free_(mesh.node_count(), held),
      tets_(mesh, materials, element_geometry(mesh)),
      rotations_(static_cast<std::size_t>(tets_.batch_count())),
      A_(std::make_shared<BlockPattern>(block_pattern(NodeGraph(mesh), free_))) {
  std::vector<int> all(static_cast<std::size_t>(mesh.tet_count()));
  std::iota(all.begin(), all.end(), 0);
  slots_ = tet_slots(A_.pattern(), free_, mesh, all);
  sparse_ = A_.to_sparse();
}

double CorotationalRest::energy(const Positions& positions, const Positions& forces) {
  tet_rotations(tets_, positions, rotations_);
  return corotational_energy(tets_, rotations_, positions) - forces.cwiseProduct(positions).sum();
}

void CorotationalRest::factor() {
  A_.copy_to(sparse_);
  if (cholesky_) {
    cholesky_->refactor(sparse_);
    return;
  }
  Cholesky::Options options;
  options.block_size = 3;
  cholesky_.emplace(sparse_, options);
}

Vector CorotationalRest::newton_step(const Positions& positions, const Vector& residual) {
  A_.set_zero();
  add_exact_corotational_tangent(tets_, rotations_, positions, 1, slots_, A_);
  try {
    factor();
  } catch (const Error&) {  // indefinite
    cholesky_.reset();
    A_.set_zero();
    add_corotational_tangent(tets_, rotations_, 1, slots_, A_);
    factor();
  }
  return cholesky_->solve(residual);
}

void CorotationalRest::follow(const Positions& way, Positions& positions) {
  constexpr double kLittle = 1e-6;  // of the way: a derivative by forward difference
  const auto forces_at = [&](const Positions& x) {
    Positions forces = Positions::Zero(x.rows(), 3);
    tet_rotations(tets_, x, rotations_);
    add_corotational_forces(tets_, rotations_, x, forces);
    return forces;
  };
  const Positions ahead = forces_at(positions + kLittle * way);
  const Positions change = (ahead - forces_at(positions)) / kLittle;
  const Vector step = newton_step(positions, free_.reduce(stacked(change)));
  positions += way;
  stacked(positions) += Vector(free_.expand(step));
}

Vector CorotationalRest::linear_response(const Positions& rest, const Positions& forces) {
  tet_rotations(tets_, rest, rotations_);
  return free_.expand(newton_step(rest, free_.reduce(stacked(forces))));
}

bool CorotationalRest::settle(const Positions& forces, Positions& positions, double tolerance,
                              int most_iterations) {
  constexpr double kShortest = 1e-3;
  double value = energy(positions, forces);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    tet_rotations(tets_, positions, rotations_);
    Positions elastic = Positions::Zero(positions.rows(), 3);
    add_corotational_forces(tets_, rotations_, positions, elastic);
    const Vector residual = free_.reduce(stacked(Positions(forces + elastic)));
    if (!residual.allFinite()) return false;
    // Held nodes push as well: their forces are part of the scale.
    if (residual.norm() <= tolerance * elastic.norm()) return true;
    const Vector step = newton_step(positions, residual);
    const Vector whole = free_.expand(step);
    const double slope = residual.dot(step);
    for (double length = 1;; length /= 2) {
      Positions trial = positions;
      stacked(trial) += length * whole;
      const double next = energy(trial, forces);
      // Armijo's rule; near the end rounding of the energy is allowed for.
      const double wanted = value - 1e-4 * length * slope + 1e-11 * std::abs(value);
      if (!(next <= wanted) && length > kShortest) continue;
      positions = trial;
      value = next;
      break;
    }
  }
  return false;
}

}  // namespace limber
