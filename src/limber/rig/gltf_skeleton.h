// The joints of a glTF file's skins as a skeleton; all its nodes where it has no skin.
#pragma once

#include "limber/rig/skeleton.h"

namespace limber {

[[nodiscard]] std::unique_ptr<const Skeleton> gltf_skeleton(const std::filesystem::path& path,
                                                            double scale);

}  // namespace limber
