// Handles at full resolution: points within tets, orientations, velocities, clusters, forces; and
// what is done to bodies at once.
#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

Handle handle_on(HandleKind kind, const BodyPoint& point, const Vec3& target) {
  Handle handle;
  handle.kind = kind;
  handle.point = point;
  handle.target = Path({0}, {target});
  return handle;
}

BodyPoint within_last_tet(const TetMesh& mesh) {
  const int t = mesh.tet_count() - 1;
  return {{mesh.T(t, 0), mesh.T(t, 1), mesh.T(t, 2), mesh.T(t, 3)}, {0.1, 0.2, 0.3, 0.4}};
}

class FullHandle : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, FullHandle, testing::ValuesIn(kAllFullMethods));

TEST_P(FullHandle, HoldsAPointWithinATetHard) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  FullBodyOptions options = with(GetParam());
  options.damping = {4, 0};
  FullBody body(mesh, kRubber, clamped_end(mesh), options, gravity(1));
  const BodyPoint point = within_last_tet(mesh);
  const Vec3 target = point.sum(mesh.V) + Vec3(0, 0.02, 0.03);
  body.handles().add(handle_on(HandleKind::position, point, target));
  for (int k = 0; k < 100; ++k) must_advance(body, 0.02);
  EXPECT_LT((point.sum(body.positions()) - target).norm(), 1e-5);
  EXPECT_LT(body.handles().errors().position, 1e-5);
}

// At rest the handle's force and the loads are in balance with the wall: the same force applied as
// a load to the same point gives the same shape.
TEST(FullHandleForces, AppliedAsLoadsHoldTheSameShape) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  FullBodyOptions options = with(Method::corotational);
  options.damping = {8, 0};
  FullBody held(mesh, kRubber, clamped_end(mesh), options);
  const BodyPoint point = within_last_tet(mesh);
  held.handles().add(
      handle_on(HandleKind::position, point, point.sum(mesh.V) + Vec3(0, 0.02, 0.01)));
  for (int k = 0; k < 300; ++k) must_advance(held, 0.02);
  const std::vector<HandleForce> forces = held.handles().forces();
  ASSERT_EQ(forces.size(), 1U);
  Loads loads;
  for (std::size_t k = 0; k < 4; ++k) {
    loads.forces.push_back({{point.nodes[k]}, point.weights[k] * forces[0].force});
  }
  FullBody pushed(mesh, kRubber, clamped_end(mesh), options, loads);
  ASSERT_TRUE(pushed.settle().converged);
  EXPECT_LT((pushed.positions() - held.positions()).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_P(FullHandle, TurnsAPatchWithoutPullingTheBody) {
  if (GetParam() == Method::linear) GTEST_SKIP() << "linear bodies swell when turned";
  const TetMesh mesh = bar({0.6, 0.2, 0.2}, {6, 2, 2});
  FullBodyOptions options = with(GetParam());
  FullBody body(mesh, kRubber, {}, options, gravity(9.8));
  const int middle = nearest_node(mesh, Vec3(0.3, 0.1, 0.1));
  const Vec3 wanted(0.3, -0.2, 0.4);
  const int handle = body.handles().add(
      handle_on(HandleKind::orientation, BodyPoint::at_node(middle), Vec3::Zero()));
  for (int k = 1; k <= 50; ++k) {
    body.handles().move(handle, k / 50.0 * wanted);
    must_advance(body, 0.01);
  }
  EXPECT_LT(body.handles().errors().orientation, 2e-3);
  // It falls as if nobody held it: y = −g h² k (k + 1) / 2.
  const Vector& mass = body.simulated_mesh().node_mass();
  const double fallen = (mass.transpose() * (body.positions() - mesh.V)).y() / mass.sum();
  EXPECT_NEAR(fallen, -9.8 * 1e-4 * 50 * 51 / 2, 1e-6);
}

TEST_P(FullHandle, GivesVelocitiesAndAccelerations) {
  const TetMesh mesh = small_bar();
  const BodyPoint point = BodyPoint::at_node(mesh.node_count() - 1);
  FullBody body(mesh, kRubber, {}, with(GetParam()), gravity(9.8));
  body.handles().add(handle_on(HandleKind::velocity, point, Vec3(0.1, 0.2, -0.1)));
  for (int k = 0; k < 5; ++k) must_advance(body, 0.01);
  EXPECT_LT((point.sum(body.velocities()) - Vec3(0.1, 0.2, -0.1)).norm(), 1e-4);
  FullBody pushed(mesh, kRubber, {}, with(GetParam()));
  pushed.handles().add(handle_on(HandleKind::acceleration, point, Vec3(1, 0, 2)));
  for (int k = 0; k < 5; ++k) must_advance(pushed, 0.01);
  EXPECT_LT((point.sum(pushed.velocities()) - 0.05 * Vec3(1, 0, 2)).norm(), 1e-4);
}

TEST(FullHandleTargets, OfFreeBodiesAreInTheWorld) {
  const TetMesh mesh = small_bar();
  SupportKey start;
  start.position = Vec3(3, -1, 2);
  start.rotation = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized());
  FullBody body(mesh, kRubber, {}, with(Method::corotational), {}, SupportMotion({start}));
  const BodyPoint point = BodyPoint::at_node(mesh.node_count() - 1);
  PointState state;
  body.point_states({&point, 1}, {&state, 1});
  const Vec3 target = state.position + Vec3(0.01, 0.02, 0);
  body.handles().add(handle_on(HandleKind::position, point, target));
  for (int k = 0; k < 20; ++k) must_advance(body, 0.01);
  body.point_states({&point, 1}, {&state, 1});
  EXPECT_LT((state.position - target).norm(), 1e-5);
  ASSERT_FALSE(body.handles().forces().empty());
}

TEST_P(FullHandle, ClustersMoveAsTheyAreAndTurnAsTheyLike) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  FullBodyOptions options = with(GetParam());
  options.damping = {4, 0};
  FullBody body(mesh, kRubber, clamped_end(mesh), options);
  const std::vector<int> end = select_nodes(mesh, "x>=0.999");
  const int middle = nearest_node(mesh, Vec3(1, 0.1, 0.1));
  Handle handle = handle_on(HandleKind::spring, BodyPoint::at_node(middle),
                            mesh.V.row(middle).transpose() + Vec3(0, 0.1, 0));
  handle.stiffness = 1e5;
  for (const int node : end) handle.exercised.push_back(BodyPoint::at_node(node));
  body.handles().add(handle);
  for (int k = 0; k < 200; ++k) must_advance(body, 0.02);
  EXPECT_NEAR(body.positions()(middle, 1) - mesh.V(middle, 1), 0.1, 5e-3);
}

TEST(FullImpulse, ChangesTheMomentumByItselfAtOnce) {
  const TetMesh mesh = bar({0.6, 0.2, 0.2}, {6, 2, 2});
  for (const MassKind mass : {MassKind::lumped, MassKind::consistent}) {
    FullBodyOptions options = with(Method::corotational);
    options.mass = mass;
    FullBody body(mesh, kRubber, {}, options);
    const BodyPoint point = within_last_tet(mesh);
    const Vec3 impulse(1, -2, 0.5);
    body.apply_impulse(point, impulse);
    const Momentum momentum = body.momentum();
    EXPECT_LT((momentum.linear - impulse).norm(), 1e-11);
    EXPECT_LT((momentum.angular - point.sum(mesh.V).cross(impulse)).norm(), 1e-11);
  }
}

TEST(FullPlace, TakesShapeAndMotionAlong) {
  const TetMesh mesh = small_bar();
  FullBody body(mesh, kRubber, {}, with(Method::corotational));
  body.set_velocity(Vec3(1, 0, 0), Vec3(0, 0, 2));
  for (int k = 0; k < 10; ++k) must_advance(body, 0.01);
  const Momentum before = body.momentum();
  const double elastic = body.elastic_energy(), kinetic = body.kinetic_energy();
  const Mat3 turn = rotation_exp(Vec3(0, 0, 1));  // about the axis of its spin
  body.place(Vec3(5, 6, 7), turn);
  EXPECT_NEAR(body.elastic_energy(), elastic, 1e-9 * kinetic);
  EXPECT_NEAR(body.kinetic_energy(), kinetic, 1e-9 * kinetic);
  EXPECT_LT((body.momentum().linear - before.linear).norm(), 1e-9 * before.linear.norm());
  Positions x(mesh.node_count(), 3);
  body.node_positions(x);
  // Nearly rigid: within its own stretch of where the rest shape would be.
  const Positions rigid = (mesh.V * turn.transpose()).rowwise() + Eigen::RowVector3d(5, 6, 7);
  EXPECT_LT((x - rigid).cwiseAbs().maxCoeff(), 0.02);
  FullBody fixed(mesh, kRubber, clamped_end(mesh));
  EXPECT_THROW(fixed.place(Vec3::Zero(), turn), Error);
  EXPECT_THROW(fixed.set_velocity(Vec3::Zero(), Vec3::Zero()), Error);
  EXPECT_THROW(body.set_support({}), Error);
}

}  // namespace
}  // namespace limber
