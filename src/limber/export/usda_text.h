// Arrays as USD's text format spells them.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "limber/mesh/formats/text_writer.h"

namespace limber {

/// [1, 2, 3]
inline void write_integers(TextWriter& text, std::span<const std::int32_t> values) {
  text << '[';
  for (std::size_t i = 0; i < values.size(); ++i) text << (i > 0 ? ", " : "") << values[i];
  text << ']';
}

/// [(x, y, z), (x, y, z)] for width 3.
inline void write_tuples(TextWriter& text, std::span<const float> values, std::size_t width) {
  text << '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text << (i % width == 0 ? "), " : ", ");
    if (i % width == 0) text << '(';
    text << values[i];
  }
  text << (values.empty() ? "]" : ")]");
}

/// The values with as many decimals as leave none off by more than `error`; all of them for zero.
inline std::vector<float> rounded(std::span<const float> values, double error) {
  std::vector<float> result(values.begin(), values.end());
  if (!(error > 0)) return result;
  const double scale = std::pow(10, std::ceil(-std::log10(2 * error)));
  for (float& value : result) value = static_cast<float>(std::nearbyint(value * scale) / scale);
  return result;
}

}  // namespace limber
