// Finding things by the names that people give them.
#pragma once

#include <span>
#include <string>

namespace limber {

/// Where `name` stands among `names`: itself, else whatever its case, else behind the "rig|" that
/// Blender puts before it, else as a number from 0; -1 without. The first of several.
[[nodiscard]] int find_by_name(std::span<const std::string> names, const std::string& name);

/// The names in quotes, with commas; the first few of many.
[[nodiscard]] std::string listed(std::span<const std::string> names);

}  // namespace limber
