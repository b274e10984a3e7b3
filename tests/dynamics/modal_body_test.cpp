// Stepping bodies on a resting support: order, equilibrium, energy, windows of time, hooks.
#include "limber/dynamics/modal/modal_body.h"
#include "support/stepping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bodies.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {
namespace {

const Vec3 kDown(0, -9.8, 0);

Vector state_after(const ModalBodyOptions& options, const Loads& loads, double duration,
                   int steps) {
  ModalBody body(test::soft_bar(), options, loads);
  for (int i = 0; i < steps; ++i) step(body, duration / steps);
  return body.q();
}

Loads gravity(const Vec3& g = kDown) {
  Loads loads;
  loads.gravity.push_back({g});
  return loads;
}

TEST(ModalBody, LinearBodyUnderGravityIsExactAtAnyStep) {
  // Each mode swings about its rest: q = f/λ (1 − cos ωt), whatever the step.
  const ModalBodyOptions linear{Method::linear_modal};
  const Vector q = state_after(linear, gravity(), 1.7, 13);
  for (int i = 0; i < q.size(); ++i) {
    double f = 0;
    for (int node = 0; node < test::soft_bar().node_count(); ++node) {
      f += test::soft_bar().mass.row_sums[node] * test::soft_bar().Phi()(3 * node + 1, i) *
           kDown.y();
    }
    const double lambda = test::soft_bar().eigenvalues()[i];
    const double expected = f / lambda * (1 - std::cos(std::sqrt(lambda) * 1.7));
    EXPECT_NEAR(q[i], expected, 1e-12 * (1 + std::abs(expected))) << i;
  }
}

TEST(ModalBody, IntegratorsConvergeAtTheirOrderUnderWarping) {
  // Steps of 4, 2 and 1 ms; neighbouring differences shrink by 2^order, terms of the next order
  // change the rate by some tenths.
  const auto rate = [](Integrator integrator) {
    const ModalBodyOptions options{
        .method = Method::modal_warping, .integrator = integrator, .damping = {0.1, 1e-3}};
    const Vector coarse = state_after(options, gravity(), 0.8, 200);
    const Vector middle = state_after(options, gravity(), 0.8, 400);
    const Vector fine = state_after(options, gravity(), 0.8, 800);
    return std::log2((coarse - middle).norm() / (middle - fine).norm());
  };
  EXPECT_NEAR(rate(Integrator::semi_implicit), 1, 0.2);
  EXPECT_NEAR(rate(Integrator::exact), 2, 0.2);
  EXPECT_NEAR(rate(Integrator::newmark), 2, 0.2);
  EXPECT_NEAR(rate(Integrator::filter), 2, 0.2);
}

TEST(ModalBody, TheFilterIsTheClosedFormWhileForcesAreConstant) {
  // 120 steps whose rounding is not amplified.
  const auto after = [](Integrator integrator) {
    return state_after({.method = Method::linear_modal, .integrator = integrator}, gravity(), 2,
                       120);
  };
  const Vector exact = after(Integrator::exact);
  EXPECT_LT((after(Integrator::filter) - exact).norm(), 1e-12 * exact.norm());
}

TEST(ModalBody, TheFilterAnswersAForceThatEndsWithItsOneTap) {
  // Gravity for ten steps, then none: q_{k+1} = 2 cos θ q_k − q_{k−1} + c f_k for each mode, with
  // f_k = 0 from k = 10, after a first step by the closed form, which has no history.
  const double h = 1.0 / 60;
  ModalBody body(test::soft_bar(),
                 {.method = Method::linear_modal, .integrator = Integrator::filter},
                 {{{.acceleration = kDown, .to = 10 * h}}, {}});
  const Vector lambda = test::soft_bar().eigenvalues();
  Vector before = Vector::Zero(lambda.size()), f, now;
  for (int k = 0; k < 40; ++k) {
    now = body.q();
    step(body, h);
    if (k == 0) {
      f = body.q().cwiseProduct(lambda).array() / (1 - (lambda.array().sqrt() * h).cos());
    } else {
      for (Eigen::Index i = 0; i < lambda.size(); ++i) {
        const double angle = std::sqrt(lambda[i]) * h;
        if (angle > 1) continue;  // steps like the closed form
        const double gain = 2 * (1 - std::cos(angle)) / lambda[i];
        const double expected =
            2 * std::cos(angle) * now[i] - before[i] + (k < 10 ? gain * f[i] : 0);
        EXPECT_NEAR(body.q()[i], expected, 1e-12 * std::abs(f[i] / lambda[i])) << k << ' ' << i;
      }
    }
    before = now;
  }
}

TEST(ModalBody, TheFilterGoesOnFromASnapshotToTheBit) {
  const ModalBodyOptions options{.integrator = Integrator::filter, .damping = {0.1, 1e-3}};
  ModalBody first(test::soft_bar(), options, gravity());
  ModalBody second(test::soft_bar(), options, gravity());
  for (int i = 0; i < 20; ++i) step(first, 1.0 / 60);
  std::vector<std::byte> bytes;
  StateArchive saving = StateArchive::saving(bytes);
  first.archive(saving);
  StateArchive loading = StateArchive::loading(bytes);
  second.archive(loading);
  for (int i = 0; i < 20; ++i) {
    step(first, 1.0 / 60);
    step(second, 1.0 / 60);
  }
  EXPECT_TRUE(first.q() == second.q() && first.v() == second.v());
}

TEST(ModalBody, CoriolisKeepsTheOrder) {
  const auto rate = [] {
    const ModalBodyOptions options{.method = Method::modal_warping,
                                   .integrator = Integrator::exact,
                                   .damping = {0.1, 1e-3},
                                   .coriolis = true};
    const Vector coarse = state_after(options, gravity(), 0.8, 200);
    const Vector middle = state_after(options, gravity(), 0.8, 400);
    const Vector fine = state_after(options, gravity(), 0.8, 800);
    return std::log2((coarse - middle).norm() / (middle - fine).norm());
  }();
  EXPECT_NEAR(rate, 2, 0.25);
}

TEST(ModalBody, DampedBodiesComeToRestInTheSettledState) {
  for (const Integrator integrator :
       {Integrator::exact, Integrator::semi_implicit, Integrator::newmark, Integrator::filter}) {
    ModalBody settled(test::soft_bar(), {}, gravity());
    ASSERT_TRUE(settled.settle().converged);
    ModalBody body(
        test::soft_bar(),
        {.method = Method::modal_warping, .integrator = integrator, .damping = {2, 0.01}},
        gravity());
    for (int i = 0; i < 1500; ++i) step(body, 1.0 / 60);
    // 25 s at a decay of e^{-t} and faster: e^-25 = 1e-11.
    EXPECT_LT((body.q() - settled.q()).norm(), 1e-9 * settled.q().norm());
    EXPECT_LT(body.v().norm(), 1e-9);
  }
}

TEST(ModalBody, ASettledBodyStaysWhereItIs) {
  for (const Integrator integrator :
       {Integrator::exact, Integrator::semi_implicit, Integrator::newmark, Integrator::filter}) {
    ModalBody body(test::soft_bar(),
                   {.method = Method::modal_warping, .integrator = integrator, .damping = {0.5, 0}},
                   gravity());
    ASSERT_TRUE(body.settle().converged);
    const Vector q = body.q();
    for (int i = 0; i < 300; ++i) step(body, 1.0 / 30);
    EXPECT_LT((body.q() - q).norm(), 1e-9 * q.norm());  // the residual of settle(), 1e-10
  }
}

TEST(ModalBody, AnUndampedHangingBodyNeitherGainsNorLosesEnergy) {
  // The bar hangs down from its clamp and swings; gravity then adds stiffness, the case in which
  // forces taken at the start of the step feed it. By work gravity has a potential, and the energy
  // wavers with the step, by a few per cent of the swing's, but does not drift.
  const TetMesh mesh = bar({0.2, 1, 0.2}, {2, 10, 2});
  const ModalModel body = test::dense_body(mesh, {2e5, 0.3, 1000}, test::nodes_at(mesh, 1, 1), 8);
  for (const Integrator integrator : {Integrator::exact, Integrator::newmark, Integrator::filter}) {
    ModalBody swinging(body, {Method::modal_warping, integrator}, gravity());
    const auto energy = [&] {
      Positions x(body.node_count(), 3);
      swinging.node_positions(x);
      double height = 0;
      for (int i = 0; i < body.node_count(); ++i) height += body.mass.row_sums[i] * x(i, 1);
      return swinging.kinetic_energy() + swinging.elastic_energy() - kDown.y() * height;
    };
    ASSERT_TRUE(swinging.settle().converged);
    const Vector rest = swinging.q();
    const double least = energy();
    swinging.set_state(rest + 0.5 * Vector::Unit(8, 0), Vector::Zero(8));
    const double swing = energy() - least;
    const auto mean_over = [&](int steps) {
      double sum = 0;
      for (int i = 0; i < steps; ++i) {
        step(swinging, 1.0 / 60);
        sum += (energy() - least) / swing / steps;
      }
      return sum;
    };
    const double early = mean_over(600);
    mean_over(9000);
    EXPECT_NEAR(mean_over(600), early, 0.01);
    EXPECT_NEAR(early, 1, 0.05);
  }
}

TEST(ModalBody, AWindowOfGravityCountsByItsShareOfTheSteps) {
  // 0.1 s of gravity at steps of 0.03 s ends inside the fourth step. In free modes (λh² → 0) the
  // velocity afterwards is that of the whole impulse.
  Loads window;
  window.gravity.push_back({kDown, 0, 0.1});
  ModalBody body(test::soft_bar(), {Method::linear_modal}, window);
  for (int i = 0; i < 5; ++i) step(body, 0.03);
  Loads four_steps;
  four_steps.gravity.push_back({kDown, -1, 0.09});
  four_steps.gravity.push_back({kDown / 3, 0.09, 0.12});
  ModalBody reference(test::soft_bar(), {Method::linear_modal}, four_steps);
  for (int i = 0; i < 5; ++i) step(reference, 0.03);
  EXPECT_LT((body.q() - reference.q()).norm(), 1e-13);
  EXPECT_LT((body.v() - reference.v()).norm(), 1e-12);
}

TEST(ModalBody, ForcesOnNodesActOnEachInTheWorld) {
  // A support turned by a quarter about z: a world force along y is one along x in the frame.
  const Eigen::Quaterniond quarter(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()));
  Loads loads;
  loads.forces.push_back({{40, 41}, {0, 3, 0}});
  const SupportMotion support({{0, {5, 6, 7}, quarter}});
  ModalBody body(test::soft_bar(), {Method::linear_modal}, loads, support);
  body.settle();
  const Vector expected = (3 * (test::soft_bar().Phi().row(120) + test::soft_bar().Phi().row(123)))
                              .transpose()
                              .cwiseQuotient(test::soft_bar().eigenvalues());
  EXPECT_LT((body.q() - expected).norm(), 1e-12 * expected.norm());
  Positions X(body.node_count(), 3);
  body.node_positions(X);
  const Vec3 x = test::soft_bar().rest_positions().row(40).transpose() +
                 test::soft_bar().Phi().middleRows<3>(120) * expected;
  EXPECT_LT((X.row(40).transpose() - Vec3(5 - x.y(), 6 + x.x(), 7 + x.z())).norm(), 1e-12);
}

TEST(ModalBody, NodeVelocitiesAreTheDerivativeOfNodePositions) {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(2, Vec3(1, 1, 0).normalized()));
  const SupportMotion support({{0, {0, 0, 0}}, {1, {1, 2, 3}, turn}});
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    ModalBody body(test::soft_bar(), {method}, gravity(), support);
    for (int i = 0; i < 20; ++i) step(body, 0.02);
    Positions velocities(body.node_count(), 3);
    body.node_velocities(velocities);
    Positions before(body.node_count(), 3);
    Positions behind(body.node_count(), 3);
    body.node_positions(before);
    const double h = 1e-5;  // a one-sided difference: error h/2 · accelerations near 30
    step(body, h);
    body.node_positions(behind);
    EXPECT_LT(((behind - before) / h - velocities).cwiseAbs().maxCoeff(), 1e-3);
    EXPECT_GT(velocities.cwiseAbs().maxCoeff(), 1);
  }
}

TEST(ModalBody, EnergyOfAFreeVibrationIsKept) {
  ModalBody body(test::soft_bar());
  body.set_state(Vector::Constant(8, 0.1), Vector::Constant(8, -0.3));
  const double energy = body.kinetic_energy() + body.elastic_energy();
  for (int i = 0; i < 1000; ++i) step(body, 1.0 / 30);
  EXPECT_NEAR(body.kinetic_energy() + body.elastic_energy(), energy, 1e-12 * energy);
}

TEST(ModalBody, RefusesLoadsOutOfRange) {
  const double nan = std::nan("");
  Loads node;
  node.forces.push_back({{99}, {1, 0, 0}});
  Loads number;
  number.forces.push_back({{1}, {nan, 0, 0}});
  Loads window;
  window.gravity.push_back({kDown, 1, 1});
  for (const Loads& loads : {node, number, window}) {
    EXPECT_THROW(ModalBody(test::soft_bar(), {}, loads), Error);
  }
  ModalBody body(test::soft_bar());
  EXPECT_THROW(step(body, 0), Error);
  EXPECT_THROW(step(body, nan), Error);
  EXPECT_THROW(body.set_state(Vector::Zero(7), Vector::Zero(8)), Error);
}

}  // namespace
}  // namespace limber
