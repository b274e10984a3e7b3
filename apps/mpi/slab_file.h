// A section file written by all ranks at once: each has a slab of every array.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "limber/modes/playback/section_file.h"
#include "ranks.h"

namespace limber {

/// Array k of the file is slab k of the first rank, then that of the second, and so on; names and
/// kinds are the same on all. The checksum passes from rank to rank with the slabs. Whole or not at
/// all: renamed when every rank is done. Throws Error, the same on all ranks.
void write_slabs(const Ranks& ranks, const std::filesystem::path& path,
                 const std::vector<Section>& slabs);

/// The way back: fills into[k] with this rank's slab k, of which `slabs` has the name, the kind and
/// the count, and views the same memory. Throws Error, the same on all ranks, for a file that is
/// not made of slabs so long, is cut short or damaged.
void read_slabs(const Ranks& ranks, const std::filesystem::path& path,
                const std::vector<Section>& slabs, const std::vector<std::span<std::byte>>& into);

/// Removes the unfinished file when this process is told to end; for signal handlers.
void remove_unfinished_file() noexcept;

}  // namespace limber
