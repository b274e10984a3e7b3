// The base colour and picture of a glTF material.
#pragma once

#include <map>

#include "limber/mesh/formats/gltf_document.h"
#include "limber/mesh/surface_look.h"

namespace limber {

/// Reads each picture once. Damaged, missing, foreign and too large ones are left out: a surface
/// does not fail for its paint. Refers to the document, which must outlive it.
class GltfLooks {
 public:
  explicit GltfLooks(const GltfDocument& document) : document_(document) {}

  [[nodiscard]] SurfaceLook look(const nlohmann::json& material);

 private:
  using Image = std::shared_ptr<const SurfaceImage>;

  [[nodiscard]] Image texture(const nlohmann::json& reference);
  [[nodiscard]] Image read_image(const nlohmann::json& description);

  const GltfDocument& document_;
  std::map<std::size_t, Image> images_;
  std::size_t bytes_read_ = 0;
};

}  // namespace limber
