// What a body at full resolution is made of and what acts on it, its state, and a step while it is
// found: what its integrators, its statics and its rows share.
//
// Motion is computed in the coordinates of the support's frame, with the inertial forces that its
// motion brings: fixed nodes rest there exactly, and linear elasticity has its rest shape there. A
// free body's frame stands still.
#pragma once

#include <memory>
#include <optional>

#include "limber/dynamics/full_space/elasticity.h"
#include "limber/dynamics/full_space/ground.h"
#include "limber/dynamics/full_space/momentum.h"
#include "limber/dynamics/full_space/point_springs.h"
#include "limber/dynamics/full_space/rigid_core.h"
#include "limber/dynamics/loads.h"

namespace limber {

struct FullSystem {
  /// Throws Error where mesh, material, nodes or options are out of range.
  FullSystem(TetMesh mesh_given, Materials materials, const std::vector<int>& fixed_nodes,
             const FullBodyOptions& options_given, SupportMotion support_given);
  FullSystem(const FullSystem&) = delete;
  FullSystem& operator=(const FullSystem&) = delete;

  template <class Visit>
  void for_each_attachment(Visit&& visit) {
    if (springs.active()) visit(static_cast<Attachment&>(springs));
    if (ground) visit(static_cast<Attachment&>(*ground));
  }
  [[nodiscard]] bool attached() const { return springs.active() || ground.has_value(); }
  /// elastic · (−∂f/∂x) + damping · (−∂f/∂v) of handles and ground.
  void collect_blocks(double elastic, double damping, std::vector<AttachedBlock>& blocks);

  FullBodyOptions options;
  SimulatedMesh mesh;
  Loads loads;
  SupportMotion support;
  bool free_body;                          // neither fixed nodes nor an axis
  std::optional<RigidCore> core;           // looks into mesh
  std::unique_ptr<Elasticity> elasticity;  // looks into mesh
  PointSprings springs;
  std::optional<Ground> ground;
  MomentumKeeper keeper;
};

/// The present; frame coordinates.
struct NodeState {
  double time = 0;
  FrameState frame;
  Positions x, v;
  Positions last_v;  // velocities before the last step
  Vector remainder;  // impulses that the last step owes the body

  void archive(StateArchive& state);
};

/// A step from the present to x = x₀ + h v, while it is found; n×3 each, frame coordinates.
struct Trial {
  explicit Trial(const SimulatedMesh& mesh);

  TimeSpan span;
  double h = 0;
  FrameState frame;    // at the end
  Positions before_v;  // velocities at the start, after a support's jump
  Positions start_v;   // the same, turned by Coriolis's force
  Positions outer;     // N: gravity, inertia and node forces
  Positions forces;    // N: scratch of the integrators
  Positions x, v;      // at the end
  Vector remainder;
  StepStatus status;
};

/// Gravity, inertia and node forces (n×3, N) over the span, in a frame that moves like this.
/// `scratch` has the same size.
void find_outer_forces(const FullSystem& system, const TimeSpan& span, const FrameState& frame,
                       const Positions& positions, Positions& scratch, Positions& outer);

/// Changes of the velocities by jumps of the support's velocity in the span. The effect lies
/// between that of a jump at the start and one at the end of the step, in proportion to its place.
/// Returns the kinetic energy that they bring.
double kick_by_support(const FullSystem& system, const TimeSpan& span, bool at_start,
                       const Positions& positions, Positions& velocities);

/// The longest edge of the box around them, m.
[[nodiscard]] double extent(const Positions& positions);

}  // namespace limber
