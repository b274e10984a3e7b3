// A zip archive held in memory: what a project file is, so that any tool can look inside.
//
// Written: stored or deflated entries, no times, so that the same entries give the same bytes.
// Read: what common tools write too (data descriptors, extra fields), but no encryption, no parts,
// no comment, no zip64. Memory grows with the bytes that are there, not with what they promise.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::studio {

/// Bytes as an archive stores them, for what goes into several archives.
struct PackedBytes {
  std::string data;
  bool deflated = false;
  std::uint32_t sum = 0, size = 0;  // CRC-32 and length of what was packed
};
[[nodiscard]] PackedBytes packed(std::string_view bytes);

struct ArchiveEntry {
  std::string name;  // relative, parts apart by "/"
  std::string bytes;
  std::shared_ptr<const PackedBytes> ready = nullptr;  // in place of the bytes, when writing
};

/// Throws Error (work_failed) when it would not fit into one file of 4 GB.
[[nodiscard]] std::string write_archive(std::span<const ArchiveEntry> entries);

/// Throws Error that names `name` when the bytes are damaged or hold names that leave a folder.
[[nodiscard]] std::vector<ArchiveEntry> read_archive(std::string_view bytes,
                                                     const std::string& name);

/// May a file of this name lie in a folder of ours? Relative, nothing hidden, no way up.
[[nodiscard]] bool is_inner_name(std::string_view name);

}  // namespace limber::studio
