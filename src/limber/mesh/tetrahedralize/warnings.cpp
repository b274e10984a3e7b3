#include "limber/mesh/tetrahedralize/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/mesh/tetrahedralize/cell_search.h"

namespace limber {

namespace {
std::string place(const Vec3& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", p[0], p[1], p[2]);
}

std::string plural(int count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

double doubled_cells(const TetrahedralizeReport& report) {
  return std::min(2 * std::ceil(report.cells), 1.0 * TetrahedralizeOptions::kMostCells);
}

std::string more_cells(const TetrahedralizeReport& report) {
  return fmt::format("try --cells {:.0f}", doubled_cells(report));
}

/// Halving cells where it is thin costs far fewer tets than more cells everywhere.
std::string finer_where_thin(const TetrahedralizeReport& report,
                             const TetrahedralizeOptions& options) {
  if (!options.grade || options.thin_levels >= TetrahedralizeOptions::kMostLevels) {
    return more_cells(report);
  }
  return fmt::format("try --thin-levels {} or --cells {:.0f}", options.thin_levels + 1,
                     doubled_cells(report));
}

void about_bodies(const TetrahedralizeReport& report, const std::vector<BodyMesh>& meshes,
                  const TetrahedralizeOptions& options, std::vector<std::string>& out) {
  double islands_volume = 0;
  const BodyMesh* worst = &meshes[0];
  std::vector<std::pair<std::string, int>> reasons;
  for (const BodyMesh& m : meshes) {
    islands_volume += m.islands_volume;
    if (m.resolution.farthest > worst->resolution.farthest) worst = &m;
    if (m.fell_back.empty()) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const auto& r) { return r.first == m.fell_back; });
    if (known == reasons.end()) {
      reasons.emplace_back(m.fell_back, 1);
    } else {
      ++known->second;
    }
  }
  for (const auto& [reason, count] : reasons) {
    const std::string which =
        meshes.size() == 1 ? "" : fmt::format(" for {}", plural(count, "body", "bodies"));
    const bool open = reason == "the surface is open";
    out.push_back(fmt::format("{}, so a cage was built{}: {}", reason, which,
                              open ? "close the surface or ask for mode conforming, which "
                                     "thickens it"
                                   : finer_where_thin(report, options)));
  }
  if (worst->resolution.unresolved_share > 0) {
    out.push_back(fmt::format(
        "the body near {} is thinner than a cell and {:.2g} % of the surface is off by more than "
        "half a cell: {}",
        place(worst->resolution.farthest_at), 100 * worst->resolution.unresolved_share,
        finer_where_thin(report, options)));
  }
  if (report.islands_removed > 0) {
    const double share = islands_volume / std::max(report.volume + islands_volume, 1e-300);
    out.push_back(
        fmt::format("{} that came loose, {:.2g} % of the volume, {} removed: {} or mode cage",
                    plural(report.islands_removed, "bit", "bits"), 100 * share,
                    report.islands_removed == 1 ? "was" : "were", more_cells(report)));
  }
}
}  // namespace

std::vector<std::string> warnings_about(const TetrahedralizeReport& report,
                                        const std::vector<BodyMesh>& meshes,
                                        const TetrahedralizeOptions& options) {
  std::vector<std::string> out;
  if (report.inside_test == InsideTest::flood_fill && report.sheet_parts == 0) {
    out.push_back(
        "the surface's patches face both ways, so inside is what cannot be reached from outside: "
        "turn its faces outward");
  }
  if (report.sheet_parts > 0) {
    out.push_back(fmt::format(
        "{} open and treated as {} with a thickness: close the holes, or "
        "fill them with --open fill",
        report.sheet_parts == 1 ? "1 part is" : fmt::format("{} parts are", report.sheet_parts),
        report.sheet_parts == 1 ? "a sheet" : "sheets"));
  } else if (report.holes > 0) {
    out.push_back(fmt::format("{} in the surface {} bridged: close them if the shape there matters",
                              plural(report.holes, "hole", "holes"),
                              report.holes == 1 ? "was" : "were"));
  }
  about_bodies(report, meshes, options, out);
  if (report.fused && options.keep_apart) {
    out.push_back(fmt::format(
        "the surface is {} loose bits, too many to be bodies of their own, and near ones "
        "were fused: join the bits that belong together",
        report.bodies));
  }
  const auto apart =
      std::find_if(meshes.begin(), meshes.end(), [](const BodyMesh& m) { return m.came_apart; });
  if (apart != meshes.end()) {
    out.push_back(fmt::format(
        "parts of the surface overlap near {} by less than a cell and came apart: {} or "
        "mode cage",
        place(apart->apart_at), more_cells(report)));
  }
  if (report.pieces > 1) {
    out.push_back(fmt::format(
        "the mesh is {} pieces that do not hang together and will fall apart: {}", report.pieces,
        report.fused ? "fewer cells, or mode cage, fuse parts farther from each other"
                     : "let the parts of the surface overlap, or glue near ones with --fuse"));
  }
  if (options.target_tets > 0 &&
      std::abs(std::log(static_cast<double>(report.tets) / options.target_tets)) >
          std::log1p(kCountPromise)) {
    out.push_back(fmt::format("{} tets were asked for and {} made: {}, try --cells instead",
                              options.target_tets, report.tets,
                              report.tets > options.target_tets && report.pieces > 1
                                  ? fmt::format("{} pieces need that many at least", report.pieces)
                                  : "this surface cannot be met more closely"));
  }
  return out;
}

}  // namespace limber
