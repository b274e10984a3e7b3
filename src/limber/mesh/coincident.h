// Vertices at the very same place.
#pragma once

#include <vector>

#include "limber/core/types.h"

namespace limber {

/// For each position the number of the first one with equal coordinates (itself, mostly).
/// Exact comparison, 0 equals -0. Linear time.
std::vector<int> first_coincident(const Positions& positions);

/// How many positions equal an earlier one.
int duplicate_count(const Positions& positions);

}  // namespace limber
