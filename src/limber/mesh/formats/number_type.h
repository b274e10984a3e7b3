// Number types that a file names at run time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "limber/mesh/formats/scanner.h"

namespace limber {

struct NumberType {
  std::size_t bytes;
  bool floating;
  bool is_signed;
};

/// What a format calls a type.
struct NamedType {
  std::string_view name;
  NumberType type;
};

/// One raw value of that type as a double: exact for all node numbers, which stay below 2^53.
double raw_number(Scanner& scanner, const NumberType& type, std::endian order);

/// Throws Error, with `what` is meant, unless the number is whole and exact as a double.
std::int64_t whole_number(double value, const char* what, const Scanner& scanner);

}  // namespace limber
