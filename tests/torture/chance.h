// Random numbers that are the same with every compiler and library, unlike std's distributions.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "limber/core/types.h"

namespace limber::torture {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}

  /// 0 to 1, 1 excluded.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// Evenly over the powers of ten.
  double decades(double low, double high) {
    return std::pow(10, between(std::log10(low), std::log10(high)));
  }
  /// low to high, both included.
  int whole(int low, int high) { return low + static_cast<int>(unit() * (high - low + 1)); }
  bool one_in(int times) { return whole(1, times) == 1; }
  template <class T>
  T any_of(std::initializer_list<T> these) {
    return these.begin()[whole(0, static_cast<int>(these.size()) - 1)];
  }
  /// Each coordinate between −size and size.
  Vec3 vector(double size) {
    const double x = between(-size, size), y = between(-size, size);
    return {x, y, between(-size, size)};
  }

 private:
  /// SplitMix64 (Steele, Lea & Flood 2014).
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace limber::torture
