#include "torture/ordeal.h"

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <stdexcept>
#include <vector>

#include "limber/core/error.h"
#include "limber/core/printable.h"
#include "limber/scene/report.h"
#include "limber/scene/scene_world.h"
#include "torture/chance.h"
#include "torture/random_scene.h"

namespace limber::torture {

namespace {

constexpr int kSteps = 10;
constexpr double kEnough = 0.5;  // s of the processor: a slow world is left after the step it is in

[[noreturn]] void finding(const std::string& what) { throw std::logic_error(what); }

void expect(bool holds, const std::string& body, const char* what) {
  if (!holds) finding(fmt::format("{}: {} not finite", body, what));
}

/// One printable line, or it is a finding.
std::string line_of(const Error& error) {
  const std::string words = error.what();
  if (words.empty() || printable(words) != words) finding("not one printable line: " + words);
  if (words.find("nan") != std::string::npos || words.find("inf ") != std::string::npos) {
    finding("a line with numbers that are none: " + words);
  }
  return words;
}

/// Stopped bodies too: they stay as they were before the step.
void check_finite(const WorldBody& body) {
  const DynamicBody& dynamics = *body.dynamics;
  Positions nodes(dynamics.node_count(), 3);
  dynamics.node_positions(nodes);
  expect(nodes.allFinite(), body.name, "positions");
  dynamics.node_velocities(nodes);
  expect(nodes.allFinite(), body.name, "velocities");
  expect(std::isfinite(dynamics.kinetic_energy()), body.name, "kinetic energy");
  expect(std::isfinite(dynamics.elastic_energy()), body.name, "elastic energy");
  const Momentum momentum = dynamics.momentum();
  expect(momentum.linear.allFinite() && momentum.angular.allFinite(), body.name, "momentum");
  const HandleErrors errors = dynamics.handles().errors();
  expect(std::isfinite(errors.position + errors.orientation), body.name, "handles' errors");
  for (const HandleForce& force : dynamics.handles().forces()) {
    expect(force.force.allFinite(), body.name, "a handle's force");
  }
}

/// What can be seen of a world: snapshots also hold what solvers keep to be faster.
std::vector<double> seen_of(const World& world) {
  std::vector<double> seen{world.time()};
  for (const WorldBody& body : world.bodies()) {
    Positions nodes(body.dynamics->node_count(), 3);
    body.dynamics->node_positions(nodes);
    seen.insert(seen.end(), nodes.data(), nodes.data() + nodes.size());
    body.dynamics->node_velocities(nodes);
    seen.insert(seen.end(), nodes.data(), nodes.data() + nodes.size());
    seen.push_back(static_cast<double>(body.fault.kind));
  }
  return seen;
}

class Ordeal {
 public:
  Ordeal(SceneWorld& scene, std::uint64_t seed)
      : scene_(scene), world_(scene.world()), chance_(~seed) {}

  void run() {
    const std::clock_t begin = std::clock();
    for (int k = 0; k < kSteps; ++k) {
      if (static_cast<double>(std::clock() - begin) > kEnough * CLOCKS_PER_SEC) break;
      disturb();
      if (chance_.one_in(4)) {
        step_twice();
      } else {
        step();
      }
    }
    if (chance_.one_in(4)) settle();
    check_report();
  }

  [[nodiscard]] Outcome outcome() const {
    for (const WorldBody& body : world_.bodies()) {
      if (body.stopped()) {
        return {Outcome::Kind::stopped, line_of(error_of(body.fault, body.name))};
      }
    }
    return {Outcome::Kind::finite, ""};
  }

 private:
  void step() {
    double h = scene_.time_step();
    if (chance_.one_in(10)) h *= chance_.decades(1e-3, 1e3);
    if (const Fault fault = world_.step(h)) finding("a good step was refused");
    if (!world_.step(chance_.any_of({0.0, -h, std::nan(""), kForever}))) {
      finding("a step that is no time was taken");
    }
    check();
  }

  void check() const {
    for (const WorldBody& body : world_.bodies()) check_finite(body);
    for (const ContactRecord& contact : world_.contacts().contacts()) {
      expect(
          contact.point.allFinite() && contact.impulse.allFinite() && std::isfinite(contact.depth),
          "contacts", "a contact");
    }
    for (int k = 0; k < world_.contacts().joint_count(); ++k) {
      const Joint& joint = world_.contacts().joint(k);
      expect(std::isfinite(joint.error() + joint.force() + joint.angle()), "joints", "a joint");
    }
  }

  /// The same step again from a snapshot gives the same bits.
  void step_twice() {
    const WorldSnapshot before = world_.snapshot();
    const double h = scene_.time_step();
    if (world_.step(h)) finding("a good step was refused");
    check();
    const std::vector<double> after = seen_of(world_);
    world_.restore(before);
    if (world_.step(h)) finding("a good step was refused");
    if (seen_of(world_) != after) finding("the same step from a snapshot gave other numbers");
  }

  /// What people and programs do between steps. Refusals are fine.
  void disturb() {
    if (world_.bodies().empty()) return;
    const std::size_t which =
        static_cast<std::size_t>(chance_.whole(0, static_cast<int>(world_.bodies().size()) - 1));
    WorldBody& body = world_.bodies()[which];
    try {
      disturb(body);
    } catch (const Error& error) {
      (void)line_of(error);
    }
    world_.wake(body.id);
    if (body.stopped() && chance_.one_in(2)) world_.resume(body.id);
  }

  void disturb(WorldBody& body) {
    DynamicBody& dynamics = *body.dynamics;
    const double size = chance_.decades(1e-6, 1e6);
    switch (chance_.whole(0, 8)) {
      case 0: {
        Handle handle;
        handle.point = BodyPoint::at_node(chance_.whole(0, dynamics.node_count() - 1));
        handle.target = Path({0.0}, {chance_.vector(size)});
        held_.push_back({body.id, dynamics.handles().add(handle)});
        break;
      }
      case 1:
        for (const Held& held : held_) {
          if (world_.contains(held.body)) {
            world_.body(held.body).dynamics->handles().move(held.handle, chance_.vector(size));
          }
        }
        break;
      case 2:
        dynamics.apply_impulse(BodyPoint::at_node(0), chance_.vector(dynamics.mass() * size));
        break;
      case 3:
        dynamics.set_velocity(chance_.vector(size), chance_.vector(1e3));
        break;
      case 4:
        dynamics.place(chance_.vector(size), Mat3::Identity());
        break;
      case 5:
        dynamics.set_damping({chance_.decades(1e-9, 1e9), chance_.decades(1e-9, 1e9)});
        break;
      default:
        break;
    }
  }

  void settle() {
    try {
      world_.settle();
    } catch (const Error& error) {
      (void)line_of(error);
    }
    check();
  }

  /// The report is written, or says why it is not.
  void check_report() const {
    std::vector<Positions> nodes;
    for (const SceneBody& body : scene_.bodies()) nodes.push_back(body.node_positions());
    try {
      Report report;
      report.add_frame(scene_, nodes);
      (void)report.text({});
    } catch (const Error& error) {
      (void)line_of(error);
    }
  }

  struct Held {
    BodyId body;
    int handle;
  };

  SceneWorld& scene_;
  World& world_;
  Chance chance_;
  std::vector<Held> held_;
};

}  // namespace

Outcome undergo(std::uint64_t seed) {
  std::unique_ptr<SceneWorld> scene;
  try {
    scene = std::make_unique<SceneWorld>(parse_scene(random_scene(seed), "", "scene"));
  } catch (const Error& error) {
    return {Outcome::Kind::refused, line_of(error)};
  }
  Ordeal ordeal(*scene, seed);
  ordeal.run();
  return ordeal.outcome();
}

}  // namespace limber::torture
