#include "limber/mesh/formats/number_type.h"

#include <cmath>

namespace limber {

double raw_number(Scanner& scanner, const NumberType& type, std::endian order) {
  if (type.floating) {
    return type.bytes == 4 ? scanner.raw<float>(order) : scanner.raw<double>(order);
  }
  switch (type.bytes) {
    case 1:
      return type.is_signed ? scanner.raw<std::int8_t>() : scanner.raw<std::uint8_t>();
    case 2:
      return type.is_signed ? scanner.raw<std::int16_t>(order) : scanner.raw<std::uint16_t>(order);
    case 4:
      return type.is_signed ? static_cast<double>(scanner.raw<std::int32_t>(order))
                            : static_cast<double>(scanner.raw<std::uint32_t>(order));
    default:
      return type.is_signed ? static_cast<double>(scanner.raw<std::int64_t>(order))
                            : static_cast<double>(scanner.raw<std::uint64_t>(order));
  }
}

std::int64_t whole_number(double value, const char* what, const Scanner& scanner) {
  constexpr double kLargest = 9007199254740992.0;  // 2^53
  if (!(std::abs(value) <= kLargest) || value != std::floor(value)) {
    scanner.fail_as_a_whole(std::string(what) + " is not a whole number");
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace limber
