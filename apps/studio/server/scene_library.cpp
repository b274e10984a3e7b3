#include "server/scene_library.h"

#include <fmt/format.h>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/read_mesh.h"
#include "server/samples.h"
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

json scene_of_mesh(const std::filesystem::path& path) {
  const bool tets = is_tet_format(path);
  const Positions vertices = tets ? read_tet_mesh(path).V : read_surface(path).V;
  json body = standing_body(path.stem().string(), vertices);
  body[tets ? "mesh" : "surface"] = path.filename().string();
  return scene_with(std::move(body));
}

}  // namespace

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

std::unique_ptr<Simulation> SceneLibrary::open_file(const std::filesystem::path& path,
                                                    const Progress& progress) {
  const std::string ending = path.extension().string();
  json document;
  if (ending == ".json") {
    document = read_json(path);
  } else if (ending == ".limber") {
    document = scene_with({{"name", path.stem().string()},
                           {"body", path.filename().string()},
                           {"damping", {{"mass", 0.3}, {"stiffness", 0.005}}}});
  } else {
    document = scene_of_mesh(path);
  }
  return std::make_unique<WorldSimulation>(path.filename().string(), document, path.parent_path(),
                                           progress);
}

}  // namespace limber::studio
