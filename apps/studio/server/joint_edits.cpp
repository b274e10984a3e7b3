#include "server/joint_edits.h"

#include <fmt/format.h>

#include "server/fields.h"

namespace limber::studio {

namespace {

json& joint_at(json& scene, int number) {
  const auto joints = scene.find("joints");
  if (joints == scene.end() || number < 0 || static_cast<std::size_t>(number) >= joints->size()) {
    throw Error(fmt::format("joint {} does not exist", number), "scene", "reload the page");
  }
  return (*joints)[static_cast<std::size_t>(number)];
}

/// Bodies and obstacles have their names in the document by now; see WorldSimulation::edited().
json name_of_side(const json& scene, const SceneSurvey& survey, const JointSide& side) {
  if (side.obstacle) {
    const auto number = static_cast<std::size_t>(*side.obstacle);
    if (!scene.contains("obstacles") || number >= scene["obstacles"].size()) {
      throw Error(fmt::format("obstacle {} does not exist", number), "scene", "reload the page");
    }
    return scene["obstacles"][number].at("name");
  }
  if (!side.body) return nullptr;
  const auto number = static_cast<std::size_t>(*side.body);
  if (number >= survey.entries.size()) {
    throw Error(fmt::format("body {} does not exist", number), "scene", "reload the page");
  }
  const std::size_t entry = survey.entries[number];
  const json& name = scene["bodies"][entry].at("name");
  if (number > 0 && survey.entries[number - 1] == entry) {
    throw Error("a loose piece of a mesh has no name that joints could use",
                name.get<std::string>(), "join its first piece, or glue the pieces");
  }
  return name;
}

/// A number of zero takes the key away.
void set_number(json& joint, const char* key, const std::optional<double>& value) {
  if (!value) return;
  if (*value == 0) {
    joint.erase(key);
  } else {
    joint[key] = *value;
  }
}

}  // namespace

SceneEdit add_joint(const NewJoint& joint) {
  return [joint](json& scene, const SceneSurvey& survey) {
    json made{{"type", joint.kind}, {"bodies", json::array()}, {"at", as_json(joint.at)}};
    for (const JointSide& side : joint.sides) {
      made["bodies"].push_back(name_of_side(scene, survey, side));
    }
    if (made["bodies"][0] == made["bodies"][1]) {
      throw Error(
          made["bodies"][0].is_null() ? "a joint without a body" : "a joint of a body with itself",
          joint.kind, "take two bodies, or one and an obstacle or the world");
    }
    if (joint.to) made["to"] = as_json(*joint.to);
    if (joint.kind == "hinge" || joint.kind == "slider") made["axis"] = {0, 0, 1};
    if (!scene.contains("joints")) scene["joints"] = json::array();
    scene["joints"].push_back(std::move(made));
  };
}

SceneEdit change_joint(int joint, const JointChange& change) {
  return [joint, change](json& scene, const SceneSurvey&) {
    json& changed = joint_at(scene, joint);
    if (change.at) changed["at"] = as_json(*change.at);
    if (change.to) changed["to"] = as_json(*change.to);
    if (change.axis) changed["axis"] = as_json(*change.axis);
    set_number(changed, "radius", change.radius);
    set_number(changed, "break_force", change.break_force);
    if (change.limits && change.limits->empty()) {
      changed.erase("limits");
    } else if (change.limits) {
      changed["limits"] = *change.limits;  // the scene's parser looks at their order
    }
    if (change.collide) changed["collide"] = *change.collide;
  };
}

SceneEdit remove_joint(int joint) {
  return [joint](json& scene, const SceneSurvey&) {
    (void)joint_at(scene, joint);
    scene["joints"].erase(scene["joints"].begin() + joint);
  };
}

}  // namespace limber::studio
