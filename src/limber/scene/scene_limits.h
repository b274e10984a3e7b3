// Bounds on the numbers of a scene, so that counts and times stay numbers.
#pragma once

#include "limber/scene/json_reader.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// Throws Error unless the step, the frame rate and the duration are between a picosecond and
/// thirty years, and give at most a thousand million steps and frames.
void check_times(const SceneDescription& scene, const JsonReader& json);

}  // namespace limber
