// Neo-Hookean bodies at full resolution: what StVK cannot bear, and nearly incompressible ones.
#include <gtest/gtest.h>

#include <random>

#include "limber/fem/stvk.h"
#include "limber/mesh/checks.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

double smallest_tet(const FullBody& body) {
  return smallest_volume_ratio(body.simulated_mesh().tets(), body.positions()).ratio;
}

/// Until it is at rest again; damping takes the energy of the fall back.
void let_recover(FullBody& body, double h, int steps) {
  for (int k = 0; k < steps; ++k) step(body, h);
  EXPECT_GT(smallest_tet(body), 0.9);
  EXPECT_LT(body.elastic_energy(), 1e-6);
}

TEST(NeoHookeanBody, RecoversFromBeingTurnedInsideOut) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 2, 2});
  FullBodyOptions options = with(Method::neo_hookean);
  options.damping = {5, 0.01};
  FullBody body(mesh, kRubber, clamped_end(mesh), options);
  // Mirrored at the clamped end: all tets are inside out.
  Positions mirrored = mesh.V;
  mirrored.col(0) *= -1;
  body.set_node_state(mirrored, Positions::Zero(mesh.node_count(), 3));
  ASSERT_LT(smallest_tet(body), 0);
  let_recover(body, 0.02, 400);
}

TEST(NeoHookeanBody, RecoversFromRandomPlacesAndFromAPoint) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 2, 2});
  FullBodyOptions options = with(Method::neo_hookean);
  options.damping = {5, 0.01};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(0, 0.5);
  for (const double size : {1.0, 1e-3}) {
    FullBody body(mesh, kRubber, clamped_end(mesh), options);
    Positions shuffled(mesh.node_count(), 3);
    for (double& x : shuffled.reshaped()) x = size * place(random);
    body.set_node_state(shuffled, Positions::Zero(mesh.node_count(), 3));
    let_recover(body, 0.02, 400);
  }
}

TEST(NeoHookeanBody, SwingsOnWhereStvkTurnsInsideOut) {
  const TetMesh mesh = bar_five_tets({0.09, 0.09, 0.51}, {3, 3, 17});
  FullBodyOptions options = with(Method::neo_hookean);
  options.damping = {1, 0};
  FullBody body(mesh, Material{1e5, 0.33, 1000}, select_nodes(mesh, "z<=0.001"), options,
                gravity(9.8));
  for (int k = 0; k < 100; ++k) {
    step(body, 0.01);
    ASSERT_TRUE(body.last_step().converged) << k << " " << body.last_step().residual;
  }
  EXPECT_GT(smallest_tet(body), 0);
}

TEST(NeoHookeanBody, NearlyIncompressibleStepsTakeTensOfIterations) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 3, 3});
  for (const double poisson : {0.49, 0.499}) {
    FullBodyOptions options = with(Method::neo_hookean);
    options.damping = {1, 0.001};
    FullBody body(mesh, Material{2e5, poisson, 1000}, clamped_end(mesh), options, gravity(9.8));
    for (int k = 0; k < 40; ++k) {
      step(body, 0.01);
      const StepStatus& status = body.last_step();
      EXPECT_TRUE(status.converged) << k << " " << status.residual;
      EXPECT_LT(status.solver_iterations, 100) << poisson << ", step " << k;
    }
    EXPECT_NEAR(volume(body.positions(), mesh.T) / volume(mesh.V, mesh.T), 1,
                3 * (1 - 2 * poisson));
  }
}

/// The corotational tangent by products leads there: no matrix, a few iterations of the solver.
TEST(NonlinearSteps, TakeFewIterationsUpToNearlyIncompressible) {
  const TetMesh mesh = tube(0.12, 0.06, 1, 12, 12, 1);
  for (const Method method : {Method::stvk, Method::neo_hookean}) {
    for (const double poisson : {0.3, 0.49, 0.4999}) {
      FullBodyOptions options = with(method);
      options.damping = {0.5, 0.01};
      FullBody body(mesh, Material{2e5, poisson, 1000}, select_nodes(mesh, "y<=0.001"), options,
                    gravity(1));
      int most = 0;
      for (int k = 0; k < 60; ++k) {
        step(body, 1.0 / 120);
        ASSERT_TRUE(body.last_step().converged) << k;
        most = std::max(most, body.last_step().solver_iterations);
      }
      EXPECT_LE(most, poisson < 0.499 ? 12 : 60) << poisson;
    }
  }
}

}  // namespace
}  // namespace limber
