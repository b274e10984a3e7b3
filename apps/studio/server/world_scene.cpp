// Edits of a played scene's document: what comes of it, and what need not be made again.
#include <fmt/format.h>

#include "limber/core/error.h"
#include "server/fields.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

/// What of a body's entry says where and how it moves, not what it is made of.
constexpr const char* kMotionKeys[] = {
    "name",     "position",    "rotation", "velocity",      "angular_velocity", "constraints",
    "forces",   "probes",      "support",  "interpolation", "damping",          "method",
    "friction", "restitution", "collides", "self_contact"};

json substance(json entry) {
  for (const char* key : kMotionKeys) entry.erase(key);
  return entry;
}

/// Bodies that are there already, by what they are made of.
struct Known {
  json substance;
  std::vector<StudioBody> pieces;
};

SceneBox box_of(const StudioBody& body) {
  const BodySurface& surface = body.surface();
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  if (const auto& place = body.description.place) {
    position = place->position;
    rotation = place->rotation.normalized().toRotationMatrix();
  }
  SceneBox box;
  for (int vertex = 0; vertex < surface.vertex_count(); ++vertex) {
    const Vec3 rest = Eigen::Map<const Vec3>(&surface.rest_positions[3 * vertex]);
    const Vec3 at = position + rotation * rest;
    box.low = vertex == 0 ? at : Vec3(box.low.cwiseMin(at));
    box.high = vertex == 0 ? at : Vec3(box.high.cwiseMax(at));
  }
  return box;
}

SceneSurvey survey_of(const std::vector<StudioBody>& bodies) {
  SceneSurvey survey;
  for (const StudioBody& body : bodies) {
    survey.entries.push_back(body.entry);
    survey.boxes.push_back(box_of(body));
    survey.fixed_vertices.push_back(fixed_vertices(body));
    survey.filled.push_back(is_filled(body));
  }
  return survey;
}

/// The same body under what its entry says now.
StudioBody renewed(StudioBody body, const BodyDescription& description, std::size_t piece) {
  BodyDescription next = description;
  if (piece > 0) next.name = fmt::format("{}.{}", description.name, piece + 1);
  next.materials = body.description.materials;
  next.named_regions = body.description.named_regions;
  next.modes = body.description.modes;
  if (next.name != body.description.name) {
    auto source = std::make_shared<BodySource>(*body.source);
    source->name = next.name;
    auto played = std::make_shared<BodySource>(*body.played);
    played->name = next.name;
    body.source = std::move(source);
    body.played = std::move(played);
  }
  body.description = std::move(next);
  return body;
}

std::vector<StudioBody> bodies_of(const SceneDescription& scene, const json& document,
                                  const std::vector<Known>& known, const Progress& progress) {
  std::vector<StudioBody> bodies;
  for (std::size_t entry = 0; entry < scene.bodies.size(); ++entry) {
    const json wanted = substance(document["bodies"][entry]);
    const auto there = std::find_if(known.begin(), known.end(),
                                    [&](const Known& one) { return one.substance == wanted; });
    std::vector<StudioBody> pieces;
    if (there == known.end()) {
      pieces = load_studio_bodies(scene.bodies[entry], progress);
    } else {
      for (std::size_t k = 0; k < there->pieces.size(); ++k) {
        pieces.push_back(renewed(there->pieces[k], scene.bodies[entry], k));
      }
    }
    for (StudioBody& piece : pieces) {
      piece.entry = entry;
      bodies.push_back(std::move(piece));
    }
  }
  return bodies;
}

/// Paths from elsewhere, which start at another folder.
void make_absolute(json& entry, const std::filesystem::path& folder) {
  for (const char* key : {"mesh", "body", "surface"}) {
    if (!entry.contains(key) || !entry[key].is_string()) continue;
    entry[key] = std::filesystem::absolute(folder / entry[key].get<std::string>()).string();
  }
}

/// Newcomers are free, and stand beside the others.
void add_bodies(json& document, const SceneDescription& scene, const SceneAddition& addition,
                const SceneBox& around, std::vector<Known>& known, const Progress& progress) {
  const json other = json::parse(addition.document);
  for (const char* key : {"obstacles", "joints"}) {
    if (other.contains(key) && !other[key].empty()) {
      throw Error(fmt::format("a scene with {} is opened, not added", key), "scene",
                  "use Open, or save its body alone");
    }
  }
  const SceneDescription parsed = parse_scene(addition.document, addition.folder, "scene");
  SceneBox beside = around;
  for (std::size_t k = 0; k < parsed.bodies.size(); ++k) {
    json entry = other["bodies"][k];
    for (const char* key : {"fixed", "constraints", "support"}) entry.erase(key);
    make_absolute(entry, addition.folder);
    entry["name"] = free_name(document, parsed.bodies[k].name);
    entry["method"] = document["bodies"][0]["method"];  // as it is played
    const json alone{{"limber", 1}, {"bodies", json::array({entry})}};
    const SceneDescription one = parse_scene(alone.dump(), scene.folder, "scene");
    std::vector<StudioBody> pieces = load_studio_bodies(one.bodies.front(), progress);
    const SceneBox own = box_around(survey_of(pieces).boxes);
    const Vec3 way = way_beside(document, beside, own);
    const auto& place = one.bodies.front().place;
    entry["position"] = as_json(Vec3((place ? place->position : Vec3(Vec3::Zero())) + way));
    beside = box_around({beside, {own.low + way, own.high + way}});
    known.push_back({substance(entry), std::move(pieces)});
    document["bodies"].push_back(std::move(entry));
  }
}

}  // namespace

WorldSimulation::Parts WorldSimulation::edited(Parts parts, json document, const Change& change,
                                               const Progress& progress) {
  std::vector<Known> known;
  for (const StudioBody& body : parts.bodies) {
    if (known.empty() || known.back().pieces.front().entry != body.entry) {
      known.push_back({substance(document["bodies"][body.entry]), {}});
    }
    known.back().pieces.push_back(body);
    // Those without a name keep the one that the scene gave them, whoever goes before them.
    document["bodies"][body.entry]["name"] = parts.scene.bodies[body.entry].name;
  }
  for (std::size_t k = 0; k < parts.scene.obstacles.size(); ++k) {
    document["obstacles"][k]["name"] = parts.scene.obstacles[k].name;
  }
  const SceneSurvey survey = survey_of(parts.bodies);
  if (change.addition) {
    const SceneAddition addition = change.addition(progress);
    add_bodies(document, parts.scene, addition, survey.around(), known, progress);
    parts.kept =
        std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
            parts.kept, addition.holds);
  }
  if (change.edit) change.edit(document, survey);
  const std::filesystem::path folder = parts.scene.folder;
  parts.scene = parse_scene(document.dump(), folder, parts.title);
  parts.bodies = bodies_of(parts.scene, document, known, progress);
  parts.document = std::move(document);
  parts.gravity.reset();  // in the document by now
  return parts;
}

std::shared_ptr<const SceneVersion> WorldSimulation::version() const {
  if (!version_) {
    auto version = std::make_shared<Version>();
    version->parts = parts_;
    version->parts.gravity = around_.gravity;
    version_ = std::move(version);
  }
  return version_;
}

}  // namespace limber::studio
