// Filling surfaces with tets and binding them: seconds against what is promised.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "bench.h"
#include "limber/mesh/boundary.h"
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

std::vector<BenchResult> mesher() {
  const TriMesh medium = creature(33);
  const TriMesh large = creature(65);
  return {fill(medium, 10'000, 1), fill(large, 100'000, 10), bind(large, 0.5)};
}

const RegisterBench kMesher("mesher", &mesher);

}  // namespace

}  // namespace limber
