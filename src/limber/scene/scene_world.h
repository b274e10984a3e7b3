// A scene file as a world: its bodies built and put there, with what the file says about pictures
// and probes beside them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/scene/body_source.h"
#include "limber/scene/build_contact.h"
#include "limber/scene/scene_file.h"
#include "limber/world/world.h"

namespace limber {

/// One body of a scene, or one loose piece of its mesh: what it is made of, its place in the world,
/// and what is watched of it.
class SceneBody {
 public:
  SceneBody(const BodyDescription& description, std::shared_ptr<const BodySource> source,
            World& world, BodyId id);

  [[nodiscard]] const std::string& name() const { return source_->name; }
  [[nodiscard]] const BodyDescription& description() const { return description_; }
  [[nodiscard]] const TetMesh& mesh() const { return source_->mesh; }
  [[nodiscard]] const TriMesh& surface() const { return source_->surface; }
  [[nodiscard]] const BodySource& source() const { return *source_; }
  [[nodiscard]] BodyId id() const { return id_; }
  [[nodiscard]] const WorldBody& in_world() const { return world_->body(id_); }
  [[nodiscard]] DynamicBody& dynamics() { return *world_->body(id_).dynamics; }
  [[nodiscard]] const DynamicBody& dynamics() const { return *world_->body(id_).dynamics; }

  /// n×3, world coordinates.
  [[nodiscard]] Positions node_positions() const;
  /// Surface vertices carried by the given node positions.
  [[nodiscard]] Positions surface_positions(const Positions& nodes) const;
  [[nodiscard]] double rest_volume() const { return rest_volume_; }
  /// Names and nodes of the probes.
  [[nodiscard]] const std::map<std::string, int>& probes() const { return probes_; }

 private:
  BodyDescription description_;
  std::shared_ptr<const BodySource> source_;
  World* world_;  // outlives this: both belong to one SceneWorld
  BodyId id_;
  double rest_volume_ = 0;
  std::map<std::string, int> probes_;
};

class SceneWorld {
 public:
  /// Builds the meshes, modes and dynamics that the scene asks for.
  explicit SceneWorld(SceneDescription scene, const Progress& progress = {});
  /// An empty one, to be filled by a program.
  explicit SceneWorld(std::vector<GravityLoad> gravity);

  /// A body, or several where its mesh has loose pieces: the place of the first in bodies().
  std::size_t add(const BodyDescription& description, const Progress& progress = {});
  /// Before bodies at full resolution, whose equations it becomes a part of: throws Error.
  void add_ground(const GroundDescription& ground);
  void add_obstacle(const ObstacleDescription& obstacle) {
    contact_.add_obstacle(obstacle, scene_.gravity);
  }
  /// Its number among the world's joints.
  int add_joint(const JointDescription& joint) { return contact_.add_joint(joint); }
  /// As World::restore(), the count of steps with it.
  void restore(const WorldSnapshot& snapshot);

  /// All bodies on by one time step. Throws Error (work_failed) that names the body when one cannot
  /// go on: it is stopped, the others have moved.
  void step();
  /// The same by h seconds, whatever the scene's step.
  void advance(double h);
  /// All bodies to their equilibrium under the present loads. Throws Error (work_failed) when one
  /// does not get there.
  void settle() { world_->settle(); }

  /// s; zero before the first step.
  [[nodiscard]] double time() const { return static_cast<double>(steps_) * time_step_; }
  /// s; the scene's step, shortened so that pictures fall on steps.
  [[nodiscard]] double time_step() const { return time_step_; }
  [[nodiscard]] int steps_per_frame() const { return steps_per_frame_; }
  /// Pictures a second.
  [[nodiscard]] double frame_rate() const { return 1 / (steps_per_frame_ * time_step_); }
  /// Pictures of the whole scene, the one at time 0 included.
  [[nodiscard]] int frame_count() const;

  [[nodiscard]] const SceneDescription& scene() const { return scene_; }
  [[nodiscard]] World& world() { return *world_; }
  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] std::vector<SceneBody>& bodies() { return bodies_; }
  [[nodiscard]] const std::vector<SceneBody>& bodies() const { return bodies_; }
  /// Throws Error that lists the names when there is none of this one.
  [[nodiscard]] SceneBody& body(const std::string& name);

 private:
  SceneDescription scene_;
  std::unique_ptr<World> world_;
  ContactBuilder contact_;
  std::vector<SceneBody> bodies_;
  double time_step_ = 0;
  int steps_per_frame_ = 1;
  long long steps_ = 0;
};

}  // namespace limber
