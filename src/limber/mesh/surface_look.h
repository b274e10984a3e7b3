// How the triangles of a material look: a colour, and a picture spread over them by their texture
// coordinates.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// Larger pictures are left out: 8192 × 8192 pixels as PNG seldom pass it.
constexpr std::size_t kMostImageBytes = std::size_t{64} << 20;

/// A picture as the bytes of its file.
struct SurfaceImage {
  std::string bytes;
  const char* mime_type = "";  ///< "image/png", "image/jpeg", …, a literal
};

/// A picture of these bytes; nothing when they are neither PNG nor JPEG, or too many.
[[nodiscard]] std::shared_ptr<const SurfaceImage> surface_image(std::string_view bytes);

/// The same for WebP and KTX 2 pictures too, which glTF files carry on and nobody here shows.
[[nodiscard]] std::shared_ptr<const SurfaceImage> carried_image(std::string_view bytes);

/// A glTF material as its file had it, so that every map and factor comes out as it went in.
struct GltfMaterial {
  struct Texture {
    std::shared_ptr<const SurfaceImage> image;
    std::string sampler;  ///< its JSON; empty for the default
  };
  std::string json;               ///< the material; indices of textures count `textures`
  std::vector<Texture> textures;  ///< every one is there
};

/// Members that the file does not give are empty.
struct SurfaceLook {
  /// Linear red, green, blue in 0..1; multiplies the picture and the vertices' colours.
  std::optional<std::array<float, 3>> colour;
  std::shared_ptr<const SurfaceImage> image;  ///< shared by materials and copies of the mesh
  std::shared_ptr<const GltfMaterial> gltf;   ///< the whole material, where a glTF file gave it
};

}  // namespace limber
