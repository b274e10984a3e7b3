// Bodies of several methods that live together: held, thrown, stopped, saved and brought back.
#include "support/allocation_counter.h"
// Replaces malloc, so that it comes first.
#include "limber/world/world.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "contact/contact_scene.h"
#include "limber/constraint/modal_handles.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/bake.h"
#include "support/sanitizers.h"

namespace limber {
namespace {

const Vec3 kGravity(0, -9.81, 0);

const TetMesh& small_bar() {
  static const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  return mesh;
}

ModalModel free_bar(double young = 1e6, int modes = 8) {
  return bake(small_bar(), Material{young, 0.3, 1000}, {}, {modes});
}

Loads gravity() { return {{{kGravity}}, {}}; }

Handle position_handle(const BodyPoint& point, const Vec3& target) {
  Handle handle;
  handle.point = point;
  handle.target = Path({0.0}, {target});
  return handle;
}

/// A linear, a warped, and a corotational bar, all free.
World three_bars() {
  World world;
  world.add("linear", make_modal_body(free_bar(), {Method::linear_modal}, gravity()));
  world.add("warped", make_modal_body(free_bar(), {Method::modal_warping}, gravity()));
  world.add("full", std::make_unique<FullBody>(small_bar(), Materials(Material{1e6, 0.3, 1000}),
                                               std::vector<int>{},
                                               FullBodyOptions{Method::corotational}, gravity()));
  return world;
}

Momentum momentum_of(const World& world, std::size_t k) {
  return world.bodies()[k].dynamics->momentum();
}

TEST(World, FreeBodiesOfEveryMethodFallAlikeAndKeepTheirMomenta) {
  World world = three_bars();
  for (WorldBody& body : world.bodies()) body.dynamics->set_velocity({1, 2, 3}, {2, -1, 4});
  std::vector<Momentum> before;
  for (std::size_t k = 0; k < 3; ++k) before.push_back(momentum_of(world, k));
  const double h = 0.005;
  for (int i = 0; i < 200; ++i) ASSERT_FALSE(world.step(h));
  EXPECT_NEAR(world.time(), 1, 1e-12);
  for (std::size_t k = 0; k < 3; ++k) {
    const Momentum now = momentum_of(world, k);
    const double mass = world.bodies()[k].dynamics->mass();
    EXPECT_LT((now.linear - before[k].linear - mass * kGravity).norm(), 1e-10 * mass * 10) << k;
  }
}

TEST(World, ImpulsesChangeMomentaByWhatTheyAre) {
  World world = three_bars();
  const Vec3 impulse(1, -2, 0.5);
  const BodyPoint point{{0, 3, 7, 9}, {0.4, 0.3, 0.2, 0.1}};
  for (std::size_t k = 0; k < 3; ++k) {
    DynamicBody& body = *world.bodies()[k].dynamics;
    const Momentum before = body.momentum();
    PointState state;
    body.point_states({&point, 1}, {&state, 1});
    body.apply_impulse(point, impulse);
    const Momentum now = body.momentum();
    EXPECT_LT((now.linear - before.linear - impulse).norm(), 1e-10) << k;
    EXPECT_LT((now.angular - before.angular - state.position.cross(impulse)).norm(), 1e-10) << k;
  }
}

TEST(World, HandlesOnFreeBodiesBalanceWeight) {
  // Three points hold a bar: at rest their forces carry it.
  World world;
  const BodyId id = world.add("held", make_modal_body(free_bar(1e7),
                                                      {.method = Method::modal_warping,
                                                       .integrator = Integrator::exact,
                                                       .damping = {5, 0.02}},
                                                      gravity()));
  DynamicBody& body = *world.body(id).dynamics;
  for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.4, 0.2, 0.2)}) {
    int nearest = 0;
    for (int i = 0; i < small_bar().node_count(); ++i) {
      const auto distance = [&](int n) {
        return (small_bar().V.row(n).transpose() - corner).norm();
      };
      if (distance(i) < distance(nearest)) nearest = i;
    }
    body.handles().add(
        position_handle(BodyPoint::at_node(nearest), small_bar().V.row(nearest).transpose()));
  }
  for (int i = 0; i < 1500; ++i) ASSERT_FALSE(world.step(0.01));
  ASSERT_FALSE(world.body(id).stopped());
  EXPECT_LT(body.handles().errors().position, 1e-9);
  Vec3 sum = Vec3::Zero();
  for (const HandleForce& force : body.handles().forces()) sum += force.force;
  EXPECT_LT((sum + body.mass() * kGravity).norm(), 1e-5 * body.mass() * 9.81);
  EXPECT_LT(body.kinetic_energy(), 1e-10);
}

TEST(World, ABarHungOnOneNodeSwingsLikeACompoundPendulum) {
  // Rigid limit: T = 2π √(I/(m g d)) (1 + θ²/16), I about the held node, d to the mass centre.
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 2, 2});
  World world;
  const BodyId id = world.add("bar", make_modal_body(bake(mesh, Material{1e9, 0.3, 1000}, {}, {8}),
                                                     {Method::modal_warping}, gravity()));
  DynamicBody& body = *world.body(id).dynamics;
  const Vec3 end(0, 0.1, 0.1);  // the middle of one end
  const Vec3 centre(0.5, 0.1, 0.1);
  int node = 0;
  for (int i = 0; i < mesh.node_count(); ++i) {
    if ((mesh.V.row(i).transpose() - end).norm() < (mesh.V.row(node).transpose() - end).norm()) {
      node = i;
    }
  }
  constexpr double kSwing = 0.05;  // rad
  const Mat3 turned =
      Eigen::AngleAxisd(kSwing - std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
  body.place(-(turned * end), turned);
  body.handles().add(position_handle(BodyPoint::at_node(node), Vec3::Zero()));
  const double m = body.mass();
  const double inertia = m * 1.04 / 12 + m * 0.25;
  const double period =
      2 * std::numbers::pi * std::sqrt(inertia / (m * 9.81 * 0.5)) * (1 + kSwing * kSwing / 16);
  std::vector<double> crossings;
  double last = kSwing;
  const double h = 1e-3;
  for (int i = 0; i < 6000; ++i) {
    ASSERT_FALSE(world.step(h));
    const Vec3 c = body.frame().to_world(centre);
    const double angle = std::atan2(c.x(), -c.y());
    if (last > 0 && angle <= 0) crossings.push_back(world.time() - h * angle / (angle - last));
    last = angle;
  }
  ASSERT_GE(crossings.size(), 3);
  const double measured =
      (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  EXPECT_NEAR(measured / period, 1, 0.01);
}

TEST(World, ABodyThatCannotGoOnIsStoppedAndTheRestGoesOn) {
  World world = three_bars();
  Loads wild = gravity();
  wild.forces.push_back({{3}, {0, 1e100, 0}});
  world.bodies()[1].dynamics->set_loads(wild);
  const Vec3 where = world.bodies()[1].dynamics->frame().position;
  for (int i = 0; i < 10; ++i) ASSERT_FALSE(world.step(0.01));
  EXPECT_TRUE(world.bodies()[1].stopped());
  EXPECT_FALSE(world.bodies()[0].stopped());
  EXPECT_FALSE(world.bodies()[2].stopped());
  EXPECT_LT(world.bodies()[0].dynamics->momentum().linear.y(), -10);
  EXPECT_TRUE(world.bodies()[1].dynamics->frame().position.allFinite());
  EXPECT_EQ(world.bodies()[1].dynamics->frame().position, where);
  world.bodies()[1].dynamics->set_loads(gravity());
  world.resume(world.bodies()[1].id);
  ASSERT_FALSE(world.step(0.01));
  EXPECT_FALSE(world.bodies()[1].stopped());
}

TEST(World, BadStepsAreRefusedAtTheDoor) {
  World world = three_bars();
  for (const double h :
       {0.0, -1.0, 5e-324, 1e300, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(world.step(h).kind, Fault::Kind::bad_step);
  }
  EXPECT_EQ(world.time(), 0);
  EXPECT_EQ(momentum_of(world, 0).linear, Vec3(Vec3::Zero()));
}

/// The bits of all positions and velocities.
std::vector<double> bits(const World& world) {
  std::vector<double> all;
  for (const WorldBody& body : world.bodies()) {
    Positions x(body.dynamics->node_count(), 3);
    body.dynamics->node_positions(x);
    all.insert(all.end(), x.data(), x.data() + x.size());
    body.dynamics->node_velocities(x);
    all.insert(all.end(), x.data(), x.data() + x.size());
  }
  return all;
}

TEST(World, RandomStepsSavesAndLoadsEndInTheBitsOfTheStraightRun) {
  const auto make = [] {
    World world = three_bars();
    for (WorldBody& body : world.bodies()) {
      body.dynamics->set_velocity({0.2, 1, 0}, {1, 2, 3});
      body.dynamics->handles().add(position_handle(BodyPoint::at_node(2), {0, 0.5, 0}));
    }
    return world;
  };
  World straight = make();
  World wandering = make();
  std::mt19937 random(7);
  const auto h = [](int step) { return 0.002 + 0.001 * (step % 3); };
  constexpr int kSteps = 120;
  for (int i = 0; i < kSteps; ++i) ASSERT_FALSE(straight.step(h(i)));
  WorldSnapshot saved;
  wandering.save(saved);
  int at = 0, saved_at = 0;
  for (int tries = 0; tries < 4000 && at < kSteps; ++tries) {
    const unsigned what = random() % 10;
    if (what == 0) {
      wandering.restore(saved);
      at = saved_at;
    } else if (what == 1) {
      wandering.save(saved);
      saved_at = at;
    } else {
      ASSERT_FALSE(wandering.step(h(at++)));
    }
  }
  ASSERT_EQ(at, kSteps);
  EXPECT_EQ(wandering.time(), straight.time());
  EXPECT_EQ(bits(wandering), bits(straight));
}

/// Two tiny bodies, one of them held and one tumbling: a step takes a few microseconds.
World small_world() {
  const TetMesh box = bar({0.2, 0.2, 0.2}, {1, 1, 1});
  const ModalModel model = bake(box, Material{1e5, 0.3, 1000}, {}, {3});
  World world;
  world.add("tumbling", make_modal_body(model, {Method::modal_warping}, {}));
  world.add("held", make_modal_body(model, {Method::linear_modal}, gravity()));
  world.bodies()[0].dynamics->set_velocity({0, 0, 0}, {1, 2, 3});
  world.bodies()[1].dynamics->handles().add(
      position_handle(BodyPoint::at_node(0), box.V.row(0).transpose()));
  return world;
}

TEST(World, AMillionStepsSavesAndLoadsEndInTheBitsOfTheStraightRun) {
  const int kActs = under_sanitizers() ? 20'000 : 1'000'000;
  World wandering = small_world();
  const auto h = [](int step) { return 0.002 + 0.001 * (step % 3); };
  std::mt19937 random(11);
  WorldSnapshot saved;
  wandering.save(saved);
  int at = 0, saved_at = 0;
  for (int act = 0; act < kActs; ++act) {
    const unsigned what = random() % 16;
    if (what == 0) {
      wandering.restore(saved);
      at = saved_at;
    } else if (what < 3) {
      wandering.save(saved);
      saved_at = at;
    } else {
      ASSERT_FALSE(wandering.step(h(at++)));
    }
  }
  ASSERT_GT(at, kActs / 4);
  World straight = small_world();
  for (int i = 0; i < at; ++i) ASSERT_FALSE(straight.step(h(i)));
  EXPECT_EQ(wandering.time(), straight.time());
  EXPECT_EQ(bits(wandering), bits(straight));
}

TEST(World, RestPlacesOfFreeBodiesFollowThem) {
  World world = three_bars();
  const Vec3 position(1, 2, 3);
  const Mat3 rotation = Eigen::AngleAxisd(0.7, Vec3(1, 2, 2) / 3).toRotationMatrix();
  for (WorldBody& body : world.bodies()) {
    body.dynamics->place(position, rotation);
    EXPECT_LT((body.dynamics->rest_place().position - position).norm(), 1e-12) << body.name;
    EXPECT_LT((body.dynamics->rest_place().rotation - rotation).norm(), 1e-12) << body.name;
    body.dynamics->set_velocity({0, 4, 0}, rotation * Vec3(2, 0, 0));  // about the bar's axis
  }
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(world.step(0.005));
  for (const WorldBody& body : world.bodies()) {
    const RestPlace place = body.dynamics->rest_place();
    const Mat3 turned = rotation * Eigen::AngleAxisd(1, Vec3::UnitX()).toRotationMatrix();
    EXPECT_LT((place.rotation - turned).norm(), 0.02) << body.name;
    const Vec3 centre(0.5, 0.1, 0.1);
    const Vec3 fallen = Vec3(0, 4 * 0.5 - 9.81 * 0.125, 0);
    const Vec3 expected = position + rotation * centre + fallen - turned * centre;
    EXPECT_LT((place.position - expected).norm(), 0.03) << body.name;
  }
}

TEST(World, SnapshotsKnowTheHandlesAndTheirLastForces) {
  World world;
  world.add("free", make_modal_body(free_bar(), {Method::modal_warping}, gravity()));
  Handles& handles = world.bodies()[0].dynamics->handles();
  handles.add(position_handle(BodyPoint::at_node(2), small_bar().V.row(2)));
  for (int i = 0; i < 5; ++i) ASSERT_FALSE(world.step(0.01));
  const std::vector<HandleForce> before = handles.forces();
  const WorldSnapshot saved = world.snapshot();
  const int second = handles.add(position_handle(BodyPoint::at_node(5), small_bar().V.row(5)));
  for (int i = 0; i < 5; ++i) ASSERT_FALSE(world.step(0.01));
  EXPECT_EQ(handles.forces().size(), 2U);
  world.restore(saved);
  ASSERT_EQ(handles.forces().size(), 1U);
  EXPECT_EQ(handles.forces()[0].force, before[0].force);
  EXPECT_THROW(handles.remove(second), Error);
  ASSERT_FALSE(world.step(0.01));
}

TEST(World, FreeModalBodiesComeToRestHangingOnTheirHandles) {
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    World world;
    world.add("hung", make_modal_body(free_bar(1e6), {method}, gravity()));
    DynamicBody& body = *world.bodies()[0].dynamics;
    body.place({0, 1.9, 0.1}, Eigen::AngleAxisd(-1.2, Vec3::UnitZ()).toRotationMatrix());
    const BodyPoint corner = BodyPoint::at_node(0);
    PointState state;
    body.point_states({&corner, 1}, {&state, 1});
    body.handles().add(position_handle(corner, state.position));
    world.settle();
    Positions x(body.node_count(), 3), v(body.node_count(), 3);
    body.node_positions(x);
    body.node_velocities(v);
    EXPECT_EQ(v.norm(), 0);
    const Vec3 centre = x.colwise().mean();
    const Vec3 hang = centre - state.position;
    EXPECT_LT(std::hypot(hang.x(), hang.z()), 0.01) << "the mass centre is below the handle";
    EXPECT_LT(hang.y(), -0.4);
    EXPECT_LT(body.handles().errors().position, 1e-6);
    ASSERT_EQ(body.handles().forces().size(), 1U);
    const Vec3 force = body.handles().forces()[0].force;
    EXPECT_LT((force + body.mass() * kGravity).norm(), 0.02 * body.mass() * 9.81);
  }
}

TEST(World, SnapshotsOfOtherWorldsAreRefused) {
  World one = three_bars();
  World other = three_bars();
  const WorldSnapshot saved = one.snapshot();
  EXPECT_THROW(other.restore(saved), Error);
  one.remove(one.find("full"));
  EXPECT_THROW(one.restore(saved), Error);
}

TEST(World, IdsStayValidAndAreNeverUsedAgain) {
  World world = three_bars();
  const BodyId warped = world.find("warped");
  const BodyId linear = world.find("linear");
  world.remove(linear);
  EXPECT_FALSE(world.contains(linear));
  EXPECT_EQ(world.body(warped).name, "warped");
  EXPECT_THROW((void)world.body(linear), Error);
  EXPECT_THROW((void)world.find("linear"), Error);
  EXPECT_THROW(world.add("warped", make_modal_body(free_bar())), Error);
}

TEST(World, StepsAllocateNothingWhateverTheirLengthAndWhereverHandlesGo) {
  World world;
  world.add("free", make_modal_body(free_bar(), {Method::modal_warping}, gravity()));
  Handles& handles = world.bodies()[0].dynamics->handles();
  const int handle = handles.add(position_handle(BodyPoint::at_node(2), {0, 0.2, 0}));
  WorldSnapshot saved;
  for (int i = 0; i < 5; ++i) ASSERT_FALSE(world.step(0.01));
  world.save(saved);
  const long before = test::allocations;
  for (int i = 0; i < 100; ++i) {
    handles.move(handle, {0.001 * i, 0.2, 0});
    (void)world.step(0.005 + 1e-4 * (i % 17));
    if (i % 10 == 9) world.restore(saved);
  }
  world.save(saved);
  EXPECT_EQ(test::allocations - before, 0);
}

TEST(World, StepsOfAPileAllocateNothingOnceItHasBeenAsLarge) {
  test::ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  const Collider::Shared box = Collider::box(Vec3::Constant(test::kEdge));
  for (int k = 0; k < 10; ++k)
    scene.add_rigid(
        box, 1, test::placed({0.02 * (k % 3), 0.06 + 0.11 * k, 0}, rotation_exp({0.1 * k, 0, 0})));
  const WorldSnapshot start = scene.world.snapshot();
  scene.run(2);
  scene.world.restore(start);
  const long before = test::allocations;
  for (int k = 0; k < 120; ++k) static_cast<void>(scene.world.step(test::kStep));
  EXPECT_EQ(test::allocations - before, 0);
}

TEST(World, StepsOfABodyThatMayTouchItselfAllocateNothing) {
  test::ContactScene scene;
  scene.contacts.set_options(test::awake());
  const ModalModel model = free_bar();
  auto body = std::make_unique<ModalBody>(model, ModalBodyOptions{}, Loads{});
  Vector q = Vector::Zero(model.mode_count());
  q[0] = 0.4 / model.Phi().col(0).cwiseAbs().maxCoeff();  // m: two thicknesses, so that it looks
  body->set_state(q, Vector::Zero(q.size()));
  ContactPart part{Collider::soft(model), {}, {}};
  part.self = true;
  scene.world.add("bar", std::move(body), part);
  const WorldSnapshot start = scene.world.snapshot();
  scene.run(1);
  scene.world.restore(start);
  const long before = test::allocations;
  for (int k = 0; k < 60; ++k) static_cast<void>(scene.world.step(test::kStep));
  EXPECT_EQ(test::allocations - before, 0);
}

}  // namespace
}  // namespace limber
