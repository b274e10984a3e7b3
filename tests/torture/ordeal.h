// What a random world goes through, and what must hold afterwards.
#pragma once

#include <cstdint>
#include <string>

namespace limber::torture {

struct Outcome {
  enum class Kind {
    finite,   ///< stepped to the end
    stopped,  ///< a body could not go on, and said so
    refused   ///< the scene was not built, with one line
  };
  Kind kind = Kind::finite;
  std::string words;  ///< of the fault or the refusal
};

/// Builds the scene of that number, steps it while hands come, go and jump, bodies are thrown and
/// hit, and time is taken back by snapshots. Throws std::logic_error for a finding: a number that
/// is not finite, an error of several lines, a snapshot after which steps give other bits.
[[nodiscard]] Outcome undergo(std::uint64_t seed);

}  // namespace limber::torture
