// Free bodies: falling, spinning, thrown and pushed.
#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/modal_body.h"

namespace limber {
namespace {

const Vec3 kGravity(0, -9.8, 0);

/// A brick with three different principal moments, away from the origin.
const ModalModel& brick() {
  static const ModalModel body = [] {
    TetMesh mesh = bar({1, 0.5, 0.3}, {4, 2, 2});
    mesh.V.rowwise() += Eigen::RowVector3d(0.3, -0.2, 0.7);
    return test::dense_body(mesh, {1e6, 0.3, 1000}, {}, 12);
  }();
  return body;
}

/// A support that moves and turns at constant speed from the start.
SupportMotion thrown(const Vec3& velocity, const Vec3& spin) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.01 * spin.norm(), spin.normalized()));
  return SupportMotion({{0, {0, 0, 0}}, {0.01, 0.01 * velocity, turn}});
}

Positions positions(const ModalBody& body) {
  Positions X(body.node_count(), 3);
  body.node_positions(X);
  return X;
}

/// Angular momentum about the mass centre from the nodes' velocities, M being consistent.
Vec3 angular_momentum(const ModalBody& body) {
  const Eigen::MatrixXd M = test::dense_mass(body.body());
  Positions X = positions(body);
  Positions V(body.node_count(), 3);
  body.node_velocities(V);
  X.rowwise() -= body.rigid_frame()->mass_centre().transpose();
  const Vector momentum = M * stacked(V);
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < body.node_count(); ++i) {
    sum += X.row(i).transpose().cross(momentum.segment<3>(3 * i));
  }
  return sum;
}

TEST(FreeBody, FallsAlongTheExactParabolaWithItsModesAtRest) {
  Loads loads;
  loads.gravity.push_back({kGravity});
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    ModalBody body(brick(), {method}, loads);
    ASSERT_TRUE(body.is_free());
    const Positions start = positions(body);
    for (int i = 0; i < 100; ++i) body.step(0.03);
    EXPECT_EQ(body.q(), Vector(Vector::Zero(12)));
    const Vec3 fallen = kGravity * 3.0 * 3.0 / 2;
    const Positions moved = positions(body) - start;
    for (int i = 0; i < body.node_count(); ++i) {
      EXPECT_LT((moved.row(i).transpose() - fallen).norm(), 1e-12);  // 100 roundings of 44 m
    }
  }
}

TEST(FreeBody, AWindowOfGravityGivesItsShareOfMomentum) {
  Loads loads;
  loads.gravity.push_back({kGravity, 0, 0.1});
  ModalBody body(brick(), {}, loads);
  for (int i = 0; i < 20; ++i) body.step(0.03);
  EXPECT_LT((body.frame().velocity - 0.1 * kGravity).norm(), 1e-14);
}

TEST(FreeBody, StartsWithTheSupportsVelocityAndKeepsOn) {
  ModalBody body(brick(), {}, {}, thrown({1, 2, 3}, {0, 0, 1e-9}));
  for (int i = 0; i < 50; ++i) body.step(0.02);
  EXPECT_LT((body.frame().position - Vec3(1, 2, 3)).norm(), 1e-8);
}

TEST(FreeBody, SpinKeepsAngularMomentumAndEnergy) {
  // About the middle axis, where the motion tumbles; a stiff body hardly deforms.
  TetMesh mesh = bar({1, 0.5, 0.3}, {4, 2, 2});
  const ModalModel stiff = test::dense_body(mesh, {1e9, 0.3, 1000}, {}, 4);
  ModalBody body(stiff, {}, {}, thrown({0, 0, 0}, {0.01, 5, 0.01}));
  const Vec3 momentum = body.rigid_frame()->angular_momentum();
  const Vec3 by_nodes = angular_momentum(body);
  EXPECT_LT((momentum - by_nodes).norm(), 1e-10 * momentum.norm());
  const double energy = body.rigid_frame()->kinetic_energy();
  double worst = 0;
  double lowest = 1;
  for (int i = 0; i < 6000; ++i) {
    body.step(1.0 / 120);
    worst = std::max(worst, std::abs(body.rigid_frame()->kinetic_energy() / energy - 1));
    lowest = std::min(lowest, body.frame().rotation(1, 1));
  }
  EXPECT_EQ(body.rigid_frame()->angular_momentum(), momentum);
  EXPECT_LT(worst, 1e-3);   // (ωh)² = 2e-3 bounds the splitting's error; no drift in 50 s
  EXPECT_LT(lowest, -0.9);  // it has turned over
  // Deformation by ω²ρL²/E ~ 1e-5 is all that parts the nodes' momentum from the frame's.
  EXPECT_LT((angular_momentum(body) - momentum).norm(), 1e-3 * momentum.norm());
}

TEST(FreeBody, TumblingIsOfSecondOrder) {
  const auto rotation_after = [](int steps) {
    ModalBody body(brick(), {Method::linear_modal}, {}, thrown({0, 0, 0}, {2, 5, -1}));
    for (int i = 0; i < steps; ++i) body.step(1.0 / steps);
    return body.frame().rotation;
  };
  const Mat3 coarse = rotation_after(100);
  const Mat3 middle = rotation_after(200);
  const Mat3 fine = rotation_after(400);
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), 2, 0.1);
}

TEST(FreeBody, SpinStretchesTheBodyOutward) {
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    ModalBody body(brick(), {method, Integrator::exact, {20, 0.01}}, {},
                   thrown({0, 0, 0}, {0, 0, 8}));
    for (int i = 0; i < 200; ++i) body.step(1.0 / 60);
    Positions x(body.node_count(), 3);
    deformed_positions(brick(), method, body.q(), x);
    const auto length = [](const auto& p) { return p.col(0).maxCoeff() - p.col(0).minCoeff(); };
    // Free bar about its middle: strain ρω²L²/12E, some 1e-2 · ½, within the mesh's error.
    const double strain = length(x) / length(brick().rest_positions()) - 1;
    EXPECT_NEAR(strain / (1000 * 64 * 1.0 / (12 * 1e6)), 1, 0.25);
  }
}

TEST(FreeBody, AForceOnANodeMovesAndTurnsTheBodyAsNewtonAndEulerSay) {
  const Vec3 force(0, 0, 30);
  Loads loads;
  loads.forces.push_back({{4}, force, 0, 0.2});
  ModalBody body(brick(), {}, loads);
  const Vec3 arm = brick().rest_positions().row(4).transpose() - body.rigid_frame()->mass_centre();
  const double mass = body.rigid_frame()->mass();
  EXPECT_NEAR(mass, 150, 1e-10);
  for (int i = 0; i < 20; ++i) body.step(0.01);
  const Vec3 centre_velocity =
      body.frame().velocity + body.frame().angular_velocity.cross(
                                  body.rigid_frame()->mass_centre() - body.frame().position);
  EXPECT_LT((centre_velocity - 0.2 * force / mass).norm(), 1e-13);
  // The torque's arm turns by 0.02 rad meanwhile, half of it on average.
  const Vec3 turned = body.rigid_frame()->angular_momentum();
  EXPECT_LT((turned - 0.2 * arm.cross(force)).norm(), 1e-2 * turned.norm());
  EXPECT_GT(body.q().norm(), 1e-4);  // and it rings
}

TEST(FreeBody, InertiaIsThatOfABox) {
  const RigidFrame frame(brick(), {});
  const Vec3 box = 150.0 / 12 * Vec3(0.5 * 0.5 + 0.3 * 0.3, 1.0 + 0.3 * 0.3, 1.0 + 0.5 * 0.5);
  EXPECT_LT((frame.inertia() - Mat3(box.asDiagonal())).norm(), 1e-12 * box.norm());
  EXPECT_LT((frame.mass_centre() - Vec3(0.8, 0.05, 0.85)).norm(), 1e-14);
}

TEST(FreeBody, AppliedForcesInBalanceSettleAsLinearStatics) {
  // Two ends pulled apart: no net force, so the frame stays and the modes settle.
  Loads loads;
  std::vector<int> low, high;
  for (int i = 0; i < brick().node_count(); ++i) {
    if (brick().rest_positions()(i, 0) < 0.3 + 1e-9) low.push_back(i);
    if (brick().rest_positions()(i, 0) > 1.3 - 1e-9) high.push_back(i);
  }
  loads.forces.push_back({low, {-1, 0, 0}});
  loads.forces.push_back({high, {1, 0, 0}});
  ModalBody body(brick(), {Method::linear_modal}, loads);
  ASSERT_TRUE(body.settle().converged);
  const Vector q = body.q();
  EXPECT_GT(q.norm(), 0);
  for (int i = 0; i < 100; ++i) body.step(0.02);
  // Where the mesh bulges to one side (by 1e-5 of its size) the forces turn the body a little.
  EXPECT_LT((body.q() - q).norm(), 1e-5 * q.norm());
  EXPECT_LT(body.frame().position.norm(), 1e-5);
}

}  // namespace
}  // namespace limber
