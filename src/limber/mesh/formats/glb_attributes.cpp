#include "limber/mesh/formats/glb_attributes.h"

#include <algorithm>
#include <map>
#include <memory>

#include "limber/mesh/formats/glb_tangents.h"

namespace limber::glb {

namespace {
/// glTF's v points down, ours up.
Attribute uv_attribute(const char* name, std::vector<float> uv) {
  for (std::size_t i = 1; i < uv.size(); i += 2) uv[i] = 1 - uv[i];
  return {name, Type::vec2, std::move(uv)};
}

Attribute colour_attribute(std::vector<float> colours, Type type) {
  for (float& value : colours) value = std::clamp(value, 0.0F, 1.0F);
  return {"COLOR_0", type, std::move(colours)};
}

template <class Matrix>
std::vector<float> numbers_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// One accessor for each different range of vertices; -1 for parts that do not want it.
std::vector<int> windows_on(Builder& builder, int view, std::span<const float> values, Type type,
                            std::span<const MaterialPart> parts, bool with_bounds,
                            std::span<const char> wanted = {}) {
  const auto width = static_cast<std::size_t>(type);
  std::map<std::pair<std::size_t, std::size_t>, int> known;
  std::vector<int> accessors;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const MaterialPart& part = parts[p];
    if (!wanted.empty() && wanted[p] == 0) {
      accessors.push_back(-1);
      continue;
    }
    const auto [entry, is_new] = known.try_emplace({part.first, part.count}, 0);
    if (is_new) {
      Layout layout{type, Component::f32, part.count, Target::vertices, {}};
      if (with_bounds) {
        layout.bounds = bounds_of(values.subspan(width * part.first, width * part.count), type);
      }
      entry->second = builder.add_window(view, layout, part.first);
    }
    accessors.push_back(entry->second);
  }
  return accessors;
}
}  // namespace

std::vector<Attribute> paint_of(const TriMesh& surface, const SplitSurface& split) {
  std::vector<Attribute> attributes;
  if (!split.uv.empty()) attributes.push_back(uv_attribute("TEXCOORD_0", split.uv));
  if (uv_sets(surface, split) > 1) {
    attributes.push_back(uv_attribute("TEXCOORD_1", numbers_of(surface.file.second_uv)));
  }
  if (surface.is_as_in_file() && surface.file.colours.rows() > 0) {
    attributes.push_back(colour_attribute(numbers_of(surface.file.colours), Type::vec4));
  } else if (surface.colours.rows() > 0) {
    std::vector<float> colours;
    for (const std::uint32_t vertex : split.vertex) {
      for (int c = 0; c < 3; ++c) colours.push_back(surface.colours(vertex, c));
    }
    attributes.push_back(colour_attribute(std::move(colours), Type::vec3));
  }
  return attributes;
}

std::vector<Attribute> tangents_asked_for(const TriMesh& surface, const SplitSurface& split,
                                          std::span<const MaterialPart> parts,
                                          std::span<const float> positions,
                                          std::span<const float> normals) {
  std::vector<char> wanted;
  for (const MaterialPart& part : parts) {
    wanted.push_back(asks_for_tangents(surface.look(part.material)) ? 1 : 0);
  }
  const bool any = std::any_of(wanted.begin(), wanted.end(), [](char is) { return is != 0; });
  if (!any || split.uv.empty() || normals.empty()) return {};
  return {{"TANGENT", Type::vec4, tangents_of(split, positions, normals), std::move(wanted)}};
}

int uv_sets(const TriMesh& surface, const SplitSurface& split) {
  if (split.uv.empty()) return 0;
  return surface.is_as_in_file() && surface.file.second_uv.rows() > 0 ? 2 : 1;
}

std::vector<nlohmann::json> add_attributes(Builder& builder,
                                           const std::vector<Attribute>& attributes,
                                           std::span<const MaterialPart> parts) {
  std::vector<nlohmann::json> objects(parts.size());
  for (const Attribute& attribute : attributes) {
    const auto held = std::make_shared<const std::vector<float>>(attribute.values);
    const Layout whole{attribute.type,
                       Component::f32,
                       held->size() / static_cast<std::size_t>(attribute.type),
                       Target::vertices,
                       {}};
    const int view =
        builder.add_vertex_view(whole, [held](AtomicFile& file) { write_floats(file, *held); });
    const std::vector<int> accessors =
        windows_on(builder, view, attribute.values, attribute.type, parts,
                   attribute.name == "POSITION", attribute.wanted);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (accessors[p] >= 0) objects[p][attribute.name] = accessors[p];
    }
  }
  return objects;
}

std::vector<int> add_windows(Builder& builder, std::span<const float> values,
                             std::span<const MaterialPart> parts, bool with_bounds,
                             std::function<void(AtomicFile&)> write_bytes) {
  const Layout whole{Type::vec3, Component::f32, values.size() / 3, Target::vertices, {}};
  const int view = builder.add_vertex_view(whole, std::move(write_bytes));
  return windows_on(builder, view, values, Type::vec3, parts, with_bounds);
}

int add_corners(Builder& builder, const MaterialPart& part) {
  std::vector<std::uint32_t> corners = part.corners;
  for (std::uint32_t& corner : corners) corner -= static_cast<std::uint32_t>(part.first);
  return builder.add_indices(corners);
}

}  // namespace limber::glb
