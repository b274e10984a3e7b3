// From what a scene says about contact to the world's obstacles, colliders and joints.
#pragma once

#include <map>
#include "limber/dynamics/full_space/ground.h"
#include "limber/scene/body_source.h"
#include "limber/scene/scene_file.h"
#include "limber/world/world.h"

namespace limber {

/// What the ground is called.
constexpr const char* kGroundName = "ground";

/// Whether anything in the scene can touch or hold anything else.
[[nodiscard]] bool has_contact(const SceneDescription& scene);

/// How the body can be touched.
[[nodiscard]] ContactPart contact_part(const BodyDescription& description,
                                       const BodySource& source);

/// The ground as a body at full resolution meets it: a part of its own equations. Throws Error for
/// what those do not know.
[[nodiscard]] std::optional<GroundPlane> ground_plane(const BodyDescription& description,
                                                      const SceneDescription& scene);

void add_ground(const GroundDescription& ground, World& world);
/// `gravity`: of those with a mass.
void add_obstacle(const ObstacleDescription& obstacle, const std::vector<GravityLoad>& gravity,
                  World& world);

/// Who goes by which name of a scene: obstacles, and bodies with the loose pieces of their meshes,
/// the largest first.
class SceneNames {
 public:
  void add(const std::string& name, int participant) { numbers_.emplace(name, participant); }
  /// The two never touch.
  void exclude(const std::string& one, const std::string& other, World& world) const;
  /// Throws Error for a name that nobody has, and for what cannot be joined.
  int add_joint(const JointDescription& joint, World& world) const;

 private:
  [[nodiscard]] int first(const std::string& name, const std::string& where) const;

  std::multimap<std::string, int> numbers_;
};

}  // namespace limber
