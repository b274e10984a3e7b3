#include "limber/mesh/tetrahedralize/body_mesher.h"

#include <algorithm>
#include <cmath>

#include "limber/mesh/boundary.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/embedding/tet_locator.h"
#include "limber/mesh/tet_geometry.h"
#include "limber/mesh/tetrahedralize/cage.h"
#include "limber/mesh/tetrahedralize/improve.h"
#include "limber/mesh/tetrahedralize/stuffing.h"

namespace limber {

namespace {
/// Triangles this near a tet touch it: far above rounding, far below anything that shows.
constexpr double kSlackFraction = 1e-9;
/// The layer around sheets, in cells: as a conforming body it must be kCellsAcross thick; around a
/// cage it only keeps the flood from slipping past an edge.
constexpr double kConformingRadius = 0.5 * kCellsAcross;
constexpr double kCageRadius = 0.1;
/// A conforming mesh that misses more of the surface than this is no longer taken by itself.
constexpr double kUnresolvedShare = 0.02;
/// What every conforming mesh must reach, degrees.
constexpr double kRequiredDegrees = 10;

/// Cells are halved at most so often where parts cross in a neck thinner than they are.
constexpr int kLevelsAtCrossings = 2;

/// The triangles that some pair names.
TriangleTree tree_of_crossed(const Soup& body, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<int> rows;
  for (const auto& [f, g] : pairs) rows.insert(rows.end(), {f, g});
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return {body.V, body.F(rows, Eigen::all)};
}

double volume_of(const TetMesh& mesh, int t) {
  return six_volumes(mesh.V.row(mesh.T(t, 0)), mesh.V.row(mesh.T(t, 1)), mesh.V.row(mesh.T(t, 2)),
                     mesh.V.row(mesh.T(t, 3))) /
         6;
}
}  // namespace

struct BodyMesher::Background {
  Octree octree;
  BackgroundGrid grid;
  Touching touching;
  std::vector<bool> inside;
};

BodyMesher::BodyMesher(BodySoup body, std::vector<std::pair<int, int>> touching,
                       const TetrahedralizeOptions& options, bool keep_apart)
    : body_(std::move(body)),
      touching_(std::move(touching)),
      options_(options),
      keep_apart_(keep_apart),
      roles_(find_roles(body_.soup, options.open)),
      solid_(body_.soup, roles_),
      thickness_(thickness_behind(solid_, roles_)),
      sharp_(find_sharp_features(body_.soup, roles_)),
      crossed_(tree_of_crossed(body_.soup, touching_)) {}

BodyMesher::Background BodyMesher::background(double cell, bool conforming, bool graded_surface,
                                              int placement) {
  const double given = 0.5 * options_.sheet_thickness;
  const double chosen = cell * (conforming ? kConformingRadius : kCageRadius);
  solid_.set_sheet_radius(given > 0 ? given : chosen);

  Sizing sizing;
  sizing.cell = cell;
  sizing.coarser_levels = options_.grade ? 1 : 0;
  sizing.placement = placement;
  std::vector<double> thickness = thickness_;
  if (graded_surface) {
    sizing.finer_levels = options_.grade ? options_.thin_levels : 0;
    for (const RefineRegion& region : options_.refine) {
      sizing.finer_levels = std::max(sizing.finer_levels, region.levels);
    }
    sizing.finer_levels = std::max(sizing.finer_levels, levels_at_crossings_);
    if (!options_.refine.empty() || levels_at_crossings_ > 0) {
      sizing.asked = [this, cell](const Vec3& p) {
        const bool at_crossing =
            levels_at_crossings_ > 0 && crossed_.nearest(p, 1.5 * cell).triangle >= 0;
        int levels = at_crossing ? levels_at_crossings_ : 0;
        for (const RefineRegion& region : options_.refine) {
          if (region.picks(p)) levels = std::max(levels, region.levels);
        }
        return levels;
      };
    }
    // Given sheets may be thin too.
    for (int f = 0; conforming && f < static_cast<int>(thickness.size()); ++f) {
      if (roles_.of[f] == Role::sheet) thickness[f] = 2 * solid_.sheet_radius();
    }
  }
  const double slack = kSlackFraction * body_.soup.size;
  Octree octree = make_octree(solid_, halvings_at(solid_, thickness, sizing), sizing);
  BackgroundGrid grid = make_background_grid(octree);
  Touching touching = find_touching(octree, grid, solid_.triangles(), slack);
  std::vector<bool> inside = solid_.inside_nodes(grid, touching);
  return {std::move(octree), std::move(grid), std::move(touching), std::move(inside)};
}

BodyMesh BodyMesher::mesh(double cell) {
  if (options_.mode == FillMode::cage) return cage(cell);
  const bool automatic = options_.mode == FillMode::automatic;
  std::string reason;
  if (automatic && (roles_.test == InsideTest::flood_fill || roles_.sheet_parts > 0)) {
    reason = "the surface is open";
  } else {
    double degrees = 0;
    BodyMesh mesh = best_conforming(cell, degrees);
    if (mesh.came_apart) mesh = held_together(std::move(mesh), cell, degrees);
    const double lost = mesh.islands_volume;
    const double kept = volume(mesh.mesh.V, mesh.mesh.T);
    if (mesh.mesh.tet_count() == 0 || degrees < kRequiredDegrees) {
      reason = "the solid is thinner than a cell everywhere";
    } else if (automatic && (mesh.resolution.unresolved_share > kUnresolvedShare ||
                             lost > kUnresolvedShare * (kept + lost))) {
      reason = "the solid is thinner than a cell in many places";
    } else if (automatic && mesh.came_apart) {
      reason = "parts that overlap by less than a cell would come apart";
    } else if (automatic && !keep_apart_ && mesh.pieces > 1) {
      return cage(cell);  // which lets them grow together
    } else {
      return mesh;
    }
  }
  BodyMesh around = cage(cell);
  around.fell_back = std::move(reason);
  return around;
}

std::vector<int> BodyMesher::piece_of_parts(const TetMesh& mesh, const Pieces& pieces,
                                            const std::vector<int>& part_of_triangle,
                                            int parts) const {
  const TetLocator locator(mesh);
  std::vector<std::pair<int, int>> votes;  // part and piece, one a vertex
  std::vector<bool> seen(body_.soup.V.rows(), false);
  for (int f = 0; f < body_.soup.F.rows(); ++f) {
    for (int c = 0; c < 3; ++c) {
      const int v = body_.soup.F(f, c);
      if (seen[v]) continue;
      seen[v] = true;
      const int tet = locator.locate(body_.soup.V.row(v)).tet;
      votes.emplace_back(part_of_triangle[f], pieces.of_tet[tet]);
    }
  }
  std::sort(votes.begin(), votes.end());
  std::vector<int> piece_of_part(parts, 0);
  std::vector<std::ptrdiff_t> most(parts, 0);
  for (auto vote = votes.begin(); vote != votes.end();) {
    const auto end = std::upper_bound(vote, votes.end(), *vote);
    if (end - vote > most[vote->first]) {
      most[vote->first] = end - vote;
      piece_of_part[vote->first] = vote->second;
    }
    vote = end;
  }
  return piece_of_part;
}

void BodyMesher::note_apart(const std::vector<int>& piece_of_part,
                            const std::vector<int>& part_of_triangle, BodyMesh& out) const {
  for (const auto& [f, g] : touching_) {
    if (piece_of_part[part_of_triangle[f]] == piece_of_part[part_of_triangle[g]]) continue;
    out.came_apart = true;
    out.apart_at = body_.soup.V.row(body_.soup.F(f, 0));
    return;
  }
}

BodyMesh BodyMesher::held_together(BodyMesh apart, double cell, double& min_degrees) {
  for (int levels = 1; levels <= kLevelsAtCrossings; ++levels) {
    levels_at_crossings_ = levels;
    double degrees = 0;
    BodyMesh finer = best_conforming(cell, degrees);
    if (finer.mesh.tet_count() == 0 || finer.came_apart) continue;
    levels_at_crossings_ = 0;
    min_degrees = degrees;
    return finer;
  }
  levels_at_crossings_ = 0;
  return apart;
}

BodyMesh BodyMesher::best_conforming(double cell, double& min_degrees) {
  BodyMesh best;
  double most = 0;
  for (int placement = 0; placement < kPlacements; ++placement) {
    double degrees = 0;
    BodyMesh mesh = conforming(cell, true, placement, degrees);
    const double kept = volume(mesh.mesh.V, mesh.mesh.T);
    const bool lost_little = mesh.islands_volume <= kUnresolvedShare * kept;
    const bool not_taken =
        options_.mode == FillMode::automatic && mesh.resolution.unresolved_share > kUnresolvedShare;
    if (degrees >= kRequiredDegrees && kept > most) {
      most = kept;
      min_degrees = degrees;
      best = std::move(mesh);
      if (lost_little || not_taken) return best;
    }
  }
  if (best.mesh.tet_count() > 0) return best;
  return conforming(cell, false, 0, min_degrees);
}

BodyMesh BodyMesher::conforming(double cell, bool graded_surface, int placement,
                                double& min_degrees) {
  BodyMesh out;
  out.mode = FillMode::conforming;
  min_degrees = 0;
  const Background bg = background(cell, true, graded_surface, placement);
  Stuffed stuffed = stuff(bg.grid, bg.inside, [&](const Vec3& in, const Vec3& outside) {
    return solid_.crossing(in, outside);
  });
  if (stuffed.mesh.tet_count() == 0) return out;
  min_degrees = improve(stuffed.mesh, stuffed.on_surface,
                        [&](const Vec3& p) { return solid_.onto_border(p, 0.5 * cell); });
  snap_to(sharp_, cell, stuffed.on_surface, stuffed.mesh);
  out.mesh = std::move(stuffed.mesh);
  split_hinges(out.mesh);
  const Pieces pieces = face_connected_pieces(out.mesh.T, out.mesh.node_count());
  if (pieces.count > 1) {
    Soup soup = body_.soup;
    const SoupTopology topology = find_topology(soup);
    const std::vector<int> piece_of_part =
        piece_of_parts(out.mesh, pieces, topology.part_of, topology.parts);
    note_apart(piece_of_part, topology.part_of, out);
    std::vector<bool> in_use(pieces.count, false);
    for (const int piece : piece_of_part) in_use[piece] = true;
    out.pieces = static_cast<int>(std::count(in_use.begin(), in_use.end(), true));
    std::vector<bool> keep(out.mesh.tet_count());
    for (int t = 0; t < out.mesh.tet_count(); ++t) {
      keep[t] = in_use[pieces.of_tet[t]];
      if (!keep[t]) out.islands_volume += volume_of(out.mesh, t);
    }
    out.islands_removed = static_cast<int>(std::count(in_use.begin(), in_use.end(), false));
    keep_tets(out.mesh, keep);
  }
  const TetLocator locator(out.mesh);
  for (int v = 0; v < body_.soup.V.rows(); ++v) {
    out.tet_of_vertex.push_back(locator.locate(body_.soup.V.row(v)).tet);
  }
  out.resolution = resolution_of(out.mesh, body_.soup, solid_, 0.5 * cell);
  return out;
}

BodyMesh BodyMesher::cage(double cell) {
  const Background bg = background(cell, false, true);
  const double slack = kSlackFraction * body_.soup.size;
  const ContentsFinder contents(body_.soup, roles_, solid_, bg.grid, bg.touching, bg.inside,
                                touching_, slack);
  // With flood fill nothing tells what lies between two bits in one tet, unless nothing is inside.
  bool known = roles_.test == InsideTest::winding_number;
  if (!known) known = std::none_of(bg.inside.begin(), bg.inside.end(), [](bool in) { return in; });
  Cage made = build_cage(body_.soup, bg.octree, bg.grid, bg.touching, bg.inside, contents,
                         keep_apart_ && known);
  BodyMesh out;
  out.mode = FillMode::cage;
  out.mesh = std::move(made.mesh);
  out.tet_of_vertex = std::move(made.tet_of_vertex);
  out.copied_tets = made.copies;
  return out;
}

}  // namespace limber
