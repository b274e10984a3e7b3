// Steps at full resolution: against dense algebra, conservation, supports, bad input.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/fem/mass.h"
#include "limber/fem/stiffness.h"
#include "support/full_bodies.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

class Step : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Step, testing::ValuesIn(kAllFullMethods));

class StepWithPotential : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, StepWithPotential,
                         testing::Values(Method::linear, Method::corotational, Method::stvk));

TEST(LinearStep, EqualsADenseSolve) {
  const TetMesh mesh = shaken_bar({1, 0.3, 0.2}, {3, 1, 1});
  const std::vector<int> fixed = select_nodes(mesh, "nodes:0,4,8,12");
  FullBodyOptions options = with(Method::linear);
  options.damping = {0.7, 0.02};
  options.tolerance = 1e-13;
  FullBody body(mesh, kRubber, fixed, options, gravity(9.8));
  const double h = 0.02;
  const FreeDofs free(mesh.node_count(), fixed);
  const Eigen::MatrixXd M = free.reduce(mass(mesh, kRubber), 3);
  const Eigen::MatrixXd K = free.reduce(stiffness(mesh, kRubber), 3);
  const Eigen::MatrixXd C = 0.7 * M + 0.02 * K;
  Positions g = Positions::Zero(mesh.node_count(), 3);
  g.col(1).setConstant(-9.8);
  const Vector f = free.reduce(mass(mesh, kRubber) * stacked(g));
  Vector u = Vector::Zero(M.rows());
  Vector v = u;
  for (int k = 0; k < 5; ++k) {
    v = (M + h * C + h * h * K).ldlt().solve(M * v + h * (f - K * u));
    u += h * v;
    step(body, h);
  }
  const Positions difference = body.positions() - mesh.V;
  EXPECT_LT((free.reduce(stacked(difference)) - u).norm(), 1e-11 * u.norm());
}

TEST_P(Step, FreeBodiesFallLikeStones) {
  const TetMesh mesh = small_bar();
  FullBodyOptions options = with(GetParam());
  options.tolerance = 1e-11;
  FullBody body(mesh, kRubber, {}, options, gravity(9.8));
  const double h = 0.01;
  for (int k = 0; k < 20; ++k) step(body, h);
  // Implicit Euler: v = −g t, y = −g h² k (k+1)/2 for every node.
  const double drop = 9.8 * h * h * 20 * 21 / 2;
  const Positions moved = body.positions() - mesh.V;
  EXPECT_LT((moved.col(1).array() + drop).abs().maxCoeff(), 1e-9);
  EXPECT_LT(moved.col(0).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((body.velocities().col(1).array() + 9.8 * 0.2).abs().maxCoeff(), 1e-7);
}

TEST_P(Step, ComesToRestAtTheEquilibrium) {
  const TetMesh mesh = small_bar();
  const std::vector<int> fixed = clamped_end(mesh);
  FullBodyOptions options = with(GetParam());
  options.damping = {4, 0};
  FullBody settled(mesh, kRubber, fixed, options, gravity(1));
  ASSERT_TRUE(settled.settle().converged);
  FullBody body(mesh, kRubber, fixed, options, gravity(1));
  for (int k = 0; k < 400; ++k) step(body, 0.02);
  // Amplitudes decay like e^{−2t}: 1e-7 after eight seconds.
  EXPECT_LT((body.positions() - settled.positions()).cwiseAbs().maxCoeff(), 1e-6);
}

/// Up and sideways, the tip at 5 m/s.
Positions blow(const TetMesh& mesh) {
  Positions v = Positions::Zero(mesh.node_count(), 3);
  for (int node = 0; node < mesh.node_count(); ++node) {
    const double x = mesh.V(node, 0);
    v.row(node) = Eigen::RowVector3d(0, 3 * x, 4 * x * x);
  }
  return v;
}

TEST_P(StepWithPotential, NeverGainsEnergyAtLargeSteps) {
  const TetMesh mesh = small_bar();
  FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()));
  body.set_node_state(mesh.V, blow(mesh));
  double energy = body.kinetic_energy() + body.elastic_energy();
  for (int k = 0; k < 60; ++k) {
    step(body, 0.05);
    const double now = body.kinetic_energy() + body.elastic_energy();
    EXPECT_LE(now, energy * (1 + 1e-5)) << k;
    energy = now;
  }
}

TEST(WarpedStep, ComesToRestAfterABlowAtLargeSteps) {
  const TetMesh mesh = small_bar();
  FullBody body(mesh, kRubber, clamped_end(mesh), with(Method::stiffness_warping));
  body.set_node_state(mesh.V, blow(mesh));
  const double struck = body.kinetic_energy();
  for (int k = 0; k < 200; ++k) {
    step(body, 0.05);
    // Its forces have no potential, so energy may rise from step to step; above that of the blow it
    // would come from nowhere.
    ASSERT_LT(body.kinetic_energy() + body.elastic_energy(), struck) << k;
  }
  // Implicit Euler damps a mode of frequency ω by 1/√(1 + h²ω²) a step. The bar's slowest, ω > 2.8
  // rad/s by beam theory (tets are stiffer), keeps 0.990 of its amplitude, after 200 steps 0.14.
  EXPECT_LT(body.kinetic_energy() + body.elastic_energy(), 0.14 * 0.14 * struck);
}

TEST_P(Step, AcceleratedSupportActsLikeGravity) {
  const TetMesh mesh = small_bar();
  const std::vector<int> fixed = clamped_end(mesh);
  // A parabola through many keys: constant acceleration of 2 m/s² upwards between the ends.
  std::vector<SupportKey> keys;
  for (int k = -40; k <= 80; ++k) {
    SupportKey key;
    key.time = 0.05 * k;
    key.position = Vec3(0, key.time * key.time, 0);
    keys.push_back(key);
  }
  FullBodyOptions options = with(GetParam());
  options.damping = {4, 0};
  FullBody moved(mesh, kRubber, fixed, options, {}, SupportMotion(keys));
  FullBody pulled(mesh, kRubber, fixed, options, gravity(2));
  for (int k = 0; k < 50; ++k) {
    step(moved, 0.02);
    step(pulled, 0.02);
  }
  EXPECT_LT((moved.positions() - pulled.positions()).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_GT((pulled.positions() - mesh.V).cwiseAbs().maxCoeff(), 0.05);
}

/// In the frame of a support that turns at a constant rate a body comes to rest, stretched.
TEST_P(Step, SpinningSupportStretchesTheBar) {
  TetMesh mesh = small_bar();
  mesh.V.rightCols(2).array() -= 0.1;  // the axis runs through the bar's own
  std::vector<SupportKey> keys;
  for (int k = -10; k <= 400; ++k) {
    SupportKey key;
    key.time = 0.05 * k;
    key.rotation = Eigen::AngleAxisd(2 * key.time, Vec3::UnitY());
    keys.push_back(key);
  }
  FullBodyOptions options = with(GetParam());
  options.damping = {6, 0};
  FullBody body(mesh, kRubber, clamped_end(mesh), options, {}, SupportMotion(keys));
  for (int k = 0; k < 500; ++k) step(body, 0.02);
  EXPECT_LT(body.velocities().cwiseAbs().maxCoeff(), 1e-3);
  // A rod's end under its own centrifugal force moves by ρ ω² L³ / (3 E): 6.7 mm; the
  // clamped end and five cells take and give some per cent.
  const std::vector<int> end = select_nodes(mesh, "x>=0.999");
  const double moved = body.positions()(end, 0).mean() - 1;
  EXPECT_NEAR(moved, 1000 * 4 / (3 * 2e5), 0.15 * 6.7e-3);
}

TEST_P(Step, IsTheSameEveryRun) {
  const TetMesh mesh = small_bar();
  const std::vector<int> fixed = clamped_end(mesh);
  FullBody a(mesh, kRubber, fixed, with(GetParam()), gravity(9.8));
  FullBody b(mesh, kRubber, fixed, with(GetParam()), gravity(9.8));
  for (int k = 0; k < 10; ++k) step(a, 0.01);
  for (int k = 0; k < 10; ++k) step(b, 0.01);
  EXPECT_EQ(a.positions(), b.positions());
}

TEST_P(Step, StaysFiniteUnderAbsurdInput) {
  const TetMesh mesh = small_bar();
  const std::vector<int> fixed = clamped_end(mesh);
  const int tip = nearest_node(mesh, Vec3(1, 0.1, 0.1));
  for (const double force : {0.0, 1e12}) {
    for (const double h : {1e-6, 1.0, 100.0}) {
      Loads loads = gravity(9.8);
      loads.forces.push_back({{tip}, Vec3(force, -force, 0)});
      FullBody body(mesh, kRubber, fixed, with(GetParam()), loads);
      try {
        for (int k = 0; k < 5; ++k) step(body, h);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::work_failed);
      }
      EXPECT_TRUE(body.positions().allFinite()) << force << " " << h;
      EXPECT_TRUE(body.velocities().allFinite()) << force << " " << h;
    }
  }
}

TEST_P(Step, CopesWithStiffnessRatiosOfAMillion) {
  TetMesh mesh = bar({1, 0.2, 0.2}, {8, 2, 2});
  mesh.regions.assign(mesh.tet_count(), 0);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    if (mesh.V(mesh.T(tet, 0), 0) < 0.5) mesh.regions[tet] = 1;
  }
  Materials materials{kRubber};
  materials.by_region[1] = {2e11, 0.3, 1000};
  FullBody body(mesh, materials, clamped_end(mesh), with(GetParam()), gravity(9.8));
  for (int k = 0; k < 20; ++k) {
    step(body, 0.01);
    EXPECT_TRUE(body.last_step().converged) << k << " " << body.last_step().residual;
  }
  EXPECT_TRUE(body.positions().allFinite());
}

TEST_P(Step, ExplicitAndImplicitMeetAtSmallSteps) {
  const TetMesh mesh = small_bar();
  FullBodyOptions options = with(GetParam());
  options.mass = MassKind::lumped;
  options.damping = {1, 1e-3};
  FullBody implicit(mesh, kRubber, clamped_end(mesh), options, gravity(1));
  options.integrator = TimeIntegrator::symplectic_euler;
  FullBody explicitly(mesh, kRubber, clamped_end(mesh), options, gravity(1));
  // Implicit Euler's error is about h/2 times the speed, 0.2 m/s at most: 2e-5 m.
  constexpr double h = 2e-4;
  for (int k = 0; k < 1000; ++k) step(implicit, h);
  for (int k = 0; k < 20; ++k) step(explicitly, 50 * h);
  EXPECT_NEAR(implicit.time(), explicitly.time(), 1e-9);
  const double moved = (implicit.positions() - mesh.V).cwiseAbs().maxCoeff();
  EXPECT_GT(moved, 5e-3);
  EXPECT_LT((implicit.positions() - explicitly.positions()).cwiseAbs().maxCoeff(), 1e-2 * moved);
}

TEST(StepInput, BadStepsAndStatesAreRefused) {
  const TetMesh mesh = small_bar();
  FullBody body(mesh, kRubber, clamped_end(mesh));
  for (const double h : {0.0, -1.0, 5e-324, 1e300, std::nan(""),
                         std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(advance(body, h).kind, Fault::Kind::bad_step);
  }
  EXPECT_THROW(body.set_node_state(mesh.V.topRows(3), mesh.V.topRows(3)), Error);
  FullBodyOptions options;
  options.damping.stiffness = -1;
  EXPECT_THROW(FullBody(mesh, kRubber, {0, 1, 2}, options), Error);
  options = {};
  options.tolerance = 0;
  EXPECT_THROW(FullBody(mesh, kRubber, {0, 1, 2}, options), Error);
  std::vector<int> all(mesh.node_count());
  for (int node = 0; node < mesh.node_count(); ++node) all[node] = node;
  EXPECT_THROW(FullBody(mesh, kRubber, all), Error);
}

// A complete factor goes with products tet by tet, an incomplete one with an assembled matrix.
TEST(CorotationalStep, MovesTheSameWithAndWithoutAnAssembledMatrix) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  FullBodyOptions options;
  options.damping = {0.5, 0.002};
  options.tolerance = 1e-10;
  FullBody by_products(mesh, kRubber, clamped_end(mesh), options, gravity(9.8));
  options.preconditioner = PreconditionerKind::incomplete_cholesky;
  FullBody assembled(mesh, kRubber, clamped_end(mesh), options, gravity(9.8));
  for (int k = 0; k < 20; ++k) {
    step(by_products, 0.01);
    step(assembled, 0.01);
    EXPECT_TRUE(by_products.last_step().converged);
    EXPECT_TRUE(assembled.last_step().converged);
  }
  const double moved = (assembled.positions() - mesh.V).norm();
  // A residual of 1e-10 in each of 20 steps, times the condition number of about 1e3.
  EXPECT_LT((by_products.positions() - assembled.positions()).norm(), 1e-6 * moved);
  EXPECT_GT(moved, 0.1);
}

TEST(StepStatus, SaysWhenAStepDoesNotConverge) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  FullBodyOptions options;
  options.preconditioner = PreconditionerKind::incomplete_cholesky;
  options.most_solver_iterations = 1;
  FullBody body(mesh, kRubber, clamped_end(mesh), options, gravity(9.8));
  step(body, 0.1);
  EXPECT_FALSE(body.last_step().converged);
  EXPECT_GT(body.last_step().residual, kStepTolerance);
  EXPECT_TRUE(body.positions().allFinite());
}

}  // namespace
}  // namespace limber
