// What people do to a scene on the stage, as changes of its document: bodies, ground and obstacles
// come, go and are placed. Nothing here knows how a scene is played.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/types.h"

namespace limber::studio {

/// m, in the world.
struct SceneBox {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();

  [[nodiscard]] Vec3 size() const { return high - low; }
  [[nodiscard]] Vec3 middle() const { return 0.5 * (low + high); }
};
[[nodiscard]] SceneBox box_around(const std::vector<SceneBox>& boxes);

/// What an edit may know of the scene as it stands.
struct SceneSurvey {
  std::vector<std::size_t> entries;  // of each body, among the document's; loose pieces share one
  std::vector<SceneBox> boxes;       // of each body at the scene's start
  std::vector<std::vector<int>> fixed_vertices{};  // of each, held by the scene
  std::vector<bool> filled{};                      // each: a surface that was filled with tets

  [[nodiscard]] SceneBox around() const { return box_around(boxes); }
};

/// Throws Error.
using SceneEdit = std::function<void(nlohmann::json& scene, const SceneSurvey& survey)>;

/// Bodies from elsewhere: a scene whose paths start at `folder`, which `holds` keeps there.
struct SceneAddition {
  std::string document;
  std::filesystem::path folder;
  std::shared_ptr<const void> holds;
};

/// A name that nobody in the scene has yet: "ball", "ball 2", …
[[nodiscard]] std::string free_name(const nlohmann::json& scene, const std::string& wanted);

/// The scene's height of ground, or where its lowest body begins.
[[nodiscard]] double ground_height(const nlohmann::json& scene, const SceneBox& around);
/// How far a newcomer's box is moved so that it stands beside all others, a little above the
/// ground.
[[nodiscard]] Vec3 way_beside(const nlohmann::json& scene, const SceneBox& around,
                              const SceneBox& own);

[[nodiscard]] SceneEdit duplicate_body(int body);
/// With the joints that held it. The last one stays.
[[nodiscard]] SceneEdit remove_body(int body);
[[nodiscard]] SceneEdit place_body(int body, const Vec3& position);
/// A level ground at this height, or where the feet are.
[[nodiscard]] SceneEdit set_ground(std::optional<double> height);
[[nodiscard]] SceneEdit remove_ground();
/// A "plane", "box", "sphere" or "capsule" about half as large as the scene, over its middle; with
/// a mass (kg) it moves by itself.
[[nodiscard]] SceneEdit add_obstacle(const std::string& shape, std::optional<double> mass);
[[nodiscard]] SceneEdit place_obstacle(int obstacle, const Vec3& position);
[[nodiscard]] SceneEdit size_obstacle(int obstacle, const std::vector<double>& size);
[[nodiscard]] SceneEdit duplicate_obstacle(int obstacle);
[[nodiscard]] SceneEdit remove_obstacle(int obstacle);

}  // namespace limber::studio
