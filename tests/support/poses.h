// What the tests of poses and interpolation share.
#pragma once

#include <memory>
#include <numbers>

#include "limber/core/rotation.h"
#include "limber/interpolate/coordinates/elements.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {

inline constexpr double kPi = std::numbers::pi;

inline TetMesh slender_bar() { return bar({1, 0.12, 0.12}, {16, 2, 2}); }

/// Of a slender bar, about its middle line.
inline Positions bent(const Positions& positions, double angle) {
  Bend options;
  options.angle = angle;
  options.origin = {0, 0.06, 0.06};
  return bend(positions, options);
}

inline std::shared_ptr<const Elements> shared_elements(const TetMesh& mesh) {
  return std::make_shared<const Elements>(elements_of(mesh));
}

/// Of the two nodes that are farthest apart.
inline double farthest(const Positions& a, const Positions& b) {
  return (a - b).rowwise().norm().maxCoeff();
}

inline Positions moved(const Positions& positions, const Vec3& w, const Vec3& shift) {
  Positions result = positions * rotation_exp(w).transpose();
  result.rowwise() += shift.transpose();
  return result;
}

}  // namespace limber
