#include "limber/mesh/sample_shapes.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "limber/core/error.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {
constexpr double kSmallestSize = 1e-12;
constexpr double kLargestSize = 1e12;

void check_size(double size, const char* name) {
  if (size >= kSmallestSize && size <= kLargestSize) return;
  throw Error(fmt::format("{} is {:g}", name, size), "sample shape",
              fmt::format("give {:g} to {:g} metres", kSmallestSize, kLargestSize));
}

void check_cells(int cells, const char* name, int least = 1) {
  if (cells >= least) return;
  throw Error(fmt::format("{} is {}", name, cells), "sample shape",
              fmt::format("give at least {}", least));
}

void check_nodes(double nodes) {
  if (nodes <= kMostSampleNodes) return;
  throw Error(fmt::format("{:.0f} nodes are too many", nodes), "sample shape",
              fmt::format("use fewer cells, at most {} nodes", kMostSampleNodes));
}

void append_tet(TetMesh& mesh, int& row, const std::array<int, 4>& nodes) {
  mesh.T.row(row) << nodes[0], nodes[1], nodes[2], nodes[3];
  const double six = six_volumes(mesh.V.row(nodes[0]), mesh.V.row(nodes[1]), mesh.V.row(nodes[2]),
                                 mesh.V.row(nodes[3]));
  if (six < 0) std::swap(mesh.T(row, 2), mesh.T(row, 3));
  ++row;
}

// ---- Boxes of cubes -------------------------------------------------------------------------

/// A cube's eight corners by bits: bit 0 is high in x, bit 1 in y, bit 2 in z.
using CubeCorners = std::array<int, 8>;

/// Kuhn's six tets: the paths from corner 0 to corner 7, one axis at a time.
constexpr std::array<std::array<int, 4>, 6> kSixTets = {
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};
/// One tet in the middle, one at each of the corners 0, 3, 5, 6.
constexpr std::array<std::array<int, 4>, 5> kFiveTets = {
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}}};

TetMesh grid_nodes(const Vec3& size, const CellCounts& cells) {
  for (int c = 0; c < 3; ++c) {
    check_size(size[c], "size");
    check_cells(cells[c], "a cell count");
  }
  check_nodes((cells[0] + 1.0) * (cells[1] + 1.0) * (cells[2] + 1.0));
  TetMesh mesh;
  mesh.V.resize(Eigen::Index{cells[0] + 1} * (cells[1] + 1) * (cells[2] + 1), 3);
  int node = 0;
  for (int k = 0; k <= cells[2]; ++k) {
    for (int j = 0; j <= cells[1]; ++j) {
      for (int i = 0; i <= cells[0]; ++i) {
        mesh.V.row(node++) << size.x() * i / cells[0], size.y() * j / cells[1],
            size.z() * k / cells[2];
      }
    }
  }
  return mesh;
}

/// Fills T with the `pattern` of tets in each cube, mirrored along the axes whose bit is set in
/// `mirror(i, j, k)`.
template <std::size_t N>
void fill_cubes(TetMesh& mesh, const CellCounts& cells,
                const std::array<std::array<int, 4>, N>& pattern,
                const std::function<int(int, int, int)>& mirror) {
  mesh.T.resize(static_cast<Eigen::Index>(N) * cells[0] * cells[1] * cells[2], 4);
  const int row_step = cells[0] + 1;
  const int level_step = row_step * (cells[1] + 1);
  int row = 0;
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int i = 0; i < cells[0]; ++i) {
        const int low = i + row_step * j + level_step * k;
        const int flip = mirror(i, j, k);
        CubeCorners corners;
        for (int c = 0; c < 8; ++c) {
          corners[c ^ flip] = low + (c & 1) + row_step * (c >> 1 & 1) + level_step * (c >> 2);
        }
        for (const auto& tet : pattern) {
          append_tet(mesh, row,
                     {corners[tet[0]], corners[tet[1]], corners[tet[2]], corners[tet[3]]});
        }
      }
    }
  }
}

int by_turns(int i, int j, int k) { return (i & 1) | (j & 1) << 1 | (k & 1) << 2; }

// ---- Levels of prisms -----------------------------------------------------------------------

/// A disc or ring of triangles in the plane y = 0, to be repeated level by level.
struct Section {
  std::vector<std::array<double, 2>> points;  ///< x, z
  std::vector<std::array<int, 3>> triangles;
};

/// The quads between ring `inner` and the next, each as two triangles. Rings start at `first`.
void add_ring_of_quads(Section& section, int first, int around, int inner) {
  for (int a = 0; a < around; ++a) {
    const int next = (a + 1) % around;
    const int low = first + around * inner;
    const int high = low + around;
    section.triangles.push_back({low + a, high + a, high + next});
    section.triangles.push_back({low + a, high + next, low + next});
  }
}

void add_ring(Section& section, int around, double radius) {
  for (int a = 0; a < around; ++a) {
    const double angle = 2 * std::numbers::pi * a / around;
    section.points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
}

/// Three tets a prism. Sorting each triangle by node number gives neighbours the same diagonals.
TetMesh extrude(Section section, double height, int layers) {
  const int level = static_cast<int>(section.points.size());
  check_nodes(static_cast<double>(level) * (layers + 1.0));
  TetMesh mesh;
  mesh.V.resize(static_cast<Eigen::Index>(level) * (layers + 1), 3);
  for (int l = 0; l <= layers; ++l) {
    for (int p = 0; p < level; ++p) {
      mesh.V.row(level * l + p) << section.points[p][0], height * l / layers, section.points[p][1];
    }
  }
  mesh.T.resize(static_cast<Eigen::Index>(section.triangles.size()) * layers * 3, 4);
  for (auto& triangle : section.triangles) std::sort(triangle.begin(), triangle.end());
  int row = 0;
  for (int l = 0; l < layers; ++l) {
    for (const auto& t : section.triangles) {
      const std::array<int, 3> low = {level * l + t[0], level * l + t[1], level * l + t[2]};
      const std::array<int, 3> high = {low[0] + level, low[1] + level, low[2] + level};
      append_tet(mesh, row, {low[0], low[1], low[2], high[2]});
      append_tet(mesh, row, {low[0], low[1], high[1], high[2]});
      append_tet(mesh, row, {low[0], high[0], high[1], high[2]});
    }
  }
  return mesh;
}

void check_round(double height, int around, int layers, int rings) {
  check_size(height, "height");
  check_cells(around, "the number around", 3);
  check_cells(layers, "the number of layers");
  check_cells(rings, "the number of rings");
  check_nodes((static_cast<double>(rings) * around + 1) * (layers + 1.0));
}
}  // namespace

TetMesh bar(const Vec3& size, const CellCounts& cells) {
  TetMesh mesh = grid_nodes(size, cells);
  fill_cubes(mesh, cells, kSixTets, [](int, int, int) { return 0; });
  return mesh;
}

TetMesh bar_five_tets(const Vec3& size, const CellCounts& cells) {
  TetMesh mesh = grid_nodes(size, cells);
  fill_cubes(mesh, cells, kFiveTets, [](int i, int j, int k) { return (i + j + k) & 1; });
  return mesh;
}

TetMesh sheet(const Vec3& size, const CellCounts& cells) {
  TetMesh mesh = grid_nodes(size, cells);
  fill_cubes(mesh, cells, kSixTets, by_turns);
  return mesh;
}

TetMesh cylinder(double radius, double height, int around, int layers, int rings) {
  check_size(radius, "radius");
  check_round(height, around, layers, rings);
  Section section;
  section.points.push_back({0, 0});
  for (int r = 1; r <= rings; ++r) add_ring(section, around, radius * r / rings);
  for (int a = 0; a < around; ++a) section.triangles.push_back({0, 1 + a, 1 + (a + 1) % around});
  for (int r = 0; r + 1 < rings; ++r) add_ring_of_quads(section, 1, around, r);
  return extrude(std::move(section), height, layers);
}

TetMesh tube(double outer_radius, double inner_radius, double height, int around, int layers,
             int rings) {
  check_size(outer_radius, "outer radius");
  check_size(inner_radius, "inner radius");
  if (inner_radius >= outer_radius) {
    throw Error("the inner radius is not below the outer", "sample shape", "swap or change them");
  }
  check_round(height, around, layers, rings);
  Section section;
  for (int r = 0; r <= rings; ++r) {
    add_ring(section, around, inner_radius + (outer_radius - inner_radius) * r / rings);
  }
  for (int r = 0; r < rings; ++r) add_ring_of_quads(section, 0, around, r);
  return extrude(std::move(section), height, layers);
}

TetMesh sphere(double radius, int cells) {
  check_size(radius, "radius");
  check_cells(cells, "the cell count");
  check_nodes(std::pow(2.0 * cells + 1, 3));
  const CellCounts counts = {2 * cells, 2 * cells, 2 * cells};
  TetMesh mesh = grid_nodes(Vec3::Constant(2), counts);
  for (Eigen::Index i = 0; i < mesh.V.rows(); ++i) {
    const Vec3 cube = mesh.V.row(i).transpose() - Vec3::Ones();
    // Equal angles rather than equal lengths on each face keep the cells alike.
    const double shell = cube.lpNorm<Eigen::Infinity>();
    Vec3 direction = Vec3::Zero();
    for (int c = 0; shell > 0 && c < 3; ++c) {
      direction[c] = std::tan(std::numbers::pi / 4 * cube[c] / shell);
    }
    mesh.V.row(i) = radius * shell * direction.normalized().transpose();
  }
  fill_cubes(mesh, counts, kSixTets, [cells](int i, int j, int k) {
    return (i < cells ? 1 : 0) | (j < cells ? 2 : 0) | (k < cells ? 4 : 0);
  });
  return mesh;
}

}  // namespace limber
