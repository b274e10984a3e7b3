#include "limber/render/shape.h"

#include <cmath>

namespace limber {

Shape make_shape(const TriMesh& surface, const Shading& shading, const Positions& positions,
                 const Colour& colour) {
  Shape shape;
  shape.positions = positions.cast<float>();
  shape.triangles = surface.F;
  shape.corner_normals = shading.corner_normals();
  shape.normals.resize(static_cast<Eigen::Index>(shading.normal_count()), 3);
  shading.normals({shape.positions.data(), static_cast<std::size_t>(shape.positions.size())},
                  {shape.normals.data(), static_cast<std::size_t>(shape.normals.size())});
  shape.colour = colour;
  return shape;
}

Vec3f linear_light(const Colour& colour) {
  // IEC 61966-2-1.
  const auto linear = [](double s) {
    return static_cast<float>(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
  };
  return {linear(colour.red), linear(colour.green), linear(colour.blue)};
}

}  // namespace limber
