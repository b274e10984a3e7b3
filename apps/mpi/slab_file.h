// A section file written by all ranks at once: each has a slab of every array.
#pragma once

#include <filesystem>
#include <vector>

#include "limber/modes/playback/section_file.h"
#include "ranks.h"

namespace limber {

/// Array k of the file is slab k of the first rank, then that of the second, and so on; names and
/// kinds are the same on all. The checksum passes from rank to rank with the slabs. Whole or not at
/// all: renamed when every rank is done. Throws Error, the same on all ranks.
void write_slabs(const Ranks& ranks, const std::filesystem::path& path,
                 const std::vector<Section>& slabs);

/// Removes the unfinished file when this process is told to end; for signal handlers.
void remove_unfinished_file() noexcept;

}  // namespace limber
