// Meshes from elsewhere: other units, another axis up.
#pragma once

#include <filesystem>
#include <string>

namespace limber::studio {

/// How a file's numbers become metres with y up.
struct MeshImport {
  double scale = 1;  ///< m for one of the file's units
  char up = 'y';     ///< the file's axis that points up: x, y or z

  [[nodiscard]] bool changes_nothing() const { return scale == 1 && up == 'y'; }
};

/// What a mesh's file holds, as JSON: {"low", "high", "vertices", "tets"}, the box in the file's
/// own units. Throws Error.
[[nodiscard]] std::string survey_mesh(const std::filesystem::path& path);

/// The file in metres with y up, beside the one given; that one itself where nothing changes, where
/// it holds no mesh and for scenes and projects. Turned, never mirrored: x up becomes y by a
/// quarter turn about z, z by one about x. Throws Error.
[[nodiscard]] std::filesystem::path imported_mesh(const std::filesystem::path& path,
                                                  const MeshImport& import);

}  // namespace limber::studio
