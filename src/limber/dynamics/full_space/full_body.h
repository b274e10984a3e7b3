// A body at full resolution: every node moves by itself. Linear, stiffness warping, corotational,
// StVK and neo-Hookean elasticity behind one implicit step.
//
// What it does is in parts of their own: ImplicitStep, ExplicitStep, Statics, FullHandles,
// RowResponse, Guard. Here they are put together.
// Symbols: x positions, v velocities (both n×3, frame coordinates), h step, M mass, C = αM + βK.
#pragma once

#include <optional>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/full_space/explicit_step.h"
#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/dynamics/full_space/full_handles.h"
#include "limber/dynamics/full_space/full_system.h"
#include "limber/dynamics/full_space/guard.h"
#include "limber/dynamics/full_space/implicit_step.h"
#include "limber/dynamics/full_space/row_response.h"
#include "limber/dynamics/full_space/step_system.h"

namespace limber {

class FullBody final : public DynamicBody {
 public:
  /// Without fixed nodes the body is free: the support gives its place and velocity at time 0.
  /// Throws Error where mesh, material, nodes, loads or options are out of range.
  FullBody(TetMesh mesh, Materials materials, const std::vector<int>& fixed_nodes,
           const FullBodyOptions& options = {}, Loads loads = {}, SupportMotion support = {});

  [[nodiscard]] Method method() const override { return system_.options.method; }
  [[nodiscard]] int node_count() const override { return system_.mesh.node_count(); }
  [[nodiscard]] bool is_free() const override { return system_.free_body; }
  [[nodiscard]] double mass() const override { return system_.mesh.total_mass(); }

  /// Faults: an StVK tet turns inside out, the motion runs away, numbers grow too large. A step
  /// that does not converge is kept, and says so in last_step(). Implicit Euler is the same in
  /// flight and touching.
  [[nodiscard]] Fault predict(double h, StepKind kind) noexcept override;
  [[nodiscard]] Fault commit() noexcept override;
  void idle(double h) noexcept override { now_.time += h; }
  [[nodiscard]] const StepStatus& last_step() const override { return status_; }

  void point_states(std::span<const BodyPoint> points,
                    std::span<PointState> states) const noexcept override;
  [[nodiscard]] Vec3 point_turn(const BodyPoint& point) const override;
  void reserve_rows(int rows) override { rows_.reserve(rows); }
  void set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  [[nodiscard]] int row_length(int rows) const noexcept override { return rows; }
  void scaled_motion(float* velocity, float* displacement) const noexcept override;
  void apply(std::span<const double> impulses, bool move,
             std::span<const Vec3> carried = {}) noexcept override;

  [[nodiscard]] Handles& handles() override { return handles_; }
  [[nodiscard]] const Handles& handles() const override { return handles_; }
  void set_loads(Loads loads) override;
  [[nodiscard]] const Loads& loads() const override { return system_.loads; }
  void set_support(SupportMotion support) override;
  [[nodiscard]] const SupportMotion& support() const override { return system_.support; }
  void set_damping(const Damping& damping) override;
  void apply_impulse(const BodyPoint& point, const Vec3& impulse) override;
  void place(const Vec3& position, const Mat3& rotation) override;
  void set_velocity(const Vec3& velocity, const Vec3& angular_velocity) override;
  /// What is given for fixed nodes is ignored.
  void set_node_state(const Positions& positions, const Positions& velocities) override;
  SettleStatus settle(const SettleOptions& options = {}) override;

  void node_positions(Eigen::Ref<Positions> positions) const override;
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] double kinetic_energy() const override;
  [[nodiscard]] double elastic_energy() const override;
  [[nodiscard]] Momentum momentum() const override;
  [[nodiscard]] double time() const override { return now_.time; }
  [[nodiscard]] const FrameState& frame() const override { return now_.frame; }
  /// The rigid motion that takes the rest shape nearest to the nodes.
  [[nodiscard]] RestPlace rest_place() const override;

  [[nodiscard]] int contact_count() const override {
    return system_.ground ? system_.ground->contact_count() : 0;
  }
  [[nodiscard]] Vec3 contact_force() const override { return ground_force_; }
  void archive(StateArchive& state) override;

  [[nodiscard]] const FullBodyOptions& options() const { return system_.options; }
  [[nodiscard]] const SimulatedMesh& simulated_mesh() const { return system_.mesh; }
  /// Frame coordinates.
  [[nodiscard]] const Positions& positions() const { return now_.x; }
  [[nodiscard]] const Positions& velocities() const { return now_.v; }
  /// None: no ground.
  void set_ground(const std::optional<GroundPlane>& plane);
  [[nodiscard]] const std::optional<Ground>& ground() const { return system_.ground; }
  /// Of FullBodyOptions::core.
  [[nodiscard]] const std::optional<RigidCore>& core() const { return system_.core; }
  /// Torque −c ω on the core, N·m·s.
  void damp_core_turning(double damping);

 private:
  [[nodiscard]] Fault begin_step(double h);
  void assemble_response();
  void finish_core();
  void forget_history();
  void refuse_unless_free(const char* what) const;
  [[nodiscard]] RestPlace rest_in_frame() const;
  // The end of the step between predict() and commit(), else the present.
  [[nodiscard]] const Positions& latest_x() const { return predicted_ ? trial_.x : now_.x; }
  [[nodiscard]] const Positions& latest_v() const { return predicted_ ? trial_.v : now_.v; }
  [[nodiscard]] const FrameState& latest_frame() const {
    return predicted_ ? trial_.frame : now_.frame;
  }

  FullSystem system_;
  NodeState now_;
  Vec3 ground_force_ = Vec3::Zero();  // over the last step, world
  Trial trial_;
  Guard guard_;
  StepSystem linear_;
  ImplicitStep implicit_;
  ExplicitStep explicit_;
  FullHandles handles_;
  mutable RowResponse rows_;  // keeps scratch memory
  StepStatus status_;
  double row_h_ = 0;
  bool predicted_ = false;
  bool response_ready_ = false;  // the step's matrix is that of the rows' response
  bool pushed_ = false;          // impulses acted in this step
  Positions change_, arms_;      // scratch of apply()
};

}  // namespace limber
