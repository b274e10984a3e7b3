// The path that a scene gives a handle.
#pragma once

#include "limber/dynamics/frame/path.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// `where` names the handle in errors.
[[nodiscard]] inline Path path_of(const ConstraintDescription& constraint,
                                  const std::string& where) {
  std::vector<double> times;
  std::vector<Vec3> targets;
  for (const PathKey& key : constraint.path) {
    times.push_back(key.time);
    targets.push_back(key.target);
  }
  return Path(std::move(times), std::move(targets), constraint.interpolation, where);
}

}  // namespace limber
