// Point caches: .mdd in big-endian, .pc2 in little-endian numbers.
#include <bit>

#include "fuzz/target.h"
#include "limber/export/point_cache.h"

namespace limber::fuzz {
namespace {

std::string words(std::initializer_list<std::uint32_t> values, bool big_endian) {
  std::string bytes;
  for (std::uint32_t value : values) {
    if (big_endian) value = __builtin_bswap32(value);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

/// Two frames of one point.
std::string good_mdd() {
  return words({2, 1, bits(0), bits(0.5), bits(1), bits(2), bits(3), bits(4), bits(5), bits(6)},
               true);
}
std::string good_pc2() {
  return std::string("POINTCACHE2\0", 12) +
         words({1, 1, bits(0), bits(1), 2, bits(1), bits(2), bits(3), bits(4), bits(5), bits(6)},
               false);
}

void read(std::string_view bytes, const char* ending) {
  const PointCacheInfo info = read_point_cache_info(file_holding(bytes, ending));
  if (!info.low.allFinite() || !info.high.allFinite()) throw std::logic_error("bounds");
}

const Register kMdd({"mdd", [](std::string_view bytes) { read(bytes, ".mdd"); },
                     [] { return std::vector<std::string>{good_mdd()}; }});
const Register kPc2({"pc2", [](std::string_view bytes) { read(bytes, ".pc2"); },
                     [] { return std::vector<std::string>{good_pc2()}; }});

}  // namespace
}  // namespace limber::fuzz
