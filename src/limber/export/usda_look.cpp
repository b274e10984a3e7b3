#include "limber/export/usda_look.h"

#include "limber/export/names.h"
#include "limber/mesh/formats/glb_container.h"

namespace limber {

namespace {
template <class Matrix>
auto numbers(const Matrix& matrix) {
  return std::span(matrix.data(), static_cast<std::size_t>(matrix.size()));
}
}  // namespace

void write_usda_topology(TextWriter& text, const TriMesh& surface, bool double_sided) {
  const std::vector<std::int32_t> threes(static_cast<std::size_t>(surface.triangle_count()), 3);
  if (double_sided) text << "        uniform bool doubleSided = 1\n";
  text << "        int[] faceVertexCounts = ";
  write_integers(text, threes);
  text << "\n        int[] faceVertexIndices = ";
  write_integers(text, numbers(surface.F));
  text << "\n        uniform token orientation = \"rightHanded\"\n"
       << "        uniform token subdivisionScheme = \"none\"\n";
}

void write_usda_primvars(TextWriter& text, const TriMesh& surface, int number) {
  text << "        color3f[] primvars:displayColor = ";
  if (surface.colours.rows() > 0) {
    write_tuples(text, numbers(surface.colours), 3);
    text << " (\n            interpolation = \"vertex\"\n        )\n";
  } else {
    write_tuples(text, glb::palette_colour(number), 3);
    text << " (\n            interpolation = \"constant\"\n        )\n";
  }
  const bool seams = surface.corner_uv.rows() > 0;
  if (!seams && surface.uv.rows() == 0) return;
  text << "        texCoord2f[] primvars:st = ";
  write_tuples(text, numbers(seams ? surface.corner_uv : surface.uv), 2);
  text << " (\n            interpolation = \"" << (seams ? "faceVarying" : "vertex")
       << "\"\n        )\n";
}

UsdaMaterials usda_materials(const TriMesh& surface) {
  std::vector<std::vector<std::int32_t>> triangles(surface.material_names.size());
  for (std::size_t triangle = 0; triangle < surface.face_materials.size(); ++triangle) {
    const auto material = static_cast<std::size_t>(surface.face_materials[triangle]);
    if (material < triangles.size()) {
      triangles[material].push_back(static_cast<std::int32_t>(triangle));
    }
  }
  UsdaMaterials used;
  for (std::size_t material = 0; material < triangles.size(); ++material) {
    if (triangles[material].empty()) continue;
    used.prims.push_back(surface.material_names[material]);
    used.colours.push_back(surface.look(static_cast<int>(material)).colour);
    used.triangles.push_back(std::move(triangles[material]));
  }
  used.prims = identifiers(used.prims);
  return used;
}

void write_usda_bindings(TextWriter& text, const UsdaMaterials& materials,
                         const std::string& scope) {
  if (materials.prims.empty()) return;
  text << "        uniform token subsetFamily:materialBind:familyType = \"nonOverlapping\"\n";
  for (std::size_t i = 0; i < materials.prims.size(); ++i) {
    text << "\n        def GeomSubset \"" << materials.prims[i] << "\" (\n"
         << "            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )\n        {\n"
         << "            uniform token elementType = \"face\"\n"
         << "            uniform token familyName = \"materialBind\"\n"
         << "            int[] indices = ";
    write_integers(text, materials.triangles[i]);
    text << "\n            rel material:binding = <" << scope << "/" << materials.prims[i]
         << ">\n        }\n";
  }
}

void write_usda_materials(TextWriter& text, const UsdaMaterials& materials,
                          const std::string& scope, int number) {
  for (std::size_t i = 0; i < materials.prims.size(); ++i) {
    const std::string& prim = materials.prims[i];
    const auto colour = materials.colours[i].value_or(glb::palette_colour(number++));
    text << "            def Material \"" << prim << "\"\n            {\n"
         << "                token outputs:surface.connect = <" << scope << "/" << prim
         << "/Surface.outputs:surface>\n\n                def Shader \"Surface\"\n"
         << "                {\n"
         << "                    uniform token info:id = \"UsdPreviewSurface\"\n"
         << "                    color3f inputs:diffuseColor = (" << colour[0] << ", " << colour[1]
         << ", " << colour[2] << ")\n                    float inputs:roughness = 0.5\n"
         << "                    token outputs:surface\n                }\n            }\n";
  }
}

}  // namespace limber
