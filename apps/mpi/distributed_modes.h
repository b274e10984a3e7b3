// Modes of a mesh over many ranks, from the file to the table or the baked body.
#pragma once

#include "bake_options.h"
#include "body_options.h"
#include "limber/core/progress.h"
#include "modes_report.h"
#include "slepc_solver.h"

namespace limber {

struct DistributedJob {
  BodyOptions body;
  BakeOptions bake;  ///< without an output nothing is baked
  SolverMethod method = SolverMethod::automatic;
  double memory_gb = 0;  ///< of all ranks together; 0: what is free
  std::filesystem::path checkpoint;
  double checkpoint_seconds = 600;
};

/// Throws Error, the same on all ranks. Only the first rank's report is complete in its times.
[[nodiscard]] ModesReport run_distributed(const Ranks& ranks, const DistributedJob& job,
                                          const Progress& progress);

}  // namespace limber
