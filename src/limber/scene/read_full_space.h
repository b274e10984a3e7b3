// What a scene says of full-resolution bodies: how they are solved, and where they have detail.
#pragma once

#include "limber/dynamics/adaptive/leaf_choice.h"
#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/scene/json_reader.h"

namespace limber {

void read_full_space(const JsonReader& json, FullBodyOptions& options);
[[nodiscard]] AdaptiveOptions read_adaptive(const JsonReader& json);

}  // namespace limber
