// Takes inside a project file: for the take N
//   takes/N.rest     body by body its vertices at rest (float64) and its triangles (int32)
//   takes/N.f32      frame by frame and body by body x, y, z of every vertex (float32; world, m)
//   takes/N.places   frame by frame and obstacle by obstacle position and quaternion (float64)
// all little-endian, and in project.json its name, ends and counts.
#pragma once

#include "server/fields.h"
#include "server/take.h"

namespace limber::studio {

/// What project.json says of takes, and their entries behind those that are there.
[[nodiscard]] json write_takes(const std::vector<Take>& takes, std::vector<ArchiveEntry>& entries);

/// Their ids count from 1. Throws Error where anything does not fit together.
[[nodiscard]] std::vector<Take> read_takes(const json& takes,
                                           const std::vector<ArchiveEntry>& entries);

/// The entry's bytes. Throws Error when it is not there.
[[nodiscard]] const std::string& bytes_of(const std::vector<ArchiveEntry>& entries,
                                          const std::string& name);

}  // namespace limber::studio
