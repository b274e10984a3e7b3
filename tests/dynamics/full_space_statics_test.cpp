// Static equilibrium at full resolution: closed forms, each method's own equations, bad loads.
#include <gtest/gtest.h>

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

INSTANTIATE_TEST_SUITE_P(Methods, Statics, testing::ValuesIn(kAllFullMethods));

}  // namespace
}  // namespace limber
