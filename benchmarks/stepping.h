// Whole steps of a body that nothing else acts on.
#pragma once

#include "limber/dynamics/dynamic_body.h"

namespace limber {

/// Throws the step's fault, where there is one, as an Error.
inline void step(DynamicBody& body, double h) {
  if (const Fault fault = advance(body, h)) throw error_of(fault, "benchmark");
}

}  // namespace limber
