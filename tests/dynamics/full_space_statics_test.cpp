// Static equilibrium at full resolution: closed forms, each method's own equations, bad loads.
#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/error.h"
#include "limber/fem/stiffness.h"
#include "support/full_bodies.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

class Statics : public testing::TestWithParam<Method> {};

TEST_P(Statics, SettleFindsABalanceOfForces) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()), gravity(1));
  const SettleStatus status = body.settle();
  EXPECT_TRUE(status.converged);
  EXPECT_LT(status.residual, 1e-10);
  // Steps from equilibrium stay there: every velocity is a residual's worth of gravity, h g · 1e-8.
  const Positions settled = body.positions();
  must_advance(body, 0.01);
  EXPECT_TRUE(body.last_step().converged);
  EXPECT_LT((body.positions() - settled).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_P(Statics, AgreeWithLinearElasticityUnderASmallLoad) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  const std::vector<int> fixed = clamped_end(mesh);
  FullBody linear(mesh, kRubber, fixed, with(Method::linear), gravity(1e-4));
  FullBody body(mesh, kRubber, fixed, with(GetParam()), gravity(1e-4));
  linear.settle();
  body.settle();
  const Positions u = linear.positions() - mesh.V;
  const Positions difference = body.positions() - linear.positions();
  // The bar sags by 1e-5 of its length: rotations, and with them the difference, are as small.
  EXPECT_LT(difference.norm(), 1e-4 * u.norm());
}

TEST_P(Statics, SettleWithAHeldNodeThatPullsTheTipUp) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {8, 2, 2});
  FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()), gravity(1));
  const int tip = select_nodes(mesh, "x>=0.999")[4];
  const Vec3 target = mesh.V.row(tip).transpose() + Vec3(-0.05, 0.2, 0);
  hold(body, tip, target, INFINITY);
  const SettleStatus status = body.settle();
  EXPECT_TRUE(status.converged) << status.residual;
  // A held node misses by a millionth of what it would give way, here the 0.2 m.
  EXPECT_LT((body.positions().row(tip).transpose() - target).norm(), 1e-6);
  const Positions settled = body.positions();
  must_advance(body, 0.01);
  EXPECT_LT((body.positions() - settled).cwiseAbs().maxCoeff(), 1e-8);
}

/// How far a force at the end of a cantilever of length 1 m, P L² = E I, bends it down, m; cubes of
/// 1/(10 n) m.
double bent_tip(Method method, int n) {
  const TetMesh mesh = bar({1, 0.1, 0.1}, {10 * n, n, n});
  const Material material{1e6, 0, 1000};
  const double P = material.young * std::pow(0.1, 4) / 12;
  const std::vector<int> end = select_nodes(mesh, "x>=0.999");
  Loads loads;
  loads.forces.push_back({end, Vec3(0, -P / static_cast<double>(end.size()), 0)});
  FullBody body(mesh, material, clamped_end(mesh), with(method), loads);
  EXPECT_TRUE(body.settle().converged);
  return (mesh.V - body.positions())(end, 1).mean();
}

TEST(Elastica, IsApproachedAsTheMeshIsRefined) {
  constexpr double kElastica = 0.3017;  // Bisshopp & Drucker 1945, P L² / E I = 1
  for (const Method method : {Method::corotational, Method::stvk}) {
    const double coarse = bent_tip(method, 1);
    const double middle = bent_tip(method, 2);
    const double fine = bent_tip(method, 4);
    // Tets of constant strain are too stiff in bending (locking), with an error that falls as the
    // square of their size once several lie across the bar.
    EXPECT_LT(coarse, 0.5 * kElastica);
    EXPECT_LT(kElastica - fine, (kElastica - middle) / 2.5);
    // The limit by Richardson's rule for the stiffness, 1/deflection: locking adds what falls with
    // the square. The bar also shears, by P L / (5/6 G A): 0.7 %; the rest is the rule's.
    const double limit = 1 / (1 / fine + (1 / fine - 1 / middle) / 3);
    EXPECT_NEAR(limit, kElastica, 0.04 * kElastica) << coarse << " " << middle << " " << fine;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Statics, testing::ValuesIn(kAllFullMethods));

class Hanging : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Hanging,
                         testing::Values(Method::corotational, Method::stvk,
                                         Method::stiffness_warping));

// A pendulum that starts level, held at nodes of one end: it must turn by a right angle.
TEST_P(Hanging, AFreeBodySettlesBelowItsHandle) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {8, 2, 2});
  FullBody body(mesh, kRubber, {}, with(GetParam()), gravity(1));
  const std::vector<int> held = select_nodes(mesh, "x<=0.001");
  constexpr double kStiffness = 2000;  // N/m, all together
  const Vec3 hook = mesh.V(held, Eigen::all).colwise().mean().transpose();
  for (const int node : held) {
    hold(body, node, hook, kStiffness / static_cast<double>(held.size()));
  }
  const SettleStatus status = body.settle();
  ASSERT_TRUE(status.converged) << status.residual;
  const Vector& masses = body.simulated_mesh().node_mass();
  const double weight = masses.sum();  // under 1 m/s²
  const Vec3 centre = body.positions().transpose() * masses / masses.sum();
  const Vec3 end = body.positions()(held, Eigen::all).colwise().mean().transpose();
  EXPECT_NEAR(kStiffness * (hook.y() - end.y()), weight, 1e-6 * weight);
  EXPECT_LT((centre - hook).cross(Vec3::UnitY()).norm(), 1e-6);
  EXPECT_LT(centre.y(), hook.y() - 0.4);
}

TEST(WarpedStatics, SettlesWhereItComesToRestUnderLargeLoads) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  const Material soft{4e5, 0.4, 1000};  // by linear theory it would sag by its own length
  FullBodyOptions options = with(Method::stiffness_warping);
  options.damping = {4, 0.02};
  FullBody settled(mesh, soft, clamped_end(mesh), options, gravity(9.81));
  ASSERT_TRUE(settled.settle().converged);
  FullBody body(mesh, soft, clamped_end(mesh), options, gravity(9.81));
  for (int k = 0; k < 600; ++k) must_advance(body, 0.02);
  // Amplitudes decay by 1e-7 and more in twelve seconds; a step's own tolerance of 1e-6 leaves
  // more.
  EXPECT_LT((body.positions() - settled.positions()).cwiseAbs().maxCoeff(), 1e-5);
}

/// A bar of 5×1×1 cm whose half away from the clamp has another Young's modulus.
FullBody two_halves(Method method, int n, double clamped, double loose, double g = 9.81) {
  TetMesh mesh = bar({0.05, 0.01, 0.01}, {10 * n, 2 * n, 2 * n});
  mesh.regions.resize(mesh.tet_count());
  for (int t = 0; t < mesh.tet_count(); ++t) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += mesh.V(mesh.T(t, k), 0);
    mesh.regions[t] = sum / 4 > 0.025;
  }
  Materials materials(Material{clamped, 0.33, 1000});
  materials.by_region[1] = Material{loose, 0.33, 1000};
  const std::vector<int> fixed = select_nodes(mesh, "x<=1e-9");
  return {std::move(mesh), materials, fixed, with(method), gravity(g)};
}

class Contrast : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Contrast, testing::ValuesIn(kAllFullMethods));

TEST_P(Contrast, AStiffHalfOnASoftOneTurnsAsARigidBody) {
  for (const int n : {1, 2}) {
    FullBody stiff = two_halves(GetParam(), n, 1e5, 1e9);
    FullBody stiffest = two_halves(GetParam(), n, 1e5, 1e11);
    ASSERT_TRUE(stiff.settle().converged);
    ASSERT_TRUE(stiffest.settle().converged);
    const Positions& V = stiff.simulated_mesh().mesh().V;
    const double deflection = (stiffest.positions() - V).cwiseAbs().maxCoeff();
    EXPECT_GT(deflection, 0.004);
    // The stiff half has 1e-4 of the soft one's compliance, then 1e-6; bending it moves its end by
    // as much more, and rounding (1e-16 · 1e6 of the forces, times the compliance of a slender bar,
    // 1e3) by 1e-7.
    EXPECT_LT((stiff.positions() - stiffest.positions()).cwiseAbs().maxCoeff(), 1e-3 * deflection);
    if (GetParam() == Method::linear) continue;  // stretches what turns
    const Positions& x = stiffest.positions();
    const int middle = nearest_node(stiff.simulated_mesh().mesh(), Vec3(0.025, 0, 0));
    const int end = nearest_node(stiff.simulated_mesh().mesh(), Vec3(0.05, 0.01, 0.01));
    const double length = (V.row(end) - V.row(middle)).norm();
    EXPECT_NEAR((x.row(end) - x.row(middle)).norm(), length, 1e-6 * length);
  }
}

TEST_P(Contrast, ASoftHalfHangsOnAStiffOneAsOnAWall) {
  FullBody whole = two_halves(GetParam(), 1, 1e11, 1e5);
  ASSERT_TRUE(whole.settle().converged);
  const TetMesh mesh = bar({0.025, 0.01, 0.01}, {5, 2, 2});
  FullBody half(mesh, Material{1e5, 0.33, 1000}, select_nodes(mesh, "x<=1e-9"), with(GetParam()),
                gravity(9.81));
  ASSERT_TRUE(half.settle().converged);
  const double deflection = (half.positions() - mesh.V).cwiseAbs().maxCoeff();
  EXPECT_GT(deflection, 1e-4);
  const TetMesh& both = whole.simulated_mesh().mesh();
  for (int i = 0; i < mesh.node_count(); ++i) {
    const int same = nearest_node(both, mesh.V.row(i).transpose() + Vec3(0.025, 0, 0));
    const Vec3 moved = (whole.positions().row(same) - both.V.row(same)).transpose();
    const Vec3 moves = (half.positions().row(i) - mesh.V.row(i)).transpose();
    // The wall gives way by a millionth. Warped nodes on the wall have no rotation, those on a
    // stiff half turn with it: the same again.
    EXPECT_LT((moved - moves).norm(), 1e-4 * deflection);
  }
}

TEST_P(Contrast, WithoutARestTheResidualIsNotAboveTheUnloadedBodys) {
  // By linear theory the soft half stretches to 120 times its length.
  FullBody body = two_halves(GetParam(), 1, 1e5, 1);
  const SettleStatus status = body.settle();
  EXPECT_LE(status.residual, status.converged ? 1e-10 : 1);
  EXPECT_TRUE(body.positions().allFinite());
}

}  // namespace
}  // namespace limber
