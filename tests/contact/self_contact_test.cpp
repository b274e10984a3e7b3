// Bodies that touch themselves: the arms of a U, pressed together, and what must not come of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "contact/contact_scene.h"
#include "limber/contact/contact_queries.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/bake.h"

namespace limber {
namespace {

using test::ContactScene;
using test::kStep;

constexpr double kThickness = 0.1;  // m, of an arm
constexpr double kLength = 0.5;

/// A U lying in the plane z: arms along x, joined at x = 0, as far apart as they are thick. Or,
/// slit, lying on each other.
TetMesh u_shape(bool slit = false) {
  const int across = slit ? 4 : 6;
  const double cell = kThickness / 2;
  TetMesh mesh = bar({kLength, across * cell, kThickness}, {10, across, 2});
  const double middle = across * cell / 2;
  std::vector<int> kept, twin(static_cast<std::size_t>(mesh.node_count()), -1);
  std::vector<Vec3> nodes;
  for (int i = 0; i < mesh.node_count(); ++i) nodes.emplace_back(mesh.V.row(i));
  const auto middle_of = [&](int t) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 4; ++k) sum += mesh.V.row(mesh.T(t, k)).transpose() / 4;
    return sum;
  };
  for (int t = 0; t < mesh.tet_count(); ++t) {
    const Vec3 x = middle_of(t);
    if (slit) {
      // Nodes of the cut get a twin for the tets above it.
      for (int k = 0; k < 4 && x.y() > middle; ++k) {
        const int node = mesh.T(t, k);
        const Vec3 place = mesh.V.row(node).transpose();
        if (std::abs(place.y() - middle) > 1e-9 || place.x() < 1.5 * kThickness) continue;
        int& other = twin[static_cast<std::size_t>(node)];
        if (other < 0) {
          other = static_cast<int>(nodes.size());
          nodes.push_back(place);
        }
        mesh.T(t, k) = other;
      }
    } else if (x.x() > kThickness && std::abs(x.y() - middle) < kThickness / 2) {
      continue;
    }
    kept.push_back(t);
  }
  std::vector<int> numbers(nodes.size(), -1);
  TetMesh u;
  u.T.resize(static_cast<int>(kept.size()), 4);
  int used = 0;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (int c = 0; c < 4; ++c) {
      int& number = numbers[static_cast<std::size_t>(mesh.T(kept[k], c))];
      if (number < 0) number = used++;
      u.T(static_cast<int>(k), c) = number;
    }
  }
  u.V.resize(used, 3);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (numbers[i] >= 0) u.V.row(numbers[i]) = nodes[i].transpose();
  }
  const Vec3 centre = (u.V.colwise().minCoeff() + u.V.colwise().maxCoeff()).transpose() / 2;
  u.V.rowwise() -= centre.transpose();
  return u;
}

const ModalModel& u_model() {
  static const ModalModel model = bake(u_shape(), Material{2e5, 0.3, 1000}, {}, {20});
  return model;
}
const ModalModel& slit_model() {
  static const ModalModel model = bake(u_shape(true), Material{2e5, 0.3, 1000}, {}, {20});
  return model;
}

/// Nodes at the end of the upper (+1) or lower (−1) arm.
std::vector<int> tip(const ModalModel& model, double side) {
  std::vector<int> nodes;
  for (int i = 0; i < model.node_count(); ++i) {
    const Vec3 X = model.rest_positions().row(i).transpose();
    if (X.x() > 0.4 * kLength && side * X.y() > 0) nodes.push_back(i);
  }
  return nodes;
}

struct Press {
  double force = 6;         // N, on each arm's end
  double until = kForever;  // s
  double damping = 8;       // 1/s, of the mass: has closed within half a second
  Vec3 spin = Vec3::Zero();
};

struct Pressed {
  ContactScene scene;
  int who = kNobody;

  explicit Pressed(std::optional<bool> self, const Press& press = {},
                   const ModalModel& model = u_model()) {
    scene.contacts.set_options(test::awake());
    Loads loads;
    for (const double side : {1.0, -1.0}) {
      const std::vector<int> nodes = tip(model, side);
      const double each = press.force / static_cast<double>(nodes.size());
      loads.forces.push_back({nodes, {0, -side * each, 0}, 0, press.until});
    }
    ModalBodyOptions options;
    options.damping = {press.damping, 2e-4};
    auto body = std::make_unique<ModalBody>(model, options, loads);
    if (!press.spin.isZero(0)) {
      body->place({0.1, 0.2, 0.3}, rotation_exp({0.3, -0.2, 0.5}));
      body->set_velocity({0.4, 0.1, 0}, press.spin);
    }
    static std::map<const ModalModel*, Collider::Shared> shapes;
    Collider::Shared& shape = shapes[&model];
    if (!shape) shape = Collider::soft(model);
    ContactPart part{shape, {}, {}};
    part.self = self;
    who = scene.world.participant(scene.world.add("u", std::move(body), part));
  }
  [[nodiscard]] int touching() const { return scene.contacts.contact_count(who); }
  [[nodiscard]] Positions nodes() {
    Positions x(scene.body(who).node_count(), 3);
    scene.body(who).node_positions(x);
    return x;
  }
  /// Between the inner sides of the two arms' ends, in the body's own axes; negative where they
  /// have gone through each other.
  [[nodiscard]] double opening() {
    const Positions x = nodes();
    const Mat3 R = scene.body(who).rest_place().rotation;
    double above = std::numeric_limits<double>::infinity(), below = -above;
    for (const int i : tip(u_model(), 1))
      above = std::min(above, (R.transpose() * x.row(i).transpose()).y());
    for (const int i : tip(u_model(), -1))
      below = std::max(below, (R.transpose() * x.row(i).transpose()).y());
    return above - below;
  }
};

TEST(SelfContact, ArmsThatWouldPassThroughEachOtherDoNot) {
  Pressed through(false), touching(true);
  double least_through = 1, least = 1, least_gap = 1;
  std::size_t most = 0;
  for (int step = 0; step < 60; ++step) {
    through.scene.step();
    touching.scene.step();
    least_through = std::min(least_through, through.opening());
    least = std::min(least, touching.opening());
    most = std::max(most, touching.scene.contacts.contacts().size());
    for (const ContactRecord& one : touching.scene.contacts.contacts())
      least_gap = std::min(least_gap, -one.depth);
  }
  // A load may sink in by 2 % of the size, here the arm's thickness. The ends are bent by some
  // 0.2 rad: nodes that lie a quarter of the thickness apart along them, half a cell, differ in
  // height by 0.05 of it.
  EXPECT_LT(least_through, -0.5 * kThickness);
  EXPECT_GT(least_gap, -0.02 * kThickness);
  EXPECT_GT(least, -0.05 * kThickness);
  EXPECT_GE(most, 2U);
  EXPECT_LE(most, 24U);
  EXPECT_GT(touching.touching(), 0);  // still pressed
  EXPECT_LT(touching.scene.body(touching.who).kinetic_energy(),
            0.2 * touching.scene.body(touching.who).elastic_energy());
}

TEST(SelfContact, IsReportedAsWhatTheBodyItselfDoes) {
  Pressed pressed(true);
  bool began = false;
  double deepest = 0;
  for (int step = 0; step < 40; ++step) {
    pressed.scene.step();
    for (const ContactEvent& event : pressed.scene.contacts.events())
      began |= event.kind == ContactEvent::Kind::begin && event.a == event.b;
    const double now = penetrations(pressed.scene.contacts, pressed.scene.world.time())[0];
    deepest = std::max(deepest, now);
    double own = 0;
    for (const ContactRecord& one : pressed.scene.contacts.contacts()) {
      EXPECT_EQ(one.a, pressed.who);
      EXPECT_EQ(one.b, pressed.who);
      own = std::max(own, one.depth);
    }
    EXPECT_EQ(now, own);
  }
  EXPECT_TRUE(began);
  EXPECT_GT(deepest, 0);
}

TEST(SelfContact, KeepsTheMomentaOfAFreeBody) {
  // No damping of the mass: that acts on the motion of the whole body too.
  Pressed pressed(true, {12, 0.1, 0, {0.5, -1, 2}});
  const DynamicBody& body = pressed.scene.body(pressed.who);
  const double scale = body.mass() * 1.0;  // kg m/s
  int touching_steps = 0, free_touching_steps = 0;
  for (int step = 0; step < 60; ++step) {
    const Momentum before = body.momentum();
    pressed.scene.step();
    const Momentum after = body.momentum();
    // The loads are even and opposite, but their moment is not nothing once the body has turned and
    // bent: linear momentum while they act, both once they are over. 1e-10 is rounding of some
    // hundred sums over 1e3 nodes.
    EXPECT_LE((after.linear - before.linear).norm(), 1e-10 * scale) << step;
    if ((step - 1) * kStep > 0.1) {
      EXPECT_LE((after.angular - before.angular).norm(), 1e-10 * scale * kLength) << step;
      free_touching_steps += pressed.touching() > 0;
    }
    touching_steps += pressed.touching() > 0;
    EXPECT_EQ(pressed.scene.contacts.contact_force(pressed.who), Vec3(Vec3::Zero()));
  }
  EXPECT_GE(touching_steps, 5);
  EXPECT_GE(free_touching_steps, 3);
}

TEST(SelfContact, GivesNoEnergy) {
  Pressed pressed(true, {12, 0.05, 0});
  pressed.scene.run(0.08);  // the loads are over
  const DynamicBody& body = pressed.scene.body(pressed.who);
  const double first = body.kinetic_energy() + body.elastic_energy();
  double before = first;
  int touching_steps = 0;
  for (int step = 0; step < 60; ++step) {
    pressed.scene.step();
    const double now = body.kinetic_energy() + body.elastic_energy();
    // What a frame's turning is held for within a step is taken back at its end: 1e-3 of it.
    EXPECT_LE(now, before + 1e-3 * first) << step;
    before = now;
    touching_steps += pressed.touching() > 0;
  }
  EXPECT_GE(touching_steps, 2);
}

TEST(SelfContact, LeavesMotionsThatDoNotComeNearAsTheyWereToTheBit) {
  Pressed off({}, {0.5}), on(true, {0.5});
  for (int step = 0; step < 30; ++step) {
    off.scene.step();
    on.scene.step();
  }
  EXPECT_GT((off.nodes() - u_model().rest_positions()).norm(), 0);
  EXPECT_EQ(off.nodes(), on.nodes());
  EXPECT_FALSE(on.scene.contacts.touches(on.who));
}

TEST(SelfContact, IsOffUnlessAskedForByTheBodyOrForAll) {
  Pressed silent({});
  const auto touches_itself = [&] {
    return silent.scene.contacts.participant(silent.who).self != nullptr;
  };
  EXPECT_FALSE(touches_itself());
  ContactOptions options = test::awake();
  options.self = true;
  silent.scene.contacts.set_options(options);
  EXPECT_TRUE(touches_itself());
  Pressed never(false);
  never.scene.contacts.set_options(options);
  EXPECT_EQ(never.scene.contacts.participant(never.who).self, nullptr);
}

TEST(SelfContact, ARestShapeThatTouchesItselfIsNotPushed) {
  Pressed off({}, {0}, slit_model()), on(true, {0}, slit_model());
  for (int step = 0; step < 30; ++step) {
    off.scene.step();
    on.scene.step();
    ASSERT_TRUE(on.scene.contacts.contacts().empty());
  }
  EXPECT_EQ(off.nodes(), on.nodes());
}

TEST(SelfContact, SnapshotsInTheMiddleOfATouchComeBackToTheBit) {
  Pressed pressed(true);
  pressed.scene.run(0.4);
  ASSERT_GT(pressed.touching(), 0);
  const WorldSnapshot saved = pressed.scene.world.snapshot();
  pressed.scene.run(0.4);
  const Positions first = pressed.nodes();
  pressed.scene.world.restore(saved);
  pressed.scene.run(0.4);
  EXPECT_EQ(pressed.nodes(), first);
}

TEST(SelfContact, RefusesASurfaceWithoutAnInside) {
  const TetMesh mesh = u_shape();
  const ModalModel& model = u_model();
  const Eigen::Map<const Positions> V(model.surface.rest_positions.data(),
                                      model.surface.vertex_count(), 3);
  const Eigen::Map<const Triangles> F(model.surface.triangles.data(),
                                      static_cast<int>(model.surface.triangles.size() / 3), 3);
  const Triangles open = F.topRows(F.rows() - 1);
  const Collider::Shared shape = Collider::soft(mesh.V, mesh.T, V, open, model.surface.binding);
  ContactPart part{shape, {}, {}};
  part.self = true;
  World world;
  try {
    world.add("sheet", std::make_unique<ModalBody>(model, ModalBodyOptions{}, Loads{}), part);
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sheet"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("closed"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(world.bodies().empty());
}

}  // namespace
}  // namespace limber
