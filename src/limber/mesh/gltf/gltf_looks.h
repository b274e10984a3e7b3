// Materials of a glTF file: what Limber shows of them, and all of them to hand on.
#pragma once

#include <map>

#include "limber/mesh/gltf/gltf_document.h"
#include "limber/mesh/surface_look.h"

namespace limber {

/// Reads each picture once. Damaged, missing, foreign and too large ones are left out and counted:
/// a surface does not fail for its paint. Refers to the document, which must outlive it.
class GltfLooks {
 public:
  explicit GltfLooks(const GltfDocument& document) : document_(document) {}

  [[nodiscard]] SurfaceLook look(const nlohmann::json& material);
  /// References to pictures that could not be read.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  using Image = std::shared_ptr<const SurfaceImage>;

  /// Makes every reference to a texture below `value` count `whole.textures`; removes those whose
  /// picture is not to be had.
  void collect(nlohmann::json& value, GltfMaterial& whole);
  /// Whether the reference was kept.
  bool collect_texture(nlohmann::json& reference, GltfMaterial& whole);
  [[nodiscard]] GltfMaterial::Texture texture(const nlohmann::json& reference);
  [[nodiscard]] Image image(std::size_t number);
  [[nodiscard]] Image read_image(const nlohmann::json& description) const;

  const GltfDocument& document_;
  std::map<std::size_t, Image> images_;
  std::size_t bytes_read_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace limber
