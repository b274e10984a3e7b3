#include "limber/scene/read_motion.h"

#include "limber/scene/handle_paths.h"

namespace limber {

namespace {

constexpr int kMostNodes = 1'000'000'000;
constexpr int kMostHandlesOfBone = 1000;

/// `from` and `to`, in either of which a load may be open.
template <class Load>
void read_window(const JsonReader& json, Load& load) {
  json.optional("from", [&](const JsonReader& from) { load.from = from.number(); });
  json.optional("to", [&](const JsonReader& to) { load.to = to.number(); });
  if (!(load.from < load.to)) json.refuse("\"to\" must lie after \"from\"", "exchange them");
}

GravityLoad read_gravity(const JsonReader& json) {
  GravityLoad gravity;
  if (json.is_array()) {
    gravity.acceleration = json.vector3();
    return gravity;
  }
  json.only({"acceleration", "from", "to"});
  gravity.acceleration = json.at("acceleration").vector3();
  read_window(json, gravity);
  return gravity;
}

std::vector<PathKey> read_path(const JsonReader& json) {
  std::vector<PathKey> keys;
  for (const JsonReader& element : json.elements()) {
    element.only({"time", "target"});
    const PathKey key{element.at("time").number(), element.at("target").vector3()};
    if (!keys.empty() && key.time <= keys.back().time) {
      element.refuse("times must rise from key to key", "sort the keys by time");
    }
    keys.push_back(key);
  }
  if (keys.empty()) json.refuse("the path has no key", "give at least one");
  return keys;
}

}  // namespace

NodeChoice read_node(const JsonReader& json) {
  if (json.is_array()) return json.vector3();
  return json.integer(0, kMostNodes);
}

NodeSelection read_nodes(const JsonReader& json) {
  if (json.is_string()) return json.string();
  if (!json.is_array()) return std::vector<NodeChoice>{read_node(json)};
  std::vector<NodeChoice> nodes;
  for (const JsonReader& node : json.elements()) nodes.push_back(read_node(node));
  if (nodes.empty()) json.refuse("no node is named", "name at least one");
  return nodes;
}

Interpolation read_interpolation(const JsonReader& json) {
  return json.choice({"smooth", "linear"}) == 0 ? Interpolation::smooth : Interpolation::linear;
}

std::vector<GravityLoad> read_gravities(const JsonReader& json) {
  if (!json.is_array() || json.elements().empty() || !json.elements().front().is_object()) {
    return {read_gravity(json)};
  }
  std::vector<GravityLoad> loads;
  for (const JsonReader& load : json.elements()) loads.push_back(read_gravity(load));
  return loads;
}

Eigen::Quaterniond read_quaternion(const JsonReader& json) {
  const std::vector<JsonReader> xyzw = json.elements();
  if (xyzw.size() != 4) json.refuse("a quaternion is four numbers", "write [x, y, z, w]");
  const Eigen::Quaterniond rotation(xyzw[3].number(), xyzw[0].number(), xyzw[1].number(),
                                    xyzw[2].number());
  if (!(rotation.norm() > 0)) json.refuse("the quaternion has no length", "write [0, 0, 0, 1]");
  return rotation.normalized();
}

std::vector<SupportKey> read_support(const JsonReader& json) {
  std::vector<SupportKey> keys;
  for (const JsonReader& element : json.elements()) {
    element.only({"time", "position", "rotation"});
    SupportKey key;
    key.time = element.at("time").number();
    element.optional("position",
                     [&](const JsonReader& position) { key.position = position.vector3(); });
    element.optional("rotation",
                     [&](const JsonReader& rotation) { key.rotation = read_quaternion(rotation); });
    if (!keys.empty() && key.time <= keys.back().time) {
      element.refuse("times must rise from key to key", "sort the keys by time");
    }
    keys.push_back(key);
  }
  if (keys.empty()) json.refuse("the support has no key", "give at least one or leave it out");
  return keys;
}

ConstraintDescription read_constraint(const JsonReader& json) {
  if (json.has("target")) {
    json.refuse("targets stand in the path", R"(write "path": [{"time": 0, "target": [x, y, z]}])");
  }
  json.only(
      {"type", "node", "path", "interpolation", "treatment", "exercised", "stiffness", "damping"});
  ConstraintDescription constraint;
  constexpr HandleKind kKinds[] = {HandleKind::position, HandleKind::orientation,
                                   HandleKind::velocity, HandleKind::acceleration,
                                   HandleKind::spring};
  constexpr Treatment kTreatments[] = {Treatment::previous, Treatment::predicted,
                                       Treatment::newton};
  const std::size_t type =
      json.at("type").choice({"position", "orientation", "velocity", "acceleration", "soft"});
  constraint.kind = kKinds[type];
  const bool soft = constraint.kind == HandleKind::spring;
  constraint.node = read_node(json.at("node"));
  constraint.path = read_path(json.at("path"));
  json.optional("interpolation", [&](const JsonReader& value) {
    constraint.interpolation = read_interpolation(value);
  });
  json.optional("treatment", [&](const JsonReader& value) {
    constraint.treatment = kTreatments[value.choice({"previous", "predicted", "newton"})];
  });
  json.optional("exercised", [&](const JsonReader& nodes) {
    for (const JsonReader& node : nodes.elements()) constraint.exercised.push_back(read_node(node));
  });
  if (soft) constraint.stiffness = json.at("stiffness").positive();
  json.optional("damping",
                [&](const JsonReader& value) { constraint.damping = value.not_negative(); });
  if (!soft && (json.has("stiffness") || json.has("damping"))) {
    json.refuse("only a soft constraint has stiffness and damping", "set \"type\": \"soft\"");
  }
  return constraint;
}

SkeletonDescription read_skeleton_leads(const JsonReader& json,
                                        const std::filesystem::path& folder) {
  SkeletonDescription skeleton;
  if (json.is_string()) {
    skeleton.file = folder / json.string();
    return skeleton;
  }
  json.only(
      {"file", "clip", "scale", "bones", "radius", "handles", "stiffness", "damping", "ease"});
  skeleton.file = folder / json.at("file").string();
  json.optional("clip", [&](const JsonReader& value) { skeleton.clip = value.string(); });
  json.optional("scale", [&](const JsonReader& value) { skeleton.scale = value.positive(); });
  json.optional("bones", [&](const JsonReader& bones) {
    for (const JsonReader& bone : bones.elements()) skeleton.bones.push_back(bone.string());
    if (skeleton.bones.empty()) bones.refuse("no bone is named", "name one, or leave the key out");
  });
  json.optional("radius", [&](const JsonReader& value) { skeleton.radius = value.positive(); });
  json.optional("handles", [&](const JsonReader& value) {
    skeleton.handles = value.integer(1, kMostHandlesOfBone);
  });
  json.optional("stiffness",
                [&](const JsonReader& value) { skeleton.stiffness = value.positive(); });
  json.optional("damping",
                [&](const JsonReader& value) { skeleton.damping = value.not_negative(); });
  if (json.has("damping") && !json.has("stiffness")) {
    json.refuse("only soft handles have damping", "give their \"stiffness\" too");
  }
  json.optional("ease", [&](const JsonReader& value) { skeleton.ease = value.not_negative(); });
  return skeleton;
}

ForceDescription read_force(const JsonReader& json) {
  json.only({"nodes", "force", "from", "to"});
  ForceDescription force;
  force.nodes = read_nodes(json.at("nodes"));
  force.force = json.at("force").vector3();
  read_window(json, force);
  return force;
}

CoreDescription read_core(const JsonReader& json) {
  json.only({"nodes", "hand", "axis", "free"});
  CoreDescription core;
  core.nodes = json.at("nodes").string();
  json.optional("hand", [&](const JsonReader& hand) {
    hand.only({"path", "interpolation", "stiffness", "damping", "turn_damping"});
    ConstraintDescription keys;
    keys.path = read_path(hand.at("path"));
    hand.optional("interpolation",
                  [&](const JsonReader& value) { keys.interpolation = read_interpolation(value); });
    CoreHand& own = core.hand.emplace();
    own.path = path_of(keys, hand.place());
    own.stiffness = hand.at("stiffness").positive();
    hand.optional("damping", [&](const JsonReader& v) { own.damping = v.not_negative(); });
    hand.optional("turn_damping",
                  [&](const JsonReader& v) { own.turn_damping = v.not_negative(); });
  });
  json.optional("axis", [&](const JsonReader& axis) {
    axis.only({"point", "direction", "speed"});
    core.axis = {axis.at("point").vector3(), axis.at("direction").vector3()};
    axis.optional("speed", [&](const JsonReader& value) { core.speed = value.number(); });
  });
  json.optional("free", [&](const JsonReader& value) { core.free = value.boolean(); });
  if (core.speed && (core.hand || core.free)) {
    json.refuse("an axis that turns at a given speed leaves nothing to a hand",
                "leave \"speed\" out: the core then turns freely");
  }
  if (core.free && core.axis) json.refuse("a core on an axis is not free", "leave \"free\" out");
  return core;
}

}  // namespace limber
