#include "limber/mesh/characters/polygonise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/mesh/characters/clip.h"
#include "limber/mesh/characters/surface_nets.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {

constexpr double kGradientStep = 0.02;  // of a cell: far above rounding, far below the details
constexpr int kRelaxations = 6;         // more changes no triangle's angles by more than a degree

/// A grid around all parts, shifted by a share of a cell: another attempt sees other cells.
Grid grid_around(const Implicit& solid, double cell, int attempt) {
  const Vec3 shares(0.381966, 0.618034, 0.236068);
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
  for (const Part& part : solid.parts()) {
    if (part.carved) continue;
    const Vec3 reach = Vec3::Constant(part.around.radius);
    low = low.cwiseMin(part.around.centre - reach);
    high = high.cwiseMax(part.around.centre + reach);
  }
  Grid grid;
  grid.cell = cell;
  // Two cells of air on every side.
  grid.origin = low - cell * (Vec3::Constant(2.0) + attempt * shares -
                              (attempt * shares).array().floor().matrix());
  for (int axis = 0; axis < 3; ++axis) {
    grid.counts[axis] = static_cast<int>(std::ceil((high[axis] - grid.origin[axis]) / cell)) + 2;
  }
  return grid;
}

struct Field {
  double f = 0;
  Vec3 gradient = Vec3::Zero();
};

/// By forward differences: their error only turns steps by a hundredth, it does not move f = 0.
Field field_at(const Implicit& solid, const Vec3& p, double cell) {
  const double step = kGradientStep * cell;
  Field field{solid.distance(p), {}};
  for (int c = 0; c < 3; ++c) {
    field.gradient[c] = (solid.distance(p + step * Vec3::Unit(c)) - field.f) / step;
  }
  return field;
}

/// Newton's step to f = 0, no longer than half a cell.
Vec3 step_to_surface(const Field& field, double cell) {
  // Blended distances may flatten out; a gradient of a quarter limits the step.
  const Vec3 move = -field.f * field.gradient / std::max(field.gradient.squaredNorm(), 0.0625);
  return move * std::min(1.0, 0.5 * cell / std::max(move.norm(), 1e-300));
}

/// Onto f = 0 along the gradient; no farther than a cell.
Vec3 on_surface(const Implicit& solid, Vec3 p, double cell) {
  constexpr int kNewtonSteps = 3;    // the start is within a cell: quadratic from there
  const double close = 1e-7 * cell;  // single precision of a surface's size
  for (int step = 0; step < kNewtonSteps; ++step) {
    Field field = field_at(solid, p, cell);
    if (std::abs(field.f) < close) break;
    p += step_to_surface(field, cell);
    // Once more with the same slope: one look instead of four.
    field.f = solid.distance(p);
    if (std::abs(field.f) < close) break;
    p += step_to_surface(field, cell);
  }
  return p;
}

/// Vertices slide towards the middle of their neighbours, and stay on the surface. One look at the
/// field a round serves both: the step back onto f = 0 is that of the vertex as it was, and what
/// sliding leaves to do is done a round later.
void relax(const Implicit& solid, double cell, QuadMesh& mesh) {
  std::vector<Vec3> sums(mesh.vertices.size());
  std::vector<int> counts(mesh.vertices.size());
  for (int round = 0; round < kRelaxations; ++round) {
    std::fill(sums.begin(), sums.end(), Vec3::Zero());
    std::fill(counts.begin(), counts.end(), 0);
    for (const auto& quad : mesh.quads) {
      for (int i = 0; i < 4; ++i) {
        sums[quad[i]] += mesh.vertices[quad[(i + 1) % 4]];
        ++counts[quad[i]];
      }
    }
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      if (counts[v] == 0) continue;  // at the edge of what was not clipped away
      const Vec3 p = mesh.vertices[v];
      const Field field = field_at(solid, p, cell);
      const Vec3 normal = field.gradient.normalized();
      const Vec3 move = sums[v] / counts[v] - p;
      mesh.vertices[v] = p + move - move.dot(normal) * normal + step_to_surface(field, cell);
    }
  }
  for (Vec3& p : mesh.vertices) p = on_surface(solid, p, cell);
}

/// Grows with the smallest angle of the triangle.
double least_angle_measure(const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto cosine = [](const Vec3& at, const Vec3& p, const Vec3& q) {
    return (p - at).normalized().dot((q - at).normalized());
  };
  return -std::max({cosine(a, b, c), cosine(b, c, a), cosine(c, a, b)});
}

/// Each quad cut along the diagonal that leaves the larger smallest angle.
TriMesh cut_quads(const QuadMesh& mesh) {
  TriMesh result;
  result.V.resize(static_cast<Eigen::Index>(mesh.vertices.size()), 3);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    result.V.row(static_cast<Eigen::Index>(v)) = mesh.vertices[v];
  }
  result.F.resize(2 * static_cast<Eigen::Index>(mesh.quads.size()), 3);
  Eigen::Index f = 0;
  for (const auto& q : mesh.quads) {
    const auto at = [&](int i) -> const Vec3& { return mesh.vertices[q[i]]; };
    const double first = std::min(least_angle_measure(at(0), at(1), at(2)),
                                  least_angle_measure(at(0), at(2), at(3)));
    const double second = std::min(least_angle_measure(at(0), at(1), at(3)),
                                   least_angle_measure(at(1), at(2), at(3)));
    const int s = first >= second ? 0 : 1;
    result.F.row(f++) << q[s], q[s + 1], q[s + 2];
    result.F.row(f++) << q[s], q[s + 2], q[(s + 3) % 4];
  }
  return result;
}

/// The connected piece with the most triangles, vertices in their order.
TriMesh largest_piece(const TriMesh& mesh) {
  UnionFind pieces(mesh.vertex_count());
  for (int f = 0; f < mesh.triangle_count(); ++f) {
    pieces.join(mesh.F(f, 0), mesh.F(f, 1));
    pieces.join(mesh.F(f, 0), mesh.F(f, 2));
  }
  std::vector<int> sizes(mesh.vertex_count(), 0);
  for (int f = 0; f < mesh.triangle_count(); ++f) ++sizes[pieces.root(mesh.F(f, 0))];
  const int kept = static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  return kept_part(mesh, [&](int vertex) { return pieces.root(vertex) == kept; });
}

TriMesh attempt_surface(const Implicit& solid, double cell, int attempt) {
  // Where trust has left holes, the next attempt has none.
  const Trust trust = attempt == 0 ? Trust::steepness : Trust::nothing;
  QuadMesh quads = surface_nets(solid, grid_around(solid, cell, attempt), trust);
  relax(solid, cell, quads);
  TriMesh mesh = cut_quads(quads);
  if (solid.inside_clip) {
    mesh = clipped(mesh, solid.inside_clip, cell,
                   [&](const Vec3& p) { return on_surface(solid, p, cell); });
  }
  return largest_piece(mesh);
}

/// Vertices of the finished surface for cells of this size, without making it.
double vertices_at(const Implicit& solid, double cell) {
  const QuadMesh quads = surface_nets(solid, grid_around(solid, cell, 0), Trust::steepness);
  if (!solid.inside_clip) return static_cast<double>(quads.vertices.size());
  return static_cast<double>(
      std::count_if(quads.vertices.begin(), quads.vertices.end(),
                    [&](const Vec3& p) { return solid.inside_clip(p) < 0; }));
}

}  // namespace

TriMesh polygonise(const Implicit& solid, int vertices) {
  constexpr int kAttempts = 16;
  constexpr double kMostMiss = 0.08;
  constexpr double kFirstCell = 0.03;    // of a solid of unit height: some thousand vertices
  constexpr double kFinestLook = 0.012;  // ten to twenty thousand
  // The number of vertices goes as cell⁻² once cells are smaller than the details; where they are,
  // cells of kFinestLook tell as much as finer ones.
  double cell = kFirstCell;
  for (int round = 0; round < 2; ++round) {
    const double look = std::max(cell, kFinestLook);
    cell = look * std::sqrt(vertices_at(solid, look) / vertices);
  }
  TriMesh best;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    TriMesh mesh = attempt_surface(solid, cell, attempt);
    const SurfaceTopology topology = surface_topology(mesh);
    const bool whole = solid.inside_clip != nullptr || topology.closed;
    if (!topology.manifold || !topology.oriented || !whole) continue;
    const double share = static_cast<double>(mesh.vertex_count()) / vertices;
    const auto misses = [&](const TriMesh& m) { return std::abs(m.vertex_count() - vertices); };
    if (best.vertex_count() == 0 || misses(mesh) < misses(best)) best = std::move(mesh);
    // Pieces that fell off were counted before.
    if (misses(best) < kMostMiss * vertices) return best;
    cell *= std::sqrt(share);
  }
  if (best.vertex_count() > 0) return best;
  throw Error("the shape is finer than so few vertices can show", "character",
              "ask for more vertices", Error::Kind::work_failed);
}

}  // namespace limber
