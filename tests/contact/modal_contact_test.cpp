// Elastic bodies that rest, slide, collide, stack and pile up, by their modes under warping.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/contact_scene.h"
#include "limber/contact/contact_queries.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/bake.h"
#include "limber/modes/playback/contact_points.h"
#include "support/sanitizers.h"

namespace limber {
namespace {

using test::ContactScene;
using test::falling;
using test::kGravity;
using test::kStep;

constexpr double kDensity = 1000;
constexpr double kMass = kDensity * test::kEdge * test::kEdge * test::kEdge;

/// Around the origin, so that its frame stands at its middle.
ModalModel baked_cube(double young, int cells = 4, int modes = 20) {
  TetMesh mesh = bar(Vec3::Constant(test::kEdge), {cells, cells, cells});
  mesh.V.array() -= test::kEdge / 2;
  return bake(mesh, Material{young, 0.3, kDensity}, {}, {modes});
}

const ModalModel& soft_cube() {
  static const ModalModel model = baked_cube(5e4);
  return model;
}
const ModalModel& stiff_cube() {
  static const ModalModel model = baked_cube(1e7);
  return model;
}

std::unique_ptr<ModalBody> body_of(const ModalModel& model, const Vec3& position,
                                   const Mat3& rotation = Mat3::Identity(),
                                   const Loads& loads = falling()) {
  ModalBodyOptions options;
  options.damping = {0.5, 2e-4};
  auto body = std::make_unique<ModalBody>(model, options, loads);
  body->place(position, rotation);
  return body;
}

int add(ContactScene& scene, const ModalModel& model, const Vec3& position,
        const Mat3& rotation = Mat3::Identity(), const ContactMaterial& material = {},
        const Loads& loads = falling()) {
  static std::map<const ModalModel*, Collider::Shared> shapes;
  Collider::Shared& shape = shapes[&model];
  if (!shape) shape = Collider::soft(model);
  return scene.add(body_of(model, position, rotation, loads), shape, material);
}

/// How deep the deepest surface vertex of any body lies in the ground or another body.
double deepest_vertex(ContactScene& scene) {
  double deepest = 0;
  scene.contacts.refresh(scene.world.time());
  for (int a = 0; a < scene.contacts.participant_count(); ++a) {
    const PosedCollider& one = scene.contacts.participant(a).posed;
    if (!one.soft()) continue;
    for (int v = 0; v < one.shape().surface()->vertex_count(); ++v) {
      for (int b = 0; b < scene.contacts.participant_count(); ++b) {
        const PosedCollider& other = scene.contacts.participant(b).posed;
        if (a == b || !other.bounds().contains(one.vertex(v))) continue;
        const SolidHit hit = other.query(one.vertex(v), test::kEdge / 4, one.bounds().middle());
        if (hit.hit) deepest = std::max(deepest, -hit.distance);
      }
    }
  }
  return deepest;
}

TEST(ModalRows, EqualCentralDifferencesOfTheWarpedPosition) {
  auto body = body_of(soft_cube(), {1, 2, 3}, rotation_exp({0.4, -0.3, 0.8}));
  const int modes = soft_cube().mode_count();
  Vector q(modes), change(modes);
  for (int k = 0; k < modes; ++k) {
    q[k] = 4e-4 * std::sin(k + 1.0) / (k + 1);
    change[k] = std::cos(3.0 * k) / (k + 1);
  }
  body->set_state(q, Vector::Zero(modes));
  const BodyPoint point{{7, 12, 60, 90}, {0.4, 0.3, 0.2, 0.1}};
  const auto place = [&] {
    PointState state;
    body->point_states({&point, 1}, {&state, 1});
    return state.position;
  };
  const Vec3 d = Vec3(1, -2, 0.5).normalized();
  const BodyRow row{point, d, place(), false};
  std::vector<float> scaled(64), V(64), plus(64), minus(64);
  body->reserve_rows(1);
  body->set_rows({&row, 1}, kStep / 4, scaled.data(), 64);
  const double step = 1e-4;
  body->set_state(q + step * change, Vector::Zero(modes));
  const Vec3 x_plus = place();
  body->scaled_motion(V.data(), plus.data());
  body->set_state(q - step * change, Vector::Zero(modes));
  const Vec3 x_minus = place();
  body->scaled_motion(V.data(), minus.data());
  double predicted = 0;
  for (int k = 0; k < body->row_length(1); ++k)
    predicted += static_cast<double>(scaled[k]) * (static_cast<double>(plus[k]) - minus[k]);
  const double moved = d.dot(x_plus - x_minus);
  EXPECT_NEAR(predicted, moved, 2e-6 * std::abs(moved));  // float rows
}

TEST(RestingBody, IsCarriedByItsWeightAndBentByItsContacts) {
  for (const ModalModel* model : {&soft_cube(), &stiff_cube()}) {
    ContactScene scene;
    scene.contacts.set_options(test::awake());
    scene.add_obstacle(Collider::plane());
    const int who = add(scene, *model, {0, test::kEdge / 2 + 0.001, 0});
    scene.run(3);
    const auto before = test::features(scene.contacts);
    const double mg = kMass * kGravity;
    EXPECT_LT(scene.body(who).kinetic_energy(), 1e-9 * mg * test::kEdge);
    scene.step();
    EXPECT_NEAR(scene.contacts.contact_force(who).y(), mg, 1e-4 * mg);
    EXPECT_EQ(test::features(scene.contacts), before);
    EXPECT_GE(scene.contacts.contact_count(who), 8);
    EXPECT_LT(deepest_vertex(scene), 0.02 * test::kEdge);
  }
}

TEST(ModalSlope, HoldsBelowFrictionAndSlidesAboveIt) {
  constexpr double kMu = 0.5;
  for (const ModalModel* model : {&soft_cube(), &stiff_cube()}) {
    for (const double share : {0.95, 1.02}) {
      const double angle = std::atan(share * kMu);
      const Vec3 normal(std::sin(angle), std::cos(angle), 0);
      ContactScene scene;
      scene.contacts.set_options(test::awake());
      scene.add_obstacle(Collider::plane(), test::tilted(normal), {kMu, 0});
      const Mat3 turn =
          Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal).toRotationMatrix();
      const int who = add(scene, *model, test::kEdge / 2 * normal, turn, {kMu, 0});
      scene.run(1);
      const Vec3 p0 = scene.body(who).momentum().linear;
      scene.run(1);
      const double gained = (scene.body(who).momentum().linear - p0).norm() / kMass;
      const double held = kMu * kGravity * std::cos(angle);
      const double slide = share < 1 ? 0 : kGravity * std::sin(angle) - held;
      EXPECT_NEAR(gained, slide, 0.02 * held) << share;
    }
  }
}

TEST(ModalCollision, KeepsMomentaAndNeverGainsEnergy) {
  ContactScene scene;
  const ContactMaterial material{0.4, 0};
  const int a =
      add(scene, soft_cube(), {-0.12, 0.02, 0.01}, rotation_exp({0.2, 0.1, 0.4}), material, {});
  const int b = add(scene, soft_cube(), {0.1, 0, 0}, rotation_exp({-0.3, 0.2, 0.1}), material, {});
  scene.body(a).set_velocity({1.5, 0, 0}, {0, 2, 1});
  scene.body(b).set_velocity({-1, 0.1, 0}, {1, 0, 0});
  const auto total = [&] {
    Momentum sum = scene.body(a).momentum();
    return sum += scene.body(b).momentum();
  };
  const auto energy = [&] {
    double sum = 0;
    for (const int one : {a, b})
      sum += scene.body(one).kinetic_energy() + scene.body(one).elastic_energy();
    return sum;
  };
  const Momentum before = total();
  const double first = energy();
  double most = first;
  for (int k = 0; k < 60; ++k) {
    scene.step();
    most = std::max(most, energy());
  }
  EXPECT_LE(most, first * (1 + 1e-9));
  EXPECT_LT(energy(), 0.98 * first);
  EXPECT_LT((total().linear - before.linear).norm(), 1e-6 * kMass * 2);
  EXPECT_LT((total().angular - before.angular).norm(), 1e-6 * kMass * 2 * test::kEdge);
}

TEST(ModalStack, ThreeSoftCubesStand) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  std::vector<int> cubes;
  for (int k = 0; k < 3; ++k)
    cubes.push_back(add(scene, soft_cube(), {0, (k + 0.5) * 1.001 * test::kEdge, 0}));
  scene.run(under_sanitizers() ? 3 : 10);
  for (int k = 0; k < 3; ++k) {
    const Vec3 x = scene.body(cubes[k]).frame().position;
    EXPECT_LT(Vec3(x.x(), 0, x.z()).norm(), 0.05 * test::kEdge);
    EXPECT_GT(x.y(), (k + 0.5) * 0.8 * test::kEdge);
    EXPECT_LT(scene.body(cubes[k]).frame().velocity.norm(), 0.02);
  }
  EXPECT_LT(deepest_vertex(scene), 0.03 * test::kEdge);
}

TEST(ModalStack, TenStiffCubesStand) {
  ContactScene scene;
  scene.contacts.set_options(test::awake());
  scene.add_obstacle(Collider::plane());
  std::vector<int> cubes;
  for (int k = 0; k < 10; ++k)
    cubes.push_back(add(scene, stiff_cube(), {0, (k + 0.5) * 1.001 * test::kEdge, 0}));
  const int kFirst = under_sanitizers() ? 2 : 5;
  const int kLast = under_sanitizers() ? 3 : 20;
  scene.run(kFirst);
  for (int second = kFirst; second < kLast; ++second) {
    scene.run(1);
    for (const int one : cubes) EXPECT_LT(scene.body(one).frame().velocity.norm(), 0.02) << second;
  }
  for (int k = 0; k < 10; ++k) {
    const Vec3 x = scene.body(cubes[k]).frame().position;
    EXPECT_LT(Vec3(x.x(), 0, x.z()).norm(), 0.05 * test::kEdge) << k;
  }
  EXPECT_LT(deepest_vertex(scene), 0.005 * test::kEdge);
}

/// How high the mass centre comes after the first bounce from 30 cm, above where it lies at rest.
double bounce(int substeps, const Vec3& turn) {
  ContactScene scene;
  ContactOptions options = test::awake();
  options.substeps = substeps;
  scene.contacts.set_options(options);
  scene.add_obstacle(Collider::plane());
  const Mat3 rotation = rotation_exp(turn);
  const double half = test::kEdge / 2 * rotation.row(1).cwiseAbs().sum();
  const int who = add(scene, soft_cube(), {0, half + 0.3, 0}, rotation);
  const auto& body = dynamic_cast<const ModalBody&>(scene.body(who));
  double highest = 0;
  bool hit = false;
  for (int k = 0; k < 60; ++k) {
    scene.step();
    const double speed = body.momentum().linear.y();
    hit |= speed > 0;
    if (hit && speed < 0) break;
    if (hit) highest = std::max(highest, body.rigid_frame()->mass_centre().y() - half);
  }
  return highest;
}

TEST(ModalBounce, IsThatOfManySubsteps) {
  for (const Vec3& turn : {Vec3(0, 0, 0), Vec3(0, 0, 0.3)}) {
    const double many = bounce(64, turn);
    EXPECT_GT(many, 0.02);
    EXPECT_NEAR(bounce(ContactOptions().substeps, turn), many, 0.2 * many);
  }
}

TEST(ModalPile, AHundredAreAsleepWithinSixSeconds) {
  if (under_sanitizers()) GTEST_SKIP() << "takes long; the smaller pile is looked at";
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  std::vector<int> cubes;
  for (int k = 0; k < 100; ++k) {
    const Vec3 place(0.12 * (k % 5) + 0.01 * (k % 2), 0.1 + 0.13 * (k / 25), 0.12 * (k / 5 % 5));
    cubes.push_back(add(scene, soft_cube(), place, rotation_exp({0.3 * k, 0.2 * k, 0})));
  }
  scene.run(6);
  int asleep = 0;
  for (const int one : cubes) asleep += scene.contacts.asleep(one) ? 1 : 0;
  EXPECT_EQ(asleep, 100);
  EXPECT_LT(deepest_vertex(scene), 0.03 * test::kEdge);
}

TEST(ModalPile, IsAsleepWithinSixSeconds) {
  ContactScene scene;
  scene.add_obstacle(Collider::plane());
  std::vector<int> cubes;
  const int kCubes = under_sanitizers() ? 9 : 30;
  for (int k = 0; k < kCubes; ++k) {
    const Vec3 place(0.12 * (k % 3 - 1) + 0.01 * (k % 2), 0.1 + 0.13 * (k / 6), 0.12 * (k / 3 % 2));
    cubes.push_back(add(scene, soft_cube(), place, rotation_exp({0.3 * k, 0.2 * k, 0})));
  }
  scene.run(6);
  int asleep = 0;
  for (const int one : cubes) asleep += scene.contacts.asleep(one) ? 1 : 0;
  EXPECT_EQ(asleep, kCubes);
  EXPECT_LT(deepest_vertex(scene), 0.03 * test::kEdge);
}

TEST(ModalTunnelling, AFastBodyDoesNotPassASoftSheet) {
  TetMesh mesh = sheet({0.6, 0.02, 0.6}, {12, 1, 12});
  mesh.V.rowwise() -= Eigen::RowVector3d(0.3, 0.01, 0.3);
  const ModalModel model = bake(mesh, Material{1e6, 0.3, kDensity}, {}, {20});
  ContactScene scene;
  auto sheet_body = std::make_unique<ModalBody>(model);
  const int cloth = scene.add(std::move(sheet_body), Collider::soft(model), {});
  FrameState start = test::placed({0.03, 0.6, 0.02});
  start.velocity = {0, -60, 0};
  const int ball = scene.add_rigid(Collider::sphere(0.05), 0.2, start, {}, {});
  scene.run(0.1);
  // Both fly on, the ball behind the sheet where it hit.
  scene.contacts.refresh(scene.world.time());
  const Vec3 x = scene.body(ball).frame().position;
  EXPECT_GT(x.y(), scene.body(cloth).frame().position.y());
}

TEST(ModalColliders, MoveByStoredContactPointsAsByThoseChosen) {
  ModalModel stored = soft_cube();
  const BodySurface& surface = stored.surface;
  const Eigen::Map<const Positions> V(surface.rest_positions.data(), surface.vertex_count(), 3);
  const Eigen::Map<const Triangles> F(surface.triangles.data(),
                                      static_cast<int>(surface.triangles.size() / 3), 3);
  stored.surface.contact_points = SharedArray<std::int32_t>(choose_contact_points(V, F));
  const auto fallen = [](const ModalModel& model) {
    ContactScene scene;
    scene.add_obstacle(Collider::plane());
    const int who = scene.add(body_of(model, {0, 0.08, 0}, rotation_exp({0.4, 0.1, 0.2})),
                              Collider::soft(model));
    scene.run(0.5);
    Positions x(model.node_count(), 3);
    scene.body(who).node_positions(x);
    EXPECT_GT(scene.contacts.contact_count(who), 0);
    return x;
  };
  EXPECT_EQ(fallen(stored), fallen(soft_cube()));
  // And they are what is used: of two points alone only those two can touch.
  stored.surface.contact_points = SharedArray<std::int32_t>(std::vector<std::int32_t>{3, 1});
  const Collider::Shared two = Collider::soft(stored);
  ASSERT_EQ(two->points().size(), 2U);
  EXPECT_EQ(two->points()[0].vertex, 3);
}

TEST(ModalCasts, SeeTheShapeOfNow) {
  ContactScene scene;
  const int who = add(scene, soft_cube(), Vec3::Zero(), Mat3::Identity(), {}, {});
  auto& body = dynamic_cast<ModalBody&>(scene.body(who));
  Vector q = Vector::Zero(soft_cube().mode_count());
  q[7] = 2e-3;
  body.set_state(q, Vector::Zero(q.size()));
  scene.contacts.refresh(0);
  Positions nodes(body.node_count(), 3);
  body.node_positions(nodes);
  const CastHit hit = cast_ray(scene.contacts, {0, 1, 0}, {0, -1, 0}, 5);
  ASSERT_TRUE(hit.hit);
  // The middle of the top face is a node of this mesh, and moves little sideways.
  double top = -1;
  for (int i = 0; i < nodes.rows(); ++i) {
    if (std::hypot(nodes(i, 0), nodes(i, 2)) < 0.01) top = std::max(top, nodes(i, 1));
  }
  EXPECT_NEAR(1 - hit.distance, top, 0.002);
}

}  // namespace
}  // namespace limber
