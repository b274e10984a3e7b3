// What people do to a scene on the stage, as changes of its document: bodies, ground, obstacles and
// joints come and go. Nothing here knows how a scene is played.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "limber/core/types.h"

namespace limber::studio {

/// Of all bodies at rest, m.
struct SceneBox {
  Vec3 low = Vec3::Zero(), high = Vec3::Ones();
};

/// A name that nobody in the scene has yet: "ball", "ball 2", …
[[nodiscard]] std::string free_name(const nlohmann::json& scene, const std::string& wanted);

/// Another body, free of fixed nodes, beside those that are there. `own`: its box at rest.
void add_body(nlohmann::json& scene, nlohmann::json body, const SceneBox& around,
              const SceneBox& own);
/// A second one like it, beside all others.
void duplicate_body(nlohmann::json& scene, std::size_t entry, const SceneBox& around);
/// With the joints that held it. Throws Error for the last one.
void remove_body(nlohmann::json& scene, std::size_t entry);

/// A level ground at this height, or none.
void set_ground(nlohmann::json& scene, std::optional<double> height);

/// A "box", "sphere" or "capsule" some `size` across; with a mass (kg) it moves by itself.
void add_obstacle(nlohmann::json& scene, const std::string& shape, const Vec3& position,
                  double size, std::optional<double> mass);
void move_obstacle(nlohmann::json& scene, std::size_t obstacle, const Vec3& position);
void remove_obstacle(nlohmann::json& scene, std::size_t obstacle);

/// A "ball", "hinge" (about z) or "weld" at a point of the world between two bodies, or one and the
/// world.
void add_joint(nlohmann::json& scene, const std::string& type, std::size_t one,
               std::optional<std::size_t> other, const Vec3& at);
void remove_joint(nlohmann::json& scene, std::size_t joint);

}  // namespace limber::studio
