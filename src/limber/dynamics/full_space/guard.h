// What no step may do: overflow, tear a body apart or gain energy from nowhere.
//
// Energy: implicit Euler loses some, so at all times K + U ≤ K₀ + U₀ + W with K kinetic and U
// elastic energy and W the work of all outer forces, handles, contacts and the ground. Methods that
// hold rotations gain a little; a motion that runs away gains as much as it had in every step.
#pragma once

#include <string>

#include "limber/core/state_archive.h"
#include "limber/dynamics/fault.h"
#include "limber/dynamics/full_space/elasticity.h"

namespace limber {

/// Squares of numbers from 1e154 on are infinite, and every residual is small beside them.
[[nodiscard]] Fault overflow_of(double norm);

/// Whether the tet that has shrunk most is below this part of its volume.
[[nodiscard]] Fault inversion_of(const SimulatedMesh& mesh, const Positions& positions,
                                 double least_volume);

/// "time 0.25", for messages.
[[nodiscard]] std::string time_text(double time);

class Guard {
 public:
  /// `mesh` must outlive this.
  explicit Guard(const SimulatedMesh& mesh);

  /// The body was put somewhere else: its energy has to be asked for again.
  void forget() { kept_.known = false; }
  [[nodiscard]] bool knows_energy() const { return kept_.known; }
  void set_energy(double energy);

  /// A step begins; what add_work() adds belongs to it until keep().
  void begin() { tried_ = kept_; }
  void add_work(double work);
  /// The work of `forces` (n×3) from `start` to `end`.
  void add_work(const Positions& forces, const Positions& start, const Positions& end);
  /// Of a step of h seconds to `end` with `velocities`, whose work has been added.
  [[nodiscard]] Fault check(const Positions& end, const Positions& velocities, double h,
                            Elasticity& elasticity) const;
  void keep() { kept_ = tried_; }

  /// How many times as long as at rest; a Fault where that is beyond all laws of elasticity.
  [[nodiscard]] double stretch(const Positions& positions) const;
  [[nodiscard]] static Fault fault_of_stretch(double stretch);

  void archive(StateArchive& state) {
    state.value(kept_.now);
    state.value(kept_.largest);
    state.value(kept_.known);
  }

 private:
  /// J; the most that the body can hold: what it had at the start and all work done on it since.
  struct Budget {
    double now = 0;
    double largest = 0;  // so far
    bool known = false;
  };

  const SimulatedMesh& mesh_;
  double size_;
  Budget kept_, tried_;
};

}  // namespace limber
