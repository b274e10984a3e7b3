#include "limber/mesh/formats/glb_tangents.h"

#include <Eigen/Geometry>
#include <cmath>

namespace limber::glb {

bool asks_for_tangents(const SurfaceLook& look) {
  if (!look.gltf) return false;
  const std::string& json = look.gltf->json;
  const bool wanted = json.find("\"clearcoatNormalTexture\"") != json.npos ||
                      json.find("\"KHR_materials_anisotropy\"") != json.npos;
  return wanted && json.find("\"normalTexture\"") == json.npos;
}

std::vector<float> tangents_of(const SplitSurface& split, std::span<const float> positions,
                               std::span<const float> normals) {
  using Vec3f = Eigen::Vector3f;
  const std::size_t count = split.vertex.size();
  std::vector<Vec3f> along_u(count, Vec3f::Zero());
  std::vector<Vec3f> along_v(count, Vec3f::Zero());
  const auto point = [&](std::size_t i) { return Vec3f(&positions[3 * i]); };
  const auto uv = [&](std::size_t i) {
    return Eigen::Vector2f(split.uv[2 * i], 1 - split.uv[2 * i + 1]);  // glTF's v points down
  };
  for (std::size_t corner = 0; corner + 2 < split.corners.size(); corner += 3) {
    const std::size_t a = split.corners[corner];
    const std::size_t b = split.corners[corner + 1];
    const std::size_t c = split.corners[corner + 2];
    const Eigen::Vector2f s = uv(b) - uv(a);
    const Eigen::Vector2f t = uv(c) - uv(a);
    const float area = s.x() * t.y() - t.x() * s.y();
    if (area == 0 || !std::isfinite(1 / area)) continue;
    const Vec3f u = ((point(b) - point(a)) * t.y() - (point(c) - point(a)) * s.y()) / area;
    const Vec3f v = ((point(c) - point(a)) * s.x() - (point(b) - point(a)) * t.x()) / area;
    for (const std::size_t vertex : {a, b, c}) {
      along_u[vertex] += u;
      along_v[vertex] += v;
    }
  }
  std::vector<float> tangents;
  tangents.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3f normal(&normals[3 * i]);
    Vec3f tangent = along_u[i] - normal * normal.dot(along_u[i]);
    if (!(tangent.norm() > 0) || !std::isfinite(tangent.norm())) tangent = normal.unitOrthogonal();
    tangent.normalize();
    const float sign = normal.cross(tangent).dot(along_v[i]) < 0 ? -1.0F : 1.0F;
    tangents.insert(tangents.end(), {tangent.x(), tangent.y(), tangent.z(), sign});
  }
  return tangents;
}

}  // namespace limber::glb
