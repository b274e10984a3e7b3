// Rigid bodies that rest, slide, collide, stack and pile up: the limits that closed forms know.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/contact_scene.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {
namespace {

using test::ContactScene;
using test::falling;
using test::kGravity;
using test::kStep;
using test::placed;

Collider::Shared cube() { return Collider::box(Vec3::Constant(test::kEdge)); }

TEST(RigidBody, RowsEqualCentralDifferences) {
  const Collider::Shared brick = Collider::box({0.3, 0.2, 0.1});
  FrameState start = placed({1, 2, 3}, rotation_exp({0.3, -0.5, 0.2}));
  start.velocity = {0.4, -0.3, 0.2};
  start.angular_velocity = {1, -2, 0.5};
  RigidBody body(filled_evenly(*brick, 2.5), start);
  const BodyPoint point = RigidBody::point({0.15, 0.1, -0.05});
  PointState state;
  body.point_states({&point, 1}, {&state, 1});
  const Vec3 d = Vec3(1, 2, -1).normalized();
  const BodyRow row{point, d, state.position, false};
  float scaled[8] = {};
  body.reserve_rows(1);
  body.set_rows({&row, 1}, 0.01, scaled, 8);
  float V[6], D[6];
  body.scaled_motion(V, D);
  float speed = 0, squared = 0;
  for (int k = 0; k < 6; ++k) {
    speed += scaled[k] * V[k];
    squared += scaled[k] * scaled[k];
  }
  EXPECT_NEAR(speed, d.dot(state.velocity), 1e-6);
  // The velocity along the row grows by W a unit of impulse.
  const double impulse = 0.7;
  body.apply({&impulse, 1}, false);
  PointState after;
  body.point_states({&point, 1}, {&after, 1});
  EXPECT_NEAR(d.dot(after.velocity - state.velocity), squared * impulse, 1e-6);
  // And where the point moves to first order, by central differences of the step size.
  const auto moved = [&](double h) {
    RigidBody copy(filled_evenly(*brick, 2.5), start);
    copy.set_velocity(h < 0 ? Vec3(-start.velocity) : start.velocity,
                      h < 0 ? Vec3(-start.angular_velocity) : start.angular_velocity);
    EXPECT_FALSE(advance(copy, std::abs(h)));
    PointState end;
    copy.point_states({&point, 1}, {&end, 1});
    return end.position;
  };
  const double h = 1e-4;
  EXPECT_NEAR(d.dot(moved(h) - moved(-h)) / (2 * h), d.dot(state.velocity), 1e-6);
}

TEST(RigidBody, FliesOnTheExactParabola) {
  RigidBody body(filled_evenly(*cube(), 1), placed({0, 5, 0}), falling());
  body.set_velocity({1, 2, 0}, {0, 0, 3});
  for (int k = 0; k < 30; ++k) ASSERT_FALSE(advance(body, kStep));
  const double t = 0.5;
  EXPECT_NEAR(body.frame().position.y(), 5 + 2 * t - kGravity * t * t / 2, 1e-12);
  EXPECT_NEAR(body.frame().position.x(), t, 1e-12);
}

TEST(RigidBody, RefusesWhatItCannotBe) {
  EXPECT_THROW(RigidBody(RigidMass{0, Vec3::Zero(), Mat3::Identity()}), Error);
  EXPECT_THROW(RigidBody(RigidMass{1, Vec3::Zero(), Mat3::Zero()}), Error);
  RigidBody body(filled_evenly(*cube(), 1));
  EXPECT_THROW(body.handles().add({}), Error);
  EXPECT_THROW(body.set_damping({0.1, 0}), Error);
  EXPECT_THROW(static_cast<void>(filled_evenly(*Collider::plane(), 1)), Error);
  EXPECT_THROW(static_cast<void>(Collider::sphere(0)), Error);
}

TEST(RestingCube, IsCarriedByItsWeightAndDoesNotMove) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  const int body = scene.add_rigid(cube(), 2, placed({0, test::kEdge / 2 + 0.002, 0}));
  scene.run(3);
  const auto before = test::features(scene.contacts);
  const double mg = 2 * kGravity;
  EXPECT_LT(scene.body(body).kinetic_energy(), 1e-9 * mg * test::kEdge);
  scene.step();
  EXPECT_NEAR(scene.contacts.contact_force(body).y(), mg, 1e-4 * mg);
  EXPECT_LT(scene.contacts.contact_force(body).head<1>().norm(), 1e-4 * mg);
  EXPECT_EQ(test::features(scene.contacts), before);
  EXPECT_GE(scene.contacts.contact_count(body), 4);
  EXPECT_NEAR(scene.body(body).frame().position.y(), test::kEdge / 2, 0.005 * test::kEdge);
}

class Slope : public testing::TestWithParam<double> {};

TEST_P(Slope, HoldsBelowFrictionAndSlidesAboveIt) {
  const double mu = GetParam();
  const auto slide = [&](double share) {
    const double angle = std::atan(share * mu);
    const Vec3 normal(std::sin(angle), std::cos(angle), 0);
    ContactScene scene;
    scene.contacts.set_options(test::awake());
    scene.add_obstacle(Collider::plane(), test::tilted(normal), {mu, 0});
    const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal).toRotationMatrix();
    const int body = scene.add_rigid(cube(), 1, placed(test::kEdge / 2 * normal, turn), {mu, 0});
    scene.run(0.5);
    const Vec3 from = scene.body(body).frame().position;
    const double v0 = scene.body(body).frame().velocity.norm();
    scene.run(1);
    const double v1 = scene.body(body).frame().velocity.norm();
    return std::tuple((scene.body(body).frame().position - from).norm(), v1 - v0, angle);
  };
  EXPECT_LT(std::get<0>(slide(0.95)), 1e-4);
  const auto [way, gained, angle] = slide(1.02);
  const double normal_part = mu * kGravity * std::cos(angle);
  EXPECT_NEAR(gained, kGravity * std::sin(angle) - normal_part, 0.02 * normal_part);
}

INSTANTIATE_TEST_SUITE_P(Friction, Slope, testing::Values(0.2, 0.5, 0.9));

TEST(Collision, KeepsMomentaAndNeverGainsEnergy) {
  for (const double friction : {0.0, 0.6}) {
    ContactScene scene;
    const Loads none;
    const ContactMaterial material{friction, 0};
    FrameState left = placed({-0.2, 0.03, 0.01}, rotation_exp({0.4, 0.2, 0.7}));
    FrameState right = placed({0.2, 0, 0}, rotation_exp({-0.3, 0.5, 0.1}));
    left.velocity = {2, 0.1, 0};
    left.angular_velocity = {1, 4, -3};
    right.velocity = {-1, 0, 0.2};
    const int a = scene.add_rigid(cube(), 1, left, material, none);
    const int b = scene.add_rigid(cube(), 3, right, material, none);
    const auto total = [&] {
      Momentum sum = scene.body(a).momentum();
      return sum += scene.body(b).momentum();
    };
    const auto energy = [&] {
      return scene.body(a).kinetic_energy() + scene.body(b).kinetic_energy();
    };
    const Momentum before = total();
    double last = energy();
    const double first = last;
    for (int k = 0; k < 60; ++k) {
      scene.step();
      EXPECT_LE(energy(), last + 1e-9 * first) << "friction " << friction << ", step " << k;
      last = energy();
    }
    EXPECT_LT(last, 0.9 * first);  // they did meet
    EXPECT_LT((total().linear - before.linear).norm(), 1e-12 * 3);
    EXPECT_LT((total().angular - before.angular).norm(), 1e-12);
  }
}

TEST(Collision, RestitutionGivesBackItsShare) {
  for (const double e : {0.0, 0.5, 1.0}) {
    ContactScene scene;
    scene.add_obstacle(Collider::plane(), {}, {0.0, e});
    const int ball = scene.add_rigid(Collider::sphere(0.1), 1, placed({0, 1.1, 0}));
    double up = 0;
    for (int k = 0; k < 45; ++k) {
      scene.step();
      up = std::max(up, scene.body(ball).frame().velocity.y());
    }
    const double down = std::sqrt(2 * kGravity);
    EXPECT_NEAR(up, e * down, 0.03 * down) << e;
  }
}

TEST(Collision, BodiesThatStartInEachOtherArePushedApartCalmly) {
  ContactScene scene;
  const int a = scene.add_rigid(cube(), 1, placed({0, 0, 0}), {}, {});
  const int b =
      scene.add_rigid(cube(), 1, placed({0.4 * test::kEdge, 0.1 * test::kEdge, 0}), {}, {});
  scene.step();
  ASSERT_EQ(scene.contacts.deep_pairs().size(), 1U);
  EXPECT_GT(scene.contacts.deep_pairs()[0].depth, 0.5 * test::kEdge);
  for (int k = 0; k < 60; ++k) {
    scene.step();
    EXPECT_LT(scene.body(a).frame().velocity.norm(), 2);
    EXPECT_LT(scene.body(b).frame().velocity.norm(), 2);
  }
  EXPECT_GT((scene.body(b).frame().position - scene.body(a).frame().position).x(),
            0.99 * test::kEdge);
}

TEST(Stack, TenCubesStandForTwentySeconds) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  std::vector<int> cubes;
  for (int k = 0; k < 10; ++k)
    cubes.push_back(scene.add_rigid(cube(), 1, placed({0, (k + 0.5) * 1.001 * test::kEdge, 0})));
  scene.run(5);
  for (int second = 5; second < 20; ++second) {
    scene.run(1);
    for (const int one : cubes) EXPECT_LT(scene.body(one).frame().velocity.norm(), 0.02);
  }
  for (int k = 0; k < 10; ++k) {
    const Vec3 x = scene.body(cubes[k]).frame().position;
    EXPECT_LT(Vec3(x.x(), 0, x.z()).norm(), 0.05 * test::kEdge);
    // Each layer between two centres is no thinner than an edge less half a percent.
    const double below = k == 0 ? -test::kEdge / 2 : scene.body(cubes[k - 1]).frame().position.y();
    EXPECT_GT(x.y() - below, 0.995 * test::kEdge);
  }
}

TEST(Stack, AHeavyBlockRestsOnALightOne) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  scene.add_rigid(cube(), 1, placed({0, 0.5 * test::kEdge, 0}));
  const int heavy = scene.add_rigid(cube(), 8, placed({0, 1.5 * test::kEdge, 0}));
  scene.run(3);
  EXPECT_LT(scene.body(heavy).frame().velocity.norm(), 0.02);
  EXPECT_GT(scene.body(heavy).frame().position.y(), 1.45 * test::kEdge);
}

TEST(Stack, AThousandTimesHeavierBlockStaysCalm) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  const int light = scene.add_rigid(cube(), 1, placed({0, 0.5 * test::kEdge, 0}));
  const int heavy = scene.add_rigid(cube(), 1000, placed({0, 1.5 * test::kEdge, 0}));
  for (int k = 0; k < 180; ++k) {
    scene.step();
    EXPECT_LT(scene.body(heavy).frame().velocity.norm(), 2);
  }
  EXPECT_GT(scene.body(heavy).frame().position.y(), 0.45 * test::kEdge);
  EXPECT_GT(scene.body(light).frame().position.y(), 0.3 * test::kEdge);
}

TEST(Stack, AnArchOfWedgesStandsByFriction) {
  // Nine wedges of a half ring, each a closed mesh of eight corners.
  constexpr int kWedges = 7;
  constexpr double kInner = 0.3, kOuter = 0.45, kDepth = 0.2;
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane(), {}, {0.9, 0});
  std::vector<int> wedges;
  std::vector<Vec3> start;
  for (int k = 0; k < kWedges; ++k) {
    Positions V(8, 3);
    for (int c = 0; c < 8; ++c) {
      const double angle = std::numbers::pi * (k + (c & 1)) / kWedges;
      const double r = c & 2 ? kOuter : kInner;
      V.row(c) << r * std::cos(angle), r * std::sin(angle), (c & 4 ? 0.5 : -0.5) * kDepth;
    }
    Triangles F(12, 3);
    F << 0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4,
        1, 5, 7, 1, 7, 3;
    const Collider::Shared wedge = Collider::mesh(V, F);
    ASSERT_TRUE(wedge->surface()->closed());
    wedges.push_back(scene.add_rigid(wedge, 1, placed({0, 0, 0}), {0.9, 0}));
  }
  scene.run(3);
  for (const int one : wedges) EXPECT_LT(scene.body(one).frame().position.norm(), 0.01);
}

TEST(Pile, FallsAsleepAndWakesWhenTouched) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  std::vector<int> cubes;
  for (int k = 0; k < 20; ++k) {
    const Vec3 place(0.04 * (k % 3), 0.1 + 0.13 * k, 0.05 * (k % 2));
    cubes.push_back(scene.add_rigid(cube(), 1, placed(place, rotation_exp({0.3 * k, 0.2 * k, 0}))));
  }
  scene.run(6);
  for (const int one : cubes) {
    EXPECT_TRUE(scene.contacts.asleep(one)) << one;
    EXPECT_EQ(scene.body(one).kinetic_energy(), 0);
    EXPECT_GT(scene.body(one).frame().position.y(), 0.4 * test::kEdge);
  }
  const Vec3 above = scene.body(cubes[0]).frame().position + Vec3(0, 1, 0);
  scene.add_rigid(cube(), 1, placed(above));
  bool someone_woke = false;
  for (int k = 0; k < 60; ++k) {
    scene.step();
    for (const int one : cubes) someone_woke |= !scene.contacts.asleep(one);
  }
  EXPECT_TRUE(someone_woke);
}

TEST(Pile, RestoredFromASnapshotGoesOnBitForBit) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  for (int k = 0; k < 8; ++k)
    scene.add_rigid(cube(), 1,
                    placed({0.03 * (k % 3), 0.06 + 0.12 * k, 0}, rotation_exp({0.1 * k, 0, 0})));
  scene.run(0.7);
  const WorldSnapshot middle = scene.world.snapshot();
  scene.run(0.5);
  const WorldSnapshot end = scene.world.snapshot();
  scene.world.restore(middle);
  scene.run(0.5);
  EXPECT_EQ(scene.world.snapshot(), end);
}

TEST(Tunnelling, NothingFastPassesAThinSheet) {
  for (const double speed : {20.0, 60.0, 150.0}) {
    ContactScene scene;
    scene.add_obstacle(Collider::box({1, 0.02, 1}));
    FrameState start = placed({0.1, 0.7, 0.05});
    start.velocity = {0, -speed, 0};
    const int ball = scene.add_rigid(Collider::sphere(0.05), 1, start, {}, {});
    const int block =
        scene.add_rigid(cube(), 1,
                        [&] {
                          FrameState other = placed({-0.3, 0.63, 0}, rotation_exp({0.5, 0.3, 0}));
                          other.velocity = {0, -speed, 0};
                          return other;
                        }(),
                        {}, {});
    scene.run(0.2);
    EXPECT_GT(scene.body(ball).frame().position.y(), 0.05) << speed;
    EXPECT_GT(scene.body(block).frame().position.y(), 0.04) << speed;
  }
}

TEST(Obstacles, AMovingPlatformCarriesABox) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  const SupportMotion motion(
      {{0, {0, 0, 0}}, {1, {0, 0, 0}}, {2, {0.5, 0.25, 0}}, {3, {1, 0.5, 0}}, {4, {1, 0.5, 0}}});
  scene.add_obstacle(Collider::box({1, 0.1, 1}), motion, {0.8, 0});
  const int box = scene.add_rigid(cube(), 1, placed({0, 0.1, 0}), {0.8, 0});
  scene.run(5);
  const Vec3 x = scene.body(box).frame().position;
  EXPECT_NEAR(x.x(), 1, 0.02);  // the spline stops with a small jolt
  EXPECT_NEAR(x.y(), 0.6, 0.002);
}

TEST(Obstacles, OpenMeshesHoldFromBothSides) {
  Positions V(4, 3);
  V << -1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1;
  Triangles F(2, 3);
  F << 0, 1, 2, 0, 2, 3;  // faces down
  ContactScene scene;
  scene.add_obstacle(Collider::mesh(V, F));
  const int box = scene.add_rigid(cube(), 1, placed({0.2, 0.2, 0.1}));
  const int ball = scene.add_rigid(Collider::sphere(0.1), 1, placed({-0.4, 0.3, 0}));
  scene.run(1);
  EXPECT_NEAR(scene.body(box).frame().position.y(), 0.05, 0.001);
  EXPECT_NEAR(scene.body(ball).frame().position.y(), 0.1, 0.001);
}

TEST(Obstacles, CrossedPlanksHoldEachOtherByTheirEdges) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::box({0.1, 0.1, 1}));
  const int plank = scene.add_rigid(Collider::box({1, 0.1, 0.1}), 1, placed({0, 0.102, 0}));
  scene.run(2);
  EXPECT_NEAR(scene.body(plank).frame().position.y(), 0.1, 0.001);
  EXPECT_LT(rotation_log(scene.body(plank).frame().rotation).norm(), 0.01);
}

TEST(Obstacles, CapsulesRollAndRest) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  const Mat3 lying = rotation_exp({0, 0, 1.5707963267948966});
  const int capsule = scene.add_rigid(Collider::capsule(0.1, 0.4), 1, placed({0, 0.12, 0}, lying));
  scene.run(2);
  EXPECT_NEAR(scene.body(capsule).frame().position.y(), 0.1, 0.001);
}

TEST(Events, BeginAndEndOnce) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane(), {}, {0.0, 0.8});
  const int ball = scene.add_rigid(Collider::sphere(0.1), 1, placed({0, 0.3, 0}));
  int begun = 0, ended = 0;
  for (int k = 0; k < 30; ++k) {
    scene.step();
    for (const ContactEvent& event : scene.contacts.events()) {
      EXPECT_EQ(event.a, ball);
      (event.kind == ContactEvent::Kind::begin ? begun : ended) += 1;
    }
  }
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
}

TEST(Filters, GroupsAndExcludedPairsPassThroughEachOther) {
  ContactScene scene;
  const int ground = scene.add_obstacle(Collider::plane());
  const int ghost = scene.add_rigid(cube(), 1, placed({0, 0.2, 0}));
  const int other = scene.add_rigid(cube(), 1, placed({1, 0.2, 0}));
  scene.contacts.exclude(ground, ghost);
  scene.run(1);
  EXPECT_LT(scene.body(ghost).frame().position.y(), -1);
  EXPECT_GT(scene.body(other).frame().position.y(), 0.04);
}

TEST(BadInput, AForceThatIsNoNumberStopsThatBodyAlone) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  const int sick = scene.add_rigid(cube(), 1, placed({0, 0.3, 0}));
  const int well = scene.add_rigid(cube(), 1, placed({0.5, 0.3, 0}));
  scene.run(0.1);
  scene.body(sick).apply_impulse(RigidBody::point(Vec3::Zero()), {std::nan(""), 0, 0});
  scene.run(2);
  EXPECT_TRUE(scene.contacts.participant(sick).stopped);
  EXPECT_NEAR(scene.body(well).frame().position.y(), 0.05, 0.001);
}

}  // namespace
}  // namespace limber
