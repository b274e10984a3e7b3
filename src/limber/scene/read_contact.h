// What a scene file says about ground, obstacles, joints and how bodies touch.
#pragma once

#include "limber/scene/json_reader.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// "friction", "restitution" and "collides" of a body or an obstacle.
[[nodiscard]] TouchDescription read_touch(const JsonReader& json);
[[nodiscard]] GroundDescription read_ground(const JsonReader& json);
[[nodiscard]] ContactOptions read_contact(const JsonReader& json);
/// `given_surface`: the shape, where a program brings it.
[[nodiscard]] ObstacleDescription read_obstacle(
    const JsonReader& json, const std::filesystem::path& folder,
    std::shared_ptr<const TriMesh> given_surface = nullptr);
[[nodiscard]] JointDescription read_joint(const JsonReader& json);

/// Throws Error for names that stand twice, and for names in joints and lists that nobody has.
void check_names(const SceneDescription& scene, const JsonReader& json);

}  // namespace limber
