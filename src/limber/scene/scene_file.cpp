#include "limber/scene/scene_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "limber/modes/modal_analysis.h"
#include "limber/scene/json_reader.h"
#include "limber/scene/read_budget.h"
#include "limber/scene/read_contact.h"
#include "limber/scene/read_full_space.h"
#include "limber/scene/read_motion.h"
#include "limber/scene/scene_limits.h"

namespace limber {

namespace {

constexpr int kMostModes = 100'000;
constexpr int kMostFields = 1000;
constexpr int kMostTets = 1'000'000'000;
constexpr int kMostCells = 100'000;

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
    body.has_material = true;
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
  json.optional("painted_young", [&](const JsonReader& young) {
    const std::vector<JsonReader> ends = young.elements();
    if (ends.size() != 2) young.refuse("two numbers are wanted", "write [soft, stiff] in Pa");
    body.painted_young = {ends[0].positive(), ends[1].positive()};
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
  json.optional("tets", [&](const JsonReader& tets) { fill.tets = tets.integer(1, kMostTets); });
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
  const int sources = !body.mesh.empty() + !body.baked.empty() + body.shape.has_value();
  if (sources > 1 || (sources == 0 && body.surface.empty() && !body.character)) {
    json.refuse("a body comes from one of \"mesh\", \"body\", \"shape\" or \"surface\"",
                sources == 0 ? "name one" : "keep one of them");
  }
}

void read_local(const JsonReader& json, BodyDescription& body) {
  json.only({"mode", "rings", "excluded", "tolerance", "max_nodes", "release_time", "handles"});
  LocalOptions& options = body.local;
  json.optional("mode", [&](const JsonReader& value) {
    options.mode =
        std::array{LocalMode::residual, LocalMode::rings, LocalMode::corotational,
                   LocalMode::off}[value.choice({"auto", "rings", "corotational", "off"})];
  });
  json.optional("rings", [&](const JsonReader& value) { options.rings = value.integer(1, 1000); });
  json.optional("excluded",
                [&](const JsonReader& value) { body.local_excluded = read_nodes(value); });
  json.optional("tolerance",
                [&](const JsonReader& value) { options.tolerance = value.not_negative(); });
  json.optional("max_nodes",
                [&](const JsonReader& value) { options.max_nodes = value.integer(1, 256); });
  json.optional("release_time",
                [&](const JsonReader& value) { options.release_time = value.not_negative(); });
  json.optional("handles", [&](const JsonReader& value) { options.handles = value.boolean(); });
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodTraits& method : all_methods()) names.emplace_back(method.name);
  return names;
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
    body.method = all_methods()[method.choice(method_names())].method;
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
    body.integrator = static_cast<Integrator>(
        integrator.choice({"exact", "semi-implicit", "newmark", "theta", "filter"}));
  });
  json.optional("theta", [&](const JsonReader& theta) {
    body.theta = theta.number();
    if (!(body.theta >= 0.5 && body.theta <= 1)) {
      theta.refuse("is not a number from 0.5 to 1", "0.5 keeps the energy, 1 damps most");
    }
    if (body.integrator != Integrator::theta) {
      theta.refuse("belongs to another integrator", "add \"integrator\": \"theta\"");
    }
  });
  json.optional("fast", [&](const JsonReader& fast) { body.fast = fast.boolean(); });
  json.optional("coriolis", [&](const JsonReader& value) { body.coriolis = value.boolean(); });
  json.optional("loads", [&](const JsonReader& value) {
    body.loads = value.choice({"work", "rotated"}) == 0 ? LoadLaw::work : LoadLaw::rotated;
  });
  json.optional("fields",
                [&](const JsonReader& value) { body.fields = value.integer(1, kMostFields); });
  json.optional("elasticity", [&](const JsonReader& value) {
    body.elasticity = static_cast<ElasticLaw>(
        value.choice(std::vector<std::string>(kElasticLawNames.begin(), kElasticLawNames.end())));
  });
}

/// Where a body starts, and how fast.
void read_start(const JsonReader& json, BodyDescription& body) {
  const auto place = [&]() -> SupportKey& {
    return body.place ? *body.place : body.place.emplace();
  };
  json.optional("position", [&](const JsonReader& value) { place().position = value.vector3(); });
  json.optional("rotation",
                [&](const JsonReader& value) { place().rotation = read_quaternion(value); });
  json.optional("velocity", [&](const JsonReader& value) { body.velocity = value.vector3(); });
  json.optional("angular_velocity",
                [&](const JsonReader& value) { body.angular_velocity = value.vector3(); });
  json.optional("initial_modes", [&](const JsonReader& modes) {
    modes.only({"displacement", "velocity"});
    const auto list = [&](const char* key, std::vector<double>& amplitudes) {
      modes.optional(key, [&](const JsonReader& values) {
        for (const JsonReader& value : values.elements()) amplitudes.push_back(value.number());
      });
    };
    list("displacement", body.initial_displacement);
    list("velocity", body.initial_velocity);
  });
}

BodyDescription read_body(const JsonReader& json, const std::filesystem::path& folder,
                          bool with_source = true) {
  json.only({"name",
             "mesh",
             "body",
             "shape",
             "size",
             "cells",
             "vertices",
             "surface",
             "fill",
             "pieces",
             "material",
             "regions",
             "painted_young",
             "fixed",
             "damping",
             "method",
             "modes",
             "mass",
             "integrator",
             "theta",
             "fast",
             "coriolis",
             "loads",
             "fields",
             "elasticity",
             "full_space",
             "subdivide",
             "adaptive",
             "local",
             "core",
             "position",
             "rotation",
             "velocity",
             "angular_velocity",
             "initial_modes",
             "support",
             "support_interpolation",
             "constraints",
             "skeleton",
             "priority",
             "forces",
             "probes",
             "friction",
             "restitution",
             "collides",
             "self_contact",
             "importance"});
  BodyDescription body;
  json.optional("name", [&](const JsonReader& name) { body.name = name.string(); });
  if (with_source) read_source(json, folder, body);
  json.optional("fill", [&](const JsonReader& fill) { body.fill = read_fill(fill, body.fill); });
  json.optional("pieces", [&](const JsonReader& pieces) {
    body.pieces = pieces.choice({"apart", "glue"}) == 0 ? LoosePieces::apart : LoosePieces::glue;
  });
  read_materials(json, body);
  json.optional("fixed", [&](const JsonReader& fixed) {
    if (fixed.is_string()) {
      body.fixed.push_back(fixed.string());
    } else {
      for (const JsonReader& selection : fixed.elements()) body.fixed.push_back(selection.string());
    }
  });
  read_behaviour(json, body);
  read_start(json, body);
  body.touch = read_touch(json);
  json.optional("importance", [&](const JsonReader& value) { body.importance = value.positive(); });
  json.optional("full_space", [&](const JsonReader& value) {
    read_full_space(value, body.full_space);
    body.has_full_space = true;
  });
  json.optional("subdivide", [&](const JsonReader& value) {
    body.subdivide = value.integer(1, TetTree::kMostLevels);
  });
  json.optional("adaptive", [&](const JsonReader& value) { body.adaptive = read_adaptive(value); });
  json.optional("local", [&](const JsonReader& value) {
    read_local(value, body);
    body.has_local = true;
  });
  json.optional("core", [&](const JsonReader& value) { body.core = read_core(value); });
  json.optional("support", [&](const JsonReader& keys) { body.support = read_support(keys); });
  json.optional("support_interpolation", [&](const JsonReader& value) {
    body.support_interpolation = read_interpolation(value);
  });
  json.optional("constraints", [&](const JsonReader& list) {
    for (const JsonReader& item : list.elements())
      body.constraints.push_back(read_constraint(item));
  });
  json.optional("skeleton", [&](const JsonReader& value) {
    body.skeleton = read_skeleton_leads(value, folder);
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

/// "body0", "obstacle0" and so on for those that have none.
template <class Things>
void name_all(Things& things, const char* kind) {
  for (std::size_t k = 0; k < things.size(); ++k) {
    if (things[k].name.empty()) things[k].name = fmt::format("{}{}", kind, k);
  }
}

void check_importance(const SceneDescription& scene, const JsonReader& json) {
  for (const BodyDescription& body : scene.bodies) {
    if (!body.importance || scene.budget.microseconds > 0) continue;
    json.refuse(fmt::format("{} has an importance, and there is no budget to share", body.name),
                "give a \"budget\", or leave \"importance\" out");
  }
}

}  // namespace

BodyDescription with_method(BodyDescription body, Method method) {
  if (method != body.method) body.adaptive.reset();  // others, truths among them, take all of it
  body.method = method;
  if (method != Method::global_local) {
    body.local = {};
    body.local_excluded.reset();
    body.has_local = false;
  }
  if (traits(method).modal) {
    body.full_space = {};
    body.has_full_space = false;
  } else {
    body.integrator = Integrator::exact;
    body.theta = kTheta;
    body.fast = false;
    body.coriolis = false;
    body.loads = LoadLaw::work;
    body.initial_displacement.clear();
    body.initial_velocity.clear();
  }
  if (method != Method::reduced) {
    body.fields = kReducedFields;
    body.elasticity = ElasticLaw::corotational;
  } else {
    body.integrator = Integrator::exact;
    body.theta = kTheta;
    body.fast = false;
    body.coriolis = false;
    body.loads = LoadLaw::work;
  }
  return body;
}

SceneDescription parse_scene(const std::string& text, const std::filesystem::path& folder,
                             const std::string& name) {
  const nlohmann::json document = parse_json(text, name);
  const JsonReader json(document, name);
  json.only({"limber", "gravity", "time_step", "frame_rate", "duration", "ground", "contact",
             "obstacles", "bodies", "joints", "budget"});
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
  name_all(scene.bodies, "body");
  json.optional("contact", [&](const JsonReader& value) { scene.contact = read_contact(value); });
  json.optional("obstacles", [&](const JsonReader& list) {
    for (const JsonReader& item : list.elements())
      scene.obstacles.push_back(read_obstacle(item, folder));
  });
  name_all(scene.obstacles, "obstacle");
  json.optional("joints", [&](const JsonReader& list) {
    for (const JsonReader& item : list.elements()) scene.joints.push_back(read_joint(item));
  });
  json.optional("budget", [&](const JsonReader& value) { scene.budget = read_budget(value); });
  check_importance(scene, json);
  check_names(scene, json);
  return scene;
}

SceneDescription read_scene(const std::filesystem::path& path) {
  const FileBytes file(path);
  SceneDescription scene = parse_scene(std::string(file.text()), path.parent_path(), path.string());
  for (BodyDescription& body : scene.bodies) body.cache = scene.folder / ".limber-cache";
  return scene;
}

BodyDescription parse_body(const std::string& text, const std::string& name, bool is_surface) {
  const nlohmann::json document = parse_json(text, name);
  const JsonReader json(document, name);
  for (const char* key : {"mesh", "body", "shape", "size", "cells", "vertices", "surface"}) {
    if (json.has(key)) json.at(key).refuse("the body is given already", "leave it out");
  }
  if (json.has("fill") && !is_surface) {
    json.at("fill").refuse("the body has its tets already", "leave it out");
  }
  return read_body(json, {}, false);
}

}  // namespace limber
