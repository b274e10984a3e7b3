#include "limber/mesh/netgen/netgen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/stopwatch.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/formats/stl.h"
#include "limber/mesh/netgen/child_process.h"
#include "limber/mesh/netgen/volume_file.h"
#include "limber/mesh/tetrahedralize/pieces.h"
#include "limber/mesh/tetrahedralize/resolution.h"
#include "limber/mesh/tetrahedralize/surface_findings.h"

namespace limber {

namespace {
constexpr const char* kRemedy = "leave --backend out, Limber's own mesher takes any surface";
/// Half a millionth of the longest side is what single precision costs; coarse meshes of curved
/// solids lose some percent. A tenth means that a part was left out or filled that should not be.
constexpr double kVolumeTolerance = 0.1;

[[noreturn]] void fail(const std::string& what, const std::string& remedy) {
  throw Error(what, "netgen", remedy, Error::Kind::work_failed);
}

/// Netgen crashes or runs without end on such surfaces, so that it must not see them.
void check_fit(const TetrahedralizeReport& found) {
  const auto refuse = [](int count, const char* one, const char* many) {
    if (count == 0) return;
    throw Error(fmt::format("the surface has {} {}, which Netgen cannot mesh", count,
                            count == 1 ? one : many),
                "netgen", kRemedy);
  };
  refuse(found.holes, "hole", "holes");
  refuse(found.non_manifold_edges, "non-manifold edge", "non-manifold edges");
  refuse(found.self_intersections, "self-intersection", "self-intersections");
}

/// Debian keeps Netgen's libraries in a folder that the loader does not search.
std::string library_path() {
  const char* const given = std::getenv("LD_LIBRARY_PATH");
  std::string path = given == nullptr ? "" : given;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib", ignored)) {
    const std::filesystem::path folder = entry.path() / "netgen";
    if (!std::filesystem::is_directory(folder, ignored)) continue;
    path += (path.empty() ? "" : ":") + folder.string();
  }
  return path;
}

/// The surface as Netgen gets it: box moved to the origin, longest side 1, since binary STL holds
/// single precision only.
struct UnitFrame {
  Vec3 origin;
  double size;
};

/// The shared library that the loader, or Netgen's own Tcl, looked for in vain; empty when none.
std::string missing_library(std::string_view log) {
  const std::size_t end = log.find(": cannot open shared object file");
  if (end == std::string_view::npos) return {};
  const std::size_t before = log.find_last_of(" \n", end);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return std::string(log.substr(begin, end - begin));
}

TetMesh run_netgen(const TriMesh& unit_surface, double longest_edge, const NetgenOptions& options) {
  const std::filesystem::path program = find_program(options.program);
  if (program.empty()) {
    fail(fmt::format("the program '{}' is not installed", options.program),
         "install the package netgen, or leave --backend out");
  }
  const Temporary folder(std::filesystem::temp_directory_path() / "limber-netgen",
                         Temporary::Kind::folder);
  // Netgen takes binary STL by the ending .stlb only, and its settings from ng.opt where it runs.
  write_within(folder, "surface.stlb", stl_text(unit_surface));
  write_within(folder, "ng.opt", fmt::format("options.meshsize  {:.9g}\n", longest_edge));
  ChildProgram child;
  child.program = program;
  child.arguments = {"-batchmode", "-moderate", "-geofile=surface.stlb", "-meshfile=volume.vol"};
  child.folder = folder.path();
  child.log = folder.path() / "log";
  child.seconds = options.seconds;
  // Debian's Netgen starts MPI, which would start a server of its own.
  child.environment = {{"LD_LIBRARY_PATH", library_path()},
                       {"NETGEN_USER_DIR", folder.path().string()},
                       {"OMPI_MCA_ess_singleton_isolated", "1"}};
  const ChildEnd end = run_program(child, [&](double passed) {
    report(options.progress, "netgen", passed / (passed + 0.2 * options.seconds));
  });
  if (end == ChildEnd::timed_out) {
    fail(fmt::format("Netgen was stopped after {:.4g} s", options.seconds),
         "raise --time-limit, use fewer --cells, or leave --backend out");
  }
  const std::filesystem::path volume = folder.path() / "volume.vol";
  if (end == ChildEnd::failed || !std::filesystem::exists(volume)) {
    const std::string missing = missing_library(FileBytes(child.log).text());
    if (!missing.empty()) {
      fail(fmt::format("Netgen cannot start without {}", missing),
           "install the packages netgen and libnglib-dev, or leave --backend out");
    }
    fail("Netgen gave up on this surface", kRemedy);
  }
  const FileBytes file(volume);
  ReadNotes notes;
  try {
    return read_netgen_volume(file.text(), "volume.vol", notes);
  } catch (const Error& error) {
    fail(fmt::format("Netgen made no usable mesh of this surface, {}", error.what()), kRemedy);
  }
}

/// The walls of all bodies, turned outward; also fills in the solid's volume.
TriMesh outward_surface(const Soup& soup, const std::vector<BodySoup>& bodies,
                        const std::vector<Roles>& roles, double& volume) {
  TriMesh out;
  out.V = soup.V;
  std::vector<std::array<int, 3>> faces;
  volume = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    volume += wall_volume(bodies[b].soup, roles[b]);
    for (int f = 0; f < bodies[b].soup.F.rows(); ++f) {
      if (roles[b].of[f] != Role::wall) continue;
      std::array<int, 3> face{};
      for (int c = 0; c < 3; ++c) face[c] = bodies[b].vertices[bodies[b].soup.F(f, c)];
      faces.push_back(face);
    }
  }
  out.F.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    out.F.row(static_cast<Eigen::Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
  }
  return out;
}

void fill_report(const Tetrahedralized& out, const std::vector<BodySoup>& bodies,
                 const std::vector<Roles>& roles, TetrahedralizeReport& report) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Solid solid(bodies[b].soup, roles[b]);
    const Resolution found = resolution_of(out.mesh, bodies[b].soup, solid, 0.5 * report.cell);
    report.surface_distance = std::max(report.surface_distance, found.farthest);
    report.unresolved_share = std::max(report.unresolved_share, found.unresolved_share);
  }
  const TetQuality quality = tet_quality(out.mesh);
  report.mode = FillMode::conforming;
  report.tets = out.mesh.tet_count();
  report.nodes = out.mesh.node_count();
  report.volume = quality.volume;
  report.min_dihedral_degrees = quality.min_dihedral_degrees;
  report.max_dihedral_degrees = quality.max_dihedral_degrees;
  report.vertices_outside = out.embedding.outside;
  report.worst_extrapolation = out.embedding.worst_extrapolation;
  if (std::abs(report.volume - report.surface_volume) > kVolumeTolerance * report.surface_volume) {
    fail(fmt::format("Netgen's mesh holds {:.3g} % of the solid",
                     100 * report.volume / report.surface_volume),
         fmt::format("use more --cells, or {}", kRemedy));
  }
  if (quality.min_dihedral_degrees < 5) {
    report.warnings.push_back(
        fmt::format("the smallest dihedral angle is {:.2g}°, which makes stiffness matrices "
                    "hard to solve: use more --cells, or leave --backend out",
                    quality.min_dihedral_degrees));
  }
  if (report.pieces > 1) {
    report.warnings.push_back(
        fmt::format("the mesh is {} pieces that do not hang together and will move on "
                    "their own: let the parts of the surface overlap to join them",
                    report.pieces));
  }
}
}  // namespace

Tetrahedralized netgen_mesh(const TriMesh& surface, const NetgenOptions& options) {
  Stopwatch stopwatch;
  if (options.cells < 0 || options.cells > TetrahedralizeOptions::kMostCells) {
    throw Error(fmt::format("{} cells along the longest side are out of range", options.cells),
                "netgen", fmt::format("give 1 to {}", TetrahedralizeOptions::kMostCells));
  }
  if (!(options.seconds > 0) || !std::isfinite(options.seconds)) {
    throw Error("the time limit is not a time", "netgen", "give seconds, for example 120");
  }
  Tetrahedralized out;
  TetrahedralizeReport& report = out.report;
  const SurfaceFindings found = examine_surface(surface, report);
  check_fit(report);
  std::vector<BodySoup> bodies = split_bodies(found.soup, found.bodies);
  std::vector<Roles> roles;
  for (BodySoup& body : bodies) roles.push_back(find_roles(body.soup, OpenSurfaces::automatic));

  TriMesh unit = outward_surface(found.soup, bodies, roles, report.surface_volume);
  const UnitFrame frame{found.soup.box.low, found.soup.box.size().maxCoeff()};
  unit.V = (unit.V.rowwise() - frame.origin.transpose()) / frame.size;
  report.cells = options.cells > 0 ? options.cells : TetrahedralizeOptions::kDefaultCells;
  report.cell = frame.size / report.cells;

  out.mesh = run_netgen(unit, 1 / report.cells, options);
  keep_tets(out.mesh, std::vector<bool>(out.mesh.tet_count(), true));  // drops unused nodes
  out.mesh.V = (out.mesh.V * frame.size).rowwise() + frame.origin.transpose();
  Pieces pieces = face_connected_pieces(out.mesh.T, out.mesh.node_count());
  report.pieces = pieces.count;
  out.mesh.regions.clear();
  if (pieces.count > 1) out.mesh.regions = std::move(pieces.of_tet);
  check(out.mesh, "netgen's mesh");
  out.embedding = embed(out.mesh, surface);
  fill_report(out, bodies, roles, report);
  report.seconds = stopwatch.lap();
  return out;
}

}  // namespace limber
