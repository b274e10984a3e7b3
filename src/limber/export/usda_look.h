// The unmoving parts of a surface in .usda: triangles, colours, texture coordinates, materials.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/export/usda_text.h"
#include "limber/mesh/shading.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// Faces, sidedness and subdivision of a UsdGeomMesh.
void write_usda_topology(TextWriter& text, const TriMesh& surface, bool double_sided);

/// displayColor (the vertices' colours, or one by `number`) and st, the texture coordinates.
void write_usda_primvars(TextWriter& text, const TriMesh& surface, int number);

/// Prim names of the materials that some triangle of a surface uses, and those triangles. Empty
/// where the surface has no named materials.
struct UsdaMaterials {
  std::vector<std::string> prims;
  std::vector<std::optional<std::array<float, 3>>> colours;
  std::vector<std::vector<std::int32_t>> triangles;
};
[[nodiscard]] UsdaMaterials usda_materials(const TriMesh& surface);

/// GeomSubsets that bind a mesh's triangles to materials under the path `scope`.
void write_usda_bindings(TextWriter& text, const UsdaMaterials& materials,
                         const std::string& scope);

/// The materials themselves as children of the prim at `scope`, UsdPreviewSurface each, with
/// their own colours or those from `number` on.
void write_usda_materials(TextWriter& text, const UsdaMaterials& materials,
                          const std::string& scope, int number);

}  // namespace limber
