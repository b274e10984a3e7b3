// What a scene file says about motion: nodes, loads, paths, supports, handles and cores.
#pragma once

#include "limber/scene/json_reader.h"
#include "limber/scene/scene_file.h"

namespace limber {

[[nodiscard]] NodeChoice read_node(const JsonReader& json);
[[nodiscard]] NodeSelection read_nodes(const JsonReader& json);
[[nodiscard]] Interpolation read_interpolation(const JsonReader& json);
/// One gravity, or a list of such objects whose windows may overlap.
[[nodiscard]] std::vector<GravityLoad> read_gravities(const JsonReader& json);
/// Unit length.
[[nodiscard]] Eigen::Quaterniond read_quaternion(const JsonReader& json);
[[nodiscard]] std::vector<SupportKey> read_support(const JsonReader& json);
[[nodiscard]] ConstraintDescription read_constraint(const JsonReader& json);
/// A file's name, or an object; `folder` is where relative names start.
[[nodiscard]] SkeletonDescription read_skeleton_leads(const JsonReader& json,
                                                      const std::filesystem::path& folder);
[[nodiscard]] ForceDescription read_force(const JsonReader& json);
[[nodiscard]] CoreDescription read_core(const JsonReader& json);

}  // namespace limber
