#include "limber/modes/embedded_surface.h"

#include <string>
#include <utility>
#include <vector>

#include "limber/mesh/embedding/tet_locator.h"
#include "limber/modes/bake.h"

namespace limber {

namespace {

/// Names one after the other, each ended by a zero byte.
SharedArray<char> joined(const std::vector<std::string>& names) {
  std::vector<char> text;
  for (const std::string& name : names) {
    text.insert(text.end(), name.begin(), name.end());
    text.push_back('\0');
  }
  return SharedArray<char>(std::move(text));
}

std::vector<std::string> split(const SharedArray<char>& text) {
  std::vector<std::string> names;
  std::string name;
  for (const char c : text) {
    if (c != '\0') {
      name.push_back(c);
      continue;
    }
    names.push_back(std::exchange(name, {}));
  }
  return names;
}

}  // namespace

BodySurface embedded_surface(const TetMesh& mesh, const TriMesh& surface) {
  return embedded_surface(mesh, surface, embed(mesh, surface));
}

BodySurface embedded_surface(const TetMesh& mesh, const TriMesh& surface,
                             const Embedding& embedding) {
  std::vector<double> weights = embedding.weights;
  for (Eigen::Index v = 0; v < embedding.offsets.rows(); ++v) {
    if (embedding.offsets.row(v).isZero(0)) continue;
    // An offset would not turn with the body; exact weights do.
    const Weights exact = barycentric(mesh, embedding.tets[v], surface.V.row(v));
    for (int k = 0; k < 4; ++k) weights[4 * v + k] = exact[k];
  }
  SurfaceBinding binding{SharedArray<std::int32_t>(embedding.nodes),
                         SharedArray<double>(std::move(weights))};
  BodySurface result = bound_surface(surface, std::move(binding));
  result.uv = SharedArray<float>(surface.uv);
  result.corner_uv = SharedArray<float>(surface.corner_uv);
  result.colours = SharedArray<float>(surface.colours);
  result.face_materials = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(surface.face_materials.begin(), surface.face_materials.end()));
  result.material_names = joined(surface.material_names);
  return result;
}

TriMesh surface_mesh(const BodySurface& surface) {
  const auto rows = [](const auto& array, int columns) {
    return static_cast<Eigen::Index>(array.size()) / columns;
  };
  TriMesh mesh;
  mesh.V = Eigen::Map<const Positions>(surface.rest_positions.data(), surface.vertex_count(), 3);
  mesh.F = Eigen::Map<const Triangles>(surface.triangles.data(), rows(surface.triangles, 3), 3);
  mesh.uv = Eigen::Map<const decltype(mesh.uv)>(surface.uv.data(), rows(surface.uv, 2), 2);
  mesh.corner_uv = Eigen::Map<const decltype(mesh.corner_uv)>(surface.corner_uv.data(),
                                                              rows(surface.corner_uv, 2), 2);
  mesh.colours =
      Eigen::Map<const decltype(mesh.colours)>(surface.colours.data(), rows(surface.colours, 3), 3);
  mesh.face_materials.assign(surface.face_materials.begin(), surface.face_materials.end());
  mesh.material_names = split(surface.material_names);
  return mesh;
}

}  // namespace limber
