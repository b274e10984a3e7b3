#include "limber/mesh/tetrahedralize/soup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_map>

#include "limber/core/error.h"
#include "limber/mesh/spatial/triangle_tests.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {
void check_input(const TriMesh& surface) {
  if (surface.triangle_count() == 0) {
    throw Error("the surface has no triangles", "surface", "give a surface with faces");
  }
  for (int f = 0; f < surface.triangle_count(); ++f) {
    for (int c = 0; c < 3; ++c) {
      const int v = surface.F(f, c);
      if (v < 0 || v >= surface.vertex_count()) {
        throw Error("a corner names vertex " + std::to_string(v) + ", which does not exist",
                    "triangle " + std::to_string(f), "write the surface again");
      }
    }
  }
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (!surface.V.row(v).allFinite() ||
        surface.V.row(v).cwiseAbs().maxCoeff() > kLargestCoordinate) {
      throw Error("a coordinate is not a usable number", "vertex " + std::to_string(v),
                  "repair the surface's coordinates");
    }
  }
}

/// Vertices that some triangle uses, ascending.
std::vector<int> used_vertices(const TriMesh& surface) {
  std::vector<bool> used(surface.vertex_count(), false);
  for (const std::int32_t v : surface.F.reshaped()) used[v] = true;
  std::vector<int> order;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (used[v]) order.push_back(v);
  }
  return order;
}

struct CellHash {
  std::size_t operator()(const std::array<std::int64_t, 3>& cell) const {
    std::uint64_t h = 0;
    for (const std::int64_t c : cell) {
      h = (h ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15U;
      h ^= h >> 29;
    }
    return h;
  }
};

/// Welds by a grid of cells a few tolerances wide: a vertex looks into the cells within reach,
/// nearly always its own alone.
void weld(const TriMesh& surface, double tolerance, Soup& soup) {
  const Vec3 low = soup.box.low;
  const double width = std::max(8 * tolerance, 1e-300);
  std::unordered_multimap<std::array<std::int64_t, 3>, int, CellHash> cells;
  cells.reserve(surface.vertex_count());
  const auto cell_of = [&](const Vec3& p) {
    std::array<std::int64_t, 3> cell{};
    for (int c = 0; c < 3; ++c) cell[c] = std::llround(std::floor((p[c] - low[c]) / width));
    return cell;
  };
  std::vector<Vec3> points;
  soup.vertex_of.assign(surface.vertex_count(), -1);
  for (const int v : used_vertices(surface)) {
    const Vec3 p = surface.V.row(v);
    const auto from = cell_of(p - Vec3::Constant(tolerance));
    const auto to = cell_of(p + Vec3::Constant(tolerance));
    int found = -1;
    for (std::int64_t i = from[0]; i <= to[0] && found < 0; ++i) {
      for (std::int64_t j = from[1]; j <= to[1] && found < 0; ++j) {
        for (std::int64_t k = from[2]; k <= to[2] && found < 0; ++k) {
          const auto [begin, end] = cells.equal_range({i, j, k});
          for (auto it = begin; it != end; ++it) {
            if ((points[it->second] - p).norm() <= tolerance) found = it->second;
          }
        }
      }
    }
    if (found < 0) {
      found = static_cast<int>(points.size());
      points.push_back(p);
      cells.emplace(cell_of(p), found);
    }
    soup.vertex_of[v] = found;
  }
  soup.V.resize(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) soup.V.row(i) = points[i];
}

/// Keeps the first of triangles with the same corners, whichever way they face.
void keep_useful_triangles(const TriMesh& surface, Soup& soup) {
  struct Candidate {
    std::array<int, 3> sorted;
    int triangle;
    bool operator<(const Candidate& o) const {
      return sorted != o.sorted ? sorted < o.sorted : triangle < o.triangle;
    }
  };
  std::vector<Candidate> candidates;
  for (int f = 0; f < surface.triangle_count(); ++f) {
    std::array<int, 3> corners{};
    for (int c = 0; c < 3; ++c) corners[c] = soup.vertex_of[surface.F(f, c)];
    std::sort(corners.begin(), corners.end());
    if (corners[0] == corners[1] || corners[1] == corners[2]) {
      ++soup.degenerate_triangles;
    } else {
      candidates.push_back({corners, f});
    }
  }
  std::sort(candidates.begin(), candidates.end());
  std::vector<int> kept;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0 && candidates[i].sorted == candidates[i - 1].sorted) {
      ++soup.duplicate_triangles;
    } else {
      kept.push_back(candidates[i].triangle);
    }
  }
  std::sort(kept.begin(), kept.end());
  soup.F.resize(static_cast<Eigen::Index>(kept.size()), 3);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (int c = 0; c < 3; ++c) soup.F(i, c) = soup.vertex_of[surface.F(kept[i], c)];
  }
}

/// Vertices of dropped triangles alone go.
void drop_unused_vertices(Soup& soup) {
  std::vector<int> number(soup.V.rows(), -1);
  for (const std::int32_t v : soup.F.reshaped()) number[v] = 0;
  std::vector<int> kept;
  for (int v = 0; v < soup.V.rows(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(kept.size());
    kept.push_back(v);
  }
  soup.V = Positions(soup.V(kept, Eigen::all));
  for (std::int32_t& v : soup.F.reshaped()) v = number[v];
  for (int& v : soup.vertex_of) v = v < 0 ? -1 : number[v];
}

double area(const Soup& soup) {
  double sum = 0;
  for (int f = 0; f < soup.F.rows(); ++f) {
    sum += 0.5 * area_vector(triangle(soup.V, soup.F, f)).norm();
  }
  return sum;
}
}  // namespace

Soup make_soup(const TriMesh& surface) {
  check_input(surface);
  Soup soup;
  for (const std::int32_t v : surface.F.reshaped()) soup.box.include(surface.V.row(v).transpose());
  soup.size = soup.box.size().norm();
  weld(surface, kWeldFraction * soup.size, soup);
  keep_useful_triangles(surface, soup);
  drop_unused_vertices(soup);
  // A triangle as thin as the weld tolerance over the whole length is a line.
  if (soup.F.rows() == 0 || area(soup) <= kWeldFraction * soup.size * soup.size) {
    throw Error("the surface has no area: all its triangles are points or lines", "surface",
                "give a surface with at least one proper triangle");
  }
  return soup;
}

}  // namespace limber
