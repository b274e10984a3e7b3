// Baked bodies: as they come, and with size and checksum made to fit, so that damage reaches what
// lies behind them.
#include <cstring>

#include "fuzz/one_tet.h"
#include "fuzz/target.h"
#include "limber/core/checksum.h"
#include "limber/modes/playback/baked_file.h"

namespace limber::fuzz {
namespace {

constexpr std::size_t kHeader = 64;
constexpr std::size_t kSizeAt = 16;
constexpr std::size_t kChecksumAt = 24;

std::string resealed(std::string_view bytes) {
  std::string fitting(bytes);
  if (fitting.size() < kHeader) return fitting;
  const std::uint64_t size = fitting.size();
  std::memcpy(fitting.data() + kSizeAt, &size, sizeof size);
  const std::uint64_t sum = checksum(std::as_bytes(std::span(fitting)).subspan(kHeader));
  std::memcpy(fitting.data() + kChecksumAt, &sum, sizeof sum);
  return fitting;
}

void read(std::string_view bytes) {
  const BakedBody body = read_baked(file_holding(bytes, ".limber"));
  if (!body.body.Phi().allFinite() || !body.body.rest_positions().allFinite()) {
    throw std::logic_error("numbers that are not finite");
  }
}

const Register kBaked({"limber", [](std::string_view bytes) { read(bytes); },
                       [] {
                         return std::vector<std::string>{one_tet_file(Precision::float32),
                                                         one_tet_file(Precision::int16)};
                       }});
const Register kResealed({"limber-resealed", [](std::string_view bytes) { read(resealed(bytes)); },
                          [] {
                            return std::vector<std::string>{one_tet_file(Precision::float32),
                                                            one_tet_file(Precision::int16)};
                          }});

}  // namespace
}  // namespace limber::fuzz
