// A step with handles allocates nothing once they are set up.
#include "support/allocation_counter.h"

#include <gtest/gtest.h>

#include "limber/dynamics/local/global_local_body.h"
#include "limber/dynamics/local/residual_detail.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/residual_analysis.h"
#include "support/held_bar.h"

namespace limber {
namespace {

long allocations_of_steps(HeldBar& bar) {
  bar.run(0.1);
  const long before = test::allocations;
  bar.run(0.5);
  return test::allocations - before;
}

TEST(HandleAllocation, HardHandlesAllocateNothing) {
  HeldBar bar(24);
  bar.handles->add(position_handle(bar.tip, at({0.9, 0.3, 0.1})));
  bar.handles->add(orientation_handle(bar.middle, at({0, 0, 0.4})));
  EXPECT_EQ(allocations_of_steps(bar), 0);
}

TEST(HandleAllocation, NewtonAllocatesNothing) {
  HeldBar bar(24);
  bar.handles->add(position_handle(bar.tip, at({0.9, 0.3, 0.1}), Treatment::newton));
  bar.handles->add(orientation_handle(bar.middle, at({0, 0, 0.4})));
  EXPECT_EQ(allocations_of_steps(bar), 0);
}

TEST(HandleAllocation, SoftHandlesAllocateNothing) {
  HeldBar bar(24);
  bar.handles->add(spring_handle(BodyPoint::at_node(bar.tip), at({0.9, 0.3, 0.1}), 100, 1));
  EXPECT_EQ(allocations_of_steps(bar), 0);
}

TEST(HandleAllocation, DentsAllocateNothing) {
  const TetMesh mesh = bar({1, 0.3, 0.3}, {4, 2, 2});
  const ModalModel model = bake(mesh, Material{2e5, 0.3, 1000}, select_nodes(mesh, "x<=0.01"), {8});
  GlobalLocalBody body(
      model, std::make_unique<ResidualDetail>(residual_modes(mesh, Material{2e5, 0.3, 1000}, model),
                                              LocalOptions{}, 1));
  body.set_correction(std::make_unique<ModalHandles>(model));
  for (const int node : select_nodes(mesh, "x>=0.99&&y>=0.29")) {
    const Vec3 place = mesh.V.row(node).transpose();
    const Treatment treatment = place.z() < 0.1 ? Treatment::previous : Treatment::newton;
    body.handles().add(position_handle(node, at(place + Vec3(0, 0.02, 0)), treatment));
  }
  for (int k = 0; k < 6; ++k) step(body, kStep);
  EXPECT_GT(body.local_nodes(), 0);
  const long before = test::allocations;
  for (int k = 0; k < 30; ++k) static_cast<void>(advance(body, kStep));
  EXPECT_EQ(test::allocations, before);
}

}  // namespace
}  // namespace limber
