// A body that moves by its modes: linear modal analysis, modal warping (Choi & Ko 2005) or a
// reduced nonlinear space (Barbič & James 2005), on a support or free (Hauser et al. 2003).
//
// The oscillators stay decoupled; all that couples them is the modal force, constant over a step.
// It is sampled at the middle of the step: the frame and loads at the middle of its time, q and v
// where half a step under the last force leads. With the exact oscillators this is of second
// order and, for forces from a potential, keeps the energy bounded; sampled at the start, as
// printed in eq. 19, the same loop is of first order and feeds energy into a hanging body.
// The semi-implicit integrator keeps to eq. 19 and takes q and v at the start, and so does the
// digital filter.
// A reduced body has an elasticity of its own in the place of the oscillators: nonlinear_step.h.
#pragma once

#include <memory>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/modal/force_interval.h"
#include "limber/dynamics/modal/mass_tangent.h"
#include "limber/dynamics/modal/modal_options.h"
#include "limber/dynamics/modal/modal_rows.h"
#include "limber/dynamics/modal/modal_shape.h"
#include "limber/dynamics/modal/mode_fade.h"
#include "limber/dynamics/modal/oscillator.h"
#include "limber/dynamics/modal/step_correction.h"

namespace limber {

class ModalBody : public DynamicBody {
 public:
  /// A body without fixed nodes (rigid_modes of 6) is free: the support gives its place and
  /// velocity at time 0, then it flies. `make_shape`: in the place of make_modal_shape(). Throws
  /// Error where loads or damping are out of range.
  explicit ModalBody(ModalModel model, const ModalBodyOptions& options = {}, Loads loads = {},
                     SupportMotion support = {}, ShapeMaker make_shape = {});
  ModalBody(const ModalBody&) = delete;
  ModalBody& operator=(const ModalBody&) = delete;

  [[nodiscard]] Method method() const override { return options_.method; }
  [[nodiscard]] int node_count() const override { return model_.node_count(); }
  [[nodiscard]] bool is_free() const override { return present_.rigid.has_value(); }
  [[nodiscard]] double mass() const override { return mass_; }

  [[nodiscard]] Fault predict(double h, StepKind kind) noexcept override;
  [[nodiscard]] Fault commit() noexcept override;
  void end_touching() noexcept override;
  void idle(double h) noexcept override { time_ += h; }
  [[nodiscard]] const StepStatus& last_step() const override { return status_; }

  void point_states(std::span<const BodyPoint> points,
                    std::span<PointState> states) const noexcept override;
  [[nodiscard]] Vec3 point_turn(const BodyPoint& point) const override;
  void reserve_rows(int rows) override;
  void set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  [[nodiscard]] int row_length(int rows) const noexcept override;
  void scaled_motion(float* velocity, float* displacement) const noexcept override;
  [[nodiscard]] int rigid_coordinates() const noexcept override { return is_free() ? 6 : 0; }
  void apply(std::span<const double> impulses, bool move,
             std::span<const Vec3> carried = {}) noexcept override;
  [[nodiscard]] bool takes_sums() const noexcept override { return frozen_ && !nonlinear_; }
  void apply_sum(const RowSum& sum, bool move) noexcept override;

  [[nodiscard]] Handles& handles() override;
  [[nodiscard]] const Handles& handles() const override;
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

  [[nodiscard]] DetailSize detail_size() const override;
  /// Bodies on handles, and those with an elasticity of their own, have all modes and a force a
  /// step; so has who is shaken, loaded by more than gravity, or not stepped by Integrator::exact
  /// as regards the force.
  [[nodiscard]] DetailChoice detail_choice() const override;
  [[nodiscard]] DetailLevel detail_now() const override;
  void want_detail(const DetailLevel& level) noexcept override;
  void fade_detail(double h) noexcept override;

  void node_positions(Eigen::Ref<Positions> positions) const override;
  /// The time derivative of node_positions.
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  /// ½|q̇|², plus that of the frame when the body is free.
  [[nodiscard]] double kinetic_energy() const override;
  /// ½ qᵀΛq, or what the reduced body's law says.
  [[nodiscard]] double elastic_energy() const override;
  [[nodiscard]] Momentum momentum() const override;
  [[nodiscard]] std::span<const double> modal() const override;
  [[nodiscard]] std::span<const double> modal_velocities() const override;
  void set_modal(std::span<const double> amplitudes, std::span<const double> velocities) override;
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] const FrameState& frame() const override { return frame_; }
  void archive(StateArchive& state) override;

  [[nodiscard]] const ModalModel& model() const { return model_; }
  [[nodiscard]] const ModalBodyOptions& options() const { return options_; }
  [[nodiscard]] const Vector& q() const { return seen().q; }
  [[nodiscard]] const Vector& v() const { return seen().v; }
  [[nodiscard]] const std::optional<RigidFrame>& rigid_frame() const { return seen().rigid; }

  /// Amplitudes and their velocities, m each.
  void set_state(const Vector& q, const Vector& v);
  /// The handles that steps are corrected by; without any, handles() refuses to add some.
  void set_correction(std::unique_ptr<StepCorrection> correction);

 protected:
  [[nodiscard]] const StepCorrection* correction() const { return correction_.get(); }
  /// Detail that handles reach through, which must live as long as this. Rows are then not cleared
  /// of what handles hold: project_held() has to be called once detail has its rows too.
  void set_held_detail(HeldDetail* detail) { held_detail_ = detail; }
  [[nodiscard]] ModalRows& modal_rows() { return rows_; }
  /// Scaled rows of what handles hold, one for each of StepCorrection::held_row_count().
  void held_modal_rows(double h, Eigen::Ref<ModeMatrix> rows);

 private:
  static constexpr double kNoStep = std::numeric_limits<double>::quiet_NaN();

  /// Loads averaged over a step, in the frame.
  struct SampledLoads {
    TimeSpan span;
    Vec3 gravity;
    Mat3 to_frame;
    RigidFrame::Wrench wrench;  // for free bodies
    AccelerationField field;
  };

  // A step, in the order of its stages.
  void prepare(double h, StepKind kind);
  void kick_by_support(const TimeSpan& span, bool at_start);
  void move_frame_to_middle(const TimeSpan& span);
  SampledLoads find_modal_force(const TimeSpan& span);
  SampledLoads take_modal_force(const TimeSpan& span);
  SampledLoads held_modal_force(const TimeSpan& span);
  void begin_interval(const TimeSpan& step);
  void find_mean_state();
  void break_interval();
  void move_frame_to_end(const SampledLoads& loads);
  [[nodiscard]] Fault correct(const TimeSpan& span);
  void finish(const TimeSpan& span, const SampledLoads& loads);
  [[nodiscard]] Fault guard() const;

  [[nodiscard]] std::unique_ptr<ModalShape> make_shape(bool fast) const;
  [[nodiscard]] bool takes_force_at_start() const;
  void predict_middle();
  void hold_still();
  void set_active(int modes, const ModalState& state);
  void move_all_modes();
  [[nodiscard]] bool has_handles() const;
  [[nodiscard]] bool may_hold_force() const;
  [[nodiscard]] bool has_steady_force() const;
  [[nodiscard]] SampledLoads sample_loads(const TimeSpan& span, const Vector& q) const;
  [[nodiscard]] RigidFrame::Wrench sample_wrench(const TimeSpan& span, const Vector& q) const;
  void evaluate(const SampledLoads& loads, const Vector& q, const Vector& v, ModalShape& shape,
                Vector& f) const;
  void add_nonlinear_part(const Vector& q, Vector& f, Eigen::MatrixXd* df) const;
  [[nodiscard]] double largest_rotation(const Vector& q) const;
  [[nodiscard]] StepContext context(double time) const;

  [[nodiscard]] const ModalState& seen() const { return predicted_ ? next_ : present_; }
  [[nodiscard]] ModalState& seen() { return predicted_ ? next_ : present_; }
  [[nodiscard]] MassMotion mass_motion(const ModalState& state);
  [[nodiscard]] MassMotion shape_mass_motion(const Vector& q, const Vector& v);
  /// After any change of seen(): the frame that goes with it.
  void update_frame();
  void forget_history();

  ModalModel model_;
  ModalBodyOptions options_;
  double mass_ = 0;
  double size_ = 0;    // diagonal of the box, m
  Vector mode_sizes_;  // of each mode's largest displacement, m a unit
  Loads loads_;
  SupportMotion support_;
  ShapeMaker make_shape_;                     // or none
  std::unique_ptr<ModalShape> shape_;         // looks into model_
  std::unique_ptr<NonlinearStep> nonlinear_;  // of reduced bodies
  std::unique_ptr<StepCorrection> correction_;
  HeldDetail* held_detail_ = nullptr;
  StepStatus status_;
  double time_ = 0;

  double h_ = kNoStep;  // the step that the coefficients belong to
  StepKind kind_ = StepKind::flight;
  StepCoefficients coefficients_;  // of a step
  StepCoefficients half_;          // of half a step
  StepCoefficients semi_implicit_;
  Vector filter_taps_;  // of Integrator::filter

  ModalState present_;
  FrameState frame_;  // of seen(); of a body on a support: at the present time
  bool predicted_ = false;
  ModalState next_;                         // the end of the step
  ModalState start_;                        // after a kick of the support
  std::optional<RigidFrame> before_drift_;  // of the step
  double drift_ = 0;
  double next_time_ = 0;

  ModeFade fade_;
  ForceInterval interval_;
  bool over_interval_ = false;  // the force is being found for all of it

  Vector f_;              // modal force over the last step
  bool f_known_ = false;  // false before the first step
  Vector constraint_f_;   // modal force of the correction over the last step
  Vector middle_q_, middle_v_;
  Vector scratch_;
  ModalRows rows_;
  MassTangent tangent_;  // of the last set_rows()
  bool frozen_ = false;  // steps go by it
  bool f_held_ = false;  // and by the modal force of the first one
};

}  // namespace limber
