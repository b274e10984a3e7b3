#include "limber/scene/scene_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "limber/modes/modal_analysis.h"
#include "limber/scene/handle_paths.h"
#include "limber/scene/json_reader.h"
#include "limber/scene/scene_limits.h"

namespace limber {

namespace {

constexpr int kMostModes = 100'000;
constexpr int kMostNodes = 1'000'000'000;
constexpr int kMostCells = 100'000;

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

/// One gravity, or a list of such objects whose windows may overlap.
std::vector<GravityLoad> read_gravities(const JsonReader& json) {
  if (!json.is_array() || json.elements().empty() || !json.elements().front().is_object()) {
    return {read_gravity(json)};
  }
  std::vector<GravityLoad> loads;
  for (const JsonReader& load : json.elements()) loads.push_back(read_gravity(load));
  return loads;
}

Material read_material(const JsonReader& json, Material material) {
  json.only({"young", "poisson", "density"});
  json.optional("young", [&](const JsonReader& value) { material.young = value.number(); });
  json.optional("poisson", [&](const JsonReader& value) { material.poisson = value.number(); });
  json.optional("density", [&](const JsonReader& value) { material.density = value.number(); });
  check(material, json.place().c_str());
  return material;
}

std::optional<int> whole_number(const std::string& text) {
  int number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

void read_materials(const JsonReader& json, BodyDescription& body) {
  Materials& materials = body.materials;
  json.optional("material", [&](const JsonReader& material) {
    materials.base = read_material(material, materials.base);
  });
  json.optional("regions", [&](const JsonReader& regions) {
    for (const auto& [key, region] : regions.members()) {
      const Material material = read_material(region, materials.base);
      if (const std::optional<int> number = whole_number(key)) {
        materials.by_region[*number] = material;
      } else {
        body.named_regions.emplace_back(key, material);
      }
    }
  });
}

ShapeDescription read_shape(const JsonReader& json) {
  ShapeDescription shape;
  shape.shape = json.at("shape").string();
  json.optional("size", [&](const JsonReader& size) {
    for (const JsonReader& length : size.elements()) shape.size.push_back(length.positive());
  });
  json.optional("cells", [&](const JsonReader& cells) {
    for (const JsonReader& count : cells.elements()) {
      shape.cells.push_back(count.integer(1, kMostCells));
    }
  });
  json.optional("vertices", [&](const JsonReader& vertices) {
    shape.vertices = vertices.integer(kLeastCharacterVertices, kMostCharacterVertices);
  });
  return shape;
}

/// "tube" is a sample shape too, and that one came first.
bool is_character(const std::string& name) {
  const std::vector<std::string> names = character_names();
  return name != "tube" && std::find(names.begin(), names.end(), name) != names.end();
}

/// A shape with tets of its own, or a character to be filled.
void take_shape(const ShapeDescription& shape, const JsonReader& json, BodyDescription& body) {
  if (!is_character(shape.shape)) {
    if (shape.vertices > 0) json.refuse("only a character has vertices", "give \"cells\"");
    body.shape = shape;
    return;
  }
  if (shape.cells.size() > 1) {
    json.refuse("cells of a character are [along the longest side]", "give one whole number");
  }
  if (!shape.cells.empty()) body.fill.cells = shape.cells.front();
  body.character = shape;
}

void read_surface_source(const JsonReader& json, const std::filesystem::path& folder,
                         BodyDescription& body) {
  if (body.character) json.refuse("a character brings its own surface", "leave one of them out");
  if (json.is_object()) {
    json.only({"shape", "size", "vertices"});
    body.character = read_shape(json);
  } else {
    body.surface = folder / json.string();
  }
}

FillDescription read_fill(const JsonReader& json, FillDescription fill) {
  constexpr FillMode kModes[] = {FillMode::automatic, FillMode::cage, FillMode::conforming};
  json.only({"mode", "cells", "tets"});
  json.optional("mode", [&](const JsonReader& mode) {
    fill.mode = kModes[mode.choice({"auto", "cage", "conforming"})];
  });
  json.optional("cells", [&](const JsonReader& cells) {
    fill.cells = cells.integer(1, TetrahedralizeOptions::kMostCells);
  });
  json.optional("tets", [&](const JsonReader& tets) { fill.tets = tets.integer(1, kMostNodes); });
  if (fill.cells > 0 && fill.tets > 0) json.refuse("both cells and tets", "keep one of them");
  return fill;
}

/// Where the body comes from: mesh, baked body, sample shape or surface.
void read_source(const JsonReader& json, const std::filesystem::path& folder,
                 BodyDescription& body) {
  const auto read_shape_object = [&](const JsonReader& shape) {
    shape.only({"shape", "size", "cells", "vertices"});
    take_shape(read_shape(shape), shape, body);
  };
  json.optional("mesh", [&](const JsonReader& mesh) {
    if (mesh.is_object()) {
      read_shape_object(mesh);
    } else {
      body.mesh = folder / mesh.string();
    }
  });
  json.optional("shape", [&](const JsonReader& shape) {
    if (shape.is_object()) {
      read_shape_object(shape);
    } else {
      take_shape(read_shape(json), json, body);
    }
  });
  json.optional("body", [&](const JsonReader& baked) { body.baked = folder / baked.string(); });
  json.optional("surface",
                [&](const JsonReader& surface) { read_surface_source(surface, folder, body); });
  json.optional("fill", [&](const JsonReader& fill) { body.fill = read_fill(fill, body.fill); });
  const int sources = !body.mesh.empty() + !body.baked.empty() + body.shape.has_value();
  if (sources > 1 || (sources == 0 && body.surface.empty() && !body.character)) {
    json.refuse("a body comes from one of \"mesh\", \"body\", \"shape\" or \"surface\"",
                sources == 0 ? "name one" : "keep one of them");
  }
}

std::vector<SupportKey> read_support(const JsonReader& json) {
  std::vector<SupportKey> keys;
  for (const JsonReader& element : json.elements()) {
    element.only({"time", "position", "rotation"});
    SupportKey key;
    key.time = element.at("time").number();
    element.optional("position",
                     [&](const JsonReader& position) { key.position = position.vector3(); });
    element.optional("rotation", [&](const JsonReader& rotation) {
      const std::vector<JsonReader> xyzw = rotation.elements();
      if (xyzw.size() != 4) rotation.refuse("a quaternion is four numbers", "write [x, y, z, w]");
      key.rotation = Eigen::Quaterniond(xyzw[3].number(), xyzw[0].number(), xyzw[1].number(),
                                        xyzw[2].number());
    });
    if (!keys.empty() && key.time <= keys.back().time) {
      element.refuse("times must rise from key to key", "sort the keys by time");
    }
    keys.push_back(key);
  }
  if (keys.empty()) json.refuse("the support has no key", "give at least one or leave it out");
  return keys;
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

ConstraintDescription read_constraint(const JsonReader& json) {
  json.only(
      {"type", "node", "path", "interpolation", "treatment", "exercised", "stiffness", "damping"});
  ConstraintDescription constraint;
  constexpr HandleKind kKinds[] = {HandleKind::position, HandleKind::orientation,
                                   HandleKind::velocity, HandleKind::acceleration,
                                   HandleKind::position};
  constexpr Treatment kTreatments[] = {Treatment::previous, Treatment::predicted,
                                       Treatment::newton};
  constexpr std::size_t kSoft = 4;
  const std::size_t type =
      json.at("type").choice({"position", "orientation", "velocity", "acceleration", "soft"});
  constraint.kind = kKinds[type];
  constraint.soft = type == kSoft;
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
  if (constraint.soft) constraint.stiffness = json.at("stiffness").positive();
  json.optional("damping",
                [&](const JsonReader& value) { constraint.damping = value.not_negative(); });
  if (!constraint.soft && (json.has("stiffness") || json.has("damping"))) {
    json.refuse("only a soft constraint has stiffness and damping", "set \"type\": \"soft\"");
  }
  return constraint;
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
  json.only({"nodes", "hand", "axis"});
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
    core.axis = {axis.at("point").vector3(), axis.at("direction").vector3(),
                 axis.at("speed").number()};
  });
  if (core.hand && core.axis) json.refuse("a core has a hand or an axis", "keep one of them");
  return core;
}

void read_full_space(const JsonReader& json, FullBodyOptions& options) {
  json.only({"rotation_field", "network", "exact_tangent", "keep_momentum", "linearisations",
             "explicit", "tolerance"});
  json.optional("rotation_field", [&](const JsonReader& value) {
    options.rotation_field = value.choice({"polar", "frames"}) == 0 ? RotationField::edges_polar
                                                                    : RotationField::edge_frames;
  });
  json.optional("network", [&](const JsonReader& value) {
    options.network =
        value.choice({"elements", "springs"}) == 0 ? Network::finite_elements : Network::springs;
  });
  json.optional("exact_tangent",
                [&](const JsonReader& value) { options.exact_tangent = value.boolean(); });
  json.optional("explicit", [&](const JsonReader& value) {
    options.integrator =
        value.boolean() ? TimeIntegrator::symplectic_euler : TimeIntegrator::implicit_euler;
  });
  json.optional("keep_momentum",
                [&](const JsonReader& value) { options.keep_momentum = value.boolean(); });
  json.optional("linearisations", [&](const JsonReader& value) {
    options.newton_iterations = value.integer(1, 100);
  });
  json.optional("tolerance",
                [&](const JsonReader& value) { options.tolerance = value.positive(); });
}

GroundPlane read_ground(const JsonReader& json) {
  json.only({"normal", "offset", "friction"});
  GroundPlane plane;
  json.optional("normal", [&](const JsonReader& value) { plane.normal = value.vector3(); });
  json.optional("offset", [&](const JsonReader& value) { plane.offset = value.number(); });
  json.optional("friction",
                [&](const JsonReader& value) { plane.friction = value.not_negative(); });
  return plane;
}

void read_behaviour(const JsonReader& json, BodyDescription& body) {
  json.optional("damping", [&](const JsonReader& damping) {
    damping.only({"mass", "stiffness"});
    damping.optional("mass",
                     [&](const JsonReader& value) { body.damping.mass = value.not_negative(); });
    damping.optional("stiffness", [&](const JsonReader& value) {
      body.damping.stiffness = value.not_negative();
    });
  });
  json.optional("method", [&](const JsonReader& method) {
    body.method = method_names()[method.choice(method_names())];
  });
  json.optional("modes", [&](const JsonReader& modes) {
    body.modes = modes.is_string() && modes.choice({"auto"}) == 0 ? ModalOptions::kAutomatic
                                                                  : modes.integer(1, kMostModes);
  });
  json.optional("mass", [&](const JsonReader& mass) {
    body.mass =
        mass.choice({"consistent", "lumped"}) == 0 ? MassKind::consistent : MassKind::lumped;
  });
  json.optional("integrator", [&](const JsonReader& integrator) {
    constexpr Integrator kIntegrators[] = {Integrator::exact, Integrator::semi_implicit,
                                           Integrator::newmark};
    body.integrator = kIntegrators[integrator.choice({"exact", "semi-implicit", "newmark"})];
  });
  json.optional("fast", [&](const JsonReader& fast) { body.fast = fast.boolean(); });
  json.optional("coriolis", [&](const JsonReader& value) { body.coriolis = value.boolean(); });
}

BodyDescription read_body(const JsonReader& json, const std::filesystem::path& folder) {
  json.only({"name",
             "mesh",
             "body",
             "shape",
             "size",
             "cells",
             "vertices",
             "surface",
             "fill",
             "material",
             "regions",
             "fixed",
             "damping",
             "method",
             "modes",
             "mass",
             "integrator",
             "fast",
             "coriolis",
             "full_space",
             "core",
             "support",
             "support_interpolation",
             "constraints",
             "priority",
             "forces",
             "probes"});
  BodyDescription body;
  json.optional("name", [&](const JsonReader& name) { body.name = name.string(); });
  read_source(json, folder, body);
  read_materials(json, body);
  json.optional("fixed", [&](const JsonReader& fixed) {
    if (fixed.is_string()) {
      body.fixed.push_back(fixed.string());
    } else {
      for (const JsonReader& selection : fixed.elements()) body.fixed.push_back(selection.string());
    }
  });
  read_behaviour(json, body);
  json.optional("full_space",
                [&](const JsonReader& value) { read_full_space(value, body.full_space); });
  json.optional("core", [&](const JsonReader& value) { body.core = read_core(value); });
  json.optional("support", [&](const JsonReader& keys) { body.support = read_support(keys); });
  json.optional("support_interpolation", [&](const JsonReader& value) {
    body.support_interpolation = read_interpolation(value);
  });
  json.optional("constraints", [&](const JsonReader& list) {
    for (const JsonReader& item : list.elements())
      body.constraints.push_back(read_constraint(item));
  });
  json.optional("priority", [&](const JsonReader& value) {
    body.orientation_first = value.choice({"position", "orientation"}) == 1;
  });
  json.optional("forces", [&](const JsonReader& list) {
    for (const JsonReader& item : list.elements()) body.forces.push_back(read_force(item));
  });
  json.optional("probes", [&](const JsonReader& probes) {
    for (const auto& [name, node] : probes.members()) body.probes[name] = read_node(node);
  });
  return body;
}

void name_bodies(std::vector<BodyDescription>& bodies, const JsonReader& json) {
  std::set<std::string> names;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k].name.empty()) bodies[k].name = fmt::format("body{}", k);
    if (!names.insert(bodies[k].name).second) {
      json.refuse(fmt::format("two bodies are called \"{}\"", bodies[k].name),
                  "give each a name of its own");
    }
  }
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names{"linear-modal", "modal-warping", "rotation-strain",
                                              "global-local", "linear",        "stiffness-warping",
                                              "corotational", "stvk"};
  return names;
}

SceneDescription parse_scene(const std::string& text, const std::filesystem::path& folder,
                             const std::string& name) {
  const nlohmann::json document = parse_json(text, name);
  const JsonReader json(document, name);
  json.only({"limber", "gravity", "time_step", "frame_rate", "duration", "ground", "bodies"});
  if (json.at("limber").integer(0, 1'000'000) != 1) {
    json.at("limber").refuse("this program reads version 1", "set \"limber\": 1");
  }
  SceneDescription scene;
  scene.folder = folder;
  json.optional("gravity", [&](const JsonReader& value) { scene.gravity = read_gravities(value); });
  json.optional("time_step", [&](const JsonReader& value) { scene.time_step = value.positive(); });
  json.optional("frame_rate",
                [&](const JsonReader& value) { scene.frame_rate = value.positive(); });
  json.optional("duration",
                [&](const JsonReader& value) { scene.duration = value.not_negative(); });
  check_times(scene, json);
  json.optional("ground", [&](const JsonReader& value) { scene.ground = read_ground(value); });
  const JsonReader bodies = json.at("bodies");
  for (const JsonReader& body : bodies.elements()) scene.bodies.push_back(read_body(body, folder));
  if (scene.bodies.empty()) bodies.refuse("the scene has no body", "add one");
  name_bodies(scene.bodies, bodies);
  return scene;
}

SceneDescription read_scene(const std::filesystem::path& path) {
  const FileBytes file(path);
  SceneDescription scene = parse_scene(std::string(file.text()), path.parent_path(), path.string());
  for (BodyDescription& body : scene.bodies) body.cache = scene.folder / ".limber-cache";
  return scene;
}

}  // namespace limber
