#include <cmath>

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
  const bool has_regions =
      std::any_of(raw.regions.begin(), raw.regions.end(), [](int region) { return region != 0; });
  if (has_regions) mesh.regions = std::move(raw.regions);
  notes.turned_tets += turn_negative_tets(mesh);
  check(mesh, file_name);
  notes.unused_nodes += static_cast<int>(unused_nodes(mesh).size());
  notes.duplicate_nodes += duplicate_count(mesh.V);
  if (!raw.skipped.empty()) notes.remarks.push_back("left out " + listed(raw.skipped));
  return mesh;
}

}  // namespace limber
