// Handles and the ground at full resolution.
#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

class Attached : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Attached, testing::ValuesIn(kAllFullMethods));

TEST_P(Attached, HandlesPullByTheirStiffness) {
  const TetMesh mesh = small_bar();
  FullBodyOptions options = with(GetParam());
  options.damping = {8, 0};
  const int tip = nearest_node(mesh, Vec3(1, 0.2, 0.2));
  const Vec3 force(0, 0.3, -0.2);
  Loads loads;
  loads.forces.push_back({{tip}, force});
  FullBody pushed(mesh, kRubber, clamped_end(mesh), options, loads);
  FullBody pulled(mesh, kRubber, clamped_end(mesh), options);
  for (int k = 0; k < 300; ++k) step(pushed, 0.02);
  // A spring of stiffness k whose target lies F/k beyond the node pulls with F.
  const double stiffness = 50;
  const Vec3 rest = pushed.positions().row(tip).transpose();
  hold(pulled, tip, rest + force / stiffness, stiffness, 0.1);
  for (int k = 0; k < 300; ++k) step(pulled, 0.02);
  EXPECT_LT((pulled.positions() - pushed.positions()).cwiseAbs().maxCoeff(), 1e-5);
}

TEST_P(Attached, HandlesAreStableAtAnyStiffness) {
  const TetMesh mesh = small_bar();
  const int tip = nearest_node(mesh, Vec3(1, 0.2, 0.2));
  for (const double stiffness : {1.0, 1e4, 1e8, 1e13, kForever}) {
    FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()), gravity(9.8));
    const Vec3 start = mesh.V.row(tip).transpose();
    const int handle = hold(body, tip, start, stiffness);
    for (int k = 1; k <= 30; ++k) {
      body.handles().move(handle, start + Vec3(0, 0.005 * k, 0));
      step(body, 0.03);
      EXPECT_TRUE(body.last_step().converged) << stiffness << ", step " << k;
    }
    const Vec3 missing = body.positions().row(tip).transpose() - (start + Vec3(0, 0.15, 0));
    if (stiffness >= 1e8) EXPECT_LT(missing.norm(), 1e-4) << stiffness;
    if (std::isinf(stiffness)) {
      EXPECT_NEAR(body.handles().errors().position, missing.norm(), 1e-12);
    }
  }
}

FullBody falling_bar(Method method, const Damping& damping, const SupportKey& start) {
  FullBodyOptions options = with(method);
  options.damping = damping;
  return FullBody(bar({0.4, 0.2, 0.2}, {4, 2, 2}), kRubber, {}, options, gravity(9.8),
                  SupportMotion({start}));
}

TEST_P(Attached, FallsOnTheGroundAndStaysThere) {
  SupportKey start;
  start.position = Vec3(0, 0.1, 0);
  FullBody body = falling_bar(GetParam(), {1, 0.002}, start);
  body.set_ground(GroundPlane{});
  for (int k = 0; k < 300; ++k) {
    step(body, 0.01);
    ASSERT_TRUE(body.positions().allFinite());
  }
  Positions x(body.node_count(), 3);
  body.node_positions(x);
  // It sinks in by a small part of what it sags by itself, ρ g H² / 2E = 1 mm.
  EXPECT_GT(x.col(1).minCoeff(), -3e-4);
  EXPECT_LT(x.col(1).minCoeff(), 0);
  EXPECT_NEAR(x.col(1).maxCoeff(), 0.2, 5e-3);
  EXPECT_LT(body.velocities().cwiseAbs().maxCoeff(), 1e-3);
}

TEST_P(Attached, FallsOnItsEdgeAndComesToRest) {
  SupportKey start;
  start.position = Vec3(0, 0.2, 0);
  start.rotation = Eigen::AngleAxisd(0.3, Vec3(1, 0, 1).normalized());
  FullBody body = falling_bar(GetParam(), {2, 0.01}, start);
  body.set_ground(GroundPlane{Vec3::UnitY(), 0, 0.3});
  for (int k = 0; k < 400; ++k) step(body, 0.01);
  Positions v(body.node_count(), 3);
  body.node_velocities(v);
  EXPECT_LT(v.cwiseAbs().maxCoeff(), 1e-2);
  EXPECT_GT(body.ground()->contact_count(), 0);
  // Contact by contact they are what the step summed up: the springs exactly, friction as far as
  // the step's own pressure holds it.
  const double weight = body.contact_force().norm();
  Vec3 sum = Vec3::Zero();
  for (const GroundContact& one : body.ground()->contacts(body.positions(), body.frame())) {
    EXPECT_LT(one.point.y(), 0);
    EXPECT_GT(one.force.y(), 0);
    EXPECT_LE(std::hypot(one.force.x(), one.force.z()), 0.3 * one.force.y() * (1 + 1e-12));
    sum += one.force;
  }
  EXPECT_NEAR(sum.y(), body.contact_force().y(), 1e-9 * weight);
  EXPECT_NEAR((sum - body.contact_force()).norm(), 0, 1e-3 * weight);
}

TEST(Ground, ContactsHardlyCostIterations) {
  // Lying on 49 nodes; where the solver does not know of them it takes one iteration and more for
  // each.
  const TetMesh mesh = bar({0.6, 0.1, 0.6}, {6, 1, 6});
  FullBodyOptions options = with(Method::corotational);
  options.damping = {1, 0.002};
  for (const double friction : {0.0, 0.5}) {
    FullBody body(mesh, kRubber, {}, options, gravity(9.8));
    body.set_ground(GroundPlane{Vec3::UnitY(), 0, friction});
    for (int k = 0; k < 40; ++k) {
      step(body, 0.01);
      const StepStatus& status = body.last_step();
      EXPECT_TRUE(status.converged);
      EXPECT_LE(status.solver_iterations, 15 * std::max(1, status.newton_iterations)) << k;
    }
    EXPECT_GT(body.ground()->contact_count(), 20);
  }
}

/// A block on a plane: tilting gravity by an angle is tilting the plane. `further`: only what comes
/// in these seconds after the first.
double slide_after_a_second(double slope, double friction, double further = 0) {
  const TetMesh mesh = bar({0.2, 0.1, 0.2}, {2, 1, 2});
  FullBodyOptions options = with(Method::corotational);
  options.damping = {0, 0.002};
  Loads loads;
  loads.gravity.push_back({Vec3(9.8 * slope, -9.8, 0)});
  FullBody body(mesh, Material{1e6, 0.3, 1000}, {}, options, loads);
  body.set_ground(GroundPlane{Vec3::UnitY(), 0, friction});
  for (int k = 0; k < 200; ++k) step(body, 0.005);
  const double place = (body.positions() - mesh.V).col(0).mean();
  if (further == 0) return place;
  for (int k = 0; k < 200 * further; ++k) step(body, 0.005);
  return (body.positions() - mesh.V).col(0).mean() - place;
}

TEST(Ground, FrictionHoldsOnGentleSlopesAndBrakesOnSteepOnes) {
  EXPECT_LT(std::abs(slide_after_a_second(0.2, 0.4)), 0.01);
  // a = g (slope − μ): ½ a t² = 0.98 m; the first centimetres go into pressing the block flat.
  EXPECT_NEAR(slide_after_a_second(0.6, 0.4), 0.98, 0.05);
  EXPECT_NEAR(slide_after_a_second(0.2, 0), 0.98, 0.02);
}

TEST(Ground, WhatSticksDoesNotCreep) {
  EXPECT_LT(std::abs(slide_after_a_second(0.38, 0.4, 2)), 1e-6);
}

TEST(Ground, CarriesTheWeightInStatics) {
  const TetMesh mesh = bar({0.2, 0.2, 0.2}, {2, 2, 2});
  FullBody body(mesh, kRubber, select_nodes(mesh, "y>=0.199"), with(Method::corotational),
                gravity(9.8));
  body.set_ground(GroundPlane{Vec3::UnitY(), 0.01, 0});
  EXPECT_TRUE(body.settle().converged);
  const double lowest = body.positions().col(1).minCoeff();
  EXPECT_GT(lowest, 0.008);
  EXPECT_LT(lowest, 0.01);
}

TEST(Ground, MovesRelativeToAMovingSupport) {
  // Held from above and lowered onto the ground: the block is squeezed by what the support sinks.
  const TetMesh mesh = bar({0.2, 0.2, 0.2}, {2, 2, 2});
  const std::vector<SupportKey> keys{{0, Vec3(0, 0.05, 0)}, {1, Vec3(0, -0.02, 0)}};
  FullBodyOptions options = with(Method::corotational);
  options.damping = {5, 0.01};
  FullBody body(mesh, kRubber, select_nodes(mesh, "y>=0.199"), options, {},
                SupportMotion(keys, Interpolation::linear));
  body.set_ground(GroundPlane{});
  for (int k = 0; k < 150; ++k) step(body, 0.01);
  Positions x(mesh.node_count(), 3);
  body.node_positions(x);
  EXPECT_NEAR(x.col(1).minCoeff(), 0, 2e-3);
  EXPECT_NEAR(x.col(1).maxCoeff(), 0.18, 1e-9);
}

TEST(AttachedInput, BadHandlesAndPlanesAreRefused) {
  const TetMesh mesh = small_bar();
  FullBody body(mesh, kRubber, clamped_end(mesh));
  EXPECT_THROW(hold(body, -1, Vec3::Zero(), 1), Error);
  EXPECT_THROW(hold(body, mesh.node_count(), Vec3::Zero(), 1), Error);
  EXPECT_THROW(hold(body, clamped_end(mesh)[0], Vec3::Zero(), 1), Error);
  EXPECT_THROW(hold(body, 3, Vec3::Zero(), -1), Error);
  EXPECT_THROW(body.handles().move(0, Vec3::Zero()), Error);
  EXPECT_TRUE(body.handles().empty());
  EXPECT_THROW(body.set_ground(GroundPlane{Vec3::Zero()}), Error);
  EXPECT_THROW(body.set_ground(GroundPlane{Vec3::UnitY(), 0, -1}), Error);
  const int handle = hold(body, 3, Vec3::Zero(), 1);
  EXPECT_THROW(body.handles().move(handle, Vec3::Constant(std::nan(""))), Error);
  body.handles().remove(handle);
  EXPECT_THROW(body.handles().remove(handle), Error);
}

}  // namespace
}  // namespace limber
