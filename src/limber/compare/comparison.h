// One scene by several methods, measured against one of them.
//
// Symbols: u displacement from rest (in the support's frame where there is one), u* the truth's;
// ‖u‖² = Σ_i v_i |u_i|² with v_i the rest volume around node i, all bodies together, which is the
// L2 norm of the displacement field with the mesh's lumped quadrature.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/scene/scene_world.h"

namespace limber {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// All bodies of a world at one time.
struct Snapshot {
  double time = 0;
  std::vector<Positions> nodes;          // body by body, n×3, world
  std::vector<Positions> displacements;  // body by body, n×3, from rest in the support's frame
  double volume_ratio = 1;               // of all bodies together
  double kinetic_energy = 0;             // J
  double elastic_energy = 0;             // J
  std::map<std::string, Vec3> probes;    // "tip", or "bar.tip" where there are several bodies
};

/// What one method made of the scene.
struct MethodRun {
  std::string method;
  std::unique_ptr<SceneWorld> world;
  std::optional<Snapshot> rest;  // the equilibrium under the loads of time 0
  std::string rest_failure;      // why there is none
  std::vector<Snapshot> frames;  // up to a failure
  std::string motion_failure;    // why they stop early
  double duration = 0;           // s, what was asked for
  double setup_seconds = 0;
  double step_seconds = kUnknown;    // a step of the motion
  double settle_seconds = kUnknown;  // to the equilibrium
};

struct CompareOptions {
  bool rest = true;
  bool motion = true;
  int frames = 0;  // 0: the scene's own
};

/// Never throws for what happens while moving: a method that fails says so in its run. Throws Error
/// when the scene cannot be built by this method.
[[nodiscard]] MethodRun run_method(const SceneDescription& scene, const std::string& method,
                                   const CompareOptions& options, const Progress& progress = {});

[[nodiscard]] Snapshot snapshot(const SceneWorld& world);

/// Rest volume around each node, a quarter of each of its tets.
[[nodiscard]] Vector node_volumes(const TetMesh& mesh);

/// ‖u‖ and ‖u − u*‖ with the volumes of `world`.
[[nodiscard]] double displacement_norm(const SceneWorld& world, const Snapshot& state);
[[nodiscard]] double displacement_distance(const SceneWorld& world, const Snapshot& state,
                                           const Snapshot& truth);

/// The numbers of one method; kUnknown where it failed or there is no truth.
struct MethodSummary {
  std::string method;
  double rest_error = kUnknown;   // ‖u − u*‖ / ‖u*‖ at equilibrium
  double rest_volume = kUnknown;  // relative change
  double rest_energy = kUnknown;  // J, elastic
  double motion_error = kUnknown;  // root of Σ_t ‖u − u*‖² / Σ_t ‖u*‖², t up to error_until
  double error_until = kUnknown;   // s; before the end where the method or the truth stopped
  double ran_until = kUnknown;     // s; the last frame
  bool stopped = false;            // before the motion's end
  double least_volume = kUnknown;  // relative change over the motion
  double most_volume = kUnknown;
  double swing = kUnknown;  // s, the first one: out and back
  double step_seconds = kUnknown;
  double settle_seconds = kUnknown;
  std::string failure;        // in words: no rest, an early stop, or both
  std::vector<double> error;  // each frame: ‖u − u*‖ over the largest ‖u*‖ of the motion
};

/// Twice the time at which ‖u‖ is first largest, by a parabola through its three highest frames;
/// kUnknown where it never falls again by a tenth: a body that creeps does not swing.
[[nodiscard]] double first_swing(const std::vector<double>& times,
                                 const std::vector<double>& norms);

/// One summary a run, in their order. `truth` may be null: errors are then unknown.
[[nodiscard]] std::vector<MethodSummary> summarise(const std::vector<MethodRun>& runs,
                                                   const MethodRun* truth);

}  // namespace limber
