#include "limber/modes/embedded_surface.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "limber/mesh/embedding/tet_locator.h"
#include "limber/modes/bake.h"
#include "limber/modes/surface_source.h"

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

void pack_looks(const std::vector<SurfaceLook>& looks, BodySurface& result) {
  std::vector<float> colours;
  std::vector<std::int32_t> image_of_look;
  std::vector<const SurfaceImage*> images;
  std::vector<std::int32_t> ends;
  std::vector<char> bytes;
  for (const SurfaceLook& look : looks) {
    const std::array<float, 3> colour = look.colour.value_or(std::array<float, 3>{-1, -1, -1});
    colours.insert(colours.end(), colour.begin(), colour.end());
    const auto known = std::find(images.begin(), images.end(), look.image.get());
    image_of_look.push_back(look.image ? static_cast<std::int32_t>(known - images.begin()) : -1);
    if (!look.image || known != images.end()) continue;
    images.push_back(look.image.get());
    bytes.insert(bytes.end(), look.image->bytes.begin(), look.image->bytes.end());
    ends.push_back(static_cast<std::int32_t>(bytes.size()));
  }
  result.look_colours = SharedArray<float>(std::move(colours));
  result.look_images = SharedArray<std::int32_t>(std::move(image_of_look));
  result.image_ends = SharedArray<std::int32_t>(std::move(ends));
  result.image_bytes = SharedArray<char>(std::move(bytes));
}

std::vector<SurfaceLook> unpacked_looks(const BodySurface& surface) {
  std::vector<std::shared_ptr<const SurfaceImage>> images;
  std::int32_t begin = 0;
  for (const std::int32_t end : surface.image_ends) {
    images.push_back(
        surface_image({surface.image_bytes.data() + begin, static_cast<std::size_t>(end - begin)}));
    begin = end;
  }
  std::vector<SurfaceLook> looks(surface.look_images.size());
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const float* const colour = surface.look_colours.data() + 3 * i;
    if (colour[0] >= 0) looks[i].colour = {colour[0], colour[1], colour[2]};
    const std::int32_t image = surface.look_images[i];
    if (image >= 0) looks[i].image = images[static_cast<std::size_t>(image)];
  }
  return looks;
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
  pack_looks(surface.looks, result);
  result.source = SharedArray<char>(packed_source(surface));
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
  mesh.looks = unpacked_looks(surface);
  unpack_source(surface.source.span(), mesh);
  return mesh;
}

}  // namespace limber
