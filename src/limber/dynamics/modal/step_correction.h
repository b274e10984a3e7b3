// Where manipulation constraints and contact enter a modal step.
#pragma once

#include "limber/dynamics/modal/oscillator.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

/// All that a correction may need to know about the step that it corrects.
struct StepContext {
  const ModalModel& body;
  ModalMethod method;
  const Damping& damping;
  const StepCoefficients& coefficients;  ///< qf and vf: what a modal force does to q and v
  double h;                              ///< s
  double time;                           ///< at the end of the step
  const Vector& previous_q;              ///< at the start of the step
  const Vector& previous_v;
};

class StepCorrection {
 public:
  virtual ~StepCorrection() = default;

  /// Whether there is anything to correct.
  [[nodiscard]] virtual bool active() const { return true; }

  /// Given the unconstrained prediction q, v for the end of the step, changes them to what the
  /// constraints ask for, and adds to `force` the modal force that does so over the step
  /// (q += qf·force, v += vf·force). Must not allocate.
  virtual void correct(const StepContext& step, Vector& q, Vector& v, Vector& force) = 0;
};

}  // namespace limber
