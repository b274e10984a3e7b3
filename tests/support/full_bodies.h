// What the tests of full-resolution bodies share.
#pragma once

#include "limber/dynamics/full_space/full_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"

namespace limber {

inline const Material kRubber{2e5, 0.3, 1000};

inline constexpr auto kAllFullMethods = {FullMethod::linear, FullMethod::stiffness_warping,
                                         FullMethod::corotational, FullMethod::stvk};

/// Along −y, m/s².
inline Loads gravity(double g) {
  Loads loads;
  loads.gravity.push_back({Vec3(0, -g, 0)});
  return loads;
}

inline FullBodyOptions with(FullMethod method) {
  FullBodyOptions options;
  options.method = method;
  return options;
}

/// 1 × 0.2 × 0.2 m, 30 tets.
inline TetMesh small_bar() { return bar({1, 0.2, 0.2}, {5, 1, 1}); }

/// The nodes of a bar's end at x = 0.
inline std::vector<int> clamped_end(const TetMesh& mesh) { return select_nodes(mesh, "x<=0.001"); }

}  // namespace limber
