// The bodies of a scene in motion.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "limber/constraint/constraint_set.h"
#include "limber/core/progress.h"
#include "limber/dynamics/dynamic_body.h"
#include "limber/scene/body_source.h"
#include "limber/scene/methods.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// One body of a world: what it is made of, how it moves, and what is watched of it.
class WorldBody {
 public:
  /// Builds the mesh, the modes and the dynamics that the description asks for.
  WorldBody(const BodyDescription& description, const SceneDescription& scene,
            const Progress& progress);

  [[nodiscard]] const std::string& name() const { return description_.name; }
  [[nodiscard]] const BodyDescription& description() const { return description_; }
  [[nodiscard]] const TetMesh& mesh() const { return source_.mesh; }
  [[nodiscard]] const TriMesh& surface() const { return source_.surface; }
  [[nodiscard]] const BodySource& source() const { return source_; }
  [[nodiscard]] DynamicBody& dynamics() { return *moving_.dynamics; }
  [[nodiscard]] const DynamicBody& dynamics() const { return *moving_.dynamics; }
  /// Throws Error when the method has no modes.
  [[nodiscard]] ConstraintSet& constraints();
  /// Null when the method has no modes.
  [[nodiscard]] const ConstraintSet* find_constraints() const { return moving_.constraints.get(); }
  /// The body at full resolution; null for methods with modes.
  [[nodiscard]] FullBody* full_body() { return moving_.full; }
  [[nodiscard]] const FullBody* full_body() const { return moving_.full; }
  /// How far handles are from their targets now.
  [[nodiscard]] ConstraintErrors constraint_errors() const;

  /// Goes on by h seconds.
  void step(double h);
  /// Steps of a full-resolution body that did not reach their tolerance, and the worst residual.
  [[nodiscard]] int unconverged_steps() const { return unconverged_steps_; }
  [[nodiscard]] double worst_residual() const { return worst_residual_; }

  /// n×3, world coordinates.
  [[nodiscard]] Positions node_positions() const;
  /// Surface vertices carried by the given node positions.
  [[nodiscard]] Positions surface_positions(const Positions& nodes) const;
  [[nodiscard]] double rest_volume() const { return rest_volume_; }
  /// Names and nodes of the probes.
  [[nodiscard]] const std::map<std::string, int>& probes() const { return probes_; }

 private:
  BodyDescription description_;
  BodySource source_;
  MovingBody moving_;
  double rest_volume_ = 0;
  int unconverged_steps_ = 0;
  double worst_residual_ = 0;
  std::map<std::string, int> probes_;
};

class World {
 public:
  explicit World(SceneDescription scene, const Progress& progress = {});

  /// All bodies on by one time step.
  void step();
  /// All bodies to their equilibrium under the present loads. Throws Error (work_failed) when one
  /// does not get there.
  void settle();

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
  [[nodiscard]] std::vector<WorldBody>& bodies() { return bodies_; }
  [[nodiscard]] const std::vector<WorldBody>& bodies() const { return bodies_; }
  /// Throws Error that lists the names when there is none of this one.
  [[nodiscard]] WorldBody& body(const std::string& name);

 private:
  SceneDescription scene_;
  std::vector<WorldBody> bodies_;
  double time_step_ = 0;
  int steps_per_frame_ = 1;
  long long steps_ = 0;
};

}  // namespace limber
