#include "limber/dynamics/local/local_options.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

void check(const LocalOptions& options) {
  const auto refuse = [](const char* what, const char* remedy) {
    throw Error(what, "local", remedy);
  };
  if (!(options.tolerance >= 0) || !(options.tolerance < 1))
    refuse("the tolerance must be a share of the body's size", "give 0 to 1, for example 0.002");
  if (options.max_nodes < 1) refuse("max_nodes must be at least 1", "give for example 32");
  if (options.rings < 1) refuse("there must be at least one ring", "give 1 or more");
  if (!(options.release_time >= 0) || !std::isfinite(options.release_time))
    refuse("the release time must not be negative", "give seconds, for example 0.1");
}

LocalOptions with_least_tolerance(LocalOptions options) {
  constexpr double kLeastTolerance = 1e-6;
  options.tolerance = std::max(options.tolerance, kLeastTolerance);
  return options;
}

}  // namespace limber
