// One function for each animation format, for open_animation(); what each writes is in animation.h.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "limber/export/animation.h"

namespace limber {

using BodyList = std::vector<AnimatedBody>;
using WriterPointer = std::unique_ptr<AnimationWriter>;

WriterPointer open_glb(const std::filesystem::path& path, BodyList bodies, double fps);
WriterPointer open_mdd(const std::filesystem::path& path, BodyList bodies, double fps);
WriterPointer open_pc2(const std::filesystem::path& path, BodyList bodies, double fps);
WriterPointer open_pvd(const std::filesystem::path& path, BodyList bodies, double fps);
WriterPointer open_usda(const std::filesystem::path& path, BodyList bodies, double fps);
WriterPointer open_npz(const std::filesystem::path& path, BodyList bodies, double fps);

}  // namespace limber
