// A body that moves and turns and never deforms: the rigid limit among elastic bodies.
//
// Its four nodes are the origin and the three unit points of its own coordinates, so that every
// point X of the body is a BodyPoint by its affine coordinates: see RigidBody::point().
//
// A touching step is kick, then drift: impulses move its end by h Δv. In flight it is drift, kick,
// drift: the exact parabola.
#pragma once

#include <vector>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/frame/rigid_frame.h"
#include "limber/dynamics/no_handles.h"

namespace limber {

/// What a body weighs and how it resists turning.
struct RigidMass {
  double mass = 0;                  // kg
  Vec3 centre = Vec3::Zero();       // of mass, in the body's coordinates
  Mat3 inertia = Mat3::Identity();  // about the centre, kg·m²
};

class RigidBody final : public DynamicBody {
 public:
  /// `start`: place and velocities of the body's coordinates. Throws Error unless mass and moments
  /// of inertia are positive and finite.
  explicit RigidBody(const RigidMass& mass, const FrameState& start = {}, Loads loads = {});

  /// The point X of the body's own coordinates.
  [[nodiscard]] static BodyPoint point(const Vec3& X);

  [[nodiscard]] Method method() const override { return Method::rigid; }
  [[nodiscard]] int node_count() const override { return 4; }
  [[nodiscard]] bool is_free() const override { return true; }
  [[nodiscard]] double mass() const override { return mass_.mass; }

  [[nodiscard]] Fault predict(double h, StepKind kind) noexcept override;
  [[nodiscard]] Fault commit() noexcept override;
  void idle(double h) noexcept override { time_ += h; }
  [[nodiscard]] const StepStatus& last_step() const override { return status_; }

  void point_states(std::span<const BodyPoint> points,
                    std::span<PointState> states) const noexcept override;
  [[nodiscard]] Vec3 point_turn(const BodyPoint& point) const override;
  void reserve_rows(int rows) override;
  void set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  [[nodiscard]] int row_length(int /*rows*/) const noexcept override { return 6; }
  [[nodiscard]] int rigid_coordinates() const noexcept override { return 6; }
  void scaled_motion(float* velocity, float* displacement) const noexcept override;
  void apply(std::span<const double> impulses, bool move,
             std::span<const Vec3> carried = {}) noexcept override;

  /// Refuses every handle: a joint holds a rigid body.
  [[nodiscard]] Handles& handles() override { return no_handles(); }
  [[nodiscard]] const Handles& handles() const override { return no_handles(); }
  void set_loads(Loads loads) override;
  [[nodiscard]] const Loads& loads() const override { return loads_; }
  void set_support(SupportMotion support) override;
  [[nodiscard]] const SupportMotion& support() const override { return support_; }
  void set_damping(const Damping& damping) override;
  void apply_impulse(const BodyPoint& point, const Vec3& impulse) override;
  void place(const Vec3& position, const Mat3& rotation) override;
  void set_velocity(const Vec3& velocity, const Vec3& angular_velocity) override;
  void set_node_state(const Positions& positions, const Positions& velocities) override;
  SettleStatus settle(const SettleOptions& options = {}) override;

  void node_positions(Eigen::Ref<Positions> positions) const override;
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] double kinetic_energy() const override { return end_.kinetic_energy(); }
  [[nodiscard]] double elastic_energy() const override { return 0; }
  [[nodiscard]] Momentum momentum() const override;
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] const FrameState& frame() const override { return frame_; }
  void archive(StateArchive& state) override;

 private:
  struct Row {
    Vec3 direction;
    Vec3 place;
    bool angular;
  };

  [[nodiscard]] RigidFrame::Wrench wrench(const TimeSpan& span) const;
  void restart(const FrameState& frame);

  RigidMass mass_;
  Loads loads_;
  SupportMotion support_;  // at rest, for who asks
  StepStatus status_;
  RigidFrame start_;  // with all that the step has kicked it by
  RigidFrame end_;    // the present, or the end of the step as found so far
  RigidFrame before_;
  FrameState frame_;  // of end_
  double time_ = 0;
  double h_ = 0;

  std::vector<Row> rows_;
  RigidFrame at_rows_;  // as it stood at set_rows()
};

}  // namespace limber
