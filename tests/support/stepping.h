// Whole steps of a body for tests that do not look between their parts.
#pragma once

#include "limber/dynamics/dynamic_body.h"

namespace limber {

/// A step that must be possible: throws its fault as an Error.
inline void step(DynamicBody& body, double h) {
  const Fault fault = advance(body, h);
  if (fault) throw error_of(fault, "test");
}

}  // namespace limber
