#include "limber/render/surface_paint.h"

#include <algorithm>
#include <map>

namespace limber {

std::shared_ptr<const SurfacePaint> SurfacePaint::of(const TriMesh& surface) {
  const bool painted =
      std::any_of(surface.looks.begin(), surface.looks.end(),
                  [](const SurfaceLook& look) { return look.colour || look.image; });
  if (!painted || surface.face_materials.empty()) return nullptr;
  auto paint = std::make_shared<SurfacePaint>();
  std::map<std::shared_ptr<const SurfaceImage>, std::shared_ptr<const Texture>> decoded;
  for (const SurfaceLook& look : surface.looks) {
    Material material;
    if (look.colour) material.colour = Eigen::Map<const Eigen::Vector3f>(look.colour->data());
    if (look.image) {
      const auto [entry, is_new] = decoded.try_emplace(look.image);
      if (is_new) entry->second = Texture::decode(*look.image);
      material.texture = entry->second;
    }
    paint->materials_.push_back(std::move(material));
  }
  paint->face_materials_ = surface.face_materials;
  paint->corner_uv_ = surface.corner_uv;
  if (surface.corner_uv.rows() == 0 && surface.uv.rows() > 0) {
    paint->corner_uv_.resize(surface.F.size(), 2);
    for (Eigen::Index corner = 0; corner < surface.F.size(); ++corner) {
      paint->corner_uv_.row(corner) = surface.uv.row(surface.F.data()[corner]);
    }
  }
  return paint;
}

Eigen::Vector3f SurfacePaint::at(int triangle, float u, float v) const {
  const auto number = static_cast<std::size_t>(face_materials_[triangle]);
  if (number >= materials_.size()) return Eigen::Vector3f::Ones();
  const Material& material = materials_[number];
  if (!material.texture || corner_uv_.rows() == 0) return material.colour;
  const Eigen::RowVector2f uv = (1 - u - v) * corner_uv_.row(3 * triangle) +
                                u * corner_uv_.row(3 * triangle + 1) +
                                v * corner_uv_.row(3 * triangle + 2);
  return material.colour.cwiseProduct(material.texture->at(uv[0], uv[1]));
}

}  // namespace limber
