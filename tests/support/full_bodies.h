// What the tests of full-resolution bodies share.
#pragma once

#include <cmath>

#include "limber/dynamics/full_space/full_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "support/stepping.h"

namespace limber {

inline const Material kRubber{2e5, 0.3, 1000};

inline constexpr auto kAllFullMethods = {Method::linear, Method::stiffness_warping,
                                         Method::corotational, Method::stvk, Method::neo_hookean};

/// Along −y, m/s².
inline Loads gravity(double g) {
  Loads loads;
  loads.gravity.push_back({Vec3(0, -g, 0)});
  return loads;
}

inline FullBodyOptions with(Method method) {
  FullBodyOptions options;
  options.method = method;
  return options;
}

/// Holds a node by a spring; an infinite stiffness holds it hard.
inline int hold(FullBody& body, int node, const Vec3& target, double stiffness,
                double damping = 0) {
  Handle handle;
  handle.kind = std::isinf(stiffness) ? HandleKind::position : HandleKind::spring;
  handle.point = BodyPoint::at_node(node);
  handle.target = Path({0}, {target});
  handle.stiffness = stiffness;
  handle.damping = damping;
  return body.handles().add(handle);
}

/// 1 × 0.2 × 0.2 m, 30 tets.
inline TetMesh small_bar() { return bar({1, 0.2, 0.2}, {5, 1, 1}); }

/// The nodes of a bar's end at x = 0.
inline std::vector<int> clamped_end(const TetMesh& mesh) { return select_nodes(mesh, "x<=0.001"); }

}  // namespace limber
