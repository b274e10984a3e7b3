// What no step of a full-resolution body may do.
#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

std::string failure(FullBody& body, double h, int steps) {
  try {
    for (int k = 0; k < steps; ++k) step(body, h);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::work_failed);
    return error.what();
  }
  return "";
}

class Limits : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Limits, testing::ValuesIn(kAllFullMethods));

TEST_P(Limits, ForcesBeyondReasonStopAndLeaveTheBodyAsItWas) {
  const TetMesh mesh = small_bar();
  for (const double force : {1e12, 1e160, 1e300}) {
    for (const TimeIntegrator integrator :
         {TimeIntegrator::implicit_euler, TimeIntegrator::symplectic_euler}) {
      FullBodyOptions options = with(GetParam());
      options.integrator = integrator;
      FullBody body(mesh, kRubber, clamped_end(mesh), options, gravity(1));
      EXPECT_EQ(failure(body, 0.01, 3), "");
      const Positions x = body.positions(), v = body.velocities();
      Loads loads;
      loads.forces.push_back({{mesh.node_count() - 1}, Vec3(force, 0, 0)});
      body.set_loads(loads);
      EXPECT_NE(failure(body, 0.01, 1), "") << force;
      EXPECT_EQ(body.positions(), x);
      EXPECT_EQ(body.velocities(), v);
      body.set_loads(gravity(1));
      EXPECT_EQ(failure(body, 0.01, 3), "") << force;
    }
  }
}

TEST_P(Limits, ViolentMotionThatForcesExplainGoesOn) {
  // Thrown about by its support, by a handle and by a force that comes and goes: energies rise and
  // fall by orders of magnitude, all of it work.
  const TetMesh mesh = small_bar();
  const std::vector<SupportKey> keys{
      {0, Vec3::Zero()}, {0.2, Vec3(0, 1, 0)}, {0.4, Vec3(0, -1, 0)}, {0.5, Vec3(2, 0, 0)}};
  Loads loads = gravity(9.8);
  loads.forces.push_back({{mesh.node_count() - 1}, Vec3(0, 20, 30), 0.6, 0.65});
  FullBodyOptions options = with(GetParam());
  options.damping = {2, 0};
  FullBody body(mesh, Material{2e7, 0.3, 1000}, clamped_end(mesh), options, loads,
                SupportMotion(keys, Interpolation::linear));
  EXPECT_EQ(failure(body, 0.01, 120), "");
}

TEST(Runaway, StopsWhereTheStepIsFarTooLong) {
  // Held rotations of stiffness warping, steps a hundred times as long as an oscillation.
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  FullBody body(mesh, Material{4e5, 0.33, 1000}, {}, with(Method::stiffness_warping), gravity(9.8));
  body.set_ground(GroundPlane{Vec3::UnitY(), -0.5, 0});
  const std::string told = failure(body, 1, 40);
  Positions x(mesh.node_count(), 3);
  body.node_positions(x);
  // In 40 s nothing falls farther than 40 · 41 / 2 · 9.8 m.
  EXPECT_LT(x.cwiseAbs().maxCoeff(), 8100) << told;
}

TEST(Statics, AFreeBodyUnderBalancedForcesHasARest) {
  const TetMesh mesh = small_bar();
  Loads loads;
  loads.forces.push_back({clamped_end(mesh), Vec3(-10, 0, 0)});
  loads.forces.push_back({select_nodes(mesh, "x>=0.999"), Vec3(10, 0, 0)});
  for (const Method method : kAllFullMethods) {
    FullBody body(mesh, kRubber, {}, with(method), loads);
    EXPECT_TRUE(body.settle().converged);
    const double length = body.positions().col(0).maxCoeff() - body.positions().col(0).minCoeff();
    // σ / E = 40 N / 0.04 m² / E = 0.5 %; the ends are pulled unevenly.
    EXPECT_NEAR(length, 1.005, 1e-3);
  }
}

}  // namespace
}  // namespace limber
