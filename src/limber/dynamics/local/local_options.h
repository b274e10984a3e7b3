// What users set of local detail where bodies touch.
#pragma once

#include <optional>

namespace limber {

enum class LocalMode {
  off,       ///< the modes alone
  residual,  ///< residual modes of the nodes that are touched ("auto")
  rings,     ///< García et al. 2010: all nodes within some rings of those that are touched
  corotational  ///< residual modes, and corotational elements within some rings
};

struct LocalOptions {
  LocalMode mode = LocalMode::residual;
  int rings = 2;              ///< of elements around touched nodes; `rings` and `corotational`
  double tolerance = 0.002;   ///< of the body's size: detail smaller than this may be left out
  int max_nodes = 32;         ///< touched nodes with detail at a time
  double release_time = 0.1;  ///< s, that a node stays after it was last touched
  /// Whether position handles make dents too, or hold the modes alone; not given: where they can,
  /// which is with `residual`.
  std::optional<bool> handles = std::nullopt;
};

/// Detail below this share of the tolerance leaves without being seen to.
inline constexpr double kCalm = 0.01;
/// s, that rows are taken to be set for: all substeps of a frame.
inline constexpr double kLongestFrame = 0.25;

/// Throws Error where one is out of range.
void check(const LocalOptions& options);
/// A tolerance of zero means what nobody could see.
[[nodiscard]] LocalOptions with_least_tolerance(LocalOptions options);

}  // namespace limber
