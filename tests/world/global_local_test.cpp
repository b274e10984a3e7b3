// Bodies with local detail in a world: the same bits after a snapshot, no allocation, faults.
#include <gtest/gtest.h>

#include "contact/contact_scene.h"
#include "limber/constraint/modal_handles.h"
#include "limber/dynamics/local/global_local_body.h"
#include "limber/dynamics/local/residual_detail.h"
#include "limber/dynamics/rings/corotational_detail.h"
#include "limber/dynamics/rings/rings_detail.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/bake.h"
#include "limber/modes/residual_analysis.h"

namespace limber::global_local_tests {
namespace {

using test::ContactScene;

struct Cube {
  TetMesh mesh = bar(Vec3::Constant(test::kEdge), {3, 3, 3});
  Material material{5e4, 0.3, 1000};
  ModalModel model = bake(mesh, material, {}, {12});
  ResidualModes modes = residual_modes(mesh, material, model);
};

const Cube& cube() {
  static const Cube made;
  return made;
}

std::unique_ptr<LocalDetail> detail_of(LocalMode mode) {
  const Cube& made = cube();
  LocalOptions options;
  options.mode = mode;
  options.rings = 1;
  if (mode == LocalMode::rings)
    return std::make_unique<RingsDetail>(made.mesh, made.material, made.model, options);
  if (mode == LocalMode::corotational)
    return std::make_unique<CorotationalDetail>(made.mesh, made.material, made.model, made.modes,
                                                options);
  return std::make_unique<ResidualDetail>(made.modes, options, std::sqrt(3.0) * test::kEdge);
}

/// A free cube thrown at the ground, turning.
int add_cube(ContactScene& scene, const Vec3& place, LocalMode mode = LocalMode::residual) {
  auto body = std::make_unique<GlobalLocalBody>(cube().model, detail_of(mode),
                                                ModalBodyOptions{.method = Method::modal_warping,
                                                                 .integrator = Integrator::exact,
                                                                 .damping = {0.5, 0.002}},
                                                test::falling(), SupportMotion({{0, place}}));
  body->set_velocity({0, -1, 0}, {1, 2, 3});
  return scene.add(std::move(body), Collider::soft(cube().model));
}

int local_nodes(ContactScene& scene, int who) {
  return dynamic_cast<GlobalLocalBody&>(scene.body(who)).local_nodes();
}

TEST(GlobalLocal, ASnapshotComesBackToTheLastBit) {
  for (const LocalMode mode : {LocalMode::residual, LocalMode::rings, LocalMode::corotational}) {
    ContactScene scene;
    scene.add_obstacle(Collider::plane());
    const int one = add_cube(scene, {0, 0.15, 0}, mode);
    add_cube(scene, {0.02, 0.3, 0.01}, mode);
    scene.run(0.3);
    EXPECT_GT(local_nodes(scene, one), 0);
    const WorldSnapshot middle = scene.world.snapshot();
    scene.run(0.3);
    const WorldSnapshot end = scene.world.snapshot();
    scene.world.restore(middle);
    EXPECT_EQ(scene.world.snapshot(), middle);
    scene.run(0.3);
    EXPECT_EQ(scene.world.snapshot(), end) << static_cast<int>(mode);
  }
}

TEST(GlobalLocal, DetailIsOnlyWhereSomethingTouches) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  const int one = add_cube(scene, {0, 1, 0});
  scene.run(0.1);
  EXPECT_EQ(local_nodes(scene, one), 0);
  EXPECT_EQ(dynamic_cast<GlobalLocalBody&>(scene.body(one)).local_seconds(), 0);
}

TEST(GlobalLocal, FreeBodiesKeepTheirMomentumInAirAndRestWithTheirWeight) {
  for (const LocalMode mode : {LocalMode::residual, LocalMode::rings, LocalMode::corotational}) {
    ContactScene scene;
    scene.add_obstacle(Collider::plane());
    const int one = add_cube(scene, {0, 0.12, 0}, mode);
    scene.run(3);
    const double weight = scene.body(one).mass() * test::kGravity;
    EXPECT_NEAR(scene.contacts.contact_force(one).y(), weight, 0.01 * weight);
    EXPECT_LT(scene.body(one).kinetic_energy(), 1e-6) << static_cast<int>(mode);
  }
}

/// A hand lifts a corner of a cube that lies on the ground, and a snapshot comes between.
TEST(GlobalLocal, HandsDentWhileTheBodyTouches) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  const int one = add_cube(scene, {0, 0.1, 0});
  auto& body = dynamic_cast<GlobalLocalBody&>(scene.body(one));
  body.set_correction(std::make_unique<ModalHandles>(cube().model));
  scene.run(1);
  Positions x(body.node_count(), 3);
  body.node_positions(x);
  Eigen::Index highest = 0;
  x.col(1).maxCoeff(&highest);
  Handle handle;
  handle.point = BodyPoint::at_node(static_cast<int>(highest));
  handle.target = Path({0.0}, {Vec3(x.row(highest).transpose())});
  const int number = body.handles().add(handle);
  scene.run(0.1);
  body.handles().move(number, x.row(highest).transpose() + Vec3(0, 0.005, 0));
  scene.run(0.2);
  const WorldSnapshot middle = scene.world.snapshot();
  scene.run(1.5);
  EXPECT_LT(body.handles().errors().position, 2e-4);
  EXPECT_GT(dynamic_cast<const ResidualDetail*>(body.detail())->displacement(highest).norm(), 1e-5);
  const WorldSnapshot end = scene.world.snapshot();
  scene.world.restore(middle);
  scene.run(1.5);
  EXPECT_EQ(scene.world.snapshot(), end);
  // Ground and hand carry the weight together.
  const double weight = body.mass() * test::kGravity;
  const double hand = body.handles().forces()[0].force.y();
  EXPECT_GT(hand, 0);
  EXPECT_NEAR(scene.contacts.contact_force(one).y() + hand, weight, 0.05 * weight);
}

}  // namespace
}  // namespace limber::global_local_tests
