// A body that moves by its modes: linear modal analysis or modal warping (Choi & Ko 2005), on a
// support or free (Hauser et al. 2003).
//
// The oscillators stay decoupled; all that couples them is the modal force, constant over a step.
// It is sampled at the middle of the step: the frame and loads at the middle of its time, q and v
// where half a step under the last force leads. With the exact oscillators this is of second
// order and, for forces from a potential, keeps the energy bounded; sampled at the start, as
// printed in eq. 19, the same loop is of first order and feeds energy into a hanging body.
// The semi-implicit integrator keeps to eq. 19 and takes q and v at the start.
#pragma once

#include <memory>
#include <optional>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/frame/rigid_frame.h"
#include "limber/dynamics/modal/modal_force.h"
#include "limber/dynamics/modal/oscillator.h"
#include "limber/dynamics/modal/step_correction.h"

namespace limber {

struct ModalBodyOptions {
  ModalMethod method = ModalMethod::warping;
  Integrator integrator = Integrator::exact;
  Damping damping = {};
  bool coriolis = false;  ///< the force of turning nodes on themselves: Choi & Ko 2005, footnote 2
  bool fast = false;      ///< gravity under warping by cubature, some 0.02 % off, in under 1 µs
};

class ModalBody final : public DynamicBody {
 public:
  /// A body without fixed nodes (rigid_modes of 6) is free: the support gives its place and
  /// velocity at time 0, then it flies. Throws Error where loads or damping are out of range.
  explicit ModalBody(ModalModel body, const ModalBodyOptions& options = {}, Loads loads = {},
                     SupportMotion support = {});
  ModalBody(const ModalBody&) = delete;
  ModalBody& operator=(const ModalBody&) = delete;

  void step(double h) override;
  SettleStatus settle(const SettleOptions& options = {}) override;

  [[nodiscard]] int node_count() const override { return body_.node_count(); }
  void node_positions(Eigen::Ref<Positions> positions) const override;
  /// The time derivative of node_positions.
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  /// ½|q̇|², plus that of the frame when the body is free.
  [[nodiscard]] double kinetic_energy() const override;
  /// ½ qᵀΛq.
  [[nodiscard]] double elastic_energy() const override;
  [[nodiscard]] std::span<const double> modal() const override;
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] const FrameState& frame() const override { return frame_; }

  [[nodiscard]] const ModalModel& body() const { return body_; }
  [[nodiscard]] const ModalBodyOptions& options() const { return options_; }
  [[nodiscard]] const Vector& q() const { return q_; }
  [[nodiscard]] const Vector& v() const { return v_; }
  [[nodiscard]] bool is_free() const { return rigid_.has_value(); }
  [[nodiscard]] const std::optional<RigidFrame>& rigid_frame() const { return rigid_; }

  /// Amplitudes and their velocities, m each.
  void set_state(const Vector& q, const Vector& v);
  void set_loads(Loads loads);
  /// Another motion of the support from now on; free bodies have none. The frame goes there at
  /// once.
  void set_support(SupportMotion support);
  [[nodiscard]] const SupportMotion& support() const { return support_; }
  void set_damping(const Damping& damping);
  /// A modal force (m) that acts until it is set again, beside all loads: a hand that pulls.
  void set_modal_force(const Vector& force);
  /// Constraints: called once a step; none when empty.
  void set_correction(std::shared_ptr<StepCorrection> correction);

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

  void prepare(double h);
  void kick_by_support(const TimeSpan& span, bool at_start);
  void move_frame_to_middle(const TimeSpan& span);
  SampledLoads find_modal_force(const TimeSpan& span);
  void correct(const TimeSpan& span);
  void move_frame_to_end(const TimeSpan& span, const SampledLoads& loads);

  void predict_middle();
  [[nodiscard]] SampledLoads sample_loads(const TimeSpan& span, const Vector& q) const;
  [[nodiscard]] RigidFrame::Wrench sample_wrench(const TimeSpan& span, const Vector& q) const;
  void evaluate(const SampledLoads& loads, const Vector& q, const Vector& v, ModalForce& force,
                Vector& f) const;
  [[nodiscard]] double largest_rotation(const Vector& q) const;

  ModalModel body_;
  ModalBodyOptions options_;
  Loads loads_;
  SupportMotion support_;
  std::unique_ptr<ModalForce> force_;  // looks into body_
  std::shared_ptr<StepCorrection> correction_;
  std::optional<RigidFrame> rigid_;
  FrameState frame_;
  double time_ = 0;

  double h_ = kNoStep;             // the step that the coefficients belong to
  StepCoefficients coefficients_;  // of a step
  StepCoefficients half_;          // of half a step

  Vector q_, v_;          // the state
  Vector f_;              // modal force over the last step
  bool f_known_ = false;  // false before the first step
  Vector constraint_f_;   // modal force of the correction over the last step
  Vector external_f_;     // set_modal_force()
  Vector middle_q_, middle_v_;
  Vector previous_q_, previous_v_;
  Vector scratch_;
};

}  // namespace limber
