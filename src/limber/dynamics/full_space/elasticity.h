// How a full-resolution body resists: one class for each method.
//
// A step goes from x to x + h v and takes Rayleigh's stiffness damping −β K v along. Methods that
// hold rotations (linear, stiffness warping, corotational) are then linear in v.
#pragma once

#include <memory>

#include "limber/core/state_archive.h"
#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/dynamics/full_space/rotation_field.h"
#include "limber/dynamics/full_space/simulated_mesh.h"

namespace limber {

enum class Tangent {
  safe,   ///< never of negative curvature
  exact,  ///< the forces' derivative, as far as the method has one
  held    ///< the corotational law's with rotations held, for any law; by products alone
};

class Elasticity {
 public:
  virtual ~Elasticity() = default;

  /// Takes these positions (n×3) as those to linearise at.
  virtual void linearise(const Positions& positions) = 0;
  /// Adds the elastic forces at `positions`, rotations as of linearise().
  virtual void add_forces(const Positions& positions, Positions& forces) = 0;
  /// Adds the elastic forces at `end` = x + h v and the damping −β K v.
  virtual void add_step_forces(const Positions& end, const Positions& velocities, double beta,
                               Positions& forces);
  /// A += elastic · K + damping · K_damping at the linearised positions.
  virtual void add_tangent(double elastic, double damping, Tangent kind, BlockMatrix& A) = 0;

  /// Out += factor · K field at the free nodes (both n×3), for the kind of tangent that
  /// has_product() names: the same K as of add_tangent() but never assembled.
  virtual void add_product(double factor, const Positions& field, Positions& out) const {}
  [[nodiscard]] virtual bool has_product(Tangent /*kind*/) const { return false; }

  /// J, at any positions. Forgets what was linearised at.
  [[nodiscard]] virtual double energy(const Positions& positions) = 0;

  /// What rounding leaves of energy(), beyond a part of its value: sums that cancel at rest.
  [[nodiscard]] virtual double energy_rounding() const { return 0; }

  /// Rotations of the free nodes at the linearised positions; null where nothing turns.
  [[nodiscard]] virtual const NodeRotations* node_rotations() = 0;

  /// K never changes.
  [[nodiscard]] virtual bool constant() const { return false; }
  [[nodiscard]] virtual bool symmetric() const { return true; }
  /// Whether add_forces() needs no linearise() to be right.
  [[nodiscard]] virtual bool true_forces() const { return false; }
  /// Forces are not linear even while rotations are held: a step needs Newton's method.
  [[nodiscard]] virtual bool nonlinear() const { return false; }
  /// False: the law gives way under compression, and lets tets turn inside out for good.
  [[nodiscard]] virtual bool bears_inversion() const { return true; }

  /// What linearise() remembers of states before, if anything.
  virtual void archive(StateArchive&) {}

 private:
  Positions shifted_;  // scratch
};

/// `mesh` must outlive the result.
[[nodiscard]] std::unique_ptr<Elasticity> make_elasticity(const SimulatedMesh& mesh,
                                                          const FullBodyOptions& options);

}  // namespace limber
