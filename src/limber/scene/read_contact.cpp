#include "limber/scene/read_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "limber/scene/read_motion.h"

namespace limber {

namespace {

constexpr int kMostSubsteps = 1000;

double read_share(const JsonReader& json) {
  const double value = json.not_negative();
  if (value > 1) json.refuse("restitution lies between 0 and 1", "0 does not bounce, 1 gives all");
  return value;
}

struct ShapeWords {
  const char* name;
  std::size_t numbers;
  const char* size;
};
constexpr ShapeWords kShapes[] = {{"plane", 0, "no size"},
                                  {"sphere", 1, "[radius]"},
                                  {"box", 3, "[x, y, z] edges"},
                                  {"capsule", 2, "[radius, length]"}};

void read_shape_of(const JsonReader& json, ObstacleDescription& obstacle) {
  const JsonReader shape = json.at("shape");
  const ShapeWords& words = kShapes[shape.choice({"plane", "sphere", "box", "capsule"})];
  obstacle.shape = words.name;
  json.optional("size", [&](const JsonReader& size) {
    for (const JsonReader& length : size.elements()) obstacle.size.push_back(length.positive());
  });
  if (obstacle.size.size() != words.numbers)
    json.refuse(fmt::format("the size of a {} is {}", words.name, words.size),
                "all in metres, above zero");
}

/// Where it stands, or the way it goes.
void read_way(const JsonReader& json, ObstacleDescription& obstacle) {
  json.optional("path", [&](const JsonReader& path) { obstacle.path = read_support(path); });
  json.optional("interpolation", [&](const JsonReader& value) {
    obstacle.interpolation = read_interpolation(value);
  });
  // The path goes first: a position beside it is where the path begins, for people to read.
  if (!obstacle.path.empty()) return;
  SupportKey place;
  json.optional("position", [&](const JsonReader& value) { place.position = value.vector3(); });
  json.optional("rotation",
                [&](const JsonReader& value) { place.rotation = read_quaternion(value); });
  obstacle.path = {place};
}

void read_mass(const JsonReader& json, ObstacleDescription& obstacle) {
  json.optional("mass", [&](const JsonReader& value) { obstacle.mass = value.positive(); });
  const auto moving = [&](const char* key, Vec3& to) {
    json.optional(key, [&](const JsonReader& value) {
      if (!obstacle.mass)
        value.refuse("only an obstacle with a mass is thrown", "give \"mass\", or a \"path\"");
      to = value.vector3();
    });
  };
  moving("velocity", obstacle.velocity);
  moving("angular_velocity", obstacle.angular_velocity);
  if (!obstacle.mass) return;
  if (obstacle.path.size() > 1)
    json.refuse("an obstacle follows its path or has a mass", "leave one of them out");
  if (obstacle.shape == "plane") json.refuse("a plane has no mass", "use a box");
}

std::string read_side(const JsonReader& json) { return json.is_null() ? "" : json.string(); }

void read_limits(const JsonReader& json, JointSpec& spec) {
  json.optional("limits", [&](const JsonReader& limits) {
    const std::vector<JsonReader> ends = limits.elements();
    if (ends.size() != 2) limits.refuse("limits are two numbers", "write [lowest, highest]");
    if (spec.kind == JointKind::ball || spec.kind == JointKind::weld)
      limits.refuse("only hinges, sliders and distances have limits", "leave them out");
    spec.lowest = ends[0].number();
    spec.highest = ends[1].number();
  });
  json.optional("motor", [&](const JsonReader& motor) {
    motor.only({"speed", "torque"});
    spec.motor_speed = motor.at("speed").number();
    spec.motor_torque = motor.at("torque").positive();
  });
}

}  // namespace

TouchDescription read_touch(const JsonReader& json) {
  TouchDescription touch;
  json.optional("friction",
                [&](const JsonReader& value) { touch.material.friction = value.not_negative(); });
  json.optional("restitution",
                [&](const JsonReader& value) { touch.material.restitution = read_share(value); });
  json.optional("collides", [&](const JsonReader& value) {
    if (!value.is_array()) {
      touch.collides = value.boolean();
      return;
    }
    for (const JsonReader& name : value.elements()) touch.passes.push_back(name.string());
  });
  json.optional("self_contact", [&](const JsonReader& value) { touch.self = value.boolean(); });
  return touch;
}

GroundDescription read_ground(const JsonReader& json) {
  json.only({"normal", "offset", "friction", "restitution"});
  GroundDescription ground;
  json.optional("normal", [&](const JsonReader& value) {
    ground.normal = value.vector3();
    if (!(ground.normal.norm() > 0)) value.refuse("the normal has no length", "write [0, 1, 0]");
  });
  json.optional("offset", [&](const JsonReader& value) { ground.offset = value.number(); });
  ground.touch = read_touch(json);
  return ground;
}

ContactOptions read_contact(const JsonReader& json) {
  json.only({"substeps", "self", "sleep", "response"});
  ContactOptions options;
  json.optional("substeps", [&](const JsonReader& value) {
    options.substeps = value.integer(1, kMostSubsteps);
  });
  json.optional("sleep", [&](const JsonReader& value) { options.sleeping = value.boolean(); });
  json.optional("response", [&](const JsonReader& value) {
    options.solver.response =
        value.choice({"soft", "penalty"}) == 0 ? Response::soft : Response::penalty;
  });
  json.optional("self", [&](const JsonReader& value) { options.self = value.boolean(); });
  return options;
}

ObstacleDescription read_obstacle(const JsonReader& json, const std::filesystem::path& folder,
                                  std::shared_ptr<const TriMesh> given_surface) {
  json.only({"name", "shape", "size", "surface", "position", "rotation", "path", "interpolation",
             "mass", "velocity", "angular_velocity", "friction", "restitution", "collides"});
  ObstacleDescription obstacle;
  json.optional("name", [&](const JsonReader& name) { obstacle.name = name.string(); });
  obstacle.given_surface = std::move(given_surface);
  const int sources = json.has("shape") + json.has("surface") + (obstacle.given_surface != nullptr);
  if (sources != 1)
    json.refuse("an obstacle has a \"shape\" or a \"surface\"",
                sources > 1 ? "keep one of them" : "name one");
  if (json.has("shape")) {
    read_shape_of(json, obstacle);
  } else {
    if (json.has("surface")) obstacle.surface = folder / json.at("surface").string();
    if (json.has("size")) json.refuse("a surface has its own size", "leave \"size\" out");
  }
  read_way(json, obstacle);
  read_mass(json, obstacle);
  obstacle.touch = read_touch(json);
  return obstacle;
}

JointDescription read_joint(const JsonReader& json) {
  json.only({"type", "bodies", "at", "to", "axis", "radius", "limits", "motor", "break_force",
             "collide"});
  constexpr JointKind kKinds[] = {JointKind::ball, JointKind::hinge, JointKind::weld,
                                  JointKind::slider, JointKind::distance};
  JointDescription joint;
  joint.where = json.place();
  JointSpec& spec = joint.spec;
  spec.kind = kKinds[json.at("type").choice({"ball", "hinge", "weld", "slider", "distance"})];
  const std::vector<JsonReader> sides = json.at("bodies").elements();
  if (sides.size() != 2)
    json.at("bodies").refuse("a joint has two sides", "write [\"a\", \"b\"] or [\"a\", null]");
  for (std::size_t k = 0; k < 2; ++k) joint.bodies[k] = read_side(sides[k]);
  spec.at = json.at("at").vector3();
  const bool has_axis = spec.kind == JointKind::hinge || spec.kind == JointKind::slider;
  const auto only_for = [&](bool fits, const char* key, const char* whose) {
    if (json.has(key) && !fits)
      json.at(key).refuse(fmt::format("only {} have \"{}\"", whose, key), "leave it out");
  };
  only_for(has_axis, "axis", "hinges and sliders");
  only_for(spec.kind == JointKind::weld, "radius", "welds");
  only_for(spec.kind == JointKind::distance, "to", "distances");
  if (has_axis) spec.axis = json.at("axis").vector3();
  if (spec.kind == JointKind::distance) spec.at_b = json.at("to").vector3();
  json.optional("radius", [&](const JsonReader& value) { spec.radius = value.positive(); });
  read_limits(json, spec);
  json.optional("break_force",
                [&](const JsonReader& value) { spec.break_force = value.positive(); });
  json.optional("collide", [&](const JsonReader& value) { spec.collide = value.boolean(); });
  try {
    JointSpec trial = spec;  // of two different sides, whoever they are
    trial.a = 0;
    check(trial);
  } catch (const Error& error) {
    json.refuse(error.problem(), error.remedy());
  }
  return joint;
}

void check_names(const SceneDescription& scene, const JsonReader& json) {
  std::vector<std::string> known;
  for (const BodyDescription& body : scene.bodies) known.push_back(body.name);
  for (const ObstacleDescription& obstacle : scene.obstacles) known.push_back(obstacle.name);
  if (scene.ground) known.emplace_back("ground");
  std::set<std::string> once;
  for (const std::string& name : known) {
    if (!once.insert(name).second)
      json.refuse(fmt::format("two things are called \"{}\"", name), "give each its own name");
  }
  const auto require = [&](const std::string& name, const std::string& where) {
    if (once.contains(name)) return;
    throw Error(fmt::format("nothing is called \"{}\"", name), where,
                did_you_mean(name, known, "name a body or an obstacle"));
  };
  for (const JointDescription& joint : scene.joints) {
    for (const std::string& name : joint.bodies) {
      if (!name.empty()) require(name, joint.where);
    }
  }
  const auto require_all = [&](const TouchDescription& touch, const std::string& owner) {
    for (const std::string& name : touch.passes) require(name, owner + ", collides");
  };
  for (const BodyDescription& body : scene.bodies) require_all(body.touch, body.name);
  for (const ObstacleDescription& one : scene.obstacles) require_all(one.touch, one.name);
}

GroundDescription parse_ground(const std::string& text) {
  const nlohmann::json document = parse_json(text, "ground");
  return read_ground(JsonReader(document, "ground"));
}

ObstacleDescription parse_obstacle(const std::string& text,
                                   std::shared_ptr<const TriMesh> given_surface) {
  const nlohmann::json document = parse_json(text, "obstacle");
  return read_obstacle(JsonReader(document, "obstacle"), {}, std::move(given_surface));
}

JointDescription parse_joint(const std::string& text) {
  const nlohmann::json document = parse_json(text, "joint");
  return read_joint(JsonReader(document, "joint"));
}

ContactOptions parse_contact(const std::string& text) {
  const nlohmann::json document = parse_json(text, "contact");
  return read_contact(JsonReader(document, "contact"));
}

}  // namespace limber
