// Why a body cannot go on. A value, so that a step neither throws nor allocates; a world stops the
// body and goes on with the rest.
#pragma once

#include <string>

#include "limber/core/error.h"

namespace limber {

/// Seconds that a world, and a scene, may be stepped by; bodies are stepped by parts of it.
inline constexpr double kShortestStep = 1e-12;
inline constexpr double kLongestStep = 1e9;
/// Half of it squared is still a number.
inline constexpr double kShortestPart = 1e-100;

struct Fault {
  enum class Kind {
    none,
    bad_step,   ///< `value`: the step size, out of range or not a number
    overflow,   ///< numbers too large to compute with
    stretched,  ///< `value`: times its rest size
    runaway,    ///< `value`: times the energy that it can have
    inverted,   ///< `element` turned inside out
    crushed,    ///< `element` is down to `value` of its volume
    handles,    ///< forces far from what they hold make it swing up; `value`: factor a step
    parts,      ///< `value`: parts of a step that an explicit integrator would need
    costly      ///< `value`: passes over all elements that the parts of a step may take at most
  };

  Kind kind = Kind::none;
  double value = 0;
  int element = -1;

  explicit operator bool() const { return kind != Kind::none; }
};

/// What and remedy in words, ready to throw. `where` names body and time.
[[nodiscard]] Error error_of(const Fault& fault, const std::string& where);

}  // namespace limber
