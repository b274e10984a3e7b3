#include "limber/mesh/formats/glb.h"
#include "limber/mesh/formats/glb_attributes.h"
#include "limber/mesh/formats/glb_materials.h"

namespace limber {

namespace {
std::vector<float> gathered(std::span<const float> values, const std::vector<std::uint32_t>& rows) {
  std::vector<float> result;
  result.reserve(3 * rows.size());
  for (const std::size_t row : rows) {
    result.insert(result.end(), {values[3 * row], values[3 * row + 1], values[3 * row + 2]});
  }
  return result;
}

std::vector<glb::Attribute> attributes_of(const TriMesh& surface, const Shading& shading,
                                          const SplitSurface& split,
                                          std::span<const MaterialPart> parts) {
  std::vector<glb::Attribute> attributes = glb::paint_of(surface, split);
  const Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor> points = surface.V.cast<float>();
  const std::span<const float> numbers(points.data(), static_cast<std::size_t>(points.size()));
  const std::vector<float> positions = gathered(numbers, split.vertex);
  attributes.push_back({"POSITION", glb::Type::vec3, positions});
  if (split.normal.empty()) return attributes;
  std::vector<float> all(3 * shading.normal_count());
  shading.normals(numbers, all);
  const std::vector<float> normals = gathered(all, split.normal);
  attributes.push_back({"NORMAL", glb::Type::vec3, normals});
  for (glb::Attribute& tangents :
       glb::tangents_asked_for(surface, split, parts, positions, normals)) {
    attributes.push_back(std::move(tangents));
  }
  return attributes;
}
}  // namespace

void write_glb(const std::filesystem::path& path, const TriMesh& surface) {
  const Shading shading(surface);
  const SplitSurface split = limber::split(surface, shading);
  const std::vector<MaterialPart> parts = parts_by_material(surface, split);
  glb::Builder builder;
  glb::Materials materials(builder);
  std::vector<std::string> names = surface.material_names;
  if (names.empty()) names = {"default"};
  for (int m = 0; m < static_cast<int>(names.size()); ++m) {
    materials.add(names[m], surface.look(m),
                  {m, surface.colours.rows() > 0, glb::uv_sets(surface, split), shading.is_open()});
  }
  const std::vector<nlohmann::json> attributes =
      glb::add_attributes(builder, attributes_of(surface, shading, split, parts), parts);
  nlohmann::json primitives = nlohmann::json::array();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    primitives.push_back({{"attributes", attributes[p]},
                          {"indices", glb::add_corners(builder, parts[p])},
                          {"material", parts[p].material}});
  }
  const std::string name = path.stem().string();
  builder.document["meshes"] = {{{"name", name}, {"primitives", primitives}}};
  builder.document["nodes"] = {{{"name", name}, {"mesh", 0}}};
  builder.document["scenes"] = {{{"nodes", {0}}}};
  builder.document["scene"] = 0;
  builder.write(path);
}

}  // namespace limber
