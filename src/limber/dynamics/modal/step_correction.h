// Where handles enter a modal step: between the prediction of its end and what comes after.
#pragma once

#include <optional>

#include "limber/dynamics/frame/rigid_frame.h"
#include "limber/dynamics/handles.h"
#include "limber/dynamics/modal/equilibrium.h"
#include "limber/dynamics/modal/held_detail.h"
#include "limber/dynamics/modal/modal_shape.h"
#include "limber/dynamics/modal/nonlinear_step.h"
#include "limber/dynamics/modal/oscillator.h"

namespace limber {

/// Amplitudes and their velocities; for a free body the frame that they move in.
struct ModalState {
  Vector q, v;
  std::optional<RigidFrame> rigid;
};

/// All that a correction may need to know about the step that it corrects.
struct StepContext {
  const ModalModel& model;
  ModalShape& shape;
  const Damping& damping;
  const StepCoefficients& coefficients;  ///< qf and vf: what a modal force does to q and v
  double h;                              ///< s
  double time;                           ///< at the end of the step
  const ModalState& start;
  /// Free bodies: the frame as it was before its last drift, and how long that took. A force over
  /// the step adds its momentum there.
  const RigidFrame* before_drift = nullptr;
  double drift = 0;  ///< s
  /// Bodies with an elasticity of their own: what forces do is here, not in the coefficients, which
  /// are those of their rest state.
  const NonlinearStep* nonlinear = nullptr;
  HeldDetail* detail = nullptr;  ///< bodies that have some beyond their modes
};

/// Handles of a modal body. Rows have six columns for the frame of a free body (velocity of the
/// mass centre, angular velocity; world), then one a mode.
class StepCorrection : public Handles {
 public:
  /// Room for the handles that there are, for bodies with so many modes: the next correct() does
  /// not allocate.
  virtual void prepare(const StepContext& step) = 0;
  /// Given the free end of the step changes it to what the handles ask for, and adds to `force` the
  /// modal force that does so over the step.
  virtual void correct(const StepContext& step, ModalState& end, Vector& force) = 0;
  /// How much a perturbation of the handles' present state grows in a step, where forces that act
  /// elsewhere than at what they hold could feed it; 0 where they could not. Allocates.
  [[nodiscard]] virtual double growth(const StepContext& step) = 0;
  /// The number of rows that hard handles hold still, and those rows at a state.
  [[nodiscard]] virtual int held_row_count() const = 0;
  virtual void held_rows(ModalShape& shape, const ModalState& state,
                         Eigen::Ref<ModeMatrix> rows) const = 0;
  /// The points whose detail the rows hold too, one for three rows; without weights: none.
  virtual void held_points(std::vector<BodyPoint>& points) const = 0;
  /// Another number with every change of the handles, and the points that then give way by their
  /// detail.
  [[nodiscard]] virtual std::uint64_t layout() const = 0;
  virtual void dented_points(std::vector<BodyPoint>& points) const = 0;
  /// The state that errors() is about; `detail` or none.
  virtual void see(ModalShape& shape, const ModalState& state, const HeldDetail* detail,
                   double time) = 0;
  /// The static equilibrium of a body on a support, into q.
  virtual SettleStatus settle(const StepContext& step, const StaticLoads& loads,
                              const SettleOptions& options, Vector& q) = 0;

  virtual void archive(StateArchive& state) = 0;
};

}  // namespace limber
