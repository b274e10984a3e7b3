// The container that web/src/net/model.ts reads: what stays the same from frame to frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace limber::studio {

struct ModelBody {
  std::string name;
  bool clamped = false;
  int modes = 0;
  std::vector<float> positions;          // v×3
  std::vector<float> normals;            // v×3
  std::vector<float> colours;            // v×3 linear red, green, blue; or empty
  std::vector<std::uint32_t> triangles;  // k×3
  std::vector<float> texels;             // mode_texels()
  std::vector<std::uint32_t> fixed;      // vertices
  std::vector<float> stiffness;          // v, log10 of Young's modulus over the body's; or empty
};

/// Φ and Ψ (v×3 by m each, row 3i+c for component c of vertex i, row-major) as the vertex program
/// reads them: two modes in three RGBA texels, pair by pair, padded to whole rows of 4096 texels.
[[nodiscard]] std::vector<float> mode_texels(std::span<const float> Phi, std::span<const float> Psi,
                                             int vertices, int modes);

/// An obstacle of any shape.
struct ModelSurface {
  int obstacle = 0;                      // its number among the scene's
  std::vector<float> positions;          // v×3
  std::vector<std::uint32_t> triangles;  // k×3
};

[[nodiscard]] std::string model_file(std::span<const ModelBody> bodies, std::optional<double> floor,
                                     std::span<const ModelSurface> surfaces = {});

}  // namespace limber::studio
