// limber interpolate: a motion through poses.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/core/stopwatch.h"
#include "limber/export/animation.h"
#include "limber/mesh/gltf/rigged_surface.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "limber/scene/json_writer.h"
#include "messages.h"
#include "motion_options.h"
#include "motion_report.h"
#include "posed_body.h"

namespace limber {

namespace {

constexpr double kDefaultFrameRate = 30;

struct InterpolateArguments {
  PosedBodyOptions body;
  MotionOptions motion;
  std::string times;
  int keys = 5;
  std::vector<std::string> insert;
  std::vector<int> still;
  std::optional<double> gamma;
  std::optional<double> fps;
  double after = 0;
  bool no_check = false;
  bool exact = false;
  std::vector<std::filesystem::path> outputs;
  std::filesystem::path report;
};

void check_outputs(const InterpolateArguments& options) {
  for (const auto& path : options.outputs) {
    if (!is_animation_format(path)) {
      throw Error("unknown animation format", path.string(),
                  "end the name in .glb, .mdd, .pc2, .pvd, .usda or .npz");
    }
  }
}

/// Where a clip is sampled: at --times, or evenly from its first to its last key. Frames come as
/// often as the clip has them unless --fps says otherwise.
std::vector<double> clip_times(InterpolateArguments& options) {
  const PosedBodyOptions& body = options.body;
  if (!body.poses.empty()) {
    throw Error("poses of files and of a clip", "--clip", "leave one of them out");
  }
  const RiggedSurface rig = RiggedSurface::read(body.surface_file());
  const GltfClip& clip = rig.clip(body.clip);
  if (!options.fps && clip.frame_rate > 0) options.fps = clip.frame_rate;
  if (!options.times.empty()) return parse_numbers(options.times, 0, "--times");
  if (!(clip.last > clip.first)) {
    throw Error(fmt::format("clip \"{}\" has one pose only", clip.name), "--clip",
                "name another clip, or give poses as files");
  }
  std::vector<double> times;
  for (int k = 0; k < options.keys; ++k) {
    times.push_back(clip.first + (clip.last - clip.first) * k / (options.keys - 1));
  }
  return times;
}

/// One a second unless said otherwise.
std::vector<double> key_times(InterpolateArguments& options) {
  if (!options.body.clip.empty()) return options.body.clip_times = clip_times(options);
  if (options.body.poses.empty()) {
    throw Error("no poses", "POSE", "name two or more files, or a clip of the surface with --clip");
  }
  if (options.times.empty()) {
    std::vector<double> times;
    for (std::size_t k = 0; k < options.body.poses.size(); ++k) {
      times.push_back(static_cast<double>(k));
    }
    return times;
  }
  const std::vector<double> times = parse_numbers(options.times, 0, "--times");
  if (times.size() != options.body.poses.size()) {
    throw Error(fmt::format("{} times for {} poses", times.size(), options.body.poses.size()),
                "--times", "give one time a pose");
  }
  return times;
}

/// "0.5=pose.msh": a pose to pass at a time.
void parse_inserted(InterpolateArguments& options) {
  for (const std::string& text : options.insert) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos) {
      throw Error(fmt::format("\"{}\" is not TIME=FILE", text), "--insert",
                  "for example 0.5=pose.msh");
    }
    const double time = parse_numbers(text.substr(0, sign), 1, "--insert").front();
    options.body.inserted.emplace_back(time, text.substr(sign + 1));
  }
}

void warn_of_inverted(const PosedBody& body, const ShapeInterpolation& motion) {
  const char* const what = body.tets().tet_count() > 0 ? "tets" : "triangles";
  for (std::size_t k = 0; k < motion.notes().size(); ++k) {
    const PoseNotes& note = motion.notes()[k];
    if (note.inverted > 0) {
      warn("key {} has {} inverted {}", k, note.inverted, what);
    }
  }
}

void interpolate(InterpolateArguments options, const Progress& progress) {
  check_outputs(options);
  parse_inserted(options);
  const std::vector<double> times = key_times(options);
  const double fps = options.fps.value_or(kDefaultFrameRate);
  std::vector<std::filesystem::path> outputs = options.outputs;
  if (!options.report.empty()) outputs.push_back(options.report);
  OutputUnit unit(outputs, options.body.files());
  MotionReport::Seconds seconds;
  Stopwatch clock;
  PosedBody body(options.body, progress);
  seconds.modes = clock.lap();
  body.start(times, options.motion.interpolation(), options.gamma, options.still);
  seconds.setup = clock.lap();
  warn_of_inverted(body, body.motion());
  if (options.after > 0 && body.motion().motion().calm()) {
    fmt::print(stderr,
               "limber: warning: --after {:g}: a calm motion rests at its last pose; "
               "--swing 0.3 lets it swing on\n",
               options.after);
  }

  const std::vector<double> frames = frame_times(times.front(), times.back(), fps, options.after);
  std::vector<std::unique_ptr<AnimationWriter>> writers;
  for (const auto& path : options.outputs) {
    writers.push_back(open_animation(
        path, {{options.body.rest.stem().string(), body.surface(), body.tets()}}, fps));
    writers.back()->allow_error(options.exact ? 0 : kInvisibleError);
  }
  MotionReport motion_report(body, times, !options.no_check);
  PosedBody::Frame frame;
  clock.lap();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    body.evaluate(frames[k], frame);
    seconds.frames += clock.lap();
    const bool tets = body.tets().tet_count() > 0;
    const std::vector<BodyFrame> shown{{frame.surface, tets ? frame.nodes : Positions(), {}}};
    for (const auto& writer : writers) writer->add_frame(frames[k] - frames.front(), shown);
    motion_report.add_frame(frames[k], frame);
    report(progress, "frames", static_cast<double>(k + 1) / static_cast<double>(frames.size()));
    clock.lap();
  }
  if (!options.report.empty()) {
    write_file(options.report, motion_report.json(fps, seconds));
  }
  std::vector<std::filesystem::path> files;
  for (const auto& writer : writers) {
    for (const auto& file : writer->finish(progress)) files.push_back(file);
  }
  unit.commit();
  for (const auto& file : files) fmt::print("wrote {}\n", file.string());
  fmt::print("{} frames, {} modes; modes {:.3g} s, setup {:.3g} s, frames {:.3g} s\n",
             frames.size(), body.modes()->mode_count(), seconds.modes, seconds.setup,
             seconds.frames);
  for (const std::string& line : motion_report.findings()) fmt::print("{}\n", line);
}

void add_body_options(CLI::App& command, PosedBodyOptions& body) {
  command
      .add_option("REST", body.rest,
                  "Rest shape: a tetrahedral mesh, a closed surface that is filled with tets, or "
                  "an open one, a thin shell")
      ->required();
  command.add_option("POSE", body.poses,
                     "Poses of the same mesh, two or more; with --surface, poses of that surface");
  command.add_option("--clip", body.clip,
                     "Poses from a clip of the surface, a rigged .glb or .gltf, by name or number");
  command.add_option("--surface", body.surface,
                     "Surface at rest that the tets carry: the poses and the result are surfaces");
  command
      .add_option("--surface-stiffness", body.surface_stiffness,
                  "How strongly a posed surface pulls at the tets: 1 soft, 1e4 hard")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--modes", body.modes, "How many")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command.add_option("--young", body.material.young, "Young's modulus, Pa")->capture_default_str();
  command.add_option("--poisson", body.material.poisson, "Poisson's ratio")->capture_default_str();
  command.add_option("--density", body.material.density, "Density, kg/m3")->capture_default_str();
  command.add_flag("--shell", body.shell, "Closed surfaces too are thin shells without volume");
  command.add_option("--cells", body.cells, "Of the lattice that fills a closed surface [24]")
      ->check(CLI::Range(1, TetrahedralizeOptions::kMostCells));
  command.add_option("--thickness", body.thickness, "Of a shell, m [size/100]")
      ->check(CLI::PositiveNumber);
  command.add_option("--fix", body.fix, "Nodes clamped in the modes, held along the keys")
      ->type_name("SELECT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--hold", body.hold,
                  "Nodes held along the keys only, such as feet; of posed surfaces also by "
                  "vertices:0,4,17. What hangs together moves as one rigid piece")
      ->type_name("SELECT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace

void add_interpolate(CLI::App& app, const Session& session) {
  CLI::App& command = add_command(
      app, "interpolate", "A living motion through two or more poses",
      "limber interpolate bar.msh bar.msh bent.msh --times 0,1.5 --damping -0.8 -o bar.glb\n"
      "  limber interpolate fox.glb --clip run --keys 6 --swing 0.3 -o run.glb");
  auto options = std::make_shared<InterpolateArguments>();
  add_body_options(command, options->body);
  options->motion.add_to(command);
  command.add_option("--times", options->times, "Of the poses, s [0,1,2...]")->type_name("T,T,...");
  command.add_option("--keys", options->keys, "Poses taken from a clip, evenly over its time")
      ->check(CLI::Range(2, 10000))
      ->capture_default_str();
  command
      .add_option("--insert", options->insert,
                  "A pose that the motion is corrected to pass at a time; may be repeated")
      ->type_name("TIME=FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--still", options->still, "Poses to pass at rest, counted from 0")
      ->type_name("K,K,...")
      ->delimiter(',')
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--gamma", options->gamma,
                  "The poses are a motion already: add vibrations, 0 (none) to 1 (nothing else)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--fps", options->fps, "Frames a second [30; of a clip its own]");
  command
      .add_option("--after", options->after, "Let a swinging motion go on behind the last pose, s")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("-o,--output", options->outputs,
                  "Animation to write: .glb .mdd .pc2 .pvd .usda .npz; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--report", options->report, "Numbers of every frame, JSON");
  command.add_flag("--no-check", options->no_check, "Do not look for self-intersections");
  add_exact(command, options->exact);
  command.callback([options, &session] { interpolate(*options, session.progress()); });
}

}  // namespace limber
