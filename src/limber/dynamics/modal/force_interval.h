// Several steps in flight by one modal force. Between two of its evaluations the oscillators move
// exactly as that force makes them, step by step, so that nothing is extrapolated and nothing
// jumps: what is coarser is the force alone, as in one step over the whole interval H = k h.
//
// An interval is no longer than that the rest shape under its force moves by some hundredths of the
// body's size from one to the next: soft bodies get a force a step, as they need.
//
// The force is that of the mean of q over H, which it leads to itself:
//   q̄ = (f H − (v' − v) − b (q' − q)) / (λ H),  v̄ = (q' − q) / H,
// the oscillator's equation integrated over H. For slow modes it is the state in the middle to
// second order; of modes that swing several times it takes the mean, as mollified impulses do
// (García-Archilla, Sanz-Serna & Skeel 1998): sampled at some phase, forces could feed a mode whose
// half period they hit.
//
// How the mass of a free body moves is found at both ends, which are known once the force is; the
// mass centre's shift between them is the cubic through both and their rates. Where an interval
// is broken off, because something touches, what that differs by from the shape as it is fades.
#pragma once

#include <algorithm>
#include <limits>

#include "limber/core/state_archive.h"
#include "limber/dynamics/frame/mass_motion.h"
#include "limber/dynamics/modal/oscillator.h"

namespace limber {

inline constexpr int kMostInterval = 32;

class ForceInterval {
 public:
  /// Steps that go by one force; at least 1.
  int wanted = 1;
  int phase = 0;
  /// The most of them that the body is stiff enough for: forces that change much with the shape,
  /// and are held for long, feed its motion.
  int most = 8;
  StepCoefficients coefficients;  // of a whole interval, of so many seconds
  double coefficients_span = std::numeric_limits<double>::quiet_NaN();
  Vector end_q, end_v;  // where the force leads to
  Vector before_f;      // the force of the interval before

  /// An interval of so many steps of h seconds begins.
  void begin(int steps, double h, const MassMotion& from, const MassMotion& to);
  /// After a force was found: how far its change since the last interval has moved the rest of the
  /// shape, as a share of the body's size. Sets `most` for the next ones.
  void judge(double change);
  [[nodiscard]] int steps() const { return std::min(wanted, most); }
  /// Of the one that begins now: the first is shorter by the phase, so that bodies take turns.
  [[nodiscard]] int next_steps() const {
    return follows_ ? steps() : steps() - phase % std::max(1, steps());
  }
  [[nodiscard]] bool runs() const { return left_ > 0; }
  /// Whether a step of h seconds belongs to it.
  [[nodiscard]] bool takes(double h) const { return left_ > 0 && h == h_; }
  /// At the end of the step that is about to be made.
  [[nodiscard]] MassMotion next_mass_motion() const;
  void pass();
  /// `by`: how far the mass centre's shift as it is taken to be is from that of the shape.
  void break_off(const Vec3& by);

  /// What is left of that.
  [[nodiscard]] const Vec3& offset() const { return offset_; }
  void fade(double h);

  void archive(StateArchive& state);

 private:
  int steps_ = 0, left_ = 0;
  bool follows_ = false;  // another one without a break
  int waited_ = 0;        // steps, since `most` is one
  double h_ = 0;
  MassMotion from_, to_;
  Vec3 offset_ = Vec3::Zero();
};

}  // namespace limber
