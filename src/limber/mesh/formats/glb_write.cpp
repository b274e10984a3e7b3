#include <numeric>

#include "limber/mesh/checks.h"
#include "limber/mesh/formats/glb.h"
#include "limber/mesh/formats/glb_container.h"
#include "limber/mesh/formats/glb_materials.h"
#include "limber/mesh/split_seams.h"

namespace limber {

namespace {
using glb::Target;
using glb::Type;

/// The vertex arrays, shared by all materials.
nlohmann::json add_attributes(glb::Builder& builder, const TriMesh& surface,
                              const SeamSplit& split) {
  std::vector<float> positions;
  std::vector<float> uv;
  std::vector<float> colours;
  for (std::size_t i = 0; i < split.vertices.size(); ++i) {
    const int vertex = split.vertices[i];
    for (int c = 0; c < 3; ++c) positions.push_back(static_cast<float>(surface.V(vertex, c)));
    if (surface.colours.rows() > 0) {
      for (int c = 0; c < 3; ++c) colours.push_back(surface.colours(vertex, c));
    }
    if (split.uv.rows() == 0) continue;
    const auto row = static_cast<Eigen::Index>(i);
    uv.insert(uv.end(), {split.uv(row, 0), 1 - split.uv(row, 1)});  // glTF's v points down
  }
  nlohmann::json attributes;
  attributes["POSITION"] = builder.add_accessor(positions, Type::vec3, Target::vertices, true);
  if (!uv.empty()) {
    attributes["TEXCOORD_0"] = builder.add_accessor(uv, Type::vec2, Target::vertices);
  }
  if (!colours.empty()) {
    attributes["COLOR_0"] = builder.add_accessor(colours, Type::vec3, Target::vertices);
  }
  return attributes;
}

/// Triangles of each material.
std::vector<std::vector<std::uint32_t>> corners_by_material(const TriMesh& surface,
                                                            const SeamSplit& split) {
  std::vector<std::vector<std::uint32_t>> corners(
      std::max<std::size_t>(1, surface.material_names.size()));
  for (int f = 0; f < surface.triangle_count(); ++f) {
    const int material = surface.face_materials.empty() ? 0 : surface.face_materials[f];
    for (int c = 0; c < 3; ++c) {
      corners[material].push_back(static_cast<std::uint32_t>(split.triangles(f, c)));
    }
  }
  return corners;
}
}  // namespace

void write_glb(const std::filesystem::path& path, const TriMesh& surface) {
  const SeamSplit split = split_seams(surface);
  const bool open = !surface_topology(surface).closed;
  glb::Builder builder;
  const nlohmann::json attributes = add_attributes(builder, surface, split);
  nlohmann::json primitives = nlohmann::json::array();
  glb::Materials materials(builder);
  const auto corners = corners_by_material(surface, split);
  for (std::size_t m = 0; m < corners.size(); ++m) {
    const std::string name = surface.material_names.empty() ? "default" : surface.material_names[m];
    const int material = static_cast<int>(m);
    materials.add(name, surface.look(material),
                  {material, surface.colours.rows() > 0, split.uv.rows() > 0, open});
    if (corners[m].empty()) continue;
    primitives.push_back({{"attributes", attributes},
                          {"indices", builder.add_indices(corners[m])},
                          {"material", m}});
  }
  const std::string name = path.stem().string();
  builder.document["meshes"] = {{{"name", name}, {"primitives", primitives}}};
  builder.document["nodes"] = {{{"name", name}, {"mesh", 0}}};
  builder.document["scenes"] = {{{"nodes", {0}}}};
  builder.document["scene"] = 0;
  builder.write(path);
}

}  // namespace limber
