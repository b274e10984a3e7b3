// A project: all that the studio needs to go on tomorrow, in one file (.limberproj).
//
// A zip archive of
//   project.json   title, lanes, truth, pinned hands, poses, curves, and what the page keeps
//   scene.json     the scene, its paths inside the archive: `limber simulate` plays it unpacked
//   files/N/…      the meshes that it names, as they were, with the materials and pictures of those
//   poses/N.f64    a key pose: x, y, z of every node, float64, little-endian
//   takes/N.…      recordings, see project_takes.h
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "server/archive.h"
#include "server/simulation.h"

namespace limber::studio {

inline constexpr const char* kProjectEnding = ".limberproj";

/// What can be opened again: the limit of uploads.
inline constexpr std::size_t kMostProjectBytes = 256UL * 1024 * 1024;

/// Reads the scene's files. Throws Error when one is gone, or when it all would be too large.
[[nodiscard]] std::string write_project(const SavedScene& scene, const SavedSession& session);

struct Project {
  std::string title;
  std::string scene;  // JSON, its paths relative to where `files` lie
  std::vector<ArchiveEntry> files;
  SavedSession session;
};

/// Throws Error that names `name` when the bytes are damaged or say what makes no sense.
[[nodiscard]] Project read_project(std::string_view bytes, const std::string& name);

/// The mesh, and for an OBJ the material libraries that it names and their pictures, as far as they
/// lie below its folder: paths relative to that folder.
[[nodiscard]] std::vector<std::filesystem::path> with_companions(const std::filesystem::path& mesh);

}  // namespace limber::studio
