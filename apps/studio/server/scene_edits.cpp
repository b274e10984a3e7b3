#include "server/scene_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "server/fields.h"

namespace limber::studio {

namespace {

// Between bodies that are put beside each other, in parts of their widths.
constexpr double kGap = 0.15;
// Above the ground, so that people see it fall: in parts of its height.
constexpr double kDrop = 0.1;

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

Vec3 vector_of(const json& thing, const char* key) {
  const auto found = thing.find(key);
  if (found == thing.end() || !found->is_array() || found->size() != 3) return Vec3::Zero();
  return {(*found)[0].get<double>(), (*found)[1].get<double>(), (*found)[2].get<double>()};
}

void remove_joints_of(json& scene, const std::string& name) {
  json kept = json::array();
  for (const json& joint : list(scene, "joints")) {
    const json& bodies = joint.at("bodies");
    if (std::find(bodies.begin(), bodies.end(), json(name)) == bodies.end()) kept.push_back(joint);
  }
  scene["joints"] = kept;
}

std::string name_of_body(json& scene, std::size_t entry) {
  return element(scene, "bodies", entry).at("name").get<std::string>();
}

}  // namespace

std::string free_name(const json& scene, const std::string& wanted) {
  std::set<std::string> taken{"ground"};
  for (const char* key : {"bodies", "obstacles"}) {
    if (!scene.contains(key)) continue;
    for (const json& thing : scene[key]) taken.insert(thing.value("name", ""));
  }
  std::string name = wanted;
  for (int number = 2; taken.count(name) != 0; ++number) {
    name = fmt::format("{} {}", wanted, number);
  }
  return name;
}

void add_body(json& scene, json body, const SceneBox& around, const SceneBox& own) {
  const Vec3 size = own.high - own.low;
  const double ground =
      scene.contains("ground") ? scene["ground"].value("offset", 0.0) : around.low.y();
  const Vec3 low(around.high.x() + kGap * size.x(), ground + kDrop * size.y(),
                 0.5 * (around.low.z() + around.high.z() - size.z()));
  body["name"] = free_name(scene, body.value("name", "body"));
  body.erase("fixed");
  body["position"] = as_json(Vec3(low - own.low));
  list(scene, "bodies").push_back(std::move(body));
}

void duplicate_body(json& scene, std::size_t entry, const SceneBox& around) {
  json copy = element(scene, "bodies", entry);
  const Vec3 place = vector_of(copy, "position");
  copy["name"] = free_name(scene, copy.value("name", "body"));
  copy.erase("constraints");
  const double width = around.high.x() - around.low.x();
  copy["position"] = as_json(Vec3(place + Vec3((1 + kGap) * width, 0, 0)));
  copy.erase("fixed");  // chosen at rest, where the other one stands
  list(scene, "bodies").push_back(std::move(copy));
}

void remove_body(json& scene, std::size_t entry) {
  const std::string name = name_of_body(scene, entry);
  json& bodies = list(scene, "bodies");
  if (bodies.size() == 1) {
    throw Error("the last body stays", name, "open another scene instead");
  }
  bodies.erase(entry);
  remove_joints_of(scene, name);
}

void set_ground(json& scene, std::optional<double> height) {
  scene.erase("ground");
  if (height) scene["ground"] = {{"offset", *height}, {"friction", 0.5}};
}

void add_obstacle(json& scene, const std::string& shape, const Vec3& position, double size,
                  std::optional<double> mass) {
  json obstacle{
      {"name", free_name(scene, shape)}, {"shape", shape}, {"position", as_json(position)}};
  if (shape == "sphere") {
    obstacle["size"] = {0.5 * size};
  } else if (shape == "capsule") {
    obstacle["size"] = {0.25 * size, 0.5 * size};
  } else {
    obstacle["size"] = {size, size, size};
  }
  if (mass) obstacle["mass"] = *mass;
  list(scene, "obstacles").push_back(std::move(obstacle));
}

void move_obstacle(json& scene, std::size_t obstacle, const Vec3& position) {
  json& thing = element(scene, "obstacles", obstacle);
  if (thing.contains("path")) {
    throw Error("the obstacle follows a path", thing.value("name", ""), "edit the scene's file");
  }
  thing["position"] = as_json(position);
}

void remove_obstacle(json& scene, std::size_t obstacle) {
  const std::string name = element(scene, "obstacles", obstacle).value("name", "");
  list(scene, "obstacles").erase(obstacle);
  remove_joints_of(scene, name);
}

void add_joint(json& scene, const std::string& type, std::size_t one,
               std::optional<std::size_t> other, const Vec3& at) {
  json bodies = json::array({name_of_body(scene, one), nullptr});
  if (other) bodies[1] = name_of_body(scene, *other);
  json joint{{"type", type}, {"bodies", bodies}, {"at", as_json(at)}};
  if (type == "hinge") joint["axis"] = {0, 0, 1};
  list(scene, "joints").push_back(std::move(joint));
}

void remove_joint(json& scene, std::size_t joint) {
  (void)element(scene, "joints", joint);
  list(scene, "joints").erase(joint);
}

}  // namespace limber::studio
