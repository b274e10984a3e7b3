#include "server/scene_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "server/fields.h"

namespace limber::studio {

namespace {

// Between bodies that are put beside each other, in parts of their widths.
constexpr double kGap = 0.15;
// Above the ground, so that people see it fall: in parts of its height.
constexpr double kDrop = 0.1;
// Of a new obstacle, in parts of the scene's largest edge.
constexpr double kObstacle = 0.3;

json& list(json& scene, const char* key) {
  if (!scene.contains(key)) scene[key] = json::array();
  return scene[key];
}

json& element(json& scene, const char* key, std::size_t number) {
  json& all = list(scene, key);
  if (number >= all.size()) {
    throw Error(fmt::format("there is no {} of the {}", number, key), "scene", "reload the page");
  }
  return all[number];
}

json& obstacle_of(json& scene, int number) {
  return element(scene, "obstacles", static_cast<std::size_t>(number));
}

std::size_t entry_of(const SceneSurvey& survey, int body) {
  if (body < 0 || static_cast<std::size_t>(body) >= survey.entries.size()) {
    throw Error(fmt::format("body {} does not exist", body), "scene", "reload the page");
  }
  return survey.entries[static_cast<std::size_t>(body)];
}

Vec3 position_of(const json& thing) {
  const auto found = thing.find("position");
  if (found == thing.end() || !found->is_array() || found->size() != 3) return Vec3::Zero();
  return {(*found)[0].get<double>(), (*found)[1].get<double>(), (*found)[2].get<double>()};
}

/// The scene's own names for those that have none: "body0", "obstacle1".
std::string name_in(const json& scene, const char* key, const char* kind, std::size_t number) {
  return scene.at(key).at(number).value("name", fmt::format("{}{}", kind, number));
}

/// Nothing may speak of a thing that is gone: joints and lists of those who pass through it.
void forget(json& scene, const std::string& name) {
  if (scene.contains("joints")) {
    json kept = json::array();
    for (const json& joint : scene["joints"]) {
      const json& bodies = joint.at("bodies");
      if (std::find(bodies.begin(), bodies.end(), json(name)) == bodies.end()) {
        kept.push_back(joint);
      }
    }
    scene["joints"] = std::move(kept);
  }
  for (const char* key : {"bodies", "obstacles"}) {
    if (!scene.contains(key)) continue;
    for (json& thing : scene[key]) {
      if (!thing.contains("collides") || !thing["collides"].is_array()) continue;
      json kept = json::array();
      for (const json& other : thing["collides"]) {
        if (other != name) kept.push_back(other);
      }
      thing["collides"] = std::move(kept);
    }
  }
}

void erase(json& scene, const char* key, std::size_t number) {
  json& all = list(scene, key);
  all.erase(all.begin() + static_cast<json::difference_type>(number));
}

}  // namespace

SceneBox box_around(const std::vector<SceneBox>& boxes) {
  if (boxes.empty()) return {};
  SceneBox box = boxes.front();
  for (const SceneBox& other : boxes) {
    box.low = box.low.cwiseMin(other.low);
    box.high = box.high.cwiseMax(other.high);
  }
  return box;
}

std::string free_name(const json& scene, const std::string& wanted) {
  std::set<std::string> taken{"ground"};
  const auto take = [&](const char* key, const char* kind) {
    if (!scene.contains(key)) return;
    for (std::size_t k = 0; k < scene[key].size(); ++k) taken.insert(name_in(scene, key, kind, k));
  };
  take("bodies", "body");
  take("obstacles", "obstacle");
  // "ball 2" is followed by "ball 3", not by "ball 2 2".
  std::string stem = wanted;
  const std::size_t space = stem.find_last_of(' ');
  if (space != std::string::npos && space + 1 < stem.size() &&
      stem.find_first_not_of("0123456789", space + 1) == std::string::npos) {
    stem.resize(space);
  }
  std::string name = taken.contains(wanted) ? stem : wanted;
  for (int number = 2; taken.contains(name); ++number) name = fmt::format("{} {}", stem, number);
  return name;
}

double ground_height(const json& scene, const SceneBox& around) {
  const auto ground = scene.find("ground");
  if (ground == scene.end() || !ground->is_object()) return around.low.y();
  return ground->value("offset", 0.0);
}

Vec3 way_beside(const json& scene, const SceneBox& around, const SceneBox& own) {
  const Vec3 size = own.size();
  const Vec3 low(around.high.x() + kGap * size.x(), ground_height(scene, around) + kDrop * size.y(),
                 around.middle().z() - 0.5 * size.z());
  return low - own.low;
}

SceneEdit duplicate_body(int body) {
  return [body](json& scene, const SceneSurvey& survey) {
    const std::size_t entry = entry_of(survey, body);
    json copy = element(scene, "bodies", entry);
    copy["name"] = free_name(scene, name_in(scene, "bodies", "body", entry));
    copy.erase("constraints");  // a hand holds one point of one body
    std::vector<SceneBox> pieces;
    for (std::size_t k = 0; k < survey.entries.size(); ++k) {
      if (survey.entries[k] == entry) pieces.push_back(survey.boxes[k]);
    }
    const SceneBox own = box_around(pieces);
    const double x = survey.around().high.x() + kGap * own.size().x() - own.low.x();
    copy["position"] = as_json(Vec3(position_of(copy) + Vec3(x, 0, 0)));
    list(scene, "bodies").push_back(std::move(copy));
  };
}

SceneEdit remove_body(int body) {
  return [body](json& scene, const SceneSurvey& survey) {
    const std::size_t entry = entry_of(survey, body);
    const std::string name = name_in(scene, "bodies", "body", entry);
    if (list(scene, "bodies").size() == 1) {
      throw Error("the last body stays", name, "open another scene instead");
    }
    erase(scene, "bodies", entry);
    forget(scene, name);
  };
}

SceneEdit place_body(int body, const Vec3& position) {
  return [body, position](json& scene, const SceneSurvey& survey) {
    element(scene, "bodies", entry_of(survey, body))["position"] = as_json(position);
  };
}

SceneEdit set_ground(std::optional<double> height) {
  return [height](json& scene, const SceneSurvey& survey) {
    const json before = scene.value("ground", json::object());
    json ground = {{"offset", height.value_or(survey.around().low.y())}};
    ground["friction"] = before.value("friction", 0.5);
    if (before.contains("restitution")) ground["restitution"] = before["restitution"];
    scene["ground"] = std::move(ground);
  };
}

SceneEdit remove_ground() {
  return [](json& scene, const SceneSurvey&) {
    scene.erase("ground");
    forget(scene, "ground");
  };
}

SceneEdit add_obstacle(const std::string& shape, std::optional<double> mass) {
  return [shape, mass](json& scene, const SceneSurvey& survey) {
    const SceneBox around = survey.around();
    // Two digits, as people would type it.
    const double raw = std::max(kObstacle * around.size().maxCoeff(), 1e-6);
    const double unit = std::pow(10.0, std::floor(std::log10(raw)) - 1);
    const double size = unit * std::round(raw / unit);
    const Vec3 over(around.middle().x(), around.high.y() + 0.75 * size, around.middle().z());
    json obstacle{{"name", free_name(scene, shape)}, {"shape", shape}, {"position", as_json(over)}};
    if (shape == "sphere") {
      obstacle["size"] = {0.5 * size};
    } else if (shape == "capsule") {
      obstacle["size"] = {0.25 * size, 0.5 * size};
    } else if (shape == "box") {
      obstacle["size"] = {size, size, size};
    } else {  // a plane, under everything
      const double ground = ground_height(scene, around);
      obstacle["position"] = as_json(Vec3(around.middle().x(), ground, around.middle().z()));
    }
    if (mass) obstacle["mass"] = *mass;
    list(scene, "obstacles").push_back(std::move(obstacle));
  };
}

SceneEdit place_obstacle(int obstacle, const Vec3& position) {
  return [obstacle, position](json& scene, const SceneSurvey&) {
    json& thing = obstacle_of(scene, obstacle);
    if (thing.contains("path")) {
      throw Error("the obstacle follows a path", thing.value("name", "obstacle"),
                  "edit the scene's file");
    }
    thing["position"] = as_json(position);
  };
}

SceneEdit size_obstacle(int obstacle, const std::vector<double>& size) {
  return [obstacle, size](json& scene, const SceneSurvey&) {
    obstacle_of(scene, obstacle)["size"] = size;  // the scene's parser counts them
  };
}

SceneEdit duplicate_obstacle(int obstacle) {
  return [obstacle](json& scene, const SceneSurvey& survey) {
    json copy = obstacle_of(scene, obstacle);
    copy["name"] = free_name(scene, copy.value("name", "obstacle"));
    if (!copy.contains("path")) {
      const double step = kObstacle * survey.around().size().maxCoeff();
      copy["position"] = as_json(Vec3(position_of(copy) + Vec3(1.2 * step, 0, 0)));
    }
    list(scene, "obstacles").push_back(std::move(copy));
  };
}

SceneEdit remove_obstacle(int obstacle) {
  return [obstacle](json& scene, const SceneSurvey&) {
    (void)obstacle_of(scene, obstacle);
    const auto number = static_cast<std::size_t>(obstacle);
    const std::string name = name_in(scene, "obstacles", "obstacle", number);
    erase(scene, "obstacles", number);
    forget(scene, name);
  };
}

}  // namespace limber::studio
