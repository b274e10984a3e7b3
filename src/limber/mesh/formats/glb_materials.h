// Materials of a .glb with the pictures they carry, each picture embedded once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/mesh/formats/glb_container.h"
#include "limber/mesh/tri_mesh.h"

namespace limber::glb {

/// What decides a material besides its look.
struct Wearer {
  int number = 0;               ///< picks the colour of a plain look
  bool vertex_colours = false;  ///< a plain look is white under them
  int uv_sets = 0;            ///< pictures that need more sets of texture coordinates are left out
  bool double_sided = false;  ///< for surfaces with a border
};

/// Refers to the builder, which must outlive it; pictures are held by the builder.
class Materials {
 public:
  explicit Materials(Builder& builder) : builder_(builder) {}

  /// Appends a material to the builder's document and returns its number. One that came from a glTF
  /// file goes out as it came in.
  int add(const std::string& name, const SurfaceLook& look, const Wearer& wearer);

 private:
  using Image = std::shared_ptr<const SurfaceImage>;
  struct Texture {
    Image image;
    std::string sampler;
    bool operator==(const Texture&) const = default;
  };

  [[nodiscard]] nlohmann::json plain(const std::string& name, const SurfaceLook& look,
                                     const Wearer& wearer);
  [[nodiscard]] nlohmann::json carried(const GltfMaterial& material, const Wearer& wearer);
  /// Puts the file's numbers of textures and the names of extensions in place below `value`.
  void settle(nlohmann::json& value, const GltfMaterial& material, const Wearer& wearer);
  void use_extension(const std::string& name, bool required = false);
  [[nodiscard]] int texture(const Image& image, const std::string& sampler);
  [[nodiscard]] int image_number(const Image& image);
  [[nodiscard]] int sampler_number(const std::string& sampler);

  Builder& builder_;
  std::vector<Image> images_;
  std::vector<std::string> samplers_;
  std::vector<Texture> textures_;
};

}  // namespace limber::glb
