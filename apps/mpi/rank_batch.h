// A batch of bodies over ranks: every rank bakes one at a time, the first hands out the next.
#pragma once

#include <filesystem>

#include "ranks.h"

namespace limber {

/// The list and report of `limber bake --batch` (batch.h), each body by a `limber` beside this
/// program. Throws Error, the same on all ranks, when any body failed.
void run_batch_on_ranks(const Ranks& ranks, const std::filesystem::path& list,
                        const std::filesystem::path& report);

}  // namespace limber
