#include <algorithm>
#include <cmath>
#include <tuple>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/coincident.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {
std::string listed(const std::map<std::string, std::int64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  }
  return text;
}

Tets checked_corners(const RawTets& raw, const std::string& file_name) {
  const auto nodes = static_cast<std::int64_t>(raw.coordinates.size() / 3);
  Tets tets(static_cast<Eigen::Index>(raw.corners.size() / 4), 4);
  for (std::size_t i = 0; i < raw.corners.size(); ++i) {
    if (raw.corners[i] < 0 || raw.corners[i] >= nodes) {
      throw Error("tet " + std::to_string(i / 4) +
                      " names a node that is not there; the file has " + std::to_string(nodes) +
                      " nodes",
                  file_name, "the file is damaged or cut short, export it again");
    }
    tets.data()[i] = static_cast<std::int32_t>(raw.corners[i]);
  }
  return tets;
}

int turn_negative_tets(TetMesh& mesh) {
  int turned = 0;
  for (int t = 0; t < mesh.tet_count(); ++t) turned += turn_if_negative(mesh, t) ? 1 : 0;
  return turned;
}
/// Materials given tet by tet become regions: one for each material in each region.
void group_materials(RawTets& raw, const std::string& file_name) {
  if (raw.tet_materials.empty()) return;
  constexpr std::size_t kMostRegions = 1000;
  const auto region = [&](std::size_t t) { return raw.regions.empty() ? 0 : raw.regions[t]; };
  using Key = std::tuple<int, double, double, double>;
  std::map<Key, int> numbers;
  std::map<int, RegionMaterial> first;
  bool one_a_region = true;
  for (std::size_t t = 0; t < raw.tet_materials.size(); ++t) {
    const RegionMaterial& m = raw.tet_materials[t];
    numbers.try_emplace({region(t), m.young, m.poisson, m.density}, 0);
    one_a_region = one_a_region && first.try_emplace(region(t), m).first->second == m;
    if (numbers.size() > kMostRegions) {
      throw Error("gives more than " + std::to_string(kMostRegions) + " different materials",
                  file_name, "leave its material arrays out and give materials by region");
    }
  }
  if (one_a_region) {
    raw.materials = std::move(first);
    return;
  }
  int next = 1;
  for (auto& [key, number] : numbers) number = next++;
  std::vector<int> regions(raw.tet_materials.size());
  for (std::size_t t = 0; t < regions.size(); ++t) {
    const RegionMaterial& m = raw.tet_materials[t];
    regions[t] = numbers.at({region(t), m.young, m.poisson, m.density});
    raw.materials[regions[t]] = m;
  }
  raw.regions = std::move(regions);
}

bool is_region_of(const TetMesh& mesh, int region) {
  if (mesh.regions.empty()) return region == 0;
  return std::find(mesh.regions.begin(), mesh.regions.end(), region) != mesh.regions.end();
}

void check_materials(const std::map<int, RegionMaterial>& materials, const std::string& file_name) {
  for (const auto& [region, m] : materials) {
    if (m.young > 0 && m.density > 0 && m.poisson > -1 && m.poisson < 0.5 &&
        std::isfinite(m.young) && std::isfinite(m.density)) {
      continue;
    }
    throw Error("region " + std::to_string(region) + " has a material that cannot be (Young " +
                    std::to_string(m.young) + " Pa, Poisson " + std::to_string(m.poisson) +
                    ", density " + std::to_string(m.density) + " kg/m3)",
                file_name, "Young and density must be positive, Poisson between -1 and 0.5");
  }
}
}  // namespace

void require_tets(const ElementCounts& others, bool has_tets, const std::string& file_name) {
  const char* const remedy = "export first-order tetrahedra (four nodes each)";
  if (!others.refused.empty()) {
    throw Error("has elements Limber cannot use: " + listed(others.refused), file_name, remedy);
  }
  if (has_tets) return;
  const std::string instead = others.skipped.empty() ? "" : ", only " + listed(others.skipped);
  throw Error("has no tetrahedra" + instead, file_name, remedy);
}

TetMesh finish(RawTets&& raw, const std::string& file_name, ReadNotes& notes) {
  require_tets(raw, !raw.corners.empty(), file_name);
  TetMesh mesh;
  mesh.V = Eigen::Map<const Positions>(raw.coordinates.data(),
                                       static_cast<Eigen::Index>(raw.coordinates.size() / 3), 3);
  mesh.T = checked_corners(raw, file_name);
  group_materials(raw, file_name);
  check_materials(raw.materials, file_name);
  const bool has_regions =
      std::any_of(raw.regions.begin(), raw.regions.end(), [](int region) { return region != 0; });
  if (has_regions) mesh.regions = std::move(raw.regions);
  for (const auto& [region, material] : raw.materials) {
    if (is_region_of(mesh, region)) notes.materials.emplace(region, material);
  }
  notes.turned_tets += turn_negative_tets(mesh);
  check(mesh, file_name);
  notes.unused_nodes += static_cast<int>(unused_nodes(mesh).size());
  notes.duplicate_nodes += duplicate_count(mesh.V);
  if (!raw.skipped.empty()) notes.remarks.push_back("left out " + listed(raw.skipped));
  return mesh;
}

}  // namespace limber
