// Static equilibria: small loads, the paper's bar under gravity, loads that need their steps.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "bodies.h"
#include "limber/dynamics/modal/modal_body.h"

namespace limber {
namespace {

/// Choi & Ko's bar: 99 nodes, 240 tets, E = 2e5.
const TetMesh& mesh() {
  static const TetMesh bar_mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  return bar_mesh;
}
const Material kRubber{2e5, 0.3, 1000};
std::vector<int> clamp() { return test::nodes_at(mesh(), 0, 0); }

Loads gravity(double g) {
  Loads loads;
  loads.gravity.push_back({{0, -g, 0}});
  return loads;
}

double volume(const Positions& V) {
  double sum = 0;
  for (int t = 0; t < mesh().tet_count(); ++t) {
    const Vec3 a = V.row(mesh().T(t, 0));
    Mat3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = V.row(mesh().T(t, k + 1)).transpose() - a;
    sum += edges.determinant() / 6;
  }
  return sum;
}

/// By the paper's law of loads.
double volume_change(const ModalModel& body, Method method, double g) {
  ModalBody modal(
      body,
      {.method = method, .integrator = Integrator::exact, .damping = {}, .loads = LoadLaw::rotated},
      gravity(g));
  const SettleStatus status = modal.settle();
  EXPECT_TRUE(status.converged);
  EXPECT_LT(status.residual, 1e-10);
  Positions X(modal.node_count(), 3);
  modal.node_positions(X);
  return volume(X) / volume(mesh().V) - 1;
}

TEST(Settle, SmallLoadsWithAllModesEqualLinearStaticsToTheSquareOfTheRotation) {
  const ModalModel body = test::dense_body(mesh(), kRubber, clamp());
  ASSERT_EQ(body.mode_count(), 270);
  const FreeDofs free(mesh().node_count(), clamp());
  const Eigen::MatrixXd K = free.reduce(stiffness(mesh(), kRubber), 3);
  const Eigen::LDLT<Eigen::MatrixXd> factor(K);
  const auto difference = [&](Method method, double g) {
    const Vector load = test::dense_mass(body) * Vec3(0, -g, 0).replicate(mesh().node_count(), 1);
    const Vector u = free.expand(factor.solve(free.reduce(load)));
    ModalBody modal(body, {method}, gravity(g));
    EXPECT_TRUE(modal.settle().converged);
    Positions X(modal.node_count(), 3);
    modal.node_positions(X);
    return (stacked(X) - stacked(mesh().V) - u).norm() / u.norm();
  };
  EXPECT_LT(difference(Method::linear_modal, 1), 1e-10);
  // Relative to u the first difference is of order w: half the load, half of it.
  const double coarse = difference(Method::modal_warping, 2e-2);
  const double fine = difference(Method::modal_warping, 1e-2);
  EXPECT_NEAR(coarse / fine, 2, 0.05);
  EXPECT_LT(fine, 1e-2);
}

TEST(Settle, TheBarOfFigure5KeepsItsVolumeOnlyWhenWarped) {
  // Reference volume changes at 8 modes, g = 1, 5, 9.8: printed to two or three digits.
  const ModalModel body = test::dense_body(mesh(), kRubber, clamp(), 8);
  EXPECT_NEAR(volume_change(body, Method::linear_modal, 1), 0.011, 0.0005);
  EXPECT_NEAR(volume_change(body, Method::modal_warping, 1), -0.0004, 0.00005);
  EXPECT_NEAR(volume_change(body, Method::linear_modal, 5), 0.268, 0.0005);
  EXPECT_NEAR(volume_change(body, Method::modal_warping, 5), -0.011, 0.0005);
  EXPECT_NEAR(volume_change(body, Method::linear_modal, 9.8), 1.03, 0.005);
  EXPECT_NEAR(volume_change(body, Method::modal_warping, 9.8), -0.025, 0.0005);
}

TEST(Settle, LoadsManyTimesTooLargeForAFixedPointStillConverge) {
  const ModalModel body = test::dense_body(mesh(), kRubber, clamp(), 8);
  for (const double g : {30.0, 100.0, -300.0}) {
    ModalBody modal(body, {}, gravity(g));
    const SettleStatus status = modal.settle();
    EXPECT_TRUE(status.converged) << g;
    // Checked from outside: Λq against the modal force of gravity in that state.
    Vector f = Vector::Zero(8);
    AccelerationField field;
    field.uniform = {0, -g, 0};
    make_modal_shape(body, Method::modal_warping)->add_field(field, modal.q(), modal.v(), f);
    EXPECT_LT((body.eigenvalues().cwiseProduct(modal.q()) - f).norm(), 1e-9 * f.norm());
  }
}

TEST(Settle, UsesTheLoadsOfThePresentTimeOnly) {
  const ModalModel body = test::dense_body(mesh(), kRubber, clamp(), 8);
  Loads later;
  later.gravity.push_back({{0, -9.8, 0}, 1, 2});
  ModalBody modal(body, {}, later);
  const SettleStatus status = modal.settle();
  EXPECT_TRUE(status.converged);
  EXPECT_EQ(modal.q(), Vector(Vector::Zero(8)));
  EXPECT_EQ(status.residual, 0);
}

TEST(Settle, SaysSoWhenItIsNotAllowedToFinish) {
  const ModalModel body = test::dense_body(mesh(), kRubber, clamp(), 8);
  ModalBody modal(body, {}, gravity(9.8));
  SettleOptions hasty;
  hasty.most_iterations = 2;
  const SettleStatus status = modal.settle(hasty);
  EXPECT_FALSE(status.converged);
  EXPECT_GT(status.residual, 1e-3);
  EXPECT_LE(status.iterations, 2);
  EXPECT_TRUE(modal.q().allFinite());
}

TEST(Settle, CentrifugalAndNodalLoadsConvergeQuadratically) {
  // The exact derivative makes Newton quick: some few iterations a load step.
  const ModalModel body = test::dense_body(mesh(), kRubber, clamp(), 16);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.5, Vec3::UnitY()));
  const SupportMotion support({{0, {0, 0, 0}}, {1, {0, 0, 0}, turn}});
  Loads loads = gravity(5);
  loads.forces.push_back({test::nodes_at(mesh(), 0, 1), {0, 0, 1}});
  ModalBody modal(body, {}, loads, support);
  const SettleStatus status = modal.settle();
  EXPECT_TRUE(status.converged);
  EXPECT_LT(status.residual, 1e-12);
  EXPECT_LE(status.iterations, 30);
}

}  // namespace
}  // namespace limber
