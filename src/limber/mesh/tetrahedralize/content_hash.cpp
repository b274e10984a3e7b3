#include <fmt/format.h>

#include <cstring>

#include "limber/core/checksum.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {

namespace {
/// Changes whenever tetrahedralize() gives other meshes than before, so that caches notice.
constexpr int kVersion = 2;

std::uint64_t checksum_of(const void* data, std::size_t size) {
  return checksum({static_cast<const std::byte*>(data), size});
}
}  // namespace

std::string content_hash(const TriMesh& surface, const TetrahedralizeOptions& options) {
  std::string text =
      fmt::format("{} {} {} {} {} {} {:a} {} {} {}", kVersion, surface.vertex_count(),
                  static_cast<int>(options.mode), static_cast<int>(options.open), options.cells,
                  options.target_tets, options.sheet_thickness, options.grade, options.thin_levels,
                  options.keep_apart);
  for (const RefineRegion& region : options.refine) {
    text += fmt::format(" {}:{}:{}", region.levels, region.text.size(), region.text);
  }
  const std::uint64_t shape =
      checksum_of(surface.V.data(), surface.V.size() * sizeof(double)) ^
      (0x9e3779b97f4a7c15U *
       checksum_of(surface.F.data(), surface.F.size() * sizeof(std::int32_t)));
  return fmt::format("{:016x}{:016x}", shape, checksum_of(text.data(), text.size()));
}

}  // namespace limber
