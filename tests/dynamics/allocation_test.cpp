// A step allocates nothing, whatever acts on the body.
#include "support/allocation_counter.h"

#include <gtest/gtest.h>

#include "bodies.h"
#include "limber/dynamics/adaptive/adaptive_body.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/dynamics/rings/rings_detail.h"
#include "limber/modes/bake.h"
#include "limber/modes/bake_reduced.h"
#include "support/full_bodies.h"
#include "support/stepping.h"

namespace limber {
namespace {

long allocations_in(ModalBody& body) {
  step(body, 0.02);  // the first step sizes its coefficients
  const long before = test::allocations;
  for (int i = 0; i < 10; ++i) step(body, 0.02);
  step(body, 0.01);  // another step length
  return test::allocations - before;
}

Loads all_loads() {
  Loads loads;
  loads.gravity.push_back({{0, -9.8, 0}});
  loads.gravity.push_back({{1, 0, 0}, 0.05, 0.1});
  loads.forces.push_back({{10, 20, 30}, {1, 2, 3}});
  return loads;
}

TEST(Allocation, TheCounterSeesEigenAndNew) {
  const long before = test::allocations;
  const Vector big = Vector::Ones(1000);
  const auto number = std::make_unique<int>(static_cast<int>(big.sum()));
  EXPECT_GE(test::allocations - before, 2) << *number;
}

TEST(Allocation, StepsOnASupportAllocateNothing) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  const ModalModel body = test::dense_body(mesh, {2e5, 0.3, 1000}, test::nodes_at(mesh, 0, 0), 20);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1, Vec3::UnitY()));
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    for (const bool coriolis : {false, true}) {
      const ModalBodyOptions options{
          .method = method, .damping = {0.1, 0.01}, .coriolis = coriolis};
      ModalBody resting(body, options, all_loads());
      EXPECT_EQ(allocations_in(resting), 0);
      ModalBody turning(body, options, all_loads(),
                        SupportMotion({{0, {0, 0, 0}}, {0.1, {1, 0, 0}, turn}}));
      EXPECT_EQ(allocations_in(turning), 0);
    }
    ModalBody filter(body, {.method = method, .integrator = Integrator::filter}, all_loads());
    EXPECT_EQ(allocations_in(filter), 0);
  }
}

/// Which leaves there should be is asked after each step, and the answer stays the same.
TEST(Allocation, AdaptiveBodiesAllocateNothingWhileTheirLeavesStay) {
  const auto tree = std::make_shared<const TetTree>(small_bar(), 1);
  AdaptiveBody body(tree, kRubber, clamped_end(tree->finest()), AdaptiveOptions{1e3, 1e2, 0.01},
                    with(Method::corotational), gravity(9.8));
  step(body, 0.01);  // makes the step's factor
  const long before = test::allocations;
  for (int k = 0; k < 10; ++k) step(body, 0.01);
  EXPECT_EQ(test::allocations - before, 0);
}

TEST(Allocation, FreeBodiesAllocateNothing) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  const ModalModel body = test::dense_body(mesh, {2e5, 0.3, 1000}, {}, 20);
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    Loads loads = all_loads();
    loads.forces[0].nodes = {3, 7};
    ModalBody flying(body, {method}, loads);
    EXPECT_EQ(allocations_in(flying), 0);
  }
}

TEST(Allocation, ReducedBodiesAllocateNothing) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  ModalBodyOptions options;
  options.method = Method::reduced;
  options.damping = {0.1, 0.01};
  ReducedBakeOptions small;
  small.basis.size = 12;
  for (const bool is_free : {false, true}) {
    const std::vector<int> fixed = is_free ? std::vector<int>{} : test::nodes_at(mesh, 0, 0);
    ModalModel model = bake(mesh, kRubber, fixed, {12});
    bake_reduced(mesh, kRubber, model, small);
    for (const ElasticLaw law :
         {ElasticLaw::corotational, ElasticLaw::stvk, ElasticLaw::neo_hookean}) {
      options.law = law;
      ModalBody body(model, options, all_loads());
      EXPECT_EQ(allocations_in(body), 0);
      body.reserve_rows(1);
      const BodyRow row{BodyPoint::at_node(40), Vec3::UnitY(), Vec3::Zero(), false};
      std::array<float, 18> scaled{}, velocity{}, displacement{};
      const double impulse = 0.01;
      const auto touching_step = [&] {
        body.set_rows({&row, 1}, 0.01, scaled.data(), 18);
        ASSERT_FALSE(body.predict(0.01, StepKind::touching));
        body.scaled_motion(velocity.data(), displacement.data());
        body.apply({&impulse, 1}, true);
        ASSERT_FALSE(body.commit());
      };
      touching_step();
      const long before = test::allocations;
      for (int k = 0; k < 5; ++k) touching_step();
      EXPECT_EQ(test::allocations - before, 0);
    }
  }
}

long allocations_in(FullBody& body) {
  step(body, 0.01);  // the first step makes the factor, and the basis where there is no symmetry
  step(body, 0.01);
  const long before = test::allocations;
  for (int i = 0; i < 10; ++i) step(body, 0.01);
  return test::allocations - before;
}

class FullAllocation : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, FullAllocation, testing::ValuesIn(kAllFullMethods));

TEST_P(FullAllocation, StepsOnASupportAllocateNothing) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  FullBodyOptions options = with(GetParam());
  options.damping = {0.1, 0.01};
  FullBody resting(mesh, kRubber, clamped_end(mesh), options, all_loads());
  EXPECT_EQ(allocations_in(resting), 0);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1, Vec3::UnitY()));
  FullBody turning(mesh, kRubber, clamped_end(mesh), options, all_loads(),
                   SupportMotion({{0, {0, 0, 0}}, {2, {1, 0, 0}, turn}}));
  EXPECT_EQ(allocations_in(turning), 0);
}

TEST(Allocation, ARigidCoreWithItsSkinAllocatesNothing) {
  const TetMesh mesh = bar({0.5, 0.3, 0.3}, {5, 3, 3});
  for (const Method method : {Method::stiffness_warping, Method::corotational}) {
    FullBodyOptions options = with(method);
    options.core.nodes = select_nodes(mesh, "box:0.19,0.09,0.09,0.31,0.21,0.21");
    FullBody falling(mesh, kRubber, {}, options, gravity(9.8));
    EXPECT_EQ(allocations_in(falling), 0);
    options.core.axis = CoreAxis{Vec3::Zero(), Vec3::UnitZ()};
    FullBody held(mesh, kRubber, {}, options, gravity(9.8));
    hold(held, 0, Vec3(0.1, 0, 0), 100, 1);
    EXPECT_EQ(allocations_in(held), 0);
  }
}

TEST_P(FullAllocation, HandlesAndGroundUnderVeryDifferentRegionsAllocateNothing) {
  TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  mesh.regions.assign(mesh.tet_count(), 0);
  for (int t = 0; t < mesh.tet_count() / 2; ++t) mesh.regions[t] = 1;
  Materials materials(kRubber);
  materials.by_region[1] = Material{1e6 * kRubber.young, 0.3, 1000};
  FullBody body(mesh, materials, {}, with(GetParam()), gravity(9.8));
  body.set_ground(GroundPlane{Vec3::UnitY(), -0.01, 0.3});  // falls on it meanwhile
  const Vec3 corner = mesh.V.row(mesh.node_count() - 1).transpose();
  hold(body, mesh.node_count() - 1, corner, 100, 1);
  EXPECT_EQ(allocations_in(body), 0);
}

TEST_P(FullAllocation, StepsOfChangingLengthAndMovingHandlesAllocateNothing) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()), gravity(9.8));
  const int tip = mesh.node_count() - 1;
  const Vec3 start = mesh.V.row(tip).transpose();
  const int handle = hold(body, tip, start, 1000, 1);
  for (const double h : {0.01, 0.012, 0.01}) step(body, h);
  const long before = test::allocations;
  for (int k = 0; k < 20; ++k) {
    body.handles().move(handle, start + Vec3(0, 0.001 * k, 0));
    step(body, 0.01 + 1e-4 * (k % 20));
  }
  EXPECT_EQ(test::allocations - before, 0);
}

TEST_P(FullAllocation, ImpulsesAndSnapshotsAllocateNothingAfterTheFirst) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  FullBody body(mesh, kRubber, {}, with(GetParam()), gravity(9.8));
  body.reserve_rows(3);
  std::vector<BodyRow> rows(3);
  for (int c = 0; c < 3; ++c) rows[c] = {BodyPoint::at_node(c), Vec3::Unit(c), Vec3::Zero(), false};
  std::array<float, 9> scaled{};
  std::array<float, 3> velocity{}, displacement{};
  const std::array<double, 3> impulses{0.01, 0.02, -0.01};
  std::vector<std::byte> bytes;
  const auto step = [&] {
    body.set_rows(rows, 0.01, scaled.data(), 3);
    ASSERT_FALSE(body.predict(0.01, StepKind::touching));
    body.scaled_motion(velocity.data(), displacement.data());
    body.apply(impulses, true);
    ASSERT_FALSE(body.commit());
    StateArchive saving = StateArchive::saving(bytes);
    body.archive(saving);
    StateArchive loading = StateArchive::loading(bytes);
    body.archive(loading);
  };
  step();
  step();
  const long before = test::allocations;
  for (int k = 0; k < 5; ++k) step();
  EXPECT_EQ(test::allocations - before, 0);
}

TEST_P(FullAllocation, FreeBodiesOnTheGroundAllocateNothing) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  FullBody body(mesh, kRubber, {}, with(GetParam()), gravity(9.8));
  body.set_ground(GroundPlane{Vec3::UnitY(), 0, 0.3});
  EXPECT_EQ(allocations_in(body), 0);
}

TEST(Allocation, RingsAllocateNothingWhileTheirRegionIsTheSame) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  const Material material{2e5, 0.3, 1000};
  const ModalModel model = test::dense_body(mesh, material, test::nodes_at(mesh, 0, 0), 10);
  LocalOptions options;
  options.mode = LocalMode::rings;
  RingsDetail detail(mesh, material, model, options);
  detail.reserve_rows(3);
  std::vector<DetailRow> rows(3);
  for (int axis = 0; axis < 3; ++axis) {
    rows[axis].nodes.fill(mesh.node_count() - 1);
    rows[axis].gradients[0] = Vec3::Unit(axis);
  }
  std::vector<float> scaled(static_cast<std::size_t>(3 * detail.row_length(3)));
  const std::array<double, 3> impulses{0.01, -0.02, 0.03};
  const auto step = [&] {
    detail.set_rows(rows, 0.01, scaled.data(), detail.row_length(3));
    detail.predict(0.01);
    detail.apply(impulses, true);
    detail.commit();
  };
  for (int k = 0; k < 3; ++k) step();
  const long before = test::allocations;
  for (int k = 0; k < 50; ++k) step();
  EXPECT_EQ(test::allocations - before, 0);
  EXPECT_GT(detail.node_count(), 5);
}

}  // namespace
}  // namespace limber
