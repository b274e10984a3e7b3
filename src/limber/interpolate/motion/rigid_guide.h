// The motion of the body as a whole along its keys: a turning frame and the parts' barycentres.
//
// Poses are turned back into the frame before they become rotation-strain coordinates, so that
// somersaults of any number of turns leave small rotations behind, and results do not depend on how
// the poses are turned in space.
#pragma once

#include <optional>
#include <vector>

#include "limber/dynamics/frame/frame_motion.h"
#include "limber/interpolate/coordinates/elements.h"

namespace limber {

enum class BarycentrePath {
  smooth,     ///< a spline through the keys; a straight line between two
  linear,     ///< straight from key to key
  ballistic,  ///< thrown from key to key: parabolas under gravity
  given       ///< a path of the user's own
};

struct BarycentreOptions {
  BarycentrePath kind = BarycentrePath::smooth;
  Vec3 gravity{0, -9.81, 0};  ///< m/s², for ballistic
  std::optional<Path> path;   ///< of the whole body's barycentre, for given
};

class RigidGuide {
 public:
  RigidGuide() = default;
  /// `turns`: whether the frame turns at all. Throws Error when times do not ascend, gravity is not
  /// finite or a given path is missing.
  RigidGuide(const Elements& elements, const std::vector<double>& times,
             const std::vector<Positions>& poses, bool turns, const BarycentreOptions& options);

  /// The frame's rotation; at a key the mean rotation of the pose.
  [[nodiscard]] Mat3 rotation(double t) const;
  /// One row a part.
  void barycentres(double t, Positions& result) const;

 private:
  [[nodiscard]] Vec3 fall(double t) const;

  std::vector<double> times_;
  SupportMotion turning_;
  std::vector<Path> parts_;  // of the barycentres; relative to the whole's for a given path
  std::optional<Path> whole_;
  Vec3 gravity_ = Vec3::Zero();
};

/// The rotation nearest to all deformation gradients of the pose.
[[nodiscard]] Mat3 mean_rotation_of(const Elements& elements, const Positions& pose);

}  // namespace limber
