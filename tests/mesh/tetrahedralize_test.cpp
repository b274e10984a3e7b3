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
#include "limber/modes/modal_analysis.h"
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
  add("bar", box_surface({4, 1, 0.7}, {8, 2, 2}));
  add("torus", torus_surface(1, 0.35, 60, 24));
  add("tube", boundary_surface(tube(1, 0.6, 2, 32, 10, 2)).surface);
  return shapes;
}

TEST(Tetrahedralize, ConformingMeshesFollowTheSurface) {
  for (const Shape& shape : solid_shapes()) {
    for (const int cells : {10, 16}) {
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

TEST(Tetrahedralize, VolumeConvergesWithTheSquareOfTheCell) {
  // A smooth surface is cut by chords: the error falls as the square; 2.5 allows for luck.
  const TriMesh ball = ball_surface(1, 16);
  const double volume = polyhedron_volume(ball);
  const auto error = [&](int cells) {
    const auto made = tetrahedralize(ball, options_for(FillMode::conforming, cells));
    return std::abs(made.report.volume - volume);
  };
  EXPECT_LT(error(20), error(10) / 2.5);
}

TEST(Tetrahedralize, FrequenciesAreThoseOfTheSolid) {
  // Linear tets are too stiff by O(h²): both meshes have cells of a tenth of the thickness, and
  // are each a few per cent off the continuum on the same side.
  const auto frequencies = [](const TetMesh& mesh) {
    ModalOptions options;
    options.count = 10;
    return Vector(modal_analysis(mesh, Material{}, {}, options).eigenvalues.cwiseSqrt());
  };
  const Vector regular = frequencies(bar({2, 1, 0.8}, {20, 10, 8}));
  const TriMesh surface = box_surface({2, 1, 0.8}, {4, 2, 2});
  const Vector filled =
      frequencies(tetrahedralize(surface, options_for(FillMode::conforming, 20)).mesh);
  EXPECT_LT(((filled - regular).array() / regular.array()).abs().maxCoeff(), 0.03);
}

TEST(Tetrahedralize, HitsTheNumberOfTets) {
  for (const TriMesh& surface : {ball_surface(1, 6), torus_surface(1, 0.2, 40, 12)}) {
    for (const FillMode mode : {FillMode::cage, FillMode::conforming}) {
      for (const int target : {1000, 5000}) {
        TetrahedralizeOptions options;
        options.mode = mode;
        options.target_tets = target;
        EXPECT_NEAR(tetrahedralize(surface, options).report.tets, target, 0.2 * target);
      }
    }
  }
}

TEST(Tetrahedralize, FacingsDoNotMatter) {
  const TriMesh right = torus_surface(1, 0.35, 40, 16);
  TriMesh mixed = right;
  std::mt19937 random(7);
  for (int f = 0; f < mixed.triangle_count(); ++f) {
    if (random() % 2 == 0) std::swap(mixed.F(f, 1), mixed.F(f, 2));
  }
  for (const FillMode mode : {FillMode::cage, FillMode::conforming}) {
    const Tetrahedralized a = tetrahedralize(right, options_for(mode, 12));
    const Tetrahedralized b = tetrahedralize(mixed, options_for(mode, 12));
    expect_sound(b, mixed);
    EXPECT_EQ(a.report.tets, b.report.tets);
    EXPECT_NEAR(a.report.volume, b.report.volume, 1e-12 * a.report.volume);
    EXPECT_GT(b.report.turned_triangles, 0);
  }
}

TEST(Tetrahedralize, AShellOfLooseTrianglesFacingAnywhereIsFilled) {
  // Every triangle a part of its own, a little smaller than its place: nothing is connected.
  const TriMesh ball = ball_surface(1, 6);
  std::mt19937 random(11);
  TriMesh soup;
  soup.V.resize(3 * ball.triangle_count(), 3);
  soup.F.resize(ball.triangle_count(), 3);
  for (int f = 0; f < ball.triangle_count(); ++f) {
    const Triangle t = triangle(ball.V, ball.F, f);
    const Vec3 middle = (t[0] + t[1] + t[2]) / 3;
    for (int c = 0; c < 3; ++c) soup.V.row(3 * f + c) = middle + 1.02 * (t[c] - middle);
    const int turn = static_cast<int>(random() % 2);
    soup.F.row(f) << 3 * f, 3 * f + 1 + turn, 3 * f + 2 - turn;
  }
  for (const FillMode mode : {FillMode::cage, FillMode::conforming}) {
    const Tetrahedralized made = tetrahedralize(soup, options_for(mode, 10));
    expect_sound(made, soup);
    EXPECT_EQ(made.report.pieces, 1);
    EXPECT_GT(made.report.volume, 0.9 * 4 / 3 * std::numbers::pi);
  }
}

TEST(Tetrahedralize, SmallHolesAreBridged) {
  const TriMesh ball = ball_surface(1, 8);
  const TriMesh holed = without(ball, [](int f) { return f % 97 == 0; });
  const Tetrahedralized made = tetrahedralize(holed, options_for(FillMode::automatic, 14));
  expect_sound(made, holed);
  EXPECT_EQ(made.report.mode, FillMode::conforming);
  EXPECT_GT(made.report.holes, 5);
  EXPECT_FALSE(made.report.warnings.empty());
  EXPECT_NEAR(made.report.volume, polyhedron_volume(ball), 0.03 * polyhedron_volume(ball));
}

TEST(Tetrahedralize, OpenSheetsGetAThickness) {
  const TriMesh sheet = sheet_surface(12, 0.2);
  TetrahedralizeOptions options = options_for(FillMode::conforming, 16);
  options.sheet_thickness = 0.15;
  const Tetrahedralized thick = tetrahedralize(sheet, options);
  expect_sound(thick, sheet);
  EXPECT_EQ(thick.report.sheet_parts, 1);
  EXPECT_EQ(thick.report.pieces, 1);
  const double area = surface_topology(sheet).area;
  // The rounded rim adds half a disk of the thickness all along its four sides.
  const double rim = std::numbers::pi / 8 * 0.15 * 0.15 * 4;
  EXPECT_NEAR(thick.report.volume, 0.15 * area + rim, 0.1 * 0.15 * area);
  for (const FillMode mode : {FillMode::automatic, FillMode::cage, FillMode::conforming}) {
    const Tetrahedralized made = tetrahedralize(sheet, options_for(mode, 10));
    expect_sound(made, sheet);
    EXPECT_EQ(made.report.pieces, 1);
    EXPECT_EQ(made.embedding.outside, 0);
    EXPECT_GE(made.report.min_dihedral_degrees, 10);
  }
}

TEST(Tetrahedralize, NearPartsStayApart) {
  // A hundredth of a cell between them.
  const TriMesh ball = ball_surface(1, 6);
  const TriMesh two = together(ball, moved(ball, {2.002, 0, 0}));
  for (const FillMode mode : {FillMode::cage, FillMode::conforming}) {
    const Tetrahedralized made = tetrahedralize(two, options_for(mode, 20));
    expect_sound(made, two);
    EXPECT_EQ(made.report.bodies, 2);
    EXPECT_EQ(made.report.pieces, 2);
  }
}

TEST(Tetrahedralize, NearLegsOfOneBodyStayApartInACage) {
  // A bent strip: two legs a fifth of a cell apart, joined at one end.
  TriMesh strip = box_surface({4, 0.5, 0.5}, {64, 6, 6});
  for (int v = 0; v < strip.vertex_count(); ++v) {
    const double s = strip.V(v, 0) - 2;
    const double y = strip.V(v, 1);
    const double r = 0.52 - y;  // from 0.52 to 0.02 around the bend at s = 0
    const double angle = std::clamp(s / 0.5, -1.0, 1.0) * std::numbers::pi / 2;
    const double rest = s - std::clamp(s, -0.5, 0.5);
    strip.V(v, 0) = r * std::cos(angle) - std::abs(rest);
    strip.V(v, 1) = r * std::sin(angle);
  }
  const int cells = 12;  // 0.18 m each: the gap of 0.04 m is far below
  const Tetrahedralized apart = tetrahedralize(strip, options_for(FillMode::cage, cells));
  expect_sound(apart, strip);
  EXPECT_GT(apart.report.copied_tets, 20);
  EXPECT_EQ(apart.report.pieces, 1);
  // No tet node is shared by the ends of the two legs.
  std::vector<char> upper(apart.mesh.node_count(), 0);
  std::vector<char> lower(apart.mesh.node_count(), 0);
  for (int v = 0; v < strip.vertex_count(); ++v) {
    if (strip.V(v, 0) > -0.5) continue;
    for (int c = 0; c < 4; ++c) {
      (strip.V(v, 1) > 0 ? upper : lower)[apart.embedding.nodes[4 * v + c]] = 1;
    }
  }
  int shared = 0;
  for (int n = 0; n < apart.mesh.node_count(); ++n)
    shared += upper[n] != 0 && lower[n] != 0 ? 1 : 0;
  EXPECT_EQ(shared, 0);
  TetrahedralizeOptions fused = options_for(FillMode::cage, cells);
  fused.keep_apart = false;
  EXPECT_EQ(tetrahedralize(strip, fused).report.copied_tets, 0);
}

TEST(Tetrahedralize, CrossingPartsBecomeOne) {
  const TriMesh ball = ball_surface(1, 6);
  const TriMesh two = together(ball, moved(ball, {1, 0.1, 0}));
  const Tetrahedralized made = tetrahedralize(two, options_for(FillMode::conforming, 18));
  expect_sound(made, two);
  EXPECT_EQ(made.report.pieces, 1);
  EXPECT_GT(made.report.self_intersections, 0);
  // Two balls of radius 1 at distance d: the lens is π(4+d)(2-d)²/12.
  const double d = std::sqrt(1.01);
  const double lens = std::numbers::pi * (4 + d) * (2 - d) * (2 - d) / 12;
  const double expected = 8 * std::numbers::pi / 3 - lens;
  // The ball of 6 cells is a polyhedron of 98 % of the volume.
  EXPECT_NEAR(made.report.volume, expected, 0.05 * expected);
}

TEST(Tetrahedralize, PartsThatOverlapByLessThanACellHoldTogether) {
  // Two balls of radius 1 whose middles are 1.96 apart: the neck is 0.4 wide, the cell 0.33.
  const TriMesh chain =
      together(ball_surface(1, 8), moved(ball_surface(1, 8), Vec3(1.96, 0.05, 0.03)));
  for (const FillMode mode : {FillMode::conforming, FillMode::automatic, FillMode::cage}) {
    TetrahedralizeOptions options;
    options.mode = mode;
    options.cells = 12;
    const Tetrahedralized made = tetrahedralize(chain, options);
    EXPECT_EQ(made.report.bodies, 1) << name(mode);
    EXPECT_EQ(made.report.pieces, 1) << name(mode);
  }
}

TEST(Tetrahedralize, NearPartsFuseWhenAsked) {
  const TriMesh pair = together(ball_surface(1, 6), moved(ball_surface(1, 6), Vec3(2.1, 0, 0)));
  TetrahedralizeOptions options;
  options.cells = 12;
  EXPECT_EQ(tetrahedralize(pair, options).report.pieces, 2);
  options.keep_apart = false;
  const Tetrahedralized fused = tetrahedralize(pair, options);
  EXPECT_EQ(fused.report.pieces, 1);
  EXPECT_TRUE(fused.report.fused);
}

TEST(Tetrahedralize, CrumbsBeyondCountingAreFusedAndSaidSo) {
  // Loose triangles all over a cube.
  constexpr int kCrumbs = 3000;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(0, 1);
  TriMesh crumbs;
  crumbs.V.resize(3 * kCrumbs, 3);
  crumbs.F.resize(kCrumbs, 3);
  for (int f = 0; f < kCrumbs; ++f) {
    const Vec3 at(place(random), place(random), place(random));
    for (int c = 0; c < 3; ++c) {
      crumbs.V.row(3 * f + c) = (at + 0.004 * Vec3::Unit(c)).transpose();
      crumbs.F(f, c) = 3 * f + c;
    }
  }
  TetrahedralizeOptions options;
  options.target_tets = 20000;
  const Tetrahedralized made = tetrahedralize(crumbs, options);
  EXPECT_TRUE(made.report.fused);
  EXPECT_NEAR(made.report.tets, 20000, 4000);
  EXPECT_TRUE(std::any_of(made.report.warnings.begin(), made.report.warnings.end(),
                          [](const std::string& w) { return w.find("fused") != w.npos; }));
}

TEST(Tetrahedralize, AHollowStaysHollow) {
  TriMesh inner = ball_surface(0.6, 6);
  inner.F.col(1).swap(inner.F.col(2));
  const TriMesh shell = together(ball_surface(1, 8), inner);
  const double volume = polyhedron_volume(shell);
  const Tetrahedralized made = tetrahedralize(shell, options_for(FillMode::conforming, 20));
  expect_sound(made, shell);
  EXPECT_NEAR(made.report.volume, volume, 0.05 * volume);
}

TEST(Tetrahedralize, RefinementIsWhereItIsAsked) {
  const TriMesh ball = ball_surface(1, 8);
  TetrahedralizeOptions options = options_for(FillMode::conforming, 10);
  options.refine.push_back({[](const Vec3& p) { return p[0] > 0.3; }, 1, "x>0.3"});
  const Tetrahedralized made = tetrahedralize(ball, options);
  expect_sound(made, ball);
  EXPECT_GE(made.report.min_dihedral_degrees, 10);
  const auto nodes_where = [](const TetMesh& mesh, bool right) {
    return static_cast<int>(((mesh.V.col(0).array() > 0.5) == right).count());
  };
  const Tetrahedralized plain = tetrahedralize(ball, options_for(FillMode::conforming, 10));
  EXPECT_GT(nodes_where(made.mesh, true), 3 * nodes_where(plain.mesh, true));
}

TEST(Tetrahedralize, ScaleAndPlaceDoNotMatter) {
  const TriMesh ball = ball_surface(1, 5);
  const Tetrahedralized one = tetrahedralize(ball, options_for(FillMode::conforming, 10));
  TriMesh small = ball;
  small.V *= std::ldexp(1.0, -20);
  const Tetrahedralized other = tetrahedralize(small, options_for(FillMode::conforming, 10));
  EXPECT_EQ(one.mesh.T, other.mesh.T);
  TriMesh far = moved(ball, {1000, -2000, 500});
  const Tetrahedralized away = tetrahedralize(far, options_for(FillMode::conforming, 10));
  expect_sound(away, far);
  EXPECT_NEAR(away.report.volume, one.report.volume, 1e-3 * one.report.volume);
}

TEST(Tetrahedralize, TheSameTwiceIsTheSame) {
  const TriMesh torus = torus_surface(1, 0.35, 40, 16);
  const Tetrahedralized a = tetrahedralize(torus, options_for(FillMode::automatic, 12));
  const Tetrahedralized b = tetrahedralize(torus, options_for(FillMode::automatic, 12));
  EXPECT_EQ(a.mesh.V, b.mesh.V);
  EXPECT_EQ(a.mesh.T, b.mesh.T);
  EXPECT_EQ(content_hash(torus, {}), content_hash(torus, {}));
  EXPECT_NE(content_hash(torus, {}), content_hash(torus, options_for(FillMode::cage, 0)));
  EXPECT_NE(content_hash(torus, {}), content_hash(moved(torus, {1e-9, 0, 0}), {}));
}

TEST(Tetrahedralize, UnusedVerticesAreBoundToo) {
  TriMesh ball = ball_surface(1, 4);
  ball.V.conservativeResize(ball.V.rows() + 2, 3);
  ball.V.bottomRows(2) << 0, 0, 0, 5, 5, 5;
  const Tetrahedralized made = tetrahedralize(ball, options_for(FillMode::cage, 8));
  expect_sound(made, ball);
  EXPECT_EQ(made.embedding.limited, 1);
}

TEST(Tetrahedralize, ThinPartsAreNamedInWarnings) {
  const TriMesh plate = box_surface({1, 1, 0.01}, {10, 10, 1});
  const Tetrahedralized made = tetrahedralize(plate, options_for(FillMode::automatic, 12));
  expect_sound(made, plate);
  EXPECT_EQ(made.report.mode, FillMode::cage);
  ASSERT_FALSE(made.report.warnings.empty());
  EXPECT_NE(made.report.warnings[0].find("--cells"), std::string::npos);
}

TEST(Tetrahedralize, RefusesOptionsOutOfRange) {
  const TriMesh ball = ball_surface(1, 2);
  TetrahedralizeOptions both;
  both.cells = 8;
  both.target_tets = 100;
  EXPECT_THROW(tetrahedralize(ball, both), Error);
  EXPECT_THROW(tetrahedralize(ball, options_for(FillMode::cage, -1)), Error);
  EXPECT_THROW(tetrahedralize(ball, options_for(FillMode::cage, 100000)), Error);
  TetrahedralizeOptions thin;
  thin.sheet_thickness = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(tetrahedralize(ball, thin), Error);
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
