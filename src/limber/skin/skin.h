// Positions and normals of a surface from modal amplitudes, in one pass over packed modes.
//
// Choi & Ko 2005, eq. 22 and appendices II and III. At each vertex u = Φq is the displacement of
// linear modes and w = Ψq the rotation vector; then
//   modal warping:  x = x0 + R~(w) u,  n = R(w) n0,   R~(w) = ∫₀¹ R(τw) dτ;
//   linear modes:   x = x0 + u,        n = R(w) n0.
// Linear modes have no rotation of their own; R(w) is right to first order and keeps the normals
// at unit length however far the linear displacement grows. Where shading must match the geometry
// of a strongly deformed linear body, recompute normals from the triangles.
#pragma once

#include <span>

#include "limber/modes/playback/packed_surface.h"

namespace limber {

enum class SkinMethod { linear, warped };

class Skin {
 public:
  /// A surface of more modes is refused: an update keeps the weights on its stack.
  static constexpr int kMaxModes = 4096;

  /// Throws Error when the arrays do not fit each other.
  explicit Skin(PackedSurface surface);

  /// positions and normals: 3·vertex_count, x y z of one vertex after the other. Empty normals are
  /// not computed. Any number of threads gives the same bits; see core/threads.h. Allocates
  /// nothing, and may be called from several threads at once. Amplitudes that are not finite give
  /// positions that are not. Throws Error when a length is wrong.
  void update(std::span<const double> q, SkinMethod method, std::span<float> positions,
              std::span<float> normals, int threads = 1) const;

  [[nodiscard]] int vertex_count() const { return surface_.vertex_count; }
  [[nodiscard]] int mode_count() const { return surface_.mode_count; }
  [[nodiscard]] const PackedSurface& surface() const { return surface_; }

 private:
  PackedSurface surface_;
};

}  // namespace limber
