// The paint of a surface for the painter: the colour and picture of each material, and where on the
// picture every corner lies.
#pragma once

#include <memory>
#include <vector>

#include "limber/mesh/tri_mesh.h"
#include "limber/render/texture.h"

namespace limber {

class SurfacePaint {
 public:
  /// Null where no material of the surface has a look of its own.
  [[nodiscard]] static std::shared_ptr<const SurfacePaint> of(const TriMesh& surface);

  /// Linear light at weights u, v of corners 1 and 2 of a triangle.
  [[nodiscard]] Eigen::Vector3f at(int triangle, float u, float v) const;

 private:
  struct Material {
    Eigen::Vector3f colour = Eigen::Vector3f::Ones();
    std::shared_ptr<const Texture> texture;
  };

  std::vector<Material> materials_;
  std::vector<int> face_materials_;
  Eigen::Matrix<float, Eigen::Dynamic, 2, Eigen::RowMajor> corner_uv_;  // 3k×2, or no rows
};

}  // namespace limber
