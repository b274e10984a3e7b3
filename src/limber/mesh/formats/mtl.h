// Wavefront MTL: the colours (Kd) and pictures (map_Kd) of an OBJ's materials, read and written.
//
// A surface does not fail for its paint: a library or picture that is missing, damaged, too large
// or outside the OBJ's folder leaves its materials plain, and lines that make no sense are skipped.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "limber/mesh/surface_look.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct MtlMaterial {
  std::optional<std::array<float, 3>> colour;  ///< linear, 0..1
  std::string image;                           ///< the path as written, or empty
};

/// The materials of a library by name. Never throws but for want of memory.
[[nodiscard]] std::map<std::string, MtlMaterial> parse_mtl(std::string_view text);

/// The looks of the materials `names`, from libraries as the OBJ's `mtllib` lines name them.
[[nodiscard]] std::vector<SurfaceLook> read_looks(const std::vector<std::string>& libraries,
                                                  const std::vector<std::string>& names,
                                                  const std::filesystem::path& folder);

/// A library that gives a surface's looks back, and the pictures that it names.
struct MtlFiles {
  std::string name;  ///< of the library, for `mtllib`; empty when no material has a look
  std::string text;
  /// By file name, beside the library; several materials may show one.
  std::map<std::string, std::shared_ptr<const SurfaceImage>> images;
};

/// `stem` begins every file's name. Names as mtl_name() makes them.
[[nodiscard]] MtlFiles mtl_files(const TriMesh& surface, const std::string& stem);

/// A material's name fit for `newmtl` and `usemtl`: on one line, nothing that begins a comment.
[[nodiscard]] std::string mtl_name(std::string name);

}  // namespace limber
