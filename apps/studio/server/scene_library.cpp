#include "server/scene_library.h"

#include <fmt/format.h>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/read_mesh.h"
#include "server/project.h"
#include "server/samples.h"
#include "server/temporary_folder.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

using nlohmann::json;

/// The studio's own pace; pictures come as often.
constexpr double kTimeStep = 1.0 / 60;
constexpr int kModes = 30;

json read_json(const std::filesystem::path& path) {
  const FileBytes file(path);
  json document = json::parse(file.text(), nullptr, false);
  if (!document.is_object()) {
    throw Error("this is no scene", path.filename().string(), "a scene file is one JSON object");
  }
  return document;
}

/// Two digits are enough for a first guess.
double rounded(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return unit * std::round(value / unit);
}

/// A mesh without a word about material: it stands on its lowest part, and is soft enough to sag
/// by some percent of its height under its own weight whatever its size.
json standing_body(const std::string& name, const Positions& vertices) {
  const Vec3 low = vertices.colwise().minCoeff(), high = vertices.colwise().maxCoeff();
  const double height = high.y() - low.y(), size = (high - low).norm();
  constexpr double kDensity = 1000, kGravity = 9.81, kSoftness = 1.0 / 40;
  return {{"name", name},
          {"material",
           {{"young", rounded(kDensity * kGravity * size / kSoftness)},
            {"poisson", 0.4},
            {"density", kDensity}}},
          {"fixed", {fmt::format("y<={:.9g}", low.y() + 0.04 * height)}},
          {"damping", {{"mass", 0.3}, {"stiffness", 0.005}}},
          {"modes", kModes}};
}

json scene_with(json body) {
  return {{"limber", 1}, {"time_step", kTimeStep}, {"bodies", json::array({std::move(body)})}};
}

/// Where a scene of somebody else's must not reach: out of its own folder.
void require_inside(const std::filesystem::path& named, const std::filesystem::path& folder,
                    const std::string& scene) {
  if (named.empty()) return;
  const auto inside = std::filesystem::weakly_canonical(named).lexically_relative(
      std::filesystem::weakly_canonical(folder));
  const bool leaves = inside.empty() || inside.is_absolute() || *inside.begin() == "..";
  if (!leaves && std::filesystem::is_regular_file(named)) return;
  throw Error(fmt::format("the scene names {}, which was not uploaded with it",
                          named.lexically_relative(folder).string()),
              scene, "start the studio with the scene's path");
}

void require_own_files(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  const std::string name = path.filename().string();
  const SceneDescription scene = parse_scene(read_json(path).dump(), folder, name);
  for (const BodyDescription& body : scene.bodies) {
    for (const auto* file : {&body.mesh, &body.baked, &body.surface}) {
      require_inside(*file, folder, name);
    }
  }
  for (const ObstacleDescription& obstacle : scene.obstacles) {
    require_inside(obstacle.surface, folder, name);
  }
}

/// A body on thin legs is made stiffer until it neither sags nor leans by more (studio_body.h).
constexpr double kMostSag = 0.025;
constexpr double kMostLean = 0.05;

std::unique_ptr<Simulation> standing_firmly(std::unique_ptr<WorldSimulation> simulation,
                                            const Progress& progress) {
  std::unique_ptr<Simulation> result = std::move(simulation);
  const std::vector<BodyState> bodies = result->bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const StudioBody& body = static_cast<const WorldSimulation&>(*result).body(i);
    const Vec3 gravity = result->gravity();
    const double factor =
        std::max(linear_sag(body, gravity) / kMostSag, lean(body, gravity) / kMostLean);
    if (!(factor > 1)) continue;
    Change::BodyChange stiffer;
    stiffer.body = static_cast<int>(i);
    stiffer.young = rounded(bodies[i].young * factor);
    result = result->rebuild({stiffer, {}, {}})(progress);
  }
  return result;
}

json scene_of_mesh(const std::filesystem::path& path) {
  const bool tets = is_tet_format(path);
  const Positions vertices = tets ? read_tet_mesh(path).V : read_surface(path).V;
  json body = standing_body(path.stem().string(), vertices);
  body[tets ? "mesh" : "surface"] = path.filename().string();
  return scene_with(std::move(body));
}

/// Of a scene, a baked body, a tet mesh or a surface.
json document_of(const std::filesystem::path& path) {
  if (path.extension() == ".json") return read_json(path);
  if (path.extension() != ".limber") return scene_of_mesh(path);
  return scene_with({{"name", path.stem().string()},
                     {"body", path.filename().string()},
                     {"damping", {{"mass", 0.3}, {"stiffness", 0.005}}}});
}

}  // namespace

std::unique_ptr<Simulation> SceneLibrary::open_project(const std::filesystem::path& path,
                                                       const Progress& progress) const {
  const std::string name = path.filename().string();
  Project project = read_project(FileBytes(path).text(), name);
  const auto folder = std::make_shared<TemporaryFolder>();
  for (const ArchiveEntry& file : project.files) {
    const std::filesystem::path place = folder->path() / file.name;
    std::filesystem::create_directories(place.parent_path());
    write_file(place, file.bytes);
  }
  const std::filesystem::path scene = folder->path() / "scene.json";
  write_file(scene, project.scene);
  require_own_files(scene);
  auto simulation = std::make_unique<WorldSimulation>(project.title, json::parse(project.scene),
                                                      folder->path(), progress);
  simulation->keep(folder);
  std::unique_ptr<Simulation> opened = std::move(simulation);
  if (!project.session.lanes.empty() && project.session.lanes != opened->lanes()) {
    opened = opened->rebuild({{}, project.session.lanes, {}})(progress);
  }
  static_cast<WorldSimulation&>(*opened).set_saved_session(std::move(project.session));
  return opened;
}

std::vector<Sample> SceneLibrary::samples() const {
  std::vector<Sample> list;
  for (const SampleScene& scene : sample_scenes()) {
    list.push_back({scene.name, scene.title, scene.text});
  }
  return list;
}

std::unique_ptr<Simulation> SceneLibrary::open_sample(const std::string& name,
                                                      const Progress& progress) {
  for (const SampleScene& scene : sample_scenes()) {
    if (scene.name != name) continue;
    return std::make_unique<WorldSimulation>(scene.title, json::parse(scene.scene), ".", progress);
  }
  throw Error("there is no such sample", name, "choose one of the gallery");
}

SceneAddition SceneLibrary::add_sample(const std::string& name) {
  for (const SampleScene& scene : sample_scenes()) {
    if (scene.name == name) return {scene.scene, ".", nullptr};
  }
  throw Error("there is no such sample", name, "choose one of the gallery");
}

SceneAddition SceneLibrary::add_upload(const std::filesystem::path& path) {
  if (path.extension() == kProjectEnding) {
    throw Error("a project is opened, not added", path.filename().string(), "use Open");
  }
  if (path.extension() == ".json") require_own_files(path);
  return {document_of(path).dump(), path.parent_path(), nullptr};
}

std::unique_ptr<Simulation> SceneLibrary::open_file(const std::filesystem::path& path,
                                                    const Progress& progress) {
  const std::string ending = path.extension().string();
  if (ending == kProjectEnding) return open_project(path, progress);
  const bool bare_mesh = ending != ".json" && ending != ".limber";
  auto simulation = std::make_unique<WorldSimulation>(path.filename().string(), document_of(path),
                                                      path.parent_path(), progress);
  if (bare_mesh) return standing_firmly(std::move(simulation), progress);
  return simulation;
}

std::unique_ptr<Simulation> SceneLibrary::open_upload(const std::filesystem::path& path,
                                                      const Progress& progress) {
  if (path.extension() == ".json") require_own_files(path);
  return open_file(path, progress);
}

}  // namespace limber::studio
