// Which files a scene is made of.
#pragma once

#include <filesystem>
#include <vector>

#include "limber/scene/scene_file.h"

namespace limber {

/// The scene's own and those that its bodies name: none of them may be an output.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const SceneDescription& scene,
                                                          const std::filesystem::path& scene_file);

}  // namespace limber
