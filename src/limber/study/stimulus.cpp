#include "limber/study/stimulus.h"

#include <fmt/format.h>

#include <cmath>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/study/random.h"

namespace limber::study {

namespace {

double read_angle(const JsonReader& json) {
  const double angle = json.number();
  if (std::abs(angle) > 3600) json.refuse("more than ten turns", "write degrees");
  return angle;
}

CameraPath read_camera(const JsonReader& json) {
  json.only({"eye", "target", "field_of_view", "orbit"});
  CameraPath camera;
  json.optional("target", [&](const JsonReader& v) { camera.target = v.vector3(); });
  json.optional("field_of_view", [&](const JsonReader& v) {
    camera.field_of_view = v.positive();
    if (camera.field_of_view >= 170) v.refuse("too wide", "take less than 170 degrees");
  });
  if (json.has("eye") && json.has("orbit")) {
    json.refuse("the camera has a place and a way", "leave one of them out");
  }
  json.optional("eye", [&](const JsonReader& v) { camera.eye = v.vector3(); });
  json.optional("orbit", [&](const JsonReader& orbit) {
    orbit.only({"radii", "height", "from", "to", "period", "back_and_forth"});
    camera.orbit = true;
    const auto radii = orbit.at("radii").elements();
    if (radii.size() != 2) orbit.at("radii").refuse("an ellipse has two radii", "write [x, z]");
    camera.radius_x = radii[0].positive();
    camera.radius_z = radii[1].positive();
    camera.height = orbit.at("height").number();
    camera.period = orbit.at("period").positive();
    orbit.optional("from", [&](const JsonReader& v) { camera.from = read_angle(v); });
    camera.to = camera.from + 360;
    orbit.optional("to", [&](const JsonReader& v) { camera.to = read_angle(v); });
    orbit.optional("back_and_forth",
                   [&](const JsonReader& v) { camera.back_and_forth = v.boolean(); });
  });
  return camera;
}

HandSpring read_hand(const JsonReader& json) {
  json.only({"stiffness", "damping"});
  HandSpring hand;
  json.optional("stiffness", [&](const JsonReader& v) { hand.stiffness = v.positive(); });
  json.optional("damping", [&](const JsonReader& v) { hand.damping = v.not_negative(); });
  return hand;
}

/// As in "pairs: scenario near-soft, model global".
std::string place_of(const Experiment& experiment, const Shown& shown) {
  std::string text = experiment.name + ":";
  const auto add = [&](const std::vector<PlanFactor>& factors, const std::vector<int>& levels) {
    for (std::size_t f = 0; f < factors.size(); ++f) {
      text += fmt::format("{} {} {}", text.back() == ':' ? "" : ",", factors[f].name,
                          factors[f].levels[static_cast<std::size_t>(levels[f])].name);
    }
  };
  add(experiment.conditions, shown.condition);
  add(experiment.compare, shown.compare);
  return text;
}

/// The patches in the order in which they are put on: the experiment's own, conditions, compared.
std::vector<nlohmann::json> patches_of(const Experiment& experiment, const Shown& shown) {
  std::vector<nlohmann::json> patches{experiment.stimulus};
  for (std::size_t f = 0; f < experiment.conditions.size(); ++f) {
    patches.push_back(
        experiment.conditions[f].levels[static_cast<std::size_t>(shown.condition[f])].set);
  }
  for (std::size_t f = 0; f < experiment.compare.size(); ++f) {
    patches.push_back(experiment.compare[f].levels[static_cast<std::size_t>(shown.compare[f])].set);
  }
  return patches;
}

std::filesystem::path scene_path(const Plan& plan, const std::vector<nlohmann::json>& patches,
                                 const std::string& where) {
  std::string name;
  for (const nlohmann::json& patch : patches) {
    if (!patch.contains("scene")) continue;
    if (!patch["scene"].is_string()) {
      throw Error("the scene is no text", where, "write \"scene\": \"FILE.json\"");
    }
    name = patch["scene"].get<std::string>();
  }
  if (name.empty()) throw Error("the stimulus has no scene", where, "add \"scene\": \"FILE.json\"");
  return plan.folder / name;
}

/// Balls of the file make room for those of the cannon.
void load_cannon(nlohmann::json& scene, const nlohmann::json& described, const std::string& where,
                 std::uint64_t seed, Stimulus& stimulus) {
  const Cannon cannon = read_cannon(JsonReader(described, where, "cannon"));
  if (!scene.contains("gravity") || scene["gravity"] != nlohmann::json({0, 0, 0})) {
    throw Error("the cannon shoots straight, but the scene has gravity", where,
                "set \"gravity\": [0, 0, 0] in the scene");
  }
  stimulus.shots = shots_of(cannon, seed);
  stimulus.ball_radius = cannon.radius;
  nlohmann::json obstacles = ball_obstacles(cannon, stimulus.shots);
  if (scene.contains("obstacles") && scene["obstacles"].is_array()) {
    for (const nlohmann::json& obstacle : scene["obstacles"]) {
      if (!obstacle.is_object() || !obstacle.contains("mass")) obstacles.push_back(obstacle);
    }
  }
  scene["obstacles"] = std::move(obstacles);
}

}  // namespace

std::uint64_t shots_seed(const Plan& plan, const Experiment& experiment,
                         const std::vector<int>& condition, int repeat) {
  std::string text = fmt::format("{}/{}", experiment.name, repeat);
  for (const int factor : experiment.shots_vary_with) {
    const auto f = static_cast<std::size_t>(factor);
    text += "/" + experiment.conditions[f].levels[static_cast<std::size_t>(condition[f])].name;
  }
  return mixed_seed(plan.seed, text);
}

Stimulus make_stimulus(const Plan& plan, const Experiment& experiment, const Shown& shown) {
  const std::string where = fmt::format("{}, {}", plan.name, place_of(experiment, shown));
  const std::vector<nlohmann::json> patches = patches_of(experiment, shown);
  const std::filesystem::path path = scene_path(plan, patches, where);
  const FileBytes file(path);
  nlohmann::json scene = parse_json(file.text(), path.string());
  if (!scene.is_object() || !scene.contains("bodies") || !scene["bodies"].is_array() ||
      scene["bodies"].size() != 1) {
    throw Error("a stimulus is a scene of one body", path.string(), "take another scene");
  }
  nlohmann::json whole{{"body", scene["bodies"][0]}};
  for (const nlohmann::json& patch : patches) whole.merge_patch(patch);
  const JsonReader json(whole, where);
  json.only({"scene", "body", "duration", "cannon", "camera", "hand"});

  Stimulus stimulus;
  scene["bodies"][0] = whole["body"];
  if (whole.contains("duration")) scene["duration"] = whole["duration"];
  const std::uint64_t seed = shots_seed(plan, experiment, shown.condition, shown.repeat);
  if (whole.contains("cannon")) load_cannon(scene, whole["cannon"], where, seed, stimulus);
  json.optional("camera", [&](const JsonReader& v) { stimulus.camera = read_camera(v); });
  json.optional("hand", [&](const JsonReader& v) {
    if (experiment.kind != ExperimentKind::play_pairs) {
      v.refuse("nobody pulls in a film", "leave \"hand\" out");
    }
    stimulus.hand = read_hand(v);
  });
  try {
    stimulus.scene = parse_scene(scene.dump(), path.parent_path(), path.string());
  } catch (const Error& error) {
    throw error.in(where);
  }
  if (stimulus.scene.duration > 600)
    throw Error("longer than ten minutes", where, "make it shorter");
  whole["shots"] = seed;
  whole["everything"] = scene;
  stimulus.identity =
      fmt::format("{:016x}{:016x}", mixed_seed(1, whole.dump()), mixed_seed(2, whole.dump()));
  return stimulus;
}

}  // namespace limber::study
