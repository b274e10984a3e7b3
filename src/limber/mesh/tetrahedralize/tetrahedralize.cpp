#include "limber/mesh/tetrahedralize/tetrahedralize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "limber/core/error.h"
#include "limber/core/stopwatch.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/tetrahedralize/body_mesher.h"
#include "limber/mesh/tetrahedralize/cell_search.h"
#include "limber/mesh/tetrahedralize/surface_findings.h"
#include "limber/mesh/tetrahedralize/warnings.h"

namespace limber {

std::string_view name(FillMode mode) {
  return mode == FillMode::cage         ? "cage"
         : mode == FillMode::conforming ? "conforming"
                                        : "automatic";
}

std::string_view name(InsideTest test) {
  return test == InsideTest::winding_number ? "winding number" : "flood fill";
}

namespace {
void check_options(const TetrahedralizeOptions& options) {
  const auto refuse = [](const std::string& what, const std::string& remedy) {
    throw Error(what, "tetrahedralize", remedy);
  };
  if (options.cells != 0 && (options.cells < 1 || options.cells > options.kMostCells)) {
    refuse(fmt::format("{} cells along the longest side are out of range", options.cells),
           fmt::format("give 1 to {}", options.kMostCells));
  }
  if (options.target_tets < 0) refuse("the number of tets is negative", "give a positive number");
  if (options.cells != 0 && options.target_tets != 0) {
    refuse("both cells and a number of tets are given", "give one of them");
  }
  if (!(options.sheet_thickness >= 0) || !std::isfinite(options.sheet_thickness)) {
    refuse("the sheet thickness is not a length", "give metres, 0 for automatic");
  }
  const auto levels_fit = [&](int levels) { return levels >= 0 && levels <= options.kMostLevels; };
  for (const RefineRegion& region : options.refine) {
    if (!region.picks) refuse("a region to refine picks nothing", "give it a predicate");
    if (!levels_fit(region.levels)) {
      refuse(fmt::format("{} refinement levels are out of range", region.levels),
             fmt::format("give 0 to {}", options.kMostLevels));
    }
  }
  if (!levels_fit(options.thin_levels)) {
    refuse(fmt::format("{} levels for thin parts are out of range", options.thin_levels),
           fmt::format("give 0 to {}", options.kMostLevels));
  }
}

/// Everything that does not depend on the cell size.
struct Analysis {
  Soup soup;
  std::vector<std::unique_ptr<BodyMesher>> bodies;
  double longest_side = 0;
};

Analysis analyse(const TriMesh& surface, const TetrahedralizeOptions& options,
                 TetrahedralizeReport& report) {
  Analysis analysis;
  SurfaceFindings found = examine_surface(surface, report);
  report.fused = !options.keep_apart || found.bodies.count > options.kMostBodies;
  if (report.fused) found.bodies = one_body(found.soup);
  const Bodies& bodies = found.bodies;
  const Soup& soup = found.soup;
  analysis.longest_side = soup.box.size().maxCoeff();

  std::vector<BodySoup> split = split_bodies(soup, bodies);
  std::vector<int> local(soup.F.rows());
  for (const BodySoup& body : split) {
    for (std::size_t f = 0; f < body.triangles.size(); ++f) {
      local[body.triangles[f]] = static_cast<int>(f);
    }
  }
  std::vector<std::vector<std::pair<int, int>>> touching(bodies.count);
  for (const auto& [f, g] : found.crossings.touching) {
    touching[bodies.body_of[f]].emplace_back(local[f], local[g]);
  }
  for (int b = 0; b < bodies.count; ++b) {
    limber::report(options.progress, "reading the surface", static_cast<double>(b) / bodies.count);
    analysis.bodies.push_back(std::make_unique<BodyMesher>(
        std::move(split[b]), std::move(touching[b]), options, !report.fused));
    const Roles& roles = analysis.bodies.back()->roles();
    report.sheet_parts += roles.sheet_parts;
    if (roles.test == InsideTest::flood_fill) report.inside_test = InsideTest::flood_fill;
  }
  analysis.soup = std::move(found.soup);
  return analysis;
}

std::vector<BodyMesh> mesh_all(Analysis& analysis, double cell,
                               const TetrahedralizeOptions& options) {
  std::vector<BodyMesh> meshes;
  for (std::size_t b = 0; b < analysis.bodies.size(); ++b) {
    report(options.progress, "filling", static_cast<double>(b) / analysis.bodies.size());
    meshes.push_back(analysis.bodies[b]->mesh(cell));
  }
  return meshes;
}

int tet_count(const std::vector<BodyMesh>& meshes) {
  std::int64_t sum = 0;
  for (const BodyMesh& m : meshes) sum += m.mesh.tet_count();
  return static_cast<int>(std::min<std::int64_t>(sum, std::numeric_limits<int>::max()));
}

/// All bodies in one mesh, and for each vertex of the soup its tet there.
TetMesh join_bodies(const Analysis& analysis, const std::vector<BodyMesh>& meshes,
                    std::vector<std::int32_t>& tet_of_vertex) {
  TetMesh all;
  Eigen::Index nodes = 0;
  Eigen::Index tets = 0;
  for (const BodyMesh& m : meshes) {
    nodes += m.mesh.V.rows();
    tets += m.mesh.T.rows();
  }
  all.V.resize(nodes, 3);
  all.T.resize(tets, 4);
  tet_of_vertex.assign(analysis.soup.V.rows(), -1);
  nodes = tets = 0;
  for (std::size_t b = 0; b < meshes.size(); ++b) {
    const BodyMesh& m = meshes[b];
    all.V.middleRows(nodes, m.mesh.V.rows()) = m.mesh.V;
    all.T.middleRows(tets, m.mesh.T.rows()) = m.mesh.T.array() + static_cast<std::int32_t>(nodes);
    const std::vector<int>& vertices = analysis.bodies[b]->body().vertices;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      tet_of_vertex[vertices[v]] = m.tet_of_vertex[v] + static_cast<std::int32_t>(tets);
    }
    nodes += m.mesh.V.rows();
    tets += m.mesh.T.rows();
  }
  return all;
}

/// Unused vertices of the surface go to the nearest tet.
Embedding embed_all(const TetMesh& mesh, const TriMesh& surface, const Soup& soup,
                    const std::vector<std::int32_t>& tet_of_vertex) {
  std::vector<std::int32_t> tets(surface.vertex_count(), -1);
  std::vector<int> unused;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (soup.vertex_of[v] >= 0) {
      tets[v] = tet_of_vertex[soup.vertex_of[v]];
    } else {
      unused.push_back(v);
    }
  }
  if (!unused.empty()) {
    const Embedding nearest = embed(mesh, Positions(surface.V(unused, Eigen::all)));
    for (std::size_t i = 0; i < unused.size(); ++i) tets[unused[i]] = nearest.tets[i];
  }
  return embed_in(mesh, surface.V, tets);
}

void fill_report(const std::vector<BodyMesh>& meshes, const Tetrahedralized& out,
                 TetrahedralizeReport& report) {
  report.mode = meshes[0].mode;
  for (const BodyMesh& m : meshes) {
    if (m.mode != report.mode) report.mode = FillMode::automatic;
    report.copied_tets += m.copied_tets;
    report.islands_removed += m.islands_removed;
    report.surface_distance = std::max(report.surface_distance, m.resolution.farthest);
    report.unresolved_share = std::max(report.unresolved_share, m.resolution.unresolved_share);
  }
  const TetQuality quality = tet_quality(out.mesh);
  report.tets = out.mesh.tet_count();
  report.nodes = out.mesh.node_count();
  report.volume = quality.volume;
  report.min_dihedral_degrees = quality.min_dihedral_degrees;
  report.max_dihedral_degrees = quality.max_dihedral_degrees;
  report.vertices_outside = out.embedding.outside;
  report.worst_extrapolation = out.embedding.worst_extrapolation;
}

/// Pieces that are apart get a region each, so that nobody takes the gap for a mistake.
int number_pieces(TetMesh& mesh) {
  Pieces pieces = face_connected_pieces(mesh.T, mesh.node_count());
  if (pieces.count > 1) mesh.regions = std::move(pieces.of_tet);
  return pieces.count;
}

double enclosed_volume(const Analysis& analysis) {
  double sum = 0;
  for (const auto& body : analysis.bodies) sum += wall_volume(body->body().soup, body->roles());
  return sum;
}
}  // namespace

Tetrahedralized tetrahedralize(const TriMesh& surface, const TetrahedralizeOptions& options) {
  Stopwatch stopwatch;
  check_options(options);
  Tetrahedralized out;
  TetrahedralizeReport& report = out.report;
  Analysis analysis = analyse(surface, options, report);

  double cells = options.cells > 0 ? options.cells : TetrahedralizeOptions::kDefaultCells;
  std::vector<BodyMesh> meshes;
  const auto mesh_with = [&](double n) {
    meshes = mesh_all(analysis, analysis.longest_side / n, options);
    return tet_count(meshes);
  };
  if (options.target_tets > 0) {
    cells = search_cells(options.target_tets, mesh_with);
  } else {
    mesh_with(cells);
  }
  report.cells = cells;
  report.cell = analysis.longest_side / cells;

  std::vector<std::int32_t> tet_of_vertex;
  out.mesh = join_bodies(analysis, meshes, tet_of_vertex);
  report.pieces = number_pieces(out.mesh);
  out.embedding = embed_all(out.mesh, surface, analysis.soup, tet_of_vertex);
  report.surface_volume = enclosed_volume(analysis);
  fill_report(meshes, out, report);
  report.warnings = warnings_about(report, meshes, options);
  report.seconds = stopwatch.lap();
  return out;
}

}  // namespace limber
