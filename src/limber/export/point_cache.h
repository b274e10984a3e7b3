// Point caches: the points of one mesh in every frame and nothing else, as .mdd (LightWave) and
// .pc2 (3ds Max) hold them.
//
// .mdd, big-endian:    int32 frames, int32 points, float seconds[frames], float xyz[frames][points]
// .pc2, little-endian: "POINTCACHE2\0", int32 version (1), int32 points, float first frame,
//                      float frames a sample, int32 samples, float xyz[samples][points]
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/types.h"

namespace limber {

struct PointCacheInfo {
  std::string format;  ///< "mdd" or "pc2"
  std::size_t points = 0;
  /// For each frame: seconds in .mdd; frame numbers in .pc2, which knows no seconds.
  std::vector<double> times;
  Vec3 low = Vec3::Zero();  ///< bounds over all frames; zero where there is no point
  Vec3 high = Vec3::Zero();
};

/// Reads the whole file. Throws Error when it is cut short, too long for its counts, damaged, holds
/// numbers that are not finite, or has another ending than .mdd or .pc2.
[[nodiscard]] PointCacheInfo read_point_cache_info(const std::filesystem::path& path);

/// Whether the path ends in .mdd or .pc2, in any case.
[[nodiscard]] bool is_point_cache(const std::filesystem::path& path);

}  // namespace limber
