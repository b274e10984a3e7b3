// Arrays as USD's text format spells them.
#pragma once

#include <cstdint>
#include <span>

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

}  // namespace limber
