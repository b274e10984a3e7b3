// A step with handles allocates nothing once they are set up.
#include "support/allocation_counter.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace limber
