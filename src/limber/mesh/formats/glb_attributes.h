// The vertices of a surface as attributes of a .glb, for each of its parts.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/formats/glb_container.h"
#include "limber/mesh/shading.h"

namespace limber::glb {

/// One number or several a split vertex.
struct Attribute {
  std::string name;  ///< "POSITION", …
  Type type = Type::vec3;
  std::vector<float> values;
  std::vector<char> wanted = {};  ///< for each part whether it has this; empty: all have
};

/// TEXCOORD_0, TEXCOORD_1 and COLOR_0, those that the surface has, for the vertices of `split`.
[[nodiscard]] std::vector<Attribute> paint_of(const TriMesh& surface, const SplitSurface& split);
/// TANGENT for the parts whose materials ask for it; nothing where none does.
[[nodiscard]] std::vector<Attribute> tangents_asked_for(const TriMesh& surface,
                                                        const SplitSurface& split,
                                                        std::span<const MaterialPart> parts,
                                                        std::span<const float> positions,
                                                        std::span<const float> normals);
/// How many sets of texture coordinates are among them.
[[nodiscard]] int uv_sets(const TriMesh& surface, const SplitSurface& split);

/// Writes every attribute once; returns the attributes object of each part.
[[nodiscard]] std::vector<nlohmann::json> add_attributes(Builder& builder,
                                                         const std::vector<Attribute>& attributes,
                                                         std::span<const MaterialPart> parts);

/// The accessors of all parts on one array of vec3 with bounds: `values` only sizes and bounds it,
/// `write_bytes` gives the same again when its turn comes.
[[nodiscard]] std::vector<int> add_windows(Builder& builder, std::span<const float> values,
                                           std::span<const MaterialPart> parts, bool with_bounds,
                                           std::function<void(AtomicFile&)> write_bytes);

/// A primitive's corners, counted from the first vertex of its part.
[[nodiscard]] int add_corners(Builder& builder, const MaterialPart& part);

}  // namespace limber::glb
