// What a picture shows: triangles with normals and a colour.
#pragma once

#include <memory>
#include <vector>

#include "limber/core/types.h"
#include "limber/mesh/shading.h"
#include "limber/mesh/tri_mesh.h"
#include "limber/plot/colour.h"
#include "limber/render/surface_paint.h"

namespace limber {

using Vec3f = Eigen::Vector3f;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>;

struct Shape {
  FloatRows positions;                        // v×3, world
  Triangles triangles;                        // k×3
  FloatRows normals;                          // unit, as Shading numbers them
  std::vector<std::uint32_t> corner_normals;  // 3k: which normal each corner has
  Colour colour;
  FloatRows vertex_colours;                   // v×3 linear RGB; empty: `colour` everywhere
  std::shared_ptr<const SurfacePaint> paint;  // of materials, times the vertices' colours; or null
  double opacity = 1;                         // below 1: seen through, and without a shadow
  bool edges = false;                         // triangles outlined
};

/// The surface at `positions` (v×3), smooth except along the creases that `shading` found.
[[nodiscard]] Shape make_shape(const TriMesh& surface, const Shading& shading,
                               const Positions& positions, const Colour& colour);

/// sRGB to linear light, 0 to 1.
[[nodiscard]] Vec3f linear_light(const Colour& colour);

}  // namespace limber
