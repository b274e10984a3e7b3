// Finding the cell size that gives a wanted number of tets.
#pragma once

#include <functional>

namespace limber {

/// How near the search tries to come: half of what is promised, since counts jump.
inline constexpr double kCountTolerance = 0.1;
/// What is promised where the surface allows.
inline constexpr double kCountPromise = 0.2;

/// `mesh_with(cells)` meshes with that many cells along the longest side and returns the count of
/// tets. The last call made is for the number returned.
double search_cells(int target, const std::function<int(double)>& mesh_with);

}  // namespace limber
