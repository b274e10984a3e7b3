#include "limber/export/point_cache.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/file.h"

namespace limber {

namespace {

constexpr std::string_view kPc2Magic("POINTCACHE2\0", 12);

/// Four-byte numbers of a file from front to back, in the file's byte order.
class Words {
 public:
  Words(std::span<const std::byte> bytes, std::endian order, std::string name)
      : bytes_(bytes), swap_(order != std::endian::native), name_(std::move(name)) {}

  float real() { return std::bit_cast<float>(word()); }
  std::uint64_t count(const char* what) {
    const auto value = std::bit_cast<std::int32_t>(word());
    if (value < 0) fail(fmt::format("negative number of {}", what));
    return static_cast<std::uint64_t>(value);
  }
  void skip(std::size_t bytes) { bytes_ = bytes_.subspan(bytes); }
  [[nodiscard]] std::uint64_t left() const { return bytes_.size() / 4; }

  /// The counts must promise exactly the numbers that follow: neither format has another mark of a
  /// whole file. Both counts are below 2^31, so the product of three could pass 64 bits.
  void expect_rest(std::uint64_t frames, std::uint64_t points, std::uint64_t extra_a_frame) {
    const std::uint64_t frame = 3 * points + extra_a_frame;
    const bool too_many = frame > 0 && frames > left() / frame;
    if (too_many || bytes_.size() != 4 * frames * frame) {
      fail(fmt::format("its header promises {} frames of {} points, {} bytes follow", frames,
                       points, bytes_.size()));
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("damaged point cache: " + what, name_, "export it again");
  }

 private:
  std::uint32_t word() {
    if (bytes_.size() < 4) fail("it ends within its header");
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data(), 4);
    bytes_ = bytes_.subspan(4);
    return swap_ ? __builtin_bswap32(value) : value;
  }

  std::span<const std::byte> bytes_;
  bool swap_;
  std::string name_;
};

void read_bounds(Words& words, PointCacheInfo& info) {
  if (info.points == 0 || info.times.empty()) return;
  info.low.setConstant(std::numeric_limits<double>::infinity());
  info.high = -info.low;
  for (std::size_t frame = 0; frame < info.times.size(); ++frame) {
    for (std::size_t point = 0; point < info.points; ++point) {
      const float x = words.real();
      const float y = words.real();
      const float z = words.real();
      const Vec3 position(x, y, z);
      if (!position.allFinite()) {
        words.fail(fmt::format("point {} of frame {} is not a finite number", point, frame));
      }
      info.low = info.low.cwiseMin(position);
      info.high = info.high.cwiseMax(position);
    }
  }
}

PointCacheInfo read_mdd(std::span<const std::byte> bytes, const std::string& name) {
  Words words(bytes, std::endian::big, name);
  PointCacheInfo info{"mdd", 0, {}, Vec3::Zero(), Vec3::Zero()};
  const std::uint64_t frames = words.count("frames");
  info.points = words.count("points");
  words.expect_rest(frames, info.points, 1);
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    info.times.push_back(words.real());
    if (!std::isfinite(info.times.back())) {
      words.fail(fmt::format("the time of frame {} is not a finite number", frame));
    }
  }
  read_bounds(words, info);
  return info;
}

PointCacheInfo read_pc2(std::span<const std::byte> bytes, const std::string& name) {
  Words words(bytes, std::endian::little, name);
  if (bytes.size() < kPc2Magic.size() ||
      std::memcmp(bytes.data(), kPc2Magic.data(), kPc2Magic.size()) != 0) {
    words.fail("it does not begin with POINTCACHE2");
  }
  words.skip(kPc2Magic.size());
  PointCacheInfo info{"pc2", 0, {}, Vec3::Zero(), Vec3::Zero()};
  if (const std::uint64_t version = words.count("its version"); version != 1) {
    words.fail(fmt::format("version {}, not 1", version));
  }
  info.points = words.count("points");
  const double first = words.real();
  const double rate = words.real();
  const std::uint64_t frames = words.count("samples");
  if (!std::isfinite(first) || !std::isfinite(rate)) words.fail("its times are not finite numbers");
  if (info.points == 0 && frames > 0) words.fail("samples without a point");
  words.expect_rest(frames, info.points, 0);
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    info.times.push_back(first + rate * static_cast<double>(frame));
  }
  read_bounds(words, info);
  return info;
}

std::string lower_case_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return ending;
}

}  // namespace

PointCacheInfo read_point_cache_info(const std::filesystem::path& path) {
  if (!is_point_cache(path)) {
    throw Error("not a point cache", path.string(), "give a .mdd or .pc2 file");
  }
  const FileBytes file(path);
  return lower_case_ending(path) == ".mdd" ? read_mdd(file.bytes(), path.string())
                                           : read_pc2(file.bytes(), path.string());
}

bool is_point_cache(const std::filesystem::path& path) {
  const std::string ending = lower_case_ending(path);
  return ending == ".mdd" || ending == ".pc2";
}

}  // namespace limber
