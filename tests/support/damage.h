// Damage done to good files at random: what disks, editors and attackers do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace limber {

namespace damage_detail {
template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
}  // namespace damage_detail

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string damaged(std::string bytes) {
    for (int times = up_to(3); times >= 0; --times) {
      switch (up_to(7)) {
        case 0:
          flip_bits(bytes);
          break;
        case 1:
          bytes.resize(up_to(bytes.size()));
          break;
        case 2:
          bytes.erase(up_to(bytes.size()), up_to(16));
          break;
        case 3:
          bytes.insert(up_to(bytes.size()), bytes.substr(up_to(bytes.size()), up_to(64)));
          break;
        case 4:
          put_extreme_bytes(bytes);
          break;
        default:
          exchange_number(bytes);
      }
    }
    return bytes;
  }

 private:
  /// 0 to most, both included.
  std::size_t up_to(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random_);
  }

  void flip_bits(std::string& bytes) {
    if (bytes.empty()) return;
    for (std::size_t n = up_to(8) + 1; n > 0; --n) {
      char& byte = bytes[up_to(bytes.size() - 1)];
      byte = static_cast<char>(byte ^ (1 << up_to(7)));
    }
  }

  /// Limits of the integers and not-a-numbers of the floats.
  void put_extreme_bytes(std::string& bytes) {
    static const std::vector<std::string> kExtremes = {
        std::string(8, '\xFF'),
        std::string(4, '\xFF'),
        damage_detail::raw(std::int32_t{-1}),
        damage_detail::raw(std::numeric_limits<std::int64_t>::min()),
        std::string(8, '\0'),
        damage_detail::raw(1'000'000'000),
        damage_detail::raw(std::nan("")),
        damage_detail::raw(std::numeric_limits<float>::infinity()),
        damage_detail::raw(std::int64_t{1} << 40)};
    const std::string& extreme = kExtremes[up_to(kExtremes.size() - 1)];
    if (bytes.size() < extreme.size()) return;
    bytes.replace(up_to(bytes.size() - extreme.size()), extreme.size(), extreme);
  }

  void exchange_number(std::string& bytes) {
    static const std::vector<std::string> kNumbers = {"-1",
                                                      "0",
                                                      "1",
                                                      "2",
                                                      "3",
                                                      "1000000000",
                                                      "9223372036854775807",
                                                      "-9223372036854775808",
                                                      "18446744073709551616",
                                                      "1e308",
                                                      "nan",
                                                      "inf",
                                                      "0.5",
                                                      "4294967295",
                                                      "",
                                                      "-0",
                                                      "x",
                                                      "1e9"};
    const std::string digits = "0123456789.-+e";
    const std::size_t begin = bytes.find_first_of("0123456789", up_to(bytes.size()));
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of(digits, begin), bytes.size());
    bytes.replace(begin, end - begin, kNumbers[up_to(kNumbers.size() - 1)]);
  }

  std::mt19937 random_;
};

}  // namespace limber
