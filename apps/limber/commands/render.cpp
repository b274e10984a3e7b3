// limber render: a scene at a time as a picture, or all of it as a film.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <numbers>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/render/film.h"
#include "limber/render/show.h"
#include "picture_options.h"
#include "scene_files.h"

namespace limber {

namespace {

struct RenderArguments {
  std::filesystem::path scene;
  std::filesystem::path output;
  double time = 0;
  bool settle = false;
  std::string methods;
  std::string camera;
  std::string frame = "motion";
  std::string colour = "plain";
  bool apart = false;
  bool rest = false;
  bool edges = false;
  bool no_labels = false;
  PictureOptions picture;
};

/// What is the same in every picture of a film.
struct Setting {
  Camera camera;
  Floor ground;
  Cast::Look look;
  Labels labels;
  RenderOptions render;
};

Paint parse_paint(const std::string& name) {
  if (name == "displacement") return Paint::displacement;
  return name == "volume" ? Paint::volume : Paint::plain;
}

Camera choose_camera(const RenderArguments& options, View view, const Positions& points,
                     const Setting& setting) {
  const int width = setting.render.width, height = setting.render.height;
  if (options.camera.empty()) {
    return frame_clear_of_labels(points, view, width, height, setting.labels);
  }
  const std::vector<double> numbers = parse_numbers(options.camera, "--camera");
  if (numbers.size() == 6) {
    return look_at({numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]},
                   view.up, static_cast<double>(width) / height);
  }
  if (numbers.size() != 2 && numbers.size() != 3) {
    throw Error(fmt::format("{} numbers", numbers.size()), "--camera",
                "give azimuth,elevation[,zoom] or the six of eye and target");
  }
  view.azimuth = numbers[0] * std::numbers::pi / 180;
  view.elevation = numbers[1] * std::numbers::pi / 180;
  if (numbers.size() == 3) view.zoom = numbers[2];
  if (!(view.zoom >= 0.05 && view.zoom <= 20)) {
    throw Error(fmt::format("a zoom of {}", view.zoom), "--camera", "give one from 0.05 to 20");
  }
  return frame_clear_of_labels(points, view, width, height, setting.labels);
}

Setting make_setting(const RenderArguments& options, const SceneDescription& scene,
                     const Show& show, const MotionExtent& extent, double most) {
  Setting setting;
  setting.render = options.picture.checked();
  setting.ground = floor_of(scene, extent);
  setting.look = {parse_paint(options.colour), most, options.edges, options.rest};
  if (!options.no_labels) {
    if (setting.look.paint == Paint::plain) setting.labels.legend = show.legend();
    setting.labels.paint = setting.look.paint;
    setting.labels.most = most;
  }
  setting.camera = choose_camera(options, show.natural_view(extent), extent.points(), setting);
  return setting;
}

Image take(const Show& show, const Moment& moment, const Setting& setting,
           const Progress& progress) {
  const Image image = render(show.shapes(moment, setting.look), setting.camera, setting.ground,
                             setting.render, progress);
  return draw_labels(image, setting.labels);
}

/// Wrong words are refused before the scene is simulated.
void check_options(const RenderArguments& options, const SceneDescription& scene) {
  (void)options.picture.checked();
  if (!is_film(options.output) && options.output.extension() != ".png") {
    throw Error("unknown kind of picture", options.output.string(),
                "end the name in .png, or .mp4 .webm .mkv .mov .gif for a film");
  }
  if (!(options.time >= 0)) {
    throw Error(fmt::format("time {} s is before the start", options.time), "--time",
                "give a time from 0 on");
  }
  // Half a step of rounding is forgiven.
  if (options.time > scene.duration + 0.5 * scene.time_step) {
    throw Error(fmt::format("time {} s is beyond the scene's {} s", options.time, scene.duration),
                "--time", "give an earlier time or a longer duration");
  }
}

void take_film(const RenderArguments& options, const SceneDescription& scene, Show& show,
               OutputUnit& unit, const Progress& progress) {
  Film film(options.output, show.frame_rate());
  const std::vector<Moment> moments = show.all_frames(progress);
  const Setting setting = make_setting(options, scene, show, show.extent(), largest_value(moments));
  for (std::size_t k = 0; k < moments.size(); ++k) {
    film.add(take(show, moments[k], setting, {}));
    report(progress, "render", (k + 1.0) / static_cast<double>(moments.size()));
  }
  film.finish();
  unit.commit();
  fmt::print("wrote {}: {} pictures, {:.3g} s\n", options.output.string(), moments.size(),
             static_cast<double>(moments.size()) / show.frame_rate());
}

void take_picture(const RenderArguments& options, const SceneDescription& scene, Show& show,
                  OutputUnit& unit, const Progress& progress) {
  const bool whole_motion = options.frame == "motion" && !options.settle;
  const Moment moment =
      options.settle
          ? show.settled()
          : show.moment_at(options.time, whole_motion ? scene.duration : options.time, progress);
  const MotionExtent extent = whole_motion ? show.extent() : extent_of(moment);
  const Setting setting = make_setting(options, scene, show, extent, largest_value({moment}));
  write_file(options.output, encode_png(take(show, moment, setting, progress)));
  unit.commit();
  fmt::print("wrote {}\n", options.output.string());
}

void render_scene(const RenderArguments& options, const Progress& progress) {
  const SceneDescription scene = read_scene(options.scene);
  check_options(options, scene);
  const std::filesystem::path folder = options.output.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error("there is no such folder", options.output.string(),
                "make the folder first, or give another name");
  }
  OutputUnit unit({options.output}, files_of(scene, options.scene));
  const std::vector<std::string> methods = options.methods.empty()
                                               ? std::vector<std::string>{}
                                               : parse_methods(options.methods, "--methods");
  Show show(scene, methods, parse_paint(options.colour), progress);
  if (options.apart) show.set_apart();
  if (is_film(options.output)) {
    take_film(options, scene, show, unit, progress);
  } else {
    take_picture(options, scene, show, unit, progress);
  }
}

}  // namespace

void add_render(CLI::App& app, const Session& session) {
  CLI::App& command = add_command(
      app, "render", "A picture of a scene, or a film of it; needs no display",
      "limber render scenes/bar.json --time 0.4 -o bar.png\n"
      "  limber render scenes/bar.json --methods linear-modal,modal-warping --settle -o both.png\n"
      "  limber render scenes/shaken.json --size 640x360 --samples 16 -o shaken.mp4");
  auto options = std::make_shared<RenderArguments>();
  command.add_option("SCENE", options->scene, "Scene file")->required();
  command.add_option("-o,--output", options->output, "Picture (.png) or film (.mp4 .webm .gif …)")
      ->required();
  command.add_option("--time", options->time, "When, s")->capture_default_str();
  command.add_flag("--settle", options->settle, "At rest under the loads of time 0 instead");
  command.add_option("--methods", options->methods,
                     "The same scene by several methods, each in its colour: a,b,…");
  command.add_flag("--apart", options->apart, "These methods side by side, not overlaid");
  command.add_option("--camera", options->camera,
                     "azimuth,elevation[,zoom] in degrees, or eye x,y,z,target x,y,z [chosen]");
  command.add_option("--frame", options->frame, "What must fit: the whole motion, or this moment")
      ->check(CLI::IsMember({"motion", "moment"}))
      ->capture_default_str();
  command.add_option("--colour", options->colour, "What colours tell")
      ->check(CLI::IsMember({"plain", "displacement", "volume"}))
      ->capture_default_str();
  command.add_flag("--rest", options->rest, "Also the shape at rest, as a bubble");
  command.add_flag("--edges", options->edges, "Outline the triangles");
  command.add_flag("--no-labels", options->no_labels, "No legend and no colour scale");
  options->picture.add_to(command);
  command.callback([options, &session] { render_scene(*options, session.progress()); });
}

}  // namespace limber
