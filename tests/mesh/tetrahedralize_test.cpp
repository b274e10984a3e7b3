// Any surface gives a sound mesh: the promises of tetrahedralize() on shapes whose answers are
// known.
#include "limber/mesh/tetrahedralize/tetrahedralize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/spatial/triangle_tree.h"
#include "limber/mesh/tetrahedralize/pieces.h"
#include "mesh/surfaces.h"

namespace limber {
namespace {

TetrahedralizeOptions options_for(FillMode mode, int cells) {
  TetrahedralizeOptions options;
  options.mode = mode;
  options.cells = cells;
  return options;
}

/// What every result promises, whatever the surface.
void expect_sound(const Tetrahedralized& made, const TriMesh& surface) {
  EXPECT_NO_THROW(check(made.mesh));
  EXPECT_TRUE(unused_nodes(made.mesh).empty());
  // Pieces hang together by faces, and pieces that share a node would not be counted apart.
  const Pieces pieces = face_connected_pieces(made.mesh.T, made.mesh.node_count());
  EXPECT_EQ(pieces.count, connected_part_count(made.mesh));
  EXPECT_EQ(pieces.count, made.report.pieces);
  if (pieces.count > 1) {
    ASSERT_EQ(made.mesh.regions.size(), static_cast<std::size_t>(made.mesh.tet_count()));
    for (int t = 0; t < made.mesh.tet_count(); ++t) {
      EXPECT_EQ(made.mesh.regions[t], pieces.of_tet[t]);
    }
  }
  ASSERT_EQ(made.embedding.vertex_count(), surface.vertex_count());
  const Positions bound = embedded_positions(made.embedding, made.mesh.V);
  // Barycentric coordinates of tets with angles above 10° lose two or three digits.
  EXPECT_LT((bound - surface.V).cwiseAbs().maxCoeff(), 1e-12 * surface.V.cwiseAbs().maxCoeff());
  EXPECT_EQ(made.report.tets, made.mesh.tet_count());
  EXPECT_EQ(made.report.nodes, made.mesh.node_count());
}

/// Largest distance of points spread over the triangles of one surface from another, both ways.
double hausdorff(const TriMesh& a, const TriMesh& b) {
  double farthest = 0;
  const auto one_way = [&](const TriMesh& from, const TriMesh& to) {
    const TriangleTree tree(to.V, to.F);
    for (int f = 0; f < from.triangle_count(); ++f) {
      const Triangle t = triangle(from.V, from.F, f);
      for (const Vec3& p : {t[0], t[1], t[2], Vec3((t[0] + t[1] + t[2]) / 3)}) {
        farthest = std::max(farthest, tree.nearest(p).distance);
      }
    }
  };
  one_way(a, b);
  one_way(b, a);
  return farthest;
}

struct Shape {
  const char* name;
  TriMesh surface;
  double volume;
};

double polyhedron_volume(const TriMesh& surface) { return surface_topology(surface).volume; }

std::vector<Shape> solid_shapes() {
  std::vector<Shape> shapes;
  const auto add = [&](const char* name, TriMesh surface) {
    const double volume = polyhedron_volume(surface);
    shapes.push_back({name, std::move(surface), volume});
  };
  add("ball", ball_surface(1, 8));
  add("cube", box_surface({1, 1, 1}, {4, 4, 4}));
  add("torus", torus_surface(1, 0.35, 60, 24));
  add("tube", boundary_surface(tube(1, 0.6, 2, 32, 10, 2)).surface);
  return shapes;
}

TEST(Tetrahedralize, ConformingMeshesFollowTheSurface) {
  for (const Shape& shape : solid_shapes()) {
    for (const int cells : {12, 20}) {
      SCOPED_TRACE(shape.name);
      SCOPED_TRACE(cells);
      const Tetrahedralized made =
          tetrahedralize(shape.surface, options_for(FillMode::conforming, cells));
      expect_sound(made, shape.surface);
      EXPECT_EQ(made.report.mode, FillMode::conforming);
      EXPECT_EQ(made.report.pieces, 1);
      EXPECT_GE(made.report.min_dihedral_degrees, 10);
      EXPECT_LT(hausdorff(boundary_surface(made.mesh).surface, shape.surface),
                0.5 * made.report.cell);
      // Edges are cut off by a triangle up to half a cell across: a few per cent at these sizes.
      EXPECT_NEAR(made.report.volume, shape.volume, 0.05 * shape.volume);
      EXPECT_NEAR(made.report.surface_volume, shape.volume, 1e-12 * shape.volume);
    }
  }
}

TEST(Tetrahedralize, CagesHoldEveryVertex) {
  for (const Shape& shape : solid_shapes()) {
    for (const int cells : {6, 16}) {
      SCOPED_TRACE(shape.name);
      SCOPED_TRACE(cells);
      const Tetrahedralized made =
          tetrahedralize(shape.surface, options_for(FillMode::cage, cells));
      expect_sound(made, shape.surface);
      EXPECT_EQ(made.report.mode, FillMode::cage);
      EXPECT_EQ(made.report.pieces, 1);
      EXPECT_EQ(made.embedding.outside, 0);
      // The lattice's tets have 60° and 90°, those between sizes 45° at the least.
      EXPECT_GE(made.report.min_dihedral_degrees, 45 - 1e-9);
      EXPECT_GT(made.report.volume, shape.volume);
    }
  }
}

TEST(Tetrahedralize, RefusesWhatHasNoArea) {
  EXPECT_THROW(tetrahedralize(TriMesh{}), Error);
  TriMesh line = sheet_surface(2);
  line.V.col(1).setZero();
  EXPECT_THROW(tetrahedralize(line), Error);
  TriMesh broken = ball_surface(1, 2);
  broken.V(3, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(tetrahedralize(broken), Error);
  broken = ball_surface(1, 2);
  broken.F(3, 1) = broken.vertex_count();
  EXPECT_THROW(tetrahedralize(broken), Error);
}

}  // namespace
}  // namespace limber
