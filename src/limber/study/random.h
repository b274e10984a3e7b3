// Random numbers that are the same on every machine and compiler: those of the standard library's
// distributions are not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace limber::study {

/// splitmix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators").
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// In [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  /// From 0 to count − 1; the remainder's bias is below 1e-15 for what is shuffled here.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

  template <class Value>
  void shuffle(std::vector<Value>& values) {  // Fisher & Yates
    for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[below(k)]);
  }

 private:
  std::uint64_t state_;
};

/// Another seed for each text (FNV-1a).
[[nodiscard]] inline std::uint64_t mixed_seed(std::uint64_t seed, std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return Random(hash).next();
}

}  // namespace limber::study
