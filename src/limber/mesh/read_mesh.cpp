#include "limber/mesh/read_mesh.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/formats/glb.h"
#include "limber/mesh/formats/gmsh.h"
#include "limber/mesh/formats/medit.h"
#include "limber/mesh/formats/obj.h"
#include "limber/mesh/formats/off.h"
#include "limber/mesh/formats/ply.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/formats/stl.h"
#include "limber/mesh/formats/tetgen.h"
#include "limber/mesh/formats/veg.h"
#include "limber/mesh/formats/vtk.h"
#include "limber/mesh/formats/vtu.h"

namespace limber {

namespace {
template <typename Mesh>
struct Format {
  std::string_view ending;
  Mesh (*read)(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
};

/// Some programs give VTU files the ending .vtk, so the content decides.
TetMesh read_any_vtk(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  const bool legacy = bytes.starts_with("# vtk");
  return legacy ? read_vtk(bytes, file_name, notes) : read_vtu(bytes, file_name, notes);
}

constexpr auto kTetFormats = std::to_array<Format<TetMesh>>({
    {".msh", read_gmsh},
    {".mesh", read_medit},
    {".vtk", read_any_vtk},
    {".vtu", read_any_vtk},
    {".veg", read_veg},
});

constexpr auto kSurfaceFormats = std::to_array<Format<TriMesh>>({
    {".obj", read_obj},
    {".ply", read_ply},
    {".stl", read_stl},
    {".off", read_off},
    {".glb", read_glb},
    {".gltf", read_glb},
});

std::string ending_of(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

template <typename Formats>
auto find_format(const Formats& formats, const std::filesystem::path& path) {
  return std::find_if(formats.begin(), formats.end(),
                      [&](const auto& format) { return format.ending == ending_of(path); });
}

bool is_tetgen(const std::filesystem::path& path) {
  return ending_of(path) == ".node" || ending_of(path) == ".ele";
}

/// What modelling tools write and open standards replace.
bool is_foreign_scene(std::string_view ending) {
  constexpr auto kEndings =
      std::to_array<std::string_view>({".fbx", ".blend", ".dae", ".3ds", ".max", ".ma", ".mb",
                                       ".c4d", ".lwo", ".abc", ".usd", ".usda", ".usdc", ".usdz"});
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

template <typename Formats>
auto read_by_ending(const Formats& formats, const std::filesystem::path& path, ReadNotes& notes,
                    const char* kind, const char* endings) {
  const auto format = find_format(formats, path);
  if (format == formats.end()) {
    if (is_foreign_scene(ending_of(path))) {
      throw Error(in_quotes(ending_of(path)) + " files are not read", path.string(),
                  "open it in Blender and export glTF 2.0 (.glb), with skins and animations");
    }
    throw Error(
        "not a " + std::string(kind) + " format Limber reads: " + in_quotes(ending_of(path)),
        path.string(), "use one of " + std::string(endings));
  }
  const FileBytes file(path);
  return format->read(file.text(), path.string(), notes);
}
}  // namespace

bool is_tet_format(const std::filesystem::path& path) {
  return is_tetgen(path) || find_format(kTetFormats, path) != kTetFormats.end();
}

TetMesh read_tet_mesh(const std::filesystem::path& path, ReadNotes* notes) {
  ReadNotes unwanted;
  ReadNotes& noted = notes != nullptr ? *notes : unwanted;
  if (is_tetgen(path)) return read_tetgen(path, noted);
  return read_by_ending(kTetFormats, path, noted, "tet mesh",
                        ".msh .mesh .vtk .vtu .veg .node .ele");
}

TriMesh read_surface(const std::filesystem::path& path, ReadNotes* notes) {
  ReadNotes unwanted;
  return read_by_ending(kSurfaceFormats, path, notes != nullptr ? *notes : unwanted, "surface",
                        ".obj .ply .stl .off .glb .gltf");
}

std::variant<TetMesh, TriMesh> read_mesh(const std::filesystem::path& path, ReadNotes* notes) {
  if (is_tet_format(path)) return read_tet_mesh(path, notes);
  ReadNotes unwanted;
  return read_by_ending(kSurfaceFormats, path, notes != nullptr ? *notes : unwanted, "mesh",
                        ".msh .mesh .vtk .vtu .veg .node .ele .obj .ply .stl .off .glb .gltf");
}

}  // namespace limber
