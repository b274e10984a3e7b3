// Everything that could cross between a library and a program compiled for another instruction set:
// Eigen's memory and alignment, exceptions, classes made on one side and destroyed on the other.
// The program uses Eigen itself, so that the linker sees functions of the same names on both sides.
#include <limber/runtime.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

void expect(bool right, const char* what) {
  if (!right) throw std::runtime_error(what);
}

/// The library lets go of memory that came from here, and the other way round.
void share_matrices(const limber::ModalModel& model) {
  for (int size = 1; size < 70; ++size) {
    const Eigen::MatrixXd square = Eigen::MatrixXd::Identity(size, size) * 2;
    limber::SharedArray<double> shared{Eigen::MatrixXd(square * square.transpose())};
    limber::ModalModel copy = model;
    copy.Phi_data = shared;
    expect(copy.Phi_data[0] == 4, "a product");
  }
}

void move_nodes(limber::DynamicBody& body) {
  limber::Positions positions(body.node_count(), 3);
  limber::Positions velocities = limber::Positions::Zero(body.node_count(), 3);
  body.node_positions(positions);
  body.set_node_state(positions, velocities);
  std::vector<limber::SupportKey> keys(2);
  keys[1] = {1, {0.1, 0, 0}, limber::Quaternion(0.8, 0, 0.6, 0)};
  body.set_support(limber::SupportMotion(keys));
}

/// Solvers of the library come and go, with matrices of many sizes.
void hold(limber::World& world, limber::DynamicBody& body) {
  for (int k = 1; k <= 6; ++k) {
    limber::Handle handle;
    handle.kind = k % 2 == 0 ? limber::HandleKind::orientation : limber::HandleKind::position;
    handle.point = limber::BodyPoint::at_node(body.node_count() - k);
    limber::PointState now;
    body.point_states({&handle.point, 1}, {&now, 1});
    if (k % 2 != 0) handle.target = limber::Path({0.0}, {now.position});
    const int number = body.handles().add(handle);
    expect(!world.step(0.01), "a step with handles");
    if (k % 3 == 0) body.handles().remove(number);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  expect(argc > 1, "no baked body");
  const limber::BakedBody baked = limber::read_baked(argv[1]);
  share_matrices(baked.body);
  limber::World world;
  auto body = limber::make_body(baked.body);
  move_nodes(*body);
  const limber::BodyId id = world.add("body", std::move(body));
  hold(world, *world.body(id).dynamics);
  world.settle();
  const limber::WorldSnapshot start = world.snapshot();
  for (int k = 0; k < 30; ++k) expect(!world.step(0.01), "a step");
  limber::Positions positions(world.body(id).dynamics->node_count(), 3);
  world.body(id).dynamics->node_positions(positions);
  world.restore(start);
  world.remove(id);
  try {
    static_cast<void>(limber::read_baked("missing.limber"));
    expect(false, "an exception");
  } catch (const limber::Error& error) {
    expect(!error.remedy().empty(), "a remedy");
  }
  double sum = 0;  // one by one: Eigen would add in an order that the caller's flags choose
  for (Eigen::Index i = 0; i < positions.size(); ++i) sum += positions.data()[i];
  std::printf("%a\n", sum);
} catch (const std::exception& error) {
  std::fprintf(stderr, "crossing: %s\n", error.what());
  return 1;
}
