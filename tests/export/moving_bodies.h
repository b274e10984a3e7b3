// Bodies and motions with known positions, for the tests of every format.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "limber/export/animation.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/sample_shapes.h"

namespace limber::testing_support {

/// A body with tets, its boundary as surface, and for each surface vertex its node.
struct Sample {
  AnimatedBody body;
  std::vector<int> nodes;
};

inline Sample sample_of(const std::string& name, const TetMesh& tets) {
  Boundary boundary = boundary_surface(tets);
  return {{name, boundary.surface, tets}, boundary.nodes};
}

/// Bends the x axis onto a circle of curvature `bend` (1/m) in the plane of x and y, so that
/// lengths along y = 0 stay; the identity at 0.
inline Positions bent(const Positions& rest, double bend) {
  Positions result = rest;
  if (std::abs(bend) < 1e-12) return result;
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    const double angle = bend * rest(i, 0);
    const double radius = 1 / bend + rest(i, 1);
    result(i, 0) = radius * std::sin(angle);
    result(i, 1) = radius * std::cos(angle) - 1 / bend;
  }
  return result;
}

/// A bar that sways: at time t its curvature is sin(2πt) per metre.
inline BodyFrame swaying(const Sample& sample, double time) {
  const double bend = std::sin(2 * std::numbers::pi * time);
  return {bent(sample.body.surface.V, bend), bent(sample.body.tets.V, bend), {}};
}

/// One triangle and no tets, from (0,0,0) along x and y.
inline AnimatedBody lone_triangle(const std::string& name) {
  AnimatedBody body;
  body.name = name;
  body.surface.V.resize(3, 3);
  body.surface.V << 0, 0, 0, 1, 0, 0, 0, 1, 0;
  body.surface.F.resize(1, 3);
  body.surface.F << 0, 1, 2;
  return body;
}

}  // namespace limber::testing_support
