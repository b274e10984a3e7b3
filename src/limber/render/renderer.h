// Pictures by ray casting: a bright studio with a key light, a dome of soft light and a ground that
// runs into the backdrop.
//
// Every pixel averages samples of the light that reaches it. One sample takes: a place in the
// pixel, a direction to the key light (soft shadow), a direction over the hemisphere (sky, and what
// hides it) and a reflection. Samples are numbered within their pixel, so that a picture depends on
// its seed alone, not on threads.
#pragma once

#include <cstdint>
#include <optional>

#include "limber/core/progress.h"
#include "limber/plot/canvas.h"
#include "limber/render/camera.h"
#include "limber/render/shape.h"

namespace limber {

struct RenderOptions {
  int width = 1280;
  int height = 720;
  int samples = 64;  // at most, a pixel; even pixels stop at a quarter
  std::uint32_t seed = 1;
  int threads = 0;  // 0: as many as the machine has
};

/// The plane that bodies stand over, and how far around them it is seen.
struct Floor {
  Vec3 up = Vec3::UnitY();
  double height = 0;           // along `up`
  Vec3 centre = Vec3::Zero();  // around which the ground is brightest
  double radius = 1;           // m, of what is shown
  bool visible = true;
};

/// Throws Error for sizes or samples that make no sense.
[[nodiscard]] Image render(const std::vector<Shape>& shapes, const Camera& camera,
                           const Floor& ground, const RenderOptions& options,
                           const Progress& progress = {});

}  // namespace limber
