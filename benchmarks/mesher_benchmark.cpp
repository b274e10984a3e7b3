// Filling surfaces with tets and binding them: seconds against what is promised, and against CGAL
// where benchmarks/cgal is built.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "bench.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "timing.h"

namespace limber {

namespace {

/// A ball with six limbs and bumps all over: 24·cells² + 2 vertices.
TriMesh creature(int cells) {
  TriMesh surface = boundary_surface(sphere(1, cells)).surface;
  const std::array<Vec3, 6> limbs = {Vec3(1, 0.2, 0),   Vec3(-1, 0.2, 0.1), Vec3(0.4, -1, 0),
                                     Vec3(-0.4, -1, 0), Vec3(0, 1, 0.1),    Vec3(0.1, -0.3, -1)};
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const Vec3 p = surface.V.row(v);
    double radius = 1 + 0.02 * std::sin(25 * p[0]) * std::sin(23 * p[1]) * std::sin(27 * p[2]);
    for (const Vec3& limb : limbs) {
      radius += 1.5 * std::exp(-(p - limb.normalized()).squaredNorm() / 0.06);
    }
    surface.V.row(v) = radius * p;
  }
  return surface;
}

BenchResult fill(const TriMesh& surface, int tets, double target_seconds) {
  TetrahedralizeOptions options;
  options.target_tets = tets;
  BenchResult result;
  int made = 0;
  result.name = fmt::format("mesh {} vertices to {} tets", surface.vertex_count(), tets);
  result.seconds = seconds_of([&] { made = tetrahedralize(surface, options).report.tets; });
  result.target = target_seconds;
  result.note = fmt::format("{} tets made", made);
  return result;
}

BenchResult bind(const TriMesh& surface, double target_seconds) {
  TetrahedralizeOptions options;
  options.cells = 32;
  const TetMesh mesh = tetrahedralize(surface, options).mesh;
  BenchResult result;
  result.name =
      fmt::format("bind {} vertices to {} tets", surface.vertex_count(), mesh.tet_count());
  result.seconds = best_seconds([&] { do_not_optimize(embed(mesh, surface).tets.data()); });
  result.target = target_seconds;
  return result;
}

struct CgalMesh {
  int tets = 0;
  double seconds = 0;
  double degrees = 0;
};

/// What benchmarks/cgal makes of a surface; zeros where it is not built or fails.
CgalMesh cgal_mesh(const TriMesh& surface, int tets) {
  const std::filesystem::path off =
      std::filesystem::temp_directory_path() / fmt::format("limber-bench-{}.off", ::getpid());
  {
    std::ofstream file(off);
    file << "OFF\n" << surface.vertex_count() << ' ' << surface.triangle_count() << " 0\n";
    const Eigen::IOFormat exact(Eigen::FullPrecision, Eigen::DontAlignCols);
    file << surface.V.format(exact) << '\n';
    for (int f = 0; f < surface.triangle_count(); ++f) file << "3 " << surface.F.row(f) << '\n';
  }
  const std::string command =
      fmt::format("'{}' '{}' {} 2>/dev/null", LIMBER_CGAL_PROGRAM, off.string(), tets);
  CgalMesh made;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  const bool read = pipe && std::fscanf(pipe.get(),
                                        " {\"tets\": %d, \"seconds\": %lf, "
                                        "\"min_dihedral_degrees\": %lf}",
                                        &made.tets, &made.seconds, &made.degrees) == 3;
  std::filesystem::remove(off);
  return read ? made : CgalMesh{};
}

/// Both search for the size that gives the count first, and are timed with that size alone.
BenchResult against_cgal(const std::string& name, int vertices, int tets, double target_ratio) {
  const TriMesh surface = character(name, vertices);
  TetrahedralizeOptions options;
  options.target_tets = tets;
  options.mode = FillMode::conforming;
  options.cells = static_cast<int>(std::lround(tetrahedralize(surface, options).report.cells));
  options.target_tets = 0;
  BenchResult result;
  result.name = fmt::format("mesh {} of {} vertices, {} cells, conforming", name,
                            surface.vertex_count(), options.cells);
  TetrahedralizeReport made;
  result.seconds = best_seconds([&] { made = tetrahedralize(surface, options).report; });
  result.note = fmt::format("{} tets of {:.1f}° at least", made.tets, made.min_dihedral_degrees);
  const CgalMesh other = cgal_mesh(surface, tets);
  if (other.tets == 0) return result;
  result.reference = "CGAL Mesh_3 with sliver removal";
  result.reference_seconds = other.seconds;
  result.ratio = other.seconds / result.seconds;
  result.target = target_ratio;
  result.note += fmt::format(", CGAL's {} of {:.1f}°", other.tets, other.degrees);
  return result;
}

std::vector<BenchResult> mesher() {
  const TriMesh medium = creature(33);
  const TriMesh large = creature(65);
  return {fill(medium, 10'000, 1), fill(large, 100'000, 10), bind(large, 0.5),
          against_cgal("flubber", 3'500, 100'000, 5)};
}

const RegisterBench kMesher("mesher", &mesher);

}  // namespace

}  // namespace limber
