#include "limber/plot/colour.h"

#include <algorithm>
#include <array>

#include "limber/dynamics/method.h"

namespace limber {

namespace {

/// Linear between equally spaced colours, t from 0 to 1.
template <std::size_t kCount>
Colour along(const std::array<unsigned, kCount>& stops, double t) {
  const double place = std::clamp(t, 0.0, 1.0) * (kCount - 1);
  const auto first = std::min(static_cast<std::size_t>(place), kCount - 2);
  return mix(colour(stops[first]), colour(stops[first + 1]), place - static_cast<double>(first));
}

}  // namespace

Colour mix(const Colour& a, const Colour& b, double t) {
  const auto between = [t](double x, double y) { return x + t * (y - x); };
  return {between(a.red, b.red), between(a.green, b.green), between(a.blue, b.blue),
          between(a.opacity, b.opacity)};
}

Colour method_colour(const std::string& method) {
  const std::optional<Method> known = find_method(method);
  return colour(known ? traits(*known).colour : 0x888888);
}

std::vector<double> method_dashes(const std::string& method) {
  std::vector<double> dashes;
  const std::optional<Method> known = find_method(method);
  if (!known) return dashes;
  for (const double length : traits(*known).dashes) {
    if (length > 0) dashes.push_back(length);
  }
  return dashes;
}

Colour body_colour(std::size_t k) {
  constexpr std::array kRow{0x0072B2u, 0xE69F00u, 0x009E73u, 0xCC79A7u, 0x56B4E9u, 0xD55E00u};
  return colour(kRow[k % kRow.size()]);
}

Colour sequential_colour(double t) {
  // Matplotlib's viridis at eighths.
  constexpr std::array kStops{0x440154u, 0x472D7Bu, 0x3B528Bu, 0x2C728Eu, 0x21918Cu,
                              0x28AE80u, 0x5EC962u, 0xADDC30u, 0xFDE725u};
  return along(kStops, t);
}

Colour diverging_colour(double t) {
  constexpr std::array kStops{0x2166ACu, 0x67A9CFu, 0xEDEDEDu, 0xEF8A62u, 0xB2182Bu};
  return along(kStops, (t + 1) / 2);
}

}  // namespace limber
