// One law of loads for handles, forces and gravity: a target has one rest, whatever the way there
// and the treatment, and the force that a handle reports holds the same shape by itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/interpolate/rotation_strain_shape.h"
#include "limber/modes/bake_reduced.h"
#include "support/held_bar.h"

namespace limber {
namespace {

/// Heavily damped: rest is what is asked about.
constexpr Damping kHeavy{6, 0.05};
/// Bends the bar and draws it a little: pushed, it would buckle without the hand.
const Vec3 kTarget(0.96, 0.4, 0.2);

const ModalModel& one_law_bar() {
  static const ModalModel model = [] {
    const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
    const Material rubber{2e5, 0.3, 1000};
    ModalModel baked = bake(mesh, rubber, select_nodes(mesh, "x<=0.001"), {20});
    ReducedBakeOptions options;
    options.basis.size = 20;
    bake_reduced(mesh, rubber, baked, options);
    return baked;
  }();
  return model;
}

std::unique_ptr<ModalBody> one_law_body(Method method, Loads loads = {{{Vec3(0, -2, 0)}}, {}}) {
  ShapeMaker make_shape;
  if (method == Method::rotation_strain) {
    make_shape = [](const ModalModel& model, const ModalBodyOptions&) {
      return std::make_unique<RotationStrainShape>(model);
    };
  }
  return make_modal_body(one_law_bar(), {.method = method, .damping = kHeavy}, std::move(loads), {},
                         ModalHandles::Priority::position, make_shape);
}

int tip_of(const ModalBody& body) { return bar_node(body.model(), {1, 0.1, 0.1}); }

Positions shape_of(const ModalBody& body) {
  Positions x(body.node_count(), 3);
  body.node_positions(x);
  return x;
}

void run(ModalBody& body, double seconds) {
  for (long k = std::lround(seconds / kStep); k > 0; --k) step(body, kStep);
}

/// At rest with its tip at the target, after the path's way there.
std::unique_ptr<ModalBody> held_by(Method method, const Path& way, Treatment treatment) {
  auto body = one_law_body(method);
  body->handles().add(position_handle(tip_of(*body), way, treatment));
  run(*body, 12);
  return body;
}

double distance(const ModalBody& a, const ModalBody& b) {
  return (shape_of(a) - shape_of(b)).cwiseAbs().maxCoeff();
}

class OneLaw : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, OneLaw,
                         testing::Values(Method::linear_modal, Method::modal_warping,
                                         Method::rotation_strain, Method::reduced));

TEST_P(OneLaw, AnyWayToATargetEndsAtOneRest) {
  const Path leap({0.0}, {kTarget});
  const Path straight({0, 2}, {{1, 0.1, 0.1}, kTarget});
  const Path detour({0, 1, 2, 4}, {{1, 0.1, 0.1}, {0.9, -0.3, 0.1}, {0.9, 0.2, 0.5}, kTarget});
  const auto first = held_by(GetParam(), leap, Treatment::newton);
  for (const Path& way : {straight, detour}) {
    EXPECT_LT(distance(*held_by(GetParam(), way, Treatment::newton), *first), 1e-6);
  }
}

TEST_P(OneLaw, TreatmentsAgreeAtRest) {
  const Path straight({0, 2}, {{1, 0.1, 0.1}, kTarget});
  const auto newton = held_by(GetParam(), straight, Treatment::newton);
  EXPECT_LT(distance(*held_by(GetParam(), straight, Treatment::previous), *newton), 1e-6);
}

TEST_P(OneLaw, TheReportedForceHoldsTheSameShape) {
  const auto held =
      held_by(GetParam(), Path({0, 2}, {{1, 0.1, 0.1}, kTarget}), Treatment::previous);
  Loads loads{{{Vec3(0, -2, 0)}}, {}};
  for (const HandleForce& part : held->handles().forces()) {
    loads.forces.push_back({{part.point.nodes[0]}, part.force});
  }
  ASSERT_EQ(loads.forces.size(), 1);
  auto pushed = one_law_body(GetParam(), loads);
  pushed->set_state(held->q(), Vector::Zero(held->q().size()));
  run(*pushed, 12);
  EXPECT_LT(distance(*pushed, *held), 1e-5);
}

TEST_P(OneLaw, ASlowDragHasNoJumps) {
  if (GetParam() == Method::linear_modal)
    GTEST_SKIP() << "drawn evenly, it moves on straight lines";
  auto body = one_law_body(GetParam());
  constexpr double kDrag = 6;  // s
  const Path straight({0, kDrag}, {{1, 0.1, 0.1}, kTarget}, Interpolation::linear);
  body->handles().add(position_handle(tip_of(*body), straight));
  const int middle = bar_node(body->model(), {0.5, 0.1, 0.1});
  std::vector<Vec3> places;
  for (double t = 0; t < kDrag - kStep; t += kStep) {
    step(*body, kStep);
    // The first second damps the blow of the start.
    if (t > 1) places.push_back(shape_of(*body).row(middle).transpose());
  }
  std::vector<double> bends;
  for (std::size_t k = 2; k < places.size(); ++k) {
    bends.push_back((places[k] - 2 * places[k - 1] + places[k - 2]).norm());
  }
  std::vector<double> sorted = bends;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_LT(sorted.back(), 10 * sorted[sorted.size() / 2]);
}

}  // namespace
}  // namespace limber
