// 200 surfaces broken at random: each gives a sound mesh, with modes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "limber/mesh/checks.h"
#include "limber/mesh/tetrahedralize/pieces.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "limber/modes/modal_analysis.h"
#include "mesh/surfaces.h"

namespace limber {
namespace {

class Breaker {
 public:
  explicit Breaker(unsigned seed) : random_(seed) {}

  TriMesh broken_surface() {
    TriMesh surface = shape();
    const double damage = number(0, 0.5) * number(0, 1);
    if (chance(0.5)) surface = without(surface, [&](int) { return chance(damage); });
    if (surface.triangle_count() == 0) surface = shape();
    if (chance(0.5)) flip(surface, chance(0.3) ? 0.5 : damage);
    if (chance(0.3)) surface = together(surface, part_of(surface, damage));
    if (chance(0.5)) displace(surface, damage, number(0, 0.3));
    if (chance(0.2)) flatten(surface, damage);
    if (chance(0.2)) unweld(surface);
    return surface;
  }

  FillMode mode() {
    return std::array{FillMode::automatic, FillMode::cage, FillMode::conforming}[index(3)];
  }
  int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

 private:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  bool chance(double share) { return number(0, 1) < share; }

  TriMesh shape() {
    switch (index(6)) {
      case 0:
        return ball_surface(1, 3);
      case 1:
        return box_surface({1.5, 1, 0.4}, {4, 3, 2});
      case 2:
        return torus_surface(1, 0.3, 16, 8);
      case 3:
        return sheet_surface(5, number(0, 0.4));
      case 4:
        return together(ball_surface(0.6, 2),
                        moved(ball_surface(0.6, 2), {number(0.5, 1.6), 0, 0}));
      default:
        return together(box_surface({2, 0.3, 0.3}, {6, 2, 2}),
                        moved(sheet_surface(3), {0.2, 0, 0.4}));
    }
  }
  void flip(TriMesh& surface, double share) {
    for (int f = 0; f < surface.triangle_count(); ++f) {
      if (chance(share)) std::swap(surface.F(f, 1), surface.F(f, 2));
    }
  }
  TriMesh part_of(const TriMesh& surface, double share) {
    TriMesh copy = without(surface, [&](int) { return !chance(share); });
    return copy.triangle_count() > 0 ? copy : surface;
  }
  void displace(TriMesh& surface, double share, double by) {
    for (int v = 0; v < surface.vertex_count(); ++v) {
      if (chance(share))
        surface.V.row(v) += by * Eigen::RowVector3d(number(-1, 1), number(-1, 1), number(-1, 1));
    }
  }
  void flatten(TriMesh& surface, double share) {
    for (int f = 0; f < surface.triangle_count(); ++f) {
      if (chance(share)) surface.V.row(surface.F(f, 0)) = surface.V.row(surface.F(f, 1));
    }
  }
  void unweld(TriMesh& surface) {
    Positions V(3 * surface.triangle_count(), 3);
    for (int f = 0; f < surface.triangle_count(); ++f) {
      for (int c = 0; c < 3; ++c) {
        V.row(3 * f + c) = surface.V.row(surface.F(f, c));
        surface.F(f, c) = 3 * f + c;
      }
    }
    surface.V = V;
  }

  std::mt19937 random_;
};

class BrokenSurfaces : public testing::TestWithParam<int> {};

TEST_P(BrokenSurfaces, GiveSoundMeshesWithModes) {
  // Ten tests of twenty, so that a failure names its neighbourhood.
  for (unsigned seed = 20 * GetParam(); seed < 20U * GetParam() + 20; ++seed) {
    SCOPED_TRACE(seed);
    Breaker breaker(seed);
    const TriMesh surface = breaker.broken_surface();
    TetrahedralizeOptions options;
    options.mode = breaker.mode();
    options.cells = 3 + breaker.index(5);
    const Tetrahedralized made = tetrahedralize(surface, options);

    ASSERT_NO_THROW(check(made.mesh));
    EXPECT_TRUE(unused_nodes(made.mesh).empty());
    const Pieces pieces = face_connected_pieces(made.mesh.T, made.mesh.node_count());
    EXPECT_EQ(pieces.count, connected_part_count(made.mesh));
    EXPECT_LE(pieces.count, made.report.parts);
    EXPECT_GE(made.report.min_dihedral_degrees, 10);
    ASSERT_EQ(made.embedding.vertex_count(), surface.vertex_count());
    // Weights are up to a few units, coordinates up to 3.
    EXPECT_LT((embedded_positions(made.embedding, made.mesh.V) - surface.V).cwiseAbs().maxCoeff(),
              1e-12);

    ModalOptions modal;
    modal.count = std::min(4, 3 * made.mesh.node_count() - 6 * pieces.count);
    const ModalAnalysis analysis = modal_analysis(made.mesh, Materials(Material{}), {}, modal);
    EXPECT_EQ(analysis.rigid_modes, 6 * pieces.count);
    ASSERT_EQ(analysis.eigenvalues.size(), modal.count);
    EXPECT_TRUE(analysis.eigenvalues.allFinite() && analysis.Phi.allFinite());
    EXPECT_GT(analysis.eigenvalues.minCoeff(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BrokenSurfaces, testing::Range(0, 10));

}  // namespace
}  // namespace limber
