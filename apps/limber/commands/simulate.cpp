// limber simulate: a scene from its first frame to its last, or to its rest.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/dynamics/local/global_local_body.h"
#include "limber/export/animation.h"
#include "limber/scene/report.h"
#include "limber/scene/scene_props.h"
#include "messages.h"
#include "scene_files.h"

namespace limber {

namespace {

struct SimulateArguments {
  std::filesystem::path scene;
  std::vector<std::filesystem::path> outputs;
  std::filesystem::path report;
  int frames = 0;
  bool settle = false;
  bool exact = false;
};

/// Everything that wants to see each frame: animation files and the report.
class Audience {
 public:
  Audience(const SceneWorld& world, const SimulateArguments& options)
      : props_(props_of(world.world())) {
    for (const auto& path : options.outputs) {
      writers_.push_back(open_animation(path, bodies_of(world, props_), world.frame_rate()));
      writers_.back()->allow_error(options.exact ? 0 : kInvisibleError);
    }
  }

  void show(const SceneWorld& world) {
    std::vector<Positions> nodes;
    std::vector<BodyFrame> frames;
    for (const SceneBody& body : world.bodies()) {
      nodes.push_back(body.node_positions());
      if (writers_.empty()) continue;
      Positions velocities(nodes.back().rows(), 3);
      body.dynamics().node_velocities(velocities);
      frames.push_back({body.surface_positions(nodes.back()), nodes.back(), std::move(velocities)});
    }
    for (const SceneProp& prop : props_) {
      if (!writers_.empty()) frames.push_back({positions_of(prop, world.world()), {}, {}});
    }
    for (const auto& writer : writers_) writer->add_frame(world.time(), frames);
    report_.add_frame(world, nodes);
  }

  /// The animation files.
  std::vector<std::filesystem::path> finish(const SimulateArguments& options,
                                            const WorkSeconds& seconds, const Progress& progress) {
    if (!options.report.empty()) write_file(options.report, report_.text(seconds));
    std::vector<std::filesystem::path> files;
    for (const auto& writer : writers_) {
      for (const auto& file : writer->finish(progress)) files.push_back(file);
    }
    return files;
  }

 private:
  static std::vector<AnimatedBody> bodies_of(const SceneWorld& world,
                                             const std::vector<SceneProp>& props) {
    std::vector<AnimatedBody> bodies;
    for (const SceneBody& body : world.bodies()) {
      bodies.push_back({body.name(), body.surface(), body.mesh()});
    }
    for (const SceneProp& prop : props) bodies.push_back({prop.name, prop.surface, {}});
    return bodies;
  }

  std::vector<SceneProp> props_;
  std::vector<std::unique_ptr<AnimationWriter>> writers_;
  Report report_;
};

void check_outputs(const SimulateArguments& options) {
  for (const auto& path : options.outputs) {
    if (!is_animation_format(path)) {
      throw Error("unknown animation format", path.string(),
                  "end the name in .glb, .mdd, .pc2, .pvd, .usda or .npz");
    }
  }
}

/// What the mesher says about bodies that were filled.
void tell_warnings(const SceneWorld& world) {
  for (const SceneBody& body : world.bodies()) {
    for (const std::string& warning : body.source().warnings) {
      warn("{}: {}", body.name(), warning);
    }
  }
}

/// One line a body, however many steps there were.
void tell_unconverged(const SceneWorld& world) {
  const long long steps = std::llround(world.time() / world.time_step());
  for (const SceneBody& body : world.bodies()) {
    const WorldBody& state = body.in_world();
    if (state.unconverged_steps == 0) continue;
    fmt::print(
        "{}: {} of {} steps did not converge, worst residual {:.2g}; a smaller time step "
        "may help\n",
        body.name(), state.unconverged_steps, steps, state.worst_residual);
  }
}

void tell_budget(const World& world) {
  const DetailBudget& budget = world.budget();
  const DetailStatus& status = world.detail_status();
  if (budget.microseconds == 0 || status.steps == 0) return;
  const auto steps = static_cast<double>(status.steps);
  fmt::print(
      "budget of {:g} us a step: {:.4g} us on average, {:.4g} at most, {} of {} steps longer; the "
      "model says {:.4g}\n",
      budget.microseconds, status.measured_sum / steps, status.worst_measured, status.exceeded,
      status.steps, status.estimated_sum / steps);
  if (status.refused > 0) {
    warn(
        "{} of {} steps cost more than the budget even with the least detail, by the model: give "
        "more microseconds, or fewer bodies",
        status.refused, status.steps);
  }
  if (status.fixed > 0) {
    fmt::print("{} of {} awake bodies have no cheaper version of themselves at the end\n",
               status.fixed, status.fixed + status.choosing);
  }
}

void simulate(const SimulateArguments& options, const Progress& progress) {
  check_outputs(options);
  const SceneDescription scene = read_scene(options.scene);
  std::vector<std::filesystem::path> outputs = options.outputs;
  if (!options.report.empty()) outputs.push_back(options.report);
  OutputUnit unit(outputs, files_of(scene, options.scene));
  WorkSeconds seconds;
  std::unique_ptr<SceneWorld> world;
  timed(seconds.setup, [&] { world = std::make_unique<SceneWorld>(scene, progress); });
  tell_warnings(*world);
  Audience audience(*world, options);
  if (options.settle) timed(seconds.dynamics, [&] { world->settle(); });
  timed(seconds.deform, [&] { audience.show(*world); });
  const int frames = options.settle       ? 1
                     : options.frames > 0 ? options.frames
                                          : world->frame_count();
  for (int frame = 1; frame < frames; ++frame) {
    timed(seconds.dynamics, [&] {
      for (int step = 0; step < world->steps_per_frame(); ++step) world->step();
    });
    timed(seconds.deform, [&] { audience.show(*world); });
    report(progress, "simulate", frame / (frames - 1.0));
  }
  for (const SceneBody& body : world->bodies()) {
    seconds.constraints += body.dynamics().handles().seconds();
    if (const auto* local = dynamic_cast<const GlobalLocalBody*>(&body.dynamics()))
      seconds.local += local->local_seconds();
  }
  seconds.detection = world->world().contacts().seconds().detection;
  seconds.contact = world->world().contacts().seconds().solve;
  const std::vector<std::filesystem::path> files = audience.finish(options, seconds, progress);
  unit.commit();
  for (const auto& file : files) fmt::print("wrote {}\n", file.string());
  fmt::print("{} frames, {:.3g} s of scene time; setup {:.3g} s, steps {:.3g} s, frames {:.3g} s\n",
             frames, world->time(), seconds.setup, seconds.dynamics, seconds.deform);
  tell_unconverged(*world);
  tell_budget(world->world());
}

}  // namespace

void add_simulate(CLI::App& app, const Session& session) {
  CLI::App& command =
      add_command(app, "simulate", "Run a scene, or find its rest with --settle",
                  "limber simulate scenes/bar.json -o bar.glb -o bar.mdd --report bar.report.json");
  auto options = std::make_shared<SimulateArguments>();
  command.add_option("SCENE", options->scene, "Scene file")->required();
  command
      .add_option("-o,--output", options->outputs,
                  "Animation to write: .glb .mdd .pc2 .pvd .usda .npz; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--report", options->report, "Numbers of every frame, JSON");
  command.add_option("--frames", options->frames, "Stop after so many, the first included")
      ->check(CLI::PositiveNumber);
  command.add_flag("--settle", options->settle,
                   "Find the equilibrium under the loads of time 0 instead");
  add_exact(command, options->exact);
  command.callback([options, &session] { simulate(*options, session.progress()); });
}

}  // namespace limber
