// Static equilibrium at full resolution: closed forms, each method's own equations, bad loads.
#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/error.h"
#include "limber/fem/stiffness.h"
#include "support/full_bodies.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

class Statics : public testing::TestWithParam<FullMethod> {};

TEST_P(Statics, SettleFindsABalanceOfForces) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()), gravity(1));
  const SettleStatus status = body.settle();
  EXPECT_TRUE(status.converged);
  EXPECT_LT(status.residual, 1e-10);
  // Steps from equilibrium stay there: every velocity is a residual's worth of gravity, h g · 1e-8.
  const Positions settled = body.positions();
  body.step(0.01);
  EXPECT_TRUE(body.last_step().converged);
  EXPECT_LT((body.positions() - settled).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_P(Statics, AgreeWithLinearElasticityUnderASmallLoad) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  const std::vector<int> fixed = clamped_end(mesh);
  FullBody linear(mesh, kRubber, fixed, with(FullMethod::linear), gravity(1e-4));
  FullBody body(mesh, kRubber, fixed, with(GetParam()), gravity(1e-4));
  linear.settle();
  body.settle();
  const Positions u = linear.positions() - mesh.V;
  const Positions difference = body.positions() - linear.positions();
  // The bar sags by 1e-5 of its length: rotations, and with them the difference, are as small.
  EXPECT_LT(difference.norm(), 1e-4 * u.norm());
}

/// How far a force at the end of a cantilever of length 1 m, P L² = E I, bends it down, m; cubes of
/// 1/(10 n) m.
double bent_tip(FullMethod method, int n) {
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
  for (const FullMethod method : {FullMethod::corotational, FullMethod::stvk}) {
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

TEST(WarpedStatics, SettlesWhereItComesToRestUnderLargeLoads) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  const Material soft{4e5, 0.4, 1000};  // by linear theory it would sag by its own length
  FullBodyOptions options = with(FullMethod::stiffness_warping);
  options.damping = {4, 0.02};
  FullBody settled(mesh, soft, clamped_end(mesh), options, gravity(9.81));
  ASSERT_TRUE(settled.settle().converged);
  FullBody body(mesh, soft, clamped_end(mesh), options, gravity(9.81));
  for (int k = 0; k < 600; ++k) body.step(0.02);
  // Amplitudes decay by 1e-7 and more in twelve seconds; a step's own tolerance of 1e-6 leaves
  // more.
  EXPECT_LT((body.positions() - settled.positions()).cwiseAbs().maxCoeff(), 1e-5);
}

}  // namespace
}  // namespace limber
