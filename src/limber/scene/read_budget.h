// Reading a scene's budget of time: docs/scene.schema.json.
#pragma once

#include "limber/scene/json_reader.h"
#include "limber/world/detail_budget.h"

namespace limber {

/// Microseconds, or an object with them. Measures the machine where it is asked to.
[[nodiscard]] DetailBudget read_budget(const JsonReader& json);

}  // namespace limber
