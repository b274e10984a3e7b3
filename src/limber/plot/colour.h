// Colours of charts and pictures: those of Okabe and Ito, and of Tol, which everyone can tell
// apart.
#pragma once

#include <string>
#include <vector>

namespace limber {

/// sRGB as on a screen, 0 to 1.
struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
  double opacity = 1;
};

/// From 0xRRGGBB.
[[nodiscard]] constexpr Colour colour(unsigned hex, double opacity = 1) {
  return {((hex >> 16) & 255) / 255.0, ((hex >> 8) & 255) / 255.0, (hex & 255) / 255.0, opacity};
}

/// a at t = 0, b at t = 1.
[[nodiscard]] Colour mix(const Colour& a, const Colour& b, double t);

/// Linear methods are red, warped ones blue, nonlinear FEM green; unknown names grey.
[[nodiscard]] Colour method_colour(const std::string& method);

/// Dashes of the method's line in a chart, in points; empty: solid. Methods of similar colour
/// differ here, so that print without colour can be read.
[[nodiscard]] std::vector<double> method_dashes(const std::string& method);

/// For bodies that share a method: the k-th of a row that repeats.
[[nodiscard]] Colour body_colour(std::size_t k);

/// From dark blue through green to yellow as t goes from 0 to 1: brightness alone orders it.
[[nodiscard]] Colour sequential_colour(double t);
/// From blue at −1 through light grey at 0 to red at 1.
[[nodiscard]] Colour diverging_colour(double t);

}  // namespace limber
