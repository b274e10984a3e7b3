#include "limber/modes/playback/residual_modes.h"

#include <algorithm>

namespace limber {

std::ptrdiff_t ResidualModes::find(int i, int j) const {
  const auto first = columns.begin() + offsets[static_cast<std::size_t>(i)];
  const auto last = columns.begin() + offsets[static_cast<std::size_t>(i) + 1];
  const auto found = std::lower_bound(first, last, j);
  return found != last && *found == j ? found - columns.begin() : -1;
}

}  // namespace limber
