// Modes that stand still and cost nothing, and how they come to it and out of it without a jump.
//
// The first a of m modes move. Those that are to be dropped lose a tenth of their velocity a step
// until they are calm, and then stand where they are: at rest under all that acted on them,
// contacts included. What is still driven after 0.2 s is braked to a stop in as much again. A mode
// that is wanted again starts from there. What held it in its place, g = λq − f, and what it does
// not yet take of impulses fade together,
//   q̈ + b q̇ + λ q = f + s g,  mobility under impulses (1 − s),  s from 1 to 0,
// so that under forces that have not changed it does not move at all: at rest under f and a
// contact's F it was held by λq = f + F, and f + s(λq − f) + (1 − s)F = λq.
//
// Bound: velocities lose at most a tenth a step until they are braked, which takes from a mode only
// what it would have moved by; s loses at most a twentieth. An undamped oscillator whose
// rest moves by δ a step moves by at most 2δ a step: a change of detail moves no mode by more than
// a tenth of its amplitude a step beyond how it moves by itself.
#pragma once

#include "limber/core/state_archive.h"
#include "limber/core/types.h"

namespace limber {

class ModeFade {
 public:
  explicit ModeFade(Eigen::Index modes);

  /// The modes that move, fading ones included; the others are the last ones.
  [[nodiscard]] int active() const { return active_; }
  [[nodiscard]] int wanted() const { return wanted_; }
  /// No mode stands still, and none has yet to come back.
  [[nodiscard]] bool idle() const { return idle_; }
  /// Some are on their way back.
  [[nodiscard]] bool returning() const { return returning_; }

  /// How many shall move from now on. True where active() has grown.
  bool want(int modes);
  /// Once a step: velocities of modes that leave are damped. `reach`: how far a unit of each moves
  /// the body, m; `least`: a way in a step that nobody sees, m. True where active() has shrunk.
  bool pass(double h, Vector& v, const Vector& reach, double least);
  /// Adds what holds modes in their place to the modal force at q. Those that have just come back
  /// are held where they are: `rest` are their amplitudes.
  void add_hold(const Eigen::Ref<const Vector>& lambda, const Vector& rest, Vector& f);
  /// 1 − s of a mode.
  [[nodiscard]] double mobility(Eigen::Index k) const { return 1 - held_[k]; }

  void archive(StateArchive& state);

 private:
  void look();

  int modes_;
  int wanted_;
  int active_;
  int caught_;          // modes from here to active_ have come back, and their g is not known yet
  int calm_ = 0;        // steps
  double leaving_ = 0;  // s, since modes began to leave
  Vector held_;         // s; 1 of modes that stand still
  Vector hold_;         // g
  bool idle_ = true, returning_ = false;
};

}  // namespace limber
