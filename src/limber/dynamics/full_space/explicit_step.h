// Symplectic Euler: v += h M⁻¹ f(x, v), x += h v, in as many equal parts of a step as stability
// needs. No system is solved, so the mass is lumped.
#pragma once

#include <optional>

#include "limber/dynamics/full_space/full_system.h"
#include "limber/dynamics/full_space/guard.h"

namespace limber {

class ExplicitStep {
 public:
  /// `system` must outlive this.
  explicit ExplicitStep(FullSystem& system) : system_(system) {}

  /// How many parts a step of h is cut into; a fault where they are too many.
  [[nodiscard]] Fault prepare(double h);
  /// Damping or ground have changed.
  void forget() { h_ = 0; }
  [[nodiscard]] Fault solve(const NodeState& now, Trial& trial, Guard& guard);

 private:
  [[nodiscard]] double fastest_squared() const;

  FullSystem& system_;
  double h_ = 0;
  int parts_ = 1;
  std::optional<BlockMatrix> K_;
  std::vector<AttachedBlock> blocks_;
  Positions start_, given_;  // scratch: of a part
};

}  // namespace limber
