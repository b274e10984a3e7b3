// Biovision's BVH: a tree of joints with offsets, and their channels frame by frame
// (Meredith & Maddock 2001, "Motion Capture File Formats Explained").
//
// At rest every channel is zero. Rotations are applied in the order of their channels; a joint's
// position channels stand in place of its offset, as in Blender and in what MotionBuilder writes
// (a root's offset is nearly always zero, where both readings agree).
#pragma once

#include <string_view>

#include "limber/rig/skeleton.h"

namespace limber {

[[nodiscard]] std::unique_ptr<const Skeleton> read_bvh(const std::filesystem::path& path,
                                                       double scale = 1);
[[nodiscard]] std::unique_ptr<const Skeleton> read_bvh(std::string_view text,
                                                       const std::string& file_name,
                                                       double scale = 1);

}  // namespace limber
