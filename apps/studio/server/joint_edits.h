// Joints that people make, change and take away, as changes of the scene's document.
#pragma once

#include <array>
#include <optional>

#include "server/scene_edits.h"

namespace limber::studio {

/// What a joint holds on one side: a body, an obstacle, or with neither the world.
struct JointSide {
  std::optional<int> body, obstacle;
};

struct NewJoint {
  std::string kind;  ///< ball, hinge, weld, slider, distance
  std::array<JointSide, 2> sides;
  Vec3 at = Vec3::Zero();  ///< m, world, where the scene begins
  std::optional<Vec3> to;  ///< of a distance: the end on the second side
};

/// What is not there stays as it is; a number of zero takes the key away.
struct JointChange {
  std::optional<Vec3> at, to, axis;
  std::optional<double> radius, break_force;  ///< m, N
  std::optional<std::vector<double>> limits;  ///< two, or none
  std::optional<bool> collide;
};

/// Hinges and sliders begin along z. Throws Error for a body that scenes cannot name.
[[nodiscard]] SceneEdit add_joint(const NewJoint& joint);
[[nodiscard]] SceneEdit change_joint(int joint, const JointChange& change);
[[nodiscard]] SceneEdit remove_joint(int joint);

}  // namespace limber::studio
