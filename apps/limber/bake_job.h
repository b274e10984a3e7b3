// One body baked from its options: what `limber bake` does for each.
#pragma once

#include "bake_options.h"
#include "body_options.h"
#include "large_bodies.h"
#include "session.h"

namespace limber {

struct BakeJob {
  BodyOptions body;
  BakeOptions bake;
  SolverChoice solver;
  int local = 0;           ///< contact nodes with residual modes, at most
  int reduced_fields = 0;  ///< of the space of method "reduced"; 0: none

  void run(const Session& session) const;
};

}  // namespace limber
