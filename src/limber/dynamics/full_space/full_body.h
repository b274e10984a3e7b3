// A body at full resolution: every node moves by itself. Linear, stiffness warping, corotational
// and StVK elasticity behind one implicit step.
//
// Motion is computed in the coordinates of the support's frame, with the inertial forces that its
// motion brings: fixed nodes rest there exactly, and linear elasticity has its rest shape there. A
// free body's frame stands still where the body starts.
// Symbols: x positions, v velocities (both n×3, frame coordinates), h step, M mass, C = αM + βK.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/full_space/elasticity.h"
#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/dynamics/full_space/ground.h"
#include "limber/dynamics/full_space/krylov.h"
#include "limber/dynamics/full_space/momentum.h"
#include "limber/dynamics/full_space/node_springs.h"
#include "limber/dynamics/full_space/preconditioner.h"
#include "limber/dynamics/loads.h"

namespace limber {

class AttachedPreconditioner;

/// How the last step went.
struct StepStatus {
  bool converged = true;
  int newton_iterations = 0;  ///< linear systems solved
  int solver_iterations = 0;  ///< in all of them
  double residual = 0;        ///< relative to the momenta and impulses of the step
  double solver_seconds = 0;  ///< processor time of the linear systems
};

class FullBody final : public DynamicBody {
 public:
  /// Without fixed nodes the body is free: the support gives its place and velocity at time 0.
  /// Throws Error where mesh, material, nodes, loads or options are out of range.
  FullBody(TetMesh mesh, Materials materials, const std::vector<int>& fixed_nodes,
           const FullBodyOptions& options = {}, Loads loads = {}, SupportMotion support = {});
  ~FullBody() override;
  FullBody(const FullBody&) = delete;
  FullBody& operator=(const FullBody&) = delete;

  /// Throws Error (work_failed) when an StVK tet turns inside out, the motion runs away or numbers
  /// grow too large, and bad_input for a bad h; the body then stays as it was. A step that does not
  /// converge is kept, and says so in last_step().
  void step(double h) override;
  SettleStatus settle(const SettleOptions& options = {}) override;

  [[nodiscard]] int node_count() const override { return mesh_.node_count(); }
  void node_positions(Eigen::Ref<Positions> positions) const override;
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] double kinetic_energy() const override;
  [[nodiscard]] double elastic_energy() const override;
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] const FrameState& frame() const override { return frame_; }

  [[nodiscard]] const StepStatus& last_step() const { return status_; }
  [[nodiscard]] const FullBodyOptions& options() const { return options_; }
  [[nodiscard]] const SimulatedMesh& simulated_mesh() const { return mesh_; }
  [[nodiscard]] bool is_free() const { return free_body_; }
  /// Frame coordinates.
  [[nodiscard]] const Positions& positions() const { return x_; }
  [[nodiscard]] const Positions& velocities() const { return v_; }
  /// About the frame's origin.
  [[nodiscard]] Momentum momentum() const;

  /// n×3 each, frame coordinates; what is given for fixed nodes is ignored.
  void set_state(const Positions& positions, const Positions& velocities);
  void set_loads(Loads loads);
  /// Another motion of the support from now on; free bodies have none. The frame goes there at
  /// once.
  void set_support(SupportMotion support);
  [[nodiscard]] const SupportMotion& support() const { return support_; }

  /// Targets are in frame coordinates and hold for the end of the next step.
  [[nodiscard]] NodeSprings& springs() { return springs_; }
  [[nodiscard]] const NodeSprings& springs() const { return springs_; }
  /// None: no ground.
  void set_ground(const std::optional<GroundPlane>& plane);
  [[nodiscard]] const std::optional<Ground>& ground() const { return ground_; }

 private:
  // The step, in the order of its stages (full_body_step.cpp).
  void prepare(double h);
  void begin_step(const TimeSpan& span);
  void kick_by_support(const TimeSpan& span, bool at_start);
  void find_outer_forces(const TimeSpan& span, const FrameState& frame, const Positions& positions);
  void solve_motion();
  [[nodiscard]] bool keeps_momentum() const;
  void keep_momentum();
  void end_step(const TimeSpan& span);
  void keep_state(const TimeSpan& span);
  void forget_history();

  // What no step may do (full_body_limits.cpp).
  void refuse_overflow(double norm) const;
  void refuse_parts(double parts) const;
  double refuse_stretch(const Positions& positions) const;
  void refuse_inversion(double least_volume) const;
  void open_budget();
  void add_work(const Positions& forces, const Positions& start, const Positions& end);
  void refuse_runaway();
  [[nodiscard]] std::string at_time() const;

  // The explicit step (full_body_explicit.cpp).
  void step_explicit(const TimeSpan& span);
  void prepare_explicit(double h);
  [[nodiscard]] double fastest_squared(const BlockMatrix& K) const;

  // The system that solve_motion() solves (full_body_newton.cpp).
  void solve_held();
  void iterate_held();
  [[nodiscard]] bool passes_on() const;
  [[nodiscard]] bool by_products() const;
  [[nodiscard]] bool constant_system() const { return elasticity_->constant() && !attached(); }
  [[nodiscard]] double tolerance() const;
  void solve_stvk();
  [[nodiscard]] Tangent held_tangent() const;
  void choose_held_start();
  void choose_stvk_start();
  void evaluate_residual(const Positions& velocities, int pass);
  [[nodiscard]] double residual_scale();
  void assemble(Tangent kind);
  void add_attached(double elastic, double damping);
  [[nodiscard]] const Preconditioner& preconditioner() const;
  class StepProduct;
  KrylovStatus solve_linear(double goal);
  KrylovStatus solve_symmetric(double goal);
  KrylovStatus solve_warped(double goal);
  bool search(int pass);
  [[nodiscard]] double potential(const Positions& velocities);

  // Statics (full_body_statics.h).
  struct Statics;

  template <class Visit>
  void for_each_attachment(Visit&& visit) {
    if (springs_.active()) visit(static_cast<Attachment&>(springs_));
    if (ground_) visit(static_cast<Attachment&>(*ground_));
  }
  [[nodiscard]] bool attached() const { return springs_.active() || ground_.has_value(); }

  SimulatedMesh mesh_;
  FullBodyOptions options_;
  Loads loads_;
  SupportMotion support_;
  bool free_body_;
  std::unique_ptr<Elasticity> elasticity_;  // looks into mesh_
  NodeSprings springs_;
  std::optional<Ground> ground_;
  MomentumKeeper keeper_;

  FrameState frame_;
  double time_ = 0;
  Positions x_, v_;
  Positions last_v_;  // velocities before the last step
  Vector remainder_;  // impulses that the last step owes the body
  StepStatus status_;
  /// J; the most that the body can hold: what it had at the start and all work done on it since.
  struct {
    double budget = 0;
    double largest = 0;  // so far
    bool known = false;
  } energy_;

  // Of the present step.
  double h_ = 0;
  int parts_ = 1;  // of an explicit step
  BlockMatrix A_;
  BlockMatrix constant_matrix_;  // of linear elasticity
  std::unique_ptr<RestPreconditioner> preconditioner_;
  std::unique_ptr<AttachedPreconditioner> attached_preconditioner_;
  std::vector<AttachedBlock> attached_blocks_;
  Krylov krylov_;
  Positions start_v_;  // velocities before the step, turned by Coriolis's force
  Positions outer_;    // gravity, inertia and node forces
  Positions forces_;   // elastic, damping, handles, ground
  Positions trial_v_, base_v_;
  Positions end_;  // x + h v
  Positions scratch_, mass_times_;
  Vector r_, direction_, gradient_;
};

}  // namespace limber
