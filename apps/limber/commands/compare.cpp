// limber compare: one scene by several methods, measured against one of them.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands/commands.h"
#include "limber/compare/write_comparison.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "picture_options.h"
#include "scene_files.h"

namespace limber {

namespace {

struct CompareArguments {
  std::filesystem::path scene;
  std::filesystem::path folder;
  std::string methods = "linear-modal,modal-warping";
  std::string truth = "neo-hookean";
  bool rest_only = false;
  bool motion_only = false;
  bool no_pictures = false;
  bool apart = false;
  int frames = 0;
  PictureOptions picture;
};

/// The methods asked for with the truth among them.
std::vector<std::string> all_methods(const CompareArguments& options) {
  std::vector<std::string> methods = parse_methods(options.methods, "--methods");
  if (options.truth == "none") return methods;
  const std::vector<std::string> truth = parse_methods(options.truth, "--truth");
  if (truth.size() != 1) throw Error("several truths", "--truth", "name one method, or none");
  if (std::find(methods.begin(), methods.end(), truth[0]) == methods.end()) {
    methods.push_back(truth[0]);
  }
  return methods;
}

/// Made before the work, so that a folder that cannot be written is told at once; taken away again,
/// with the folders around it that were made too, when the work fails and leaves it empty.
class OutputFolder {
 public:
  explicit OutputFolder(const std::filesystem::path& folder) : folder_(folder) {
    namespace fs = std::filesystem;
    std::error_code failed;
    for (fs::path p = fs::absolute(folder).lexically_normal(); !fs::exists(p, failed);) {
      made_.push_back(p);
      if (p == p.parent_path()) break;
      p = p.parent_path();
    }
    fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder)) refuse("the folder cannot be made");
    if (access(folder.c_str(), W_OK | X_OK) != 0) refuse("the folder cannot be written");
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() { remove_empty(); }

 private:
  [[noreturn]] void refuse(const std::string& what) {
    remove_empty();
    throw Error(what, folder_.string(), "name another with -o");
  }

  /// Folders that hold something stay: remove() takes empty ones only.
  void remove_empty() {
    std::error_code ignored;
    for (const std::filesystem::path& made : made_) std::filesystem::remove(made, ignored);
  }

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // the innermost first
};

void compare(const CompareArguments& options, const Progress& progress) {
  const std::vector<std::string> methods = all_methods(options);
  const RenderOptions render = options.picture.checked();
  const SceneDescription scene = read_scene(options.scene);
  ComparisonPage page;
  page.scene = options.scene.stem().string();
  page.truth = options.truth == "none" ? "" : options.truth;
  const OutputFolder output(options.folder);
  OutputUnit unit({}, files_of(scene, options.scene));
  const CompareOptions work{!options.motion_only, !options.rest_only, options.frames};
  for (const std::string& method : methods) {
    page.runs.push_back(run_method(scene, method, work, progress));
  }
  const auto truth = std::find_if(page.runs.begin(), page.runs.end(),
                                  [&](const MethodRun& run) { return run.method == page.truth; });
  page.summaries = summarise(page.runs, truth == page.runs.end() ? nullptr : &*truth);

  write_file(options.folder / "comparison.json", comparison_json(page));
  write_file(options.folder / "summary.csv", summary_csv(page));
  if (work.motion) write_file(options.folder / "frames.csv", frames_csv(page));
  std::vector<std::string> images;
  if (!options.no_pictures) {
    images = write_pictures(page, options.folder, render, options.apart, progress);
  }
  for (const std::string& chart : write_charts(page, options.folder)) images.push_back(chart);
  write_file(options.folder / "README.md", comparison_page(page, images));
  unit.commit();
  fmt::print("{}wrote {}\n", summary_text(page), options.folder.string());
}

}  // namespace

void add_compare(CLI::App& app, const Session& session) {
  CLI::App& command = add_command(
      app, "compare", "The same scene by several methods: errors, volumes, energy, paths, times",
      "limber compare scenes/bar.json --methods linear-modal,modal-warping -o bar-compared\n"
      "  limber compare scenes/bar.json --methods linear-modal --truth modal-warping --rest-only "
      "-o rest");
  auto options = std::make_shared<CompareArguments>();
  command.add_option("SCENE", options->scene, "Scene file")->required();
  command.add_option("-o,--output", options->folder, "Folder for tables, charts and pictures")
      ->required();
  command.add_option("--methods", options->methods, "a,b,…")->capture_default_str();
  command.add_option("--truth", options->truth, "The method that errors are against, or none")
      ->capture_default_str();
  CLI::Option* const rest =
      command.add_flag("--rest-only", options->rest_only, "Only the equilibrium");
  command.add_flag("--motion-only", options->motion_only, "Only the motion")->excludes(rest);
  command.add_option("--frames", options->frames, "Stop after so many, the first included")
      ->check(CLI::PositiveNumber);
  command.add_flag("--no-pictures", options->no_pictures, "Charts only, no rendered shapes");
  command.add_flag("--apart", options->apart, "Shapes side by side, not overlaid");
  options->picture.add_to(command);
  command.callback([options, &session] { compare(*options, session.progress()); });
}

}  // namespace limber
