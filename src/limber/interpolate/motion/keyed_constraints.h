// Nodes and regions that a motion has to respect: feet that stay on the ground, a head that looks
// ahead (Huang et al. 2011, section 3).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/dynamics/frame/frame_motion.h"
#include "limber/interpolate/motion/held_groups.h"
#include "limber/interpolate/reconstruction/frame_kernel.h"

namespace limber {

/// A node on a path in the world; without one it goes from where it is in one key to where it is in
/// the next, together with the held nodes beside it (held_groups.h).
struct PositionConstraint {
  int node = 0;
  std::optional<Path> path;
};

/// The elements around a node turned together, so that their mean rotation follows a path of
/// rotation vectors (rad, world); without one the mean rotations of the keys.
struct OrientationConstraint {
  int node = 0;
  std::optional<Path> path;
  /// How much more these elements weigh in the reconstruction than others.
  double stiffness = 1000;
};

/// The constraints of a motion as constraints of its reconstruction, and their targets over time.
class KeyedConstraints {
 public:
  KeyedConstraints() = default;
  /// `times` and `poses` are the keys that targets follow where no path is given.
  KeyedConstraints(const Elements& elements, const std::vector<double>& times,
                   const std::vector<Positions>& poses,
                   const std::vector<PositionConstraint>& positions,
                   const std::vector<OrientationConstraint>& orientations);

  [[nodiscard]] const ReconstructionConstraints& reconstruction() const { return constraints_; }
  /// For each pose in order, before the first held_targets(): see HeldGroups.
  void add_turns(const Elements& elements, const Mat3& frame, const RotationStrain& coordinates) {
    groups_.add_turns(elements, frame, coordinates);
  }
  /// Where the held nodes are at time t, world, one row each; `frame` turns with the body.
  void held_targets(double t, const Mat3& frame, Positions& held) const;
  /// Whether held node k follows the keys rather than a path of its own.
  [[nodiscard]] bool follows_keys(int k) const { return k >= std::ssize(paths_); }

  struct Region {
    std::vector<int> elements;
    SupportMotion keyed;       ///< mean rotations of the keys
    std::optional<Path> path;  ///< or rotation vectors given
    [[nodiscard]] Mat3 target(double t) const;
  };
  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }

 private:
  ReconstructionConstraints constraints_;
  std::vector<Path> paths_;  // of the first held nodes; the others move in groups
  HeldGroups groups_;
  std::vector<Region> regions_;
};

/// The rotation nearest to the sum of weight·exp(w) over some elements.
[[nodiscard]] Mat3 mean_rotation_of(const Elements& elements, const std::vector<int>& region,
                                    const std::vector<Vec3>& w);

}  // namespace limber
