// Free bodies: falling, spinning, thrown and pushed.
#include <gtest/gtest.h>

#include <cmath>

#include "bodies.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/modal_body.h"
#include "support/stepping.h"

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
  const Eigen::MatrixXd M = test::dense_mass(body.model());
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
    for (int i = 0; i < 100; ++i) step(body, 0.03);
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
  for (int i = 0; i < 20; ++i) step(body, 0.03);
  EXPECT_LT((body.frame().velocity - 0.1 * kGravity).norm(), 1e-14);
}

TEST(FreeBody, StartsWithTheSupportsVelocityAndKeepsOn) {
  ModalBody body(brick(), {}, {}, thrown({1, 2, 3}, {0, 0, 1e-9}));
  for (int i = 0; i < 50; ++i) step(body, 0.02);
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
    step(body, 1.0 / 120);
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
    for (int i = 0; i < steps; ++i) step(body, 1.0 / steps);
    return body.frame().rotation;
  };
  // The frame feels the modes' ringing, so that steps must resolve it.
  const Mat3 coarse = rotation_after(800);
  const Mat3 middle = rotation_after(1600);
  const Mat3 fine = rotation_after(3200);
  EXPECT_NEAR(std::log2((coarse - middle).norm() / (middle - fine).norm()), 2, 0.1);
}

TEST(FreeBody, MassCentreAndMomentaStayWhileTheBodyShakes) {
  // Amplitudes that turn nodes by a radian; momenta as the nodes themselves have them.
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    ModalBody body(brick(), {method}, {}, thrown({1, 2, 3}, {2, 5, -1}));
    Vector q = Vector::Zero(brick().mode_count());
    q.head(6) << 1, -2, 1.5, 0.5, 1, -1;
    body.set_state(q, 3 * q);
    const auto centre = [&] {
      const Positions X = positions(body);
      Vec3 sum = Vec3::Zero();
      for (int i = 0; i < body.node_count(); ++i) {
        sum += brick().mass.row_sums[i] * X.row(i).transpose();
      }
      return Vec3(sum / body.mass());
    };
    const Vec3 start = centre();
    const Vec3 spin = angular_momentum(body);
    const Momentum momentum = body.momentum();
    EXPECT_LT((body.rigid_frame()->angular_momentum() - spin).norm(), 1e-11 * spin.norm());
    for (int i = 0; i < 100; ++i) step(body, 0.01);
    EXPECT_LT((centre() - start - momentum.linear / body.mass()).norm(), 1e-12);
    EXPECT_LT((angular_momentum(body) - spin).norm(), 1e-11 * spin.norm());
    EXPECT_LT((body.momentum().linear - momentum.linear).norm(), 1e-12 * momentum.linear.norm());
    EXPECT_LT((body.momentum().angular - momentum.angular).norm(), 1e-11 * momentum.angular.norm());
  }
}

TEST(FreeBody, ImpulsesThrowsAndPlacesActOnFrameAndModes) {
  ModalBody body(brick(), {Method::modal_warping});
  const BodyPoint corner = BodyPoint::at_node(0);
  const Vec3 impulse(3, -10, 5);
  const Vec3 place = positions(body).row(0);
  body.apply_impulse(corner, impulse);
  EXPECT_LT((body.momentum().linear - impulse).norm(), 1e-12);
  EXPECT_LT((body.momentum().angular - place.cross(impulse)).norm(), 1e-11);
  EXPECT_GT(body.v().norm(), 0);
  // What the corner's velocity gains along the impulse is more than a rigid body's would.
  PointState state;
  body.point_states({&corner, 1}, {&state, 1});
  EXPECT_GT(state.velocity.dot(impulse), 0);
  body.set_velocity({1, 0, 0}, {0, 0, 2});
  EXPECT_EQ(body.v().norm(), 0);
  EXPECT_LT((body.momentum().linear - 150 * Vec3(1, 0, 0)).norm(), 1e-10);
  EXPECT_LT((body.frame().angular_velocity - Vec3(0, 0, 2)).norm(), 1e-13);
  const Mat3 turn = rotation_exp({0.3, 0.2, 1});
  body.place({5, 6, 7}, turn);
  EXPECT_LT((body.frame().position - Vec3(5, 6, 7)).norm(), 1e-12);
  EXPECT_LT((body.frame().rotation - turn).norm(), 1e-13);
  EXPECT_THROW(body.set_support({}), Error);
}

TEST(FreeBody, SpinStretchesTheBodyOutward) {
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    ModalBody body(brick(),
                   {.method = method, .integrator = Integrator::exact, .damping = {20, 0.01}}, {},
                   thrown({0, 0, 0}, {0, 0, 8}));
    for (int i = 0; i < 200; ++i) step(body, 1.0 / 60);
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
  for (int i = 0; i < 20; ++i) step(body, 0.01);
  const Vec3 centre_velocity = body.rigid_frame()->velocity();
  EXPECT_LT((centre_velocity - 0.2 * force / mass).norm(), 1e-13);
  // The torque's arm turns by 0.02 rad meanwhile, half of it on average.
  const Vec3 turned = body.rigid_frame()->angular_momentum();
  EXPECT_LT((turned - 0.2 * arm.cross(force)).norm(), 1e-2 * turned.norm());
  EXPECT_GT(body.q().norm(), 1e-4);  // and it rings
}

/// What contacts push along, in double: the whole derivative of x = c + R (X + u − X_c − s) by
/// mass centre, rotation and modes.
TEST(FreeBody, RowsEqualCentralDifferences) {
  const ModalModel& body = brick();
  const std::unique_ptr<ModalShape> shape = make_modal_shape(body, Method::modal_warping);
  shape->prepare_turning();
  const int modes = body.mode_count();
  ModalState state;
  state.q.resize(modes);
  state.v.setZero(modes);
  Vector way(modes);
  for (int k = 0; k < modes; ++k) {
    state.q[k] = 0.02 * std::sin(k + 1.0) / (k + 1);
    way[k] = std::cos(3.0 * k) / (k + 1);
  }
  FrameState start;
  start.position = {1, 2, 3};
  start.rotation = rotation_exp({0.4, -0.3, 0.8});
  state.rigid.emplace(shape->mass(), shape->rest_centre(),
                      shape->mass_motion(Vector::Zero(modes), state.v).inertia, start);
  state.rigid->set_mass_motion(shape->mass_motion(state.q, state.v));
  const BodyPoint point{{1, 5, 7, 9}, {0.4, 0.3, 0.2, 0.1}};
  const auto place = [&](const ModalState& now) {
    return now.rigid->state(Vec3::Zero(), {}).to_world(shape->position(point, now.q));
  };
  const FrameState frame = state.rigid->state(Vec3::Zero(), {});
  const Mat3 directions = rotation_exp({-0.5, 0.9, 0.2});
  std::vector<BodyRow> rows;
  for (int r = 0; r < 3; ++r) rows.push_back({point, directions.col(r), place(state), false});
  ThreeRows S(3, modes), L(3, modes);
  shape->mass_rows(state.q, shape->rest_centre() + state.rigid->mass_motion().shift, S, L);
  const StepCoefficients coefficients =
      step_coefficients(body.eigenvalues(), {}, 1e-3, Integrator::exact);
  ModalRows made;
  made.reserve(3, modes, true, 0);
  std::vector<float> in_float(3 * 64);
  made.set({*shape, state, frame, S, coefficients, 1e-3, nullptr}, rows, in_float.data(), 64);
  // Truncation 1e-10, rounding 1e-16 / 1e-5.
  const double step = 1e-5;
  const Eigen::Index length = made.scaled().cols();
  Vector V(length), plus(length), minus(length);
  const auto moved = [&](double by, Vector& displacement) {
    ModalState now = state;
    now.q += by * way;
    now.rigid->set_mass_motion(shape->mass_motion(now.q, now.v));
    now.rigid->shift(by * Vec3(0.3, -0.7, 0.2), by * Vec3(1.1, 0.4, -0.9));
    made.motion(now, V.data(), displacement.data());
    return place(now);
  };
  const Vec3 change = (moved(step, plus) - moved(-step, minus)) / (2 * step);
  const Vec3 predicted = made.scaled() * (plus - minus) / (2 * step);
  EXPECT_LT((predicted - directions.transpose() * change).norm(), 1e-8 * change.norm());
}

TEST(FreeBody, InertiaIsThatOfABox) {
  const ModalBody body(brick());
  const RigidFrame& frame = *body.rigid_frame();
  const Vec3 box = 150.0 / 12 * Vec3(0.5 * 0.5 + 0.3 * 0.3, 1.0 + 0.3 * 0.3, 1.0 + 0.5 * 0.5);
  EXPECT_LT((frame.rest_inertia() - Mat3(box.asDiagonal())).norm(), 1e-12 * box.norm());
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
  for (int i = 0; i < 100; ++i) step(body, 0.02);
  // Where the mesh bulges to one side (by 1e-5 of its size) the forces turn the body a little.
  EXPECT_LT((body.q() - q).norm(), 1e-5 * q.norm());
  EXPECT_LT(body.frame().position.norm(), 1e-5);
}

}  // namespace
}  // namespace limber
