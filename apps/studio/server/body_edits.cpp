#include "server/body_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "limber/mesh/select.h"
#include "server/fields.h"

namespace limber::studio {

namespace {

constexpr const char* kVerticesKey = "vertices:";
constexpr int kAnyVertex = 0x7fffffff;

/// The body's entry; a mesh in loose pieces counts its vertices as a whole, the page piece by
/// piece.
json& whole_body(json& scene, const SceneSurvey& survey, int body) {
  const auto number = static_cast<std::size_t>(body);
  if (body < 0 || number >= survey.entries.size()) {
    throw Error(fmt::format("body {} does not exist", body), "scene", "reload the page");
  }
  const std::size_t entry = survey.entries[number];
  json& found = scene["bodies"][entry];
  if (std::count(survey.entries.begin(), survey.entries.end(), entry) > 1) {
    throw Error("the mesh has loose pieces, whose vertices have no numbers of their own",
                found.value("name", "body"), "say \"pieces\": \"glue\" in its scene");
  }
  if (found.contains("body")) {
    throw Error("a baked body is as it was baked", found.value("name", "body"),
                "open the mesh it was baked from");
  }
  return found;
}

std::string selection(const std::set<int>& vertices) {
  return kVerticesKey + fmt::format("{}", fmt::join(vertices, ","));
}

bool is_painted(const std::string& key) { return key.starts_with(kVerticesKey); }

std::set<int> painted(const std::string& key) {
  const std::vector<int> list = *select_vertices(key, kAnyVertex);
  return {list.begin(), list.end()};
}

/// What the scene holds now, vertex by vertex.
std::set<int> held_now(const json& entry, const SceneSurvey& survey, int body) {
  const json fixed = entry.value("fixed", json::array());
  const json list = fixed.is_array() ? fixed : json::array({fixed});
  std::set<int> held;
  for (const json& one : list) {
    if (!one.is_string() || !is_painted(one.get<std::string>())) {
      const std::vector<int>& all = survey.fixed_vertices[static_cast<std::size_t>(body)];
      return {all.begin(), all.end()};
    }
    held.merge(painted(one.get<std::string>()));
  }
  return held;
}

}  // namespace

SceneEdit fill_body(int body, int cells) {
  return [body, cells](json& scene, const SceneSurvey& survey) {
    json& entry = whole_body(scene, survey, body);
    if (!survey.filled[static_cast<std::size_t>(body)]) {
      throw Error("the body has tetrahedra of its own", entry.value("name", "body"),
                  "open its surface instead");
    }
    json& fill = entry["fill"];
    if (!fill.is_object()) fill = json::object();
    fill.erase("tets");
    fill["cells"] = cells;
  };
}

SceneEdit paint_fixed(int body, std::vector<int> vertices, bool fixed) {
  return [body, vertices = std::move(vertices), fixed](json& scene, const SceneSurvey& survey) {
    json& entry = whole_body(scene, survey, body);
    std::set<int> held = held_now(entry, survey, body);
    for (const int vertex : vertices) {
      if (fixed) {
        held.insert(vertex);
      } else {
        held.erase(vertex);
      }
    }
    if (held.empty()) {
      entry.erase("fixed");
    } else {
      entry["fixed"] = json::array({selection(held)});
    }
  };
}

SceneEdit paint_young(int body, std::vector<int> vertices, std::optional<double> young) {
  return [body, vertices = std::move(vertices), young](json& scene, const SceneSurvey& survey) {
    json& entry = whole_body(scene, survey, body);
    const std::set<int> stroke(vertices.begin(), vertices.end());
    json regions = json::object();
    std::map<double, std::set<int>> shades;
    const json before = entry.value("regions", json::object());
    for (const auto& [key, material] : before.items()) {
      if (!is_painted(key)) {
        regions[key] = material;
        continue;
      }
      std::set<int>& shade = shades[material.at("young").get<double>()];
      for (const int vertex : painted(key)) {
        if (!stroke.contains(vertex)) shade.insert(vertex);
      }
    }
    if (young) shades[*young].insert(stroke.begin(), stroke.end());
    for (const auto& [value, shade] : shades) {
      if (!shade.empty()) regions[selection(shade)] = {{"young", value}};
    }
    if (regions.empty()) {
      entry.erase("regions");
    } else {
      entry["regions"] = std::move(regions);
    }
  };
}

}  // namespace limber::studio
