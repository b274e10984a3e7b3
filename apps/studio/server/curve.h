// A curve over the modes as the page edits it; web/src/ui/spline.ts draws the same one.
#pragma once

#include <vector>

namespace limber::studio {

/// Values at ascending places 0..1, joined by monotone cubics (Fritsch & Carlson 1980) and level
/// beyond the ends.
struct Curve {
  std::vector<double> at{0, 1};
  std::vector<double> value{0, 0};

  [[nodiscard]] double operator()(double x) const;
};

}  // namespace limber::studio
