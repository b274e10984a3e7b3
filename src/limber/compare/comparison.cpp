#include "limber/compare/comparison.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/render/show.h"
#include "limber/scene/report.h"

namespace limber {

namespace {

/// Node displacements as they look from the support.
Positions displacements_of(const SceneBody& body, const Positions& nodes) {
  if (body.description().support.empty()) return nodes - body.mesh().V;
  const FrameState& frame = body.dynamics().frame();
  // Rows: x = Rᵀ (X − p).
  return (nodes.rowwise() - frame.position.transpose()) * frame.rotation - body.mesh().V;
}

bool is_finite(const Snapshot& state) {
  return std::all_of(state.nodes.begin(), state.nodes.end(),
                     [](const Positions& nodes) { return nodes.allFinite(); });
}

/// What went wrong, and where if there are several bodies; the remedy is for who runs that method
/// alone.
std::string reason_of(const Error& error, const SceneDescription& scene) {
  if (scene.bodies.size() < 2 || error.where().empty()) return error.problem();
  return fmt::format("{} ({})", error.problem(), error.where());
}

void run_rest(MethodRun& run, const SceneDescription& scene, const Progress& progress) {
  SceneWorld world(scene, progress);
  try {
    double seconds = 0;
    timed(seconds, [&] { world.settle(); });
    Snapshot state = snapshot(world);
    if (!is_finite(state)) {
      run.rest_failure = "the equilibrium is not finite";
      return;
    }
    run.rest = std::move(state);
    run.settle_seconds = seconds;
  } catch (const Error& error) {
    run.rest_failure = reason_of(error, scene);
  }
}

void run_motion(MethodRun& run, int frames, const Progress& progress) {
  SceneWorld& world = *run.world;
  run.duration = (frames - 1) / world.frame_rate();
  run.frames.push_back(snapshot(world));
  double seconds = 0;
  long steps = 0;
  try {
    while (static_cast<int>(run.frames.size()) < frames) {
      timed(seconds, [&] {
        for (int step = 0; step < world.steps_per_frame(); ++step, ++steps) world.step();
      });
      Snapshot state = snapshot(world);
      if (!is_finite(state)) {
        run.motion_failure = fmt::format("stopped at {:.3g} s of {:.3g} s: not finite from there",
                                         run.frames.back().time, run.duration);
        break;
      }
      run.frames.push_back(std::move(state));
      report(progress, run.method, static_cast<double>(run.frames.size()) / frames);
    }
  } catch (const Error& error) {
    run.motion_failure = fmt::format("stopped at {:.3g} s of {:.3g} s: {}", world.time(),
                                     run.duration, reason_of(error, world.scene()));
  }
  if (steps > 0) run.step_seconds = seconds / static_cast<double>(steps);
}

/// Σ over bodies and nodes of volume times the squared length of the rows.
double squared_norm(const SceneWorld& world, const std::vector<Positions>& rows) {
  double sum = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Vector volumes = node_volumes(world.bodies()[k].mesh());
    sum += volumes.dot(rows[k].rowwise().squaredNorm());
  }
  return sum;
}

void compare_motion(const MethodRun& run, const MethodRun& truth, MethodSummary& summary) {
  const std::size_t count = std::min(run.frames.size(), truth.frames.size());
  double largest = 0, distances = 0, norms = 0;
  for (const Snapshot& frame : truth.frames) {
    largest = std::max(largest, displacement_norm(*truth.world, frame));
  }
  for (std::size_t k = 0; k < count; ++k) {
    const double distance = displacement_distance(*run.world, run.frames[k], truth.frames[k]);
    summary.error.push_back(largest > 0 ? distance / largest : kUnknown);
    distances += distance * distance;
    norms += std::pow(displacement_norm(*truth.world, truth.frames[k]), 2);
  }
  if (!(norms > 0)) return;
  summary.motion_error = std::sqrt(distances / norms);
  summary.error_until = run.frames[count - 1].time;
}

double first_swing_of(const MethodRun& run) {
  std::vector<double> times, norms;
  for (const Snapshot& frame : run.frames) {
    times.push_back(frame.time);
    norms.push_back(displacement_norm(*run.world, frame));
  }
  return first_swing(times, norms);
}

std::string failure_of(const MethodRun& run) {
  if (run.rest_failure.empty()) return run.motion_failure;
  const std::string rest = "no rest: " + run.rest_failure;
  return run.motion_failure.empty() ? rest : rest + "; " + run.motion_failure;
}

}  // namespace

Snapshot snapshot(const SceneWorld& world) {
  Snapshot state;
  state.time = world.time();
  double rest_volume = 0, now_volume = 0;
  for (const SceneBody& body : world.bodies()) {
    state.nodes.push_back(body.node_positions());
    state.displacements.push_back(displacements_of(body, state.nodes.back()));
    rest_volume += body.rest_volume();
    now_volume += volume(state.nodes.back(), body.mesh().T);
    state.kinetic_energy += body.dynamics().kinetic_energy();
    state.elastic_energy += body.dynamics().elastic_energy();
    for (const auto& [name, node] : body.probes()) {
      const std::string label = world.bodies().size() > 1 ? body.name() + "." + name : name;
      state.probes[label] = state.nodes.back().row(node);
    }
  }
  state.volume_ratio = now_volume / rest_volume;
  return state;
}

Vector node_volumes(const TetMesh& mesh) {
  Vector volumes = Vector::Zero(mesh.node_count());
  for (Eigen::Index tet = 0; tet < mesh.T.rows(); ++tet) {
    const auto edge = [&](int c) -> Vec3 {
      return mesh.V.row(mesh.T(tet, c)) - mesh.V.row(mesh.T(tet, 0));
    };
    const double quarter = edge(1).cross(edge(2)).dot(edge(3)) / 24;
    for (int c = 0; c < 4; ++c) volumes[mesh.T(tet, c)] += quarter;
  }
  return volumes;
}

double displacement_norm(const SceneWorld& world, const Snapshot& state) {
  return std::sqrt(squared_norm(world, state.displacements));
}

double displacement_distance(const SceneWorld& world, const Snapshot& state,
                             const Snapshot& truth) {
  std::vector<Positions> differences;
  for (std::size_t k = 0; k < state.displacements.size(); ++k) {
    differences.push_back(state.displacements[k] - truth.displacements[k]);
  }
  return std::sqrt(squared_norm(world, differences));
}

double first_swing(const std::vector<double>& times, const std::vector<double>& norms) {
  constexpr double kFalls = 0.9;  // smaller dips are ripples of fast modes
  std::size_t top = 0;
  std::size_t k = 1;
  while (k < norms.size() && norms[k] >= kFalls * norms[top]) {
    if (norms[k] > norms[top]) top = k;
    ++k;
  }
  if (top == 0 || k >= norms.size()) return kUnknown;
  const double before = norms[top - 1], peak = norms[top], after = norms[top + 1];
  const double bend = before - 2 * peak + after;
  const double offset = bend < 0 ? 0.5 * (before - after) / bend : 0;
  return 2 * (times[top] + offset * (times[top] - times[top - 1]) - times[0]);
}

MethodRun run_method(const SceneDescription& scene, const std::string& method,
                     const CompareOptions& options, const Progress& progress) {
  MethodRun run;
  run.method = method;
  const SceneDescription own = with_method(scene, method);
  timed(run.setup_seconds, [&] { run.world = std::make_unique<SceneWorld>(own, progress); });
  if (options.rest) run_rest(run, own, progress);
  if (options.motion) {
    run_motion(run, options.frames > 0 ? options.frames : run.world->frame_count(), progress);
  }
  return run;
}

std::vector<MethodSummary> summarise(const std::vector<MethodRun>& runs, const MethodRun* truth) {
  std::vector<MethodSummary> summaries;
  for (const MethodRun& run : runs) {
    MethodSummary summary;
    summary.method = run.method;
    summary.step_seconds = run.step_seconds;
    summary.settle_seconds = run.settle_seconds;
    summary.failure = failure_of(run);
    summary.stopped = !run.motion_failure.empty();
    if (run.rest) {
      summary.rest_volume = run.rest->volume_ratio - 1;
      summary.rest_energy = run.rest->elastic_energy;
    }
    if (!run.frames.empty()) {
      const auto [least, most] = std::minmax_element(
          run.frames.begin(), run.frames.end(),
          [](const Snapshot& a, const Snapshot& b) { return a.volume_ratio < b.volume_ratio; });
      summary.least_volume = least->volume_ratio - 1;
      summary.most_volume = most->volume_ratio - 1;
      summary.ran_until = run.frames.back().time;
      summary.swing = first_swing_of(run);
    }
    if (truth != nullptr && run.rest && truth->rest) {
      const double norm = displacement_norm(*truth->world, *truth->rest);
      if (norm > 0) {
        summary.rest_error = displacement_distance(*run.world, *run.rest, *truth->rest) / norm;
      }
    }
    if (truth != nullptr) compare_motion(run, *truth, summary);
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace limber
