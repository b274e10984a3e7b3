// Surfaces filled with tets, kept in files named by what they were made from.
#pragma once

#include <filesystem>

#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {

/// tetrahedralize(), or what it gave before: `folder` holds one file for each content hash, so a
/// changed surface or option finds no file. A damaged file is made again; a folder that cannot be
/// written is left alone. An empty path: no cache. Of the report the warnings stay.
[[nodiscard]] Tetrahedralized fill_with_cache(const TriMesh& surface,
                                              const TetrahedralizeOptions& options,
                                              const std::filesystem::path& folder);

}  // namespace limber
