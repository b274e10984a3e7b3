// Contact: what bodies cost that are near nothing, that touch, that lie in a pile and that sleep;
// the solver's visit of a contact; a question to a surface. Beside Bullet's reduced body where that
// is installed.
#include <fmt/format.h>

#include <cmath>

#include "bench.h"
#include "bullet.h"
#include "limber/contact/contact_kernel.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/bake.h"
#include "limber/world/world.h"
#include "timing.h"

namespace limber {

namespace {

constexpr double kFrame = 1.0 / 60;
constexpr double kCubeEdge = 0.1;

TetMesh cube_mesh(int cells) {
  TetMesh mesh = bar(Vec3::Constant(kCubeEdge), {cells, cells, cells});
  mesh.V.array() -= kCubeEdge / 2;
  return mesh;
}

struct CubeModel {
  CubeModel(int cells, int modes) : CubeModel(cube_mesh(cells), modes) {}
  CubeModel(const TetMesh& mesh, int modes) {
    model = bake(mesh, Material{5e4, 0.3, 1000}, {}, {modes});
    shape = Collider::soft(model);
  }
  ModalModel model;
  Collider::Shared shape;
};

void add_cube(World& world, const CubeModel& cube, const Vec3& place, const Mat3& turn) {
  ModalBodyOptions options;
  options.damping = {0.5, 2e-4};
  auto body = std::make_unique<ModalBody>(cube.model, options, Loads{{{Vec3(0, -9.81, 0)}}, {}});
  body->place(place, turn);
  world.add(std::to_string(world.bodies().size()), std::move(body), {cube.shape, {}, {}});
}

void run_world(World& world, int steps) {
  for (int k = 0; k < steps; ++k) (void)world.step(kFrame);
}

void keep_awake(World& world) {
  ContactOptions options;
  options.sleeping = false;
  world.contacts().set_options(options);
}

BenchResult timed_world(const std::string& name, World& world, int steps, double target) {
  BenchResult result;
  result.name = name;
  result.seconds = best_seconds_each([&] { (void)world.step(kFrame); }, steps);
  result.target = target;
  result.note = fmt::format("{} contacts", world.contacts().contacts().size());
  return result;
}

/// A cube that stands on `feet` × `feet` of its nodes: the columns of the others are shorter by up
/// to a fifth of the edge. No feet: the cube.
CubeModel standing_cube(int feet) {
  constexpr int kCells = 9;  // 1,000 nodes
  TetMesh mesh = cube_mesh(kCells);
  const int apart = feet > 1 ? kCells / (feet - 1) : 1;
  for (int i = 0; i < mesh.node_count(); ++i) {
    const int x = i % (kCells + 1), z = i / ((kCells + 1) * (kCells + 1));
    if (x % apart != 0 || z % apart != 0) mesh.V(i, 1) += 0.2 * (kCubeEdge / 2 - mesh.V(i, 1));
  }
  return CubeModel(mesh, 20);
}

/// The same body on the same ground by Bullet, in this run; targets are ratios then.
void beside_bullet([[maybe_unused]] BenchResult& result, [[maybe_unused]] const CubeModel& cube,
                   [[maybe_unused]] bool on_ground, [[maybe_unused]] double target) {
#ifdef LIMBER_WITH_BULLET
  std::vector<BulletBox> ground;
  if (on_ground) ground.push_back({{0, -kCubeEdge / 2 - 0.5, 0}, {2, 1, 2}});
  BulletBody body(cube.model, ground);
  for (int k = 0; k < 60; ++k) body.step(kFrame);
  result.reference_seconds = best_seconds_each([&] { body.step(kFrame); }, 10);
  if (!std::isfinite(body.height())) return;  // no reference: its body was lost
  result.ratio = result.reference_seconds / result.seconds;
  result.target = target;
  result.reference = bullet_name();
  if (on_ground) result.note += fmt::format(", Bullet's {}", body.contact_count());
#endif
}

std::vector<BenchResult> single_bodies() {
  const CubeModel cube = standing_cube(0);
  World free;
  free.add_obstacle("far", {Collider::sphere(1), {}, {}}, SupportMotion({{0, {0, -1e6, 0}}}));
  add_cube(free, cube, Vec3::Zero(), Mat3::Identity());
  std::vector<BenchResult> results{
      timed_world("contact: free body of 1,000 nodes, 20 modes, a step", free, 50, 2.69e-6)};
  beside_bullet(results.back(), cube, false, 100);
  for (const int feet : {2, 4}) {
    const CubeModel standing = standing_cube(feet);
    World lying;
    keep_awake(lying);
    lying.add_obstacle("ground", {Collider::plane(), {}, {}});
    add_cube(lying, standing, {0, kCubeEdge / 2, 0}, Mat3::Identity());
    run_world(lying, 60);
    results.push_back(
        timed_world(fmt::format("contact: the same on {} points", feet * feet), lying, 20, 18e-6));
    beside_bullet(results.back(), standing, true, feet == 2 ? 100 : 50);
  }
  return results;
}

/// What self-contact costs a body that is near nothing and one that is bent as far as it is thick,
/// beside the same without.
std::vector<BenchResult> self_contact() {
  const CubeModel bar_model(bar({10 * kCubeEdge, kCubeEdge, kCubeEdge}, {50, 5, 5}), 20);
  const auto stepped = [&](bool self, double bent) {
    World world;
    keep_awake(world);
    ModalBodyOptions options;
    auto body = std::make_unique<ModalBody>(bar_model.model, options, Loads{});
    Vector q = Vector::Zero(bar_model.model.mode_count());
    q[0] = bent / bar_model.model.Phi().col(0).cwiseAbs().maxCoeff();
    body->set_state(q, Vector::Zero(q.size()));
    ContactPart part{bar_model.shape, {}, {}};
    part.self = self;
    world.add("bar", std::move(body), part);
    return best_seconds_each([&] { (void)world.step(1e-7); }, 50);  // stays as it is
  };
  std::vector<BenchResult> results(2);
  for (std::size_t k = 0; k < 2; ++k) {
    const double bent = k == 0 ? 0.1 * kCubeEdge : 2 * kCubeEdge;
    results[k].name = k == 0 ? "contact: free bar of 1,836 nodes that may touch itself, hardly bent"
                             : "contact: the same, bent by two thicknesses";
    results[k].seconds = stepped(true, bent);
    results[k].reference_seconds = stepped(false, bent);
    results[k].ratio = results[k].reference_seconds / results[k].seconds;
    results[k].reference = "not touching itself";
    results[k].target = k == 0 ? 0.8 : 0;
  }
  return results;
}

/// As sweep_contacts() sees them: `count` contacts of one body with rows of `length` floats, that
/// close and carry load or move apart and carry none.
double visit_seconds(int length, bool loaded) {
  constexpr int kCount = 64;
  std::vector<float> rows(static_cast<std::size_t>(3 * kCount * length), 0.01F);
  std::vector<float> velocity(static_cast<std::size_t>(2 * length), loaded ? -0.1F : 0.1F);
  std::vector<ContactConstraint> contacts(kCount);
  for (int k = 0; k < kCount; ++k) {
    ContactConstraint& c = contacts[static_cast<std::size_t>(k)];
    c = {};
    c.a = {rows.data() + static_cast<std::ptrdiff_t>(3 * k) * length, velocity.data(), length};
    for (int r = 0; r < 3; ++r) c.W[r][r] = 1;
    c.tangent_inverse[0] = c.tangent_inverse[2] = c.tangent_most = 1;
    c.friction = 0.5F;
    c.impulse[0] = loaded ? 1.0F : 0.0F;
  }
  const SweepSettings settings{1.0F / 240, 1, false, false, 0, 0};
  return best_seconds_each([&] { kernels::sweep_contacts(contacts.data(), kCount, settings); },
                           100) /
         kCount;
}

std::vector<BenchResult> solver_visits() {
  BenchResult twenty, forty, apart;
  twenty.name = "contact: solver's visit of a contact, 20 modes";
  twenty.seconds = visit_seconds(32, true);
  twenty.target = 50e-9;
  forty.name = "contact: the same with 52 modes";
  forty.seconds = visit_seconds(64, true);
  forty.note = fmt::format("{:.2f} times that of 20", forty.seconds / twenty.seconds);
  forty.target = 2 * twenty.target;
  apart.name = "contact: solver's visit of a contact that does not close";
  apart.seconds = visit_seconds(32, false);
  apart.reference_seconds = twenty.seconds;
  apart.ratio = twenty.seconds / apart.seconds;
  apart.reference = "one that carries load";
  apart.target = 1.5;
  return {twenty, forty, apart};
}

std::vector<BenchResult> surface_queries() {
  const CubeModel cube(9, 1);
  const RestSurface& surface = *cube.shape->surface();
  std::vector<Vec3> places;
  for (int k = 0; k < 1000; ++k) {
    const Vec3 d(std::sin(1.1 * k), std::sin(2.3 * k + 1), std::cos(0.7 * k));
    places.emplace_back(0.55 * kCubeEdge * d / d.cwiseAbs().maxCoeff());
  }
  BenchResult result;
  result.name = "contact: distance of a point near a surface of 972 triangles";
  result.seconds = best_seconds([&] {
                     double sum = 0;
                     for (const Vec3& x : places) sum += surface.query(x, kCubeEdge).distance;
                     do_not_optimize(sum);
                   }) /
                   static_cast<double>(places.size());
  result.target = 0.15e-6;
  return {result};
}

std::vector<BenchResult> pile() {
  const CubeModel cube(3, 20);
  World world;
  keep_awake(world);
  world.add_obstacle("ground", {Collider::plane(), {}, {}});
  for (int k = 0; k < 100; ++k) {
    const Vec3 place(0.12 * (k % 5), 0.08 + 0.12 * (k / 25), 0.12 * (k / 5 % 5));
    add_cube(world, cube, place, rotation_exp({0.05 * k, 0.03 * k, 0}));
  }
  run_world(world, 60);
  std::vector<BenchResult> results{
      timed_world("contact: pile of 100 bodies, a step", world, 3, 2.5e-3)};
  const double awake = results.front().seconds;
  BenchResult contact = results.front();
  contact.name = "contact: the same, for each contact";
  contact.seconds = awake / static_cast<double>(world.contacts().contacts().size());
  contact.target = 1.5e-6;
  results.push_back(contact);
  ContactOptions sleepy;
  sleepy.sleep_after = 0;
  sleepy.sleep_speed = 1e9;  // all at once: what sleep costs, not how it is reached
  world.contacts().set_options(sleepy);
  run_world(world, 2);
  BenchResult asleep;
  asleep.name = "contact: the same asleep";
  asleep.seconds = best_seconds_each([&] { (void)world.step(kFrame); }, 20);
  asleep.reference_seconds = awake;
  asleep.ratio = awake / asleep.seconds;
  asleep.reference = "awake";
  asleep.target = 100;
  results.push_back(asleep);
  return results;
}

const RegisterBench kSingle("contact: single bodies", &single_bodies);
const RegisterBench kSelf("contact: self", &self_contact);
const RegisterBench kVisits("contact: solver", &solver_visits);
const RegisterBench kQueries("contact: surface", &surface_queries);
const RegisterBench kPile("contact: pile", &pile);

}  // namespace

}  // namespace limber
