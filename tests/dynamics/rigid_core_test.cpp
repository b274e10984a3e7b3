// A bone core that moves by itself, with the skin around it (Müller et al. 2002, 4.3 and 4.4).
#include <gtest/gtest.h>

#include <array>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

class RigidCoreOf : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, RigidCoreOf,
                         testing::Values(Method::stiffness_warping, Method::corotational));

/// 0.5 × 0.3 × 0.3 m of cubes of 10 cm, the core those in the middle: 8 nodes of 96, 6 tets of 270.
struct Block {
  TetMesh mesh = bar({0.5, 0.3, 0.3}, {5, 3, 3});
  std::vector<int> core = select_nodes(mesh, "box:0.19,0.09,0.09,0.31,0.21,0.21");
  Vec3 centre{0.25, 0.15, 0.15};

  [[nodiscard]] FullBodyOptions options(Method method) const {
    FullBodyOptions options = with(method);
    options.core.nodes = core;
    options.mass = MassKind::lumped;
    options.tolerance = 1e-10;
    return options;
  }
};

/// The longest change of a distance between core nodes, m.
double distortion(const FullBody& body) {
  const Positions& V = body.simulated_mesh().mesh().V;
  double worst = 0;
  for (const int a : body.core()->nodes()) {
    for (const int b : body.core()->nodes()) {
      const double now = (body.positions().row(a) - body.positions().row(b)).norm();
      worst = std::max(worst, std::abs(now - (V.row(a) - V.row(b)).norm()));
    }
  }
  return worst;
}

/// A bent and twisted place for everything but the core, and velocities of all kinds.
void disturb(FullBody& body, const Block& block) {
  Positions x = block.mesh.V, v = Positions::Zero(x.rows(), 3);
  for (int i = 0; i < x.rows(); ++i) {
    const Vec3 arm = x.row(i).transpose() - block.centre;
    v.row(i) = Vec3(3 * arm.y() - arm.x(), 2 * arm.z(), 0.5 + 4 * arm.x() * arm.y()).transpose();
    x.row(i) += 0.3 * Vec3(arm.y() * arm.y(), arm.x() * arm.z(), arm.x() * arm.x()).transpose();
  }
  for (const int node : block.core) x.row(node) = block.mesh.V.row(node);
  body.set_node_state(x, v);
}

TEST_P(RigidCoreOf, FallsAsAllThatFalls) {
  const Block block;
  FullBody body(block.mesh, kRubber, {}, block.options(GetParam()), gravity(9.8));
  constexpr double kStep = 0.01;
  constexpr int kSteps = 30;
  for (int k = 0; k < kSteps; ++k) step(body, kStep);
  const double fallen = 9.8 * kStep * kStep * kSteps * (kSteps + 1) / 2;  // implicit Euler's sum
  Positions expected = block.mesh.V;
  expected.col(1).array() -= fallen;
  // The solver's tolerance of 1e-10 of an impulse, thirty times over.
  EXPECT_LT((body.positions() - expected).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_P(RigidCoreOf, KeepsItsShapeAndTheMomentaOfCoreAndSkin) {
  const Block block;
  FullBody body(block.mesh, kRubber, {}, block.options(GetParam()));
  disturb(body, block);
  const Momentum before = body.momentum();
  for (int k = 0; k < 100; ++k) step(body, 0.01);
  const Momentum after = body.momentum();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-9 * before.angular.norm());
  EXPECT_LT(distortion(body), 1e-13);  // rounding of 0.5 m
  EXPECT_GT(rotation_log(body.core()->rotation(body.positions())).norm(), 0.1);
}

TEST_P(RigidCoreOf, KeepsMomentaWithAConsistentMassToo) {
  const Block block;
  FullBodyOptions options = block.options(GetParam());
  options.mass = MassKind::consistent;
  FullBody body(block.mesh, kRubber, {}, options);
  disturb(body, block);
  const Momentum before = body.momentum();
  for (int k = 0; k < 50; ++k) step(body, 0.01);
  const Momentum after = body.momentum();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-9 * before.angular.norm());
  EXPECT_LT(distortion(body), 1e-13);
}

/// The skin's force and torque on the core are minus the derivatives of the elastic energy by the
/// core's place and turn, the skin staying where it is: central differences on a body without core.
TEST(RigidCore, FeelsTheForceAndTheMomentOfTheSkin) {
  const Block block;
  FullBody body(block.mesh, kRubber, {}, block.options(Method::corotational));
  Positions x = block.mesh.V;
  for (int i = 0; i < x.rows(); ++i) {
    const Vec3 arm = x.row(i).transpose() - block.centre;
    x.row(i) += (rotation_exp(Vec3(0.2, 0.1, -0.3)) * arm - arm + Vec3(0.01, 0.02, 0)).transpose();
  }
  for (const int node : block.core) x.row(node) = block.mesh.V.row(node);
  const Positions still = Positions::Zero(x.rows(), 3);
  body.set_node_state(x, still);

  FullBody soft(block.mesh, kRubber, {}, with(Method::corotational));
  const auto energy = [&](const Vec3& shift, const Vec3& turn) {
    Positions moved = x;
    for (const int node : block.core) {
      const Vec3 arm = x.row(node).transpose() - block.centre;
      moved.row(node) = (block.centre + shift + rotation_exp(turn) * arm).transpose();
    }
    soft.set_node_state(moved, still);
    return soft.elastic_energy();
  };
  const double h = 1e-6;
  step(body, h);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (const int node : block.core) {
    const double mass = body.simulated_mesh().node_mass()[node];
    const Vec3 impulse = mass * body.velocities().row(node).transpose();
    force += impulse / h;
    torque += (x.row(node).transpose() - block.centre).cross(impulse) / h;
  }
  constexpr double kDelta = 1e-5;
  for (int c = 0; c < 3; ++c) {
    const Vec3 d = kDelta * Vec3::Unit(c);
    const double pull = -(energy(d, Vec3::Zero()) - energy(-d, Vec3::Zero())) / (2 * kDelta);
    const double moment = -(energy(Vec3::Zero(), d) - energy(Vec3::Zero(), -d)) / (2 * kDelta);
    // The step is long enough to move nodes by h² f/m, 1e-8 of their displacement or so; momenta
    // are set right by less than that.
    EXPECT_NEAR(force[c], pull, 1e-5 * force.norm());
    EXPECT_NEAR(torque[c], moment, 1e-5 * torque.norm());
  }
}

/// The spring carries the weight of core and skin: it is longer by m g / k.
TEST_P(RigidCoreOf, HangsWithTheSkinsWeightOnAHand) {
  const Block block;
  FullBodyOptions options = block.options(GetParam());
  options.damping = {8, 0.01};
  FullBody body(block.mesh, kRubber, {}, options, gravity(9.8));
  const Vec3 grip = block.centre + Vec3(0, 0.4, 0);  // outside: a rod that has no weight
  Handle hand;
  hand.kind = HandleKind::spring;
  hand.point = point_of_core(block.mesh.V, block.core, grip);
  hand.target = Path({0}, {grip});
  hand.stiffness = 5000;
  body.handles().add(hand);
  for (int k = 0; k < 400; ++k) step(body, 0.02);
  const Vec3 now = hand.point.sum(body.positions());
  const double weight = body.mass() * 9.8;
  EXPECT_NEAR(grip.y() - now.y(), weight / hand.stiffness, 1e-5 * weight / hand.stiffness);
  // The forces of stiffness warping do not add up to zero; what is given back of that after each
  // step moves the grip a little beyond where its spring was asked.
  const double ghost = GetParam() == Method::stiffness_warping ? 2e-4 * weight / hand.stiffness : 0;
  EXPECT_NEAR(now.x(), grip.x(), 1e-6 + ghost);
}

/// α = τ / I about the axis, of the whole body, since the skin is hard.
TEST_P(RigidCoreOf, StartsToTurnAboutAnAxisAsARigidBody) {
  const Block block;
  FullBodyOptions options = block.options(GetParam());
  options.core.axis = CoreAxis{{0.05, 0, 0.15}, {0, 0, 2}};
  Material hard = kRubber;
  hard.young = 1e9;
  FullBody body(block.mesh, hard, {}, options, gravity(9.8));
  constexpr double kStep = 1e-3;
  constexpr int kSteps = 20;
  for (int k = 0; k < kSteps; ++k) step(body, kStep);
  const Vector& mass = body.simulated_mesh().node_mass();
  double inertia = 0, torque = 0;
  for (int i = 0; i < body.node_count(); ++i) {
    const Vec3 arm = block.mesh.V.row(i).transpose() - Vec3(0.05, 0, 0.15);
    inertia += mass[i] * (arm.x() * arm.x() + arm.y() * arm.y());
    torque -= mass[i] * 9.8 * arm.x();
  }
  const double turned = torque / inertia * kStep * kStep * kSteps * (kSteps + 1) / 2;
  const Vec3 turn = rotation_log(body.core()->rotation(body.positions()));
  // The body bends by ρ g L² / E, 1e-5 of its turning.
  EXPECT_NEAR(turn.z(), turned, 2e-3 * std::abs(turned));
  EXPECT_LT(turn.head<2>().norm(), 1e-12);
  EXPECT_FALSE(body.is_free());
  EXPECT_LT(distortion(body), 1e-13);
}

/// On an axis and on a hand at once: it comes to rest where the grip points at the hand.
TEST_P(RigidCoreOf, OnAnAxisTurnsTowardsTheHand) {
  const Block block;
  FullBodyOptions options = block.options(GetParam());
  options.core.axis = CoreAxis{block.centre, Vec3::UnitY()};
  options.damping = {4, 0.005};
  FullBody body(block.mesh, kRubber, {}, options);
  Handle hand;
  hand.kind = HandleKind::spring;
  hand.point = point_of_core(block.mesh.V, block.core, block.centre + Vec3(0.25, 0, 0));
  hand.target = Path({0}, {block.centre + Vec3(0.3, 0.1, -0.4)});
  hand.stiffness = 200;
  body.handles().add(hand);
  for (int k = 0; k < 500; ++k) step(body, 0.02);
  const Vec3 turn = rotation_log(body.core()->rotation(body.positions()));
  EXPECT_NEAR(turn.y(), std::atan2(0.4, 0.3), 1e-6);
  EXPECT_LT(Vec3(turn.x(), 0, turn.z()).norm(), 1e-12);
}

/// ω (1 + h c / I)⁻¹ a step, of a body that is hard all through.
TEST_P(RigidCoreOf, TurningIsDampedByATorque) {
  const Block block;
  Material hard = kRubber;
  hard.young = 1e9;
  FullBody body(block.mesh, hard, {}, block.options(GetParam()));
  constexpr double kDamping = 20, kStep = 0.01;
  body.damp_core_turning(kDamping);
  body.set_velocity(Vec3(1, 0, 0), Vec3(0, 0, 2));
  const Vector& mass = body.simulated_mesh().node_mass();
  double inertia = 0;
  for (int i = 0; i < body.node_count(); ++i) {
    const Vec3 arm = block.mesh.V.row(i).transpose() - block.centre;
    inertia += mass[i] * (arm.x() * arm.x() + arm.y() * arm.y());
  }
  const double before = body.momentum().linear.x();
  for (int k = 0; k < 10; ++k) step(body, kStep);
  const double spin = 2 * std::pow(1 + kStep * kDamping / inertia, -10);
  Vec3 velocity = Vec3::Zero();
  for (const int node : block.core) velocity += body.velocities().row(node).transpose() / 8;
  const Vec3 arm =
      (body.positions().row(block.core[0]) - body.positions().row(block.core[7])).transpose();
  const Vec3 rate =
      (body.velocities().row(block.core[0]) - body.velocities().row(block.core[7])).transpose();
  const double measured = arm.cross(rate).z() / arm.head<2>().squaredNorm();
  // First order in h ω = 0.02 a step: positions at the end of a step damp, not those of its middle.
  EXPECT_NEAR(measured, spin, 0.01 * 2);
  EXPECT_NEAR(body.momentum().linear.x(), before, 1e-9 * before);
}

TEST_P(RigidCoreOf, IsPushedByImpulsesAndRowsAsOne) {
  const Block block;
  FullBody body(block.mesh, kRubber, {}, block.options(GetParam()));
  body.apply_impulse(BodyPoint::at_node(block.core[0]), Vec3(0, 3, 0));
  EXPECT_LT((body.momentum().linear - Vec3(0, 3, 0)).norm(), 1e-10);
  body.reserve_rows(1);
  const Vec3 place = block.mesh.V.row(block.core[0]).transpose();
  const BodyRow row{BodyPoint::at_node(block.core[0]), Vec3::UnitZ(), place, false};
  float scaled = 0;
  body.set_rows({&row, 1}, 0.01, &scaled, 1);
  ASSERT_FALSE(body.predict(0.01, StepKind::touching));
  const double before = body.momentum().linear.z();
  std::array<float, 1> fast{}, slow{};
  body.scaled_motion(slow.data(), fast.data());
  const double push = 2;
  body.apply({&push, 1}, true);
  std::array<float, 1> after{};
  body.scaled_motion(after.data(), fast.data());
  // W of the row and what the push really does to it: J̃ = L, Δ(L⁻¹ J v) = Lᵀ p.
  EXPECT_NEAR(after[0] - slow[0], scaled * push, 1e-3 * scaled * push);
  ASSERT_FALSE(body.commit());
  EXPECT_NEAR(body.momentum().linear.z() - before, push, 1e-6);
  EXPECT_LT(distortion(body), 1e-13);
}

TEST_P(RigidCoreOf, SnapshotsGiveTheSameBits) {
  const Block block;
  const auto make = [&] {
    auto body = std::make_unique<FullBody>(block.mesh, kRubber, std::vector<int>{},
                                           block.options(GetParam()), gravity(9.8));
    disturb(*body, block);
    return body;
  };
  const auto first = make(), second = make();
  for (int k = 0; k < 3; ++k) step(*first, 0.01);
  std::vector<std::byte> bytes;
  StateArchive saving = StateArchive::saving(bytes);
  first->archive(saving);
  StateArchive loading = StateArchive::loading(bytes);
  second->archive(loading);
  for (int k = 0; k < 3; ++k) step(*first, 0.01);
  for (int k = 0; k < 3; ++k) step(*second, 0.01);
  EXPECT_EQ(first->positions(), second->positions());
}

TEST(RigidCore, RefusesWhatItCannotHonour) {
  const Block block;
  const auto make = [&](FullBodyOptions options, std::vector<int> fixed = {}) {
    FullBody body(block.mesh, kRubber, fixed, options);
  };
  for (const Method method : {Method::linear, Method::stvk, Method::neo_hookean}) {
    EXPECT_THROW(make(block.options(method)), Error);
  }
  FullBodyOptions options = block.options(Method::corotational);
  EXPECT_THROW(make(options, {block.core[0]}), Error);
  options.core.nodes = select_nodes(block.mesh, "y<=0.001&&z<=0.001");
  EXPECT_THROW(make(options), Error);
  options.core.nodes = select_nodes(block.mesh, "x>=-1");
  EXPECT_THROW(make(options), Error);
  options = block.options(Method::corotational);
  options.newton_iterations = 2;
  EXPECT_THROW(make(options), Error);
  FullBody body(block.mesh, kRubber, {}, block.options(Method::corotational));
  EXPECT_THROW((void)body.settle(), Error);
  EXPECT_THROW(
      (void)point_of_core(block.mesh.V, select_nodes(block.mesh, "x<=0.001"), Vec3::Zero()), Error);
}

}  // namespace
}  // namespace limber
