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

/// Whether anything in the scene can touch or hold anything else, loose pieces of a mesh apart.
[[nodiscard]] bool has_contact(const SceneDescription& scene);

/// The ground as a body at full resolution meets it: a part of its own equations. Throws Error for
/// what those do not know.
[[nodiscard]] std::optional<GroundPlane> ground_plane(const BodyDescription& description,
                                                      const SceneDescription& scene);

/// Fills a world with what a scene says of contact, and keeps who goes by which name: obstacles,
/// and bodies with the loose pieces of their meshes, the largest first.
class ContactBuilder {
 public:
  /// `world` must outlive this. Not `touching`: nothing can touch anything but loose pieces of one
  /// mesh each other, and no more is built.
  ContactBuilder(World& world, bool touching) : world_(&world), touching_(touching) {}

  /// Options, ground and obstacles of a scene.
  void add_surroundings(const SceneDescription& scene);
  void add_ground(const GroundDescription& ground);
  /// `gravity`: of those with a mass.
  void add_obstacle(const ObstacleDescription& obstacle, const std::vector<GravityLoad>& gravity);
  [[nodiscard]] ContactPart part_of(const BodyDescription& description,
                                    const BodySource& source) const;
  /// A body that is in the world already.
  void add_body(const BodyDescription& description, BodyId id);
  /// Throws Error for a name that nobody has, and for what cannot be joined.
  int add_joint(const JointDescription& joint);
  /// Pairs that pass through each other, and joints: when all of a scene is there.
  void add_relations(const SceneDescription& scene);

 private:
  void exclude(const std::string& one, const std::string& other);
  void exclude_all(const std::string& name, const TouchDescription& touch);
  [[nodiscard]] int first(const std::string& name, const std::string& where) const;

  World* world_;
  bool touching_;
  std::multimap<std::string, int> numbers_;  // of the participants
};

}  // namespace limber
