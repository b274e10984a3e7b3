// Bodies on moving supports: closed forms, Newton's law written in the world, impulses.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "bodies.h"
#include "limber/core/rotation.h"

#include "limber/dynamics/modal/modal_body.h"

namespace limber {
namespace {

/// One node of mass 2 kg on three equal springs: three modes of the same frequency.
ModalModel mass_on_springs(const Vec3& place, double lambda) {
  const double mass = 2;
  SparseMatrix m(1, 1);
  m.insert(0, 0) = mass;
  m.makeCompressed();
  ModalModel body;
  body.rest_positions_data = SharedArray<double>(Vector(place));
  body.eigenvalues_data = SharedArray<double>(Vector(Vector::Constant(3, lambda)));
  body.Phi_data = SharedArray<double>(ModeMatrix(Mat3::Identity() / std::sqrt(mass)));
  body.Psi_data = SharedArray<double>(ModeMatrix(ModeMatrix::Zero(3, 3)));
  body.mass = test::nodal_mass(m);
  return body;
}

Vec3 first_node(const ModalBody& body) {
  Positions X(body.node_count(), 3);
  body.node_positions(X);
  return X.row(0);
}

TEST(Support, MassOnSpringsInASpinningFrameFollowsItsClosedForm) {
  // In the world Ẍ = −λ (X − R(t)X₀): the plane part of X is c R(t)X₀, c = λ/(λ−ω²), plus a free
  // vibration that starts from X₀ at the support's velocity.
  const double lambda = 60;
  const double omega = 3;
  const double duration = 1.3;
  const Vec3 X0(0.7, 0.2, 0.4);
  const Vec3 spin(0, 0, omega);
  const Vec3 plane(X0.x(), X0.y(), 0);
  const double c = lambda / (lambda - omega * omega);
  const double root = std::sqrt(lambda);
  const Vec3 exact = c * (rotation_exp(spin * duration) * plane) + Vec3(0, 0, X0.z()) +
                     (1 - c) * (std::cos(root * duration) * plane +
                                std::sin(root * duration) / root * spin.cross(plane));
  std::vector<SupportKey> keys;
  for (int k = 0; k <= 4; ++k)
    keys.push_back({0.5 * k, {0, 0, 0}, test::turned(omega * 0.5 * k, spin)});
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    const auto error = [&](int steps) {
      ModalBody body(mass_on_springs(X0, lambda), {method}, {}, SupportMotion(keys));
      for (int i = 0; i < steps; ++i) body.step(duration / steps);
      return (first_node(body) - exact).norm();
    };
    EXPECT_LT(error(130), 1e-3);
    EXPECT_NEAR(std::log2(error(130) / error(260)), 2, 0.1);
  }
}

/// The whole of a small bar, free nodes by Newton's law in the world and fixed nodes carried by
/// the support, by classical Runge-Kutta: nothing of frames, modes or inertial forces.
Positions newton_in_the_world(const TetMesh& mesh, const Material& material,
                              const std::vector<int>& fixed, const SupportMotion& support,
                              const Vec3& g, double duration, int steps) {
  const int n = mesh.node_count();
  const FreeDofs free(n, fixed);
  const Eigen::MatrixXd M = expand(scalar_mass(mesh, material));
  const Eigen::MatrixXd K = stiffness(mesh, material);
  const Eigen::MatrixXd all = Eigen::MatrixXd::Identity(3 * n, 3 * n);
  const Eigen::MatrixXd select = free.reduce(all);  // rows of the free unknowns
  const Eigen::PartialPivLU<Eigen::MatrixXd> free_mass(select * M * select.transpose());
  const auto carried = [&](double t, int derivative) {
    const FrameState s = support.at(t);
    Vector X(3 * n);
    for (int i = 0; i < n; ++i) {
      const Vec3 arm = s.rotation * mesh.V.row(i).transpose();
      const Vec3& w = s.angular_velocity;
      const Vec3 values[] = {
          s.position + arm, s.velocity + w.cross(arm),
          s.acceleration + s.angular_acceleration.cross(arm) + w.cross(w.cross(arm))};
      X.segment<3>(3 * i) = values[derivative];
    }
    return X;
  };
  const Vector gravity = g.replicate(n, 1);
  const auto accelerate = [&](double t, const Vector& X) -> Vector {
    const Mat3 R = support.at(t).rotation;
    const Vector away = X - carried(t, 0);
    Vector local(3 * n);
    for (int i = 0; i < n; ++i) {
      local.segment<3>(3 * i) = R.transpose() * away.segment<3>(3 * i);
    }
    const Vector spring = K * local;
    Vector force = M * gravity;
    for (int i = 0; i < n; ++i) force.segment<3>(3 * i) -= R * spring.segment<3>(3 * i);
    Vector fixed_acceleration = carried(t, 2);
    for (const int node : free.nodes()) fixed_acceleration.segment<3>(3 * node).setZero();
    const Vector free_acceleration = free_mass.solve(select * (force - M * fixed_acceleration));
    return fixed_acceleration + select.transpose() * free_acceleration;
  };
  Vector X = carried(0, 0);
  Vector V = carried(0, 1);
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Vector k1 = accelerate(t, X);
    const Vector k2 = accelerate(t + h / 2, X + h / 2 * V);
    const Vector k3 = accelerate(t + h / 2, X + h / 2 * V + h * h / 4 * k1);
    const Vector k4 = accelerate(t + h, X + h * V + h * h / 2 * k2);
    X += h * V + h * h / 6 * (k1 + k2 + k3);
    V += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return Eigen::Map<const Positions>(X.data(), n, 3);
}

TEST(Support, InertialForcesGiveTheMotionOfNewtonsLawInTheWorld) {
  // Linear modes with all 24 of them are the whole linear body, so both must agree up to the
  // step's error, of second order; clamped nodes share the consistent mass with their neighbours.
  const TetMesh mesh = bar({1, 0.4, 0.3}, {2, 1, 1});
  const Material material{1e4, 0.3, 1000};
  const std::vector<int> fixed = test::nodes_at(mesh, 0, 0);
  const SupportMotion support({{0, {0, 0, 0}},
                               {0.6, {0.4, -0.3, 0.5}, test::turned(1.2, {0.3, 1, -0.4})},
                               {1.5, {-0.2, 0.3, 0.1}, test::turned(2.1, {1, 0.2, 0.5})}});
  const Vec3 g(0, -9.8, 3);
  const double duration = 1.1;
  const Positions truth = newton_in_the_world(mesh, material, fixed, support, g, duration, 3000);
  const ModalModel body = test::dense_body(mesh, material, fixed);
  ASSERT_EQ(body.mode_count(), 24);
  Loads loads;
  loads.gravity.push_back({g});
  for (const Integrator integrator : {Integrator::exact, Integrator::newmark}) {
    const auto error = [&](int steps) {
      ModalBody modal(body, {Method::linear_modal, integrator}, loads, support);
      for (int i = 0; i < steps; ++i) modal.step(duration / steps);
      Positions X(modal.node_count(), 3);
      modal.node_positions(X);
      return (X - truth).norm() / mesh.V.norm();
    };
    EXPECT_LT(error(800), 1e-4);
    EXPECT_NEAR(std::log2(error(400) / error(800)), 2, 0.15);
  }
}

TEST(Support, ConstantSpeedLeavesABodyExactlyAtRest) {
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    const SupportMotion support({{0, {1, 2, 3}}, {10, {21, -5, 4}}});
    ModalBody body(test::soft_bar(), {method}, {}, support);
    const Vec3 start = first_node(body);
    for (int i = 0; i < 200; ++i) body.step(1.0 / 30);
    EXPECT_EQ(body.q(), Vector(Vector::Zero(8)));
    EXPECT_EQ(body.v(), Vector(Vector::Zero(8)));
    const Vec3 moved = body.time() / 10 * Vec3(20, -7, 1);
    EXPECT_LT((first_node(body) - start - moved).norm(), 1e-13);
  }
}

TEST(Support, StoppingThrowsTheBodyForward) {
  // The modes keep the momentum they had in the world: q̇ = Φᵀ M v just after the stop.
  const Vec3 speed(0, 2, 0);
  const SupportMotion support({{0, {0, 0, 0}}, {0.5, 0.5 * speed}});
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    ModalBody body(test::soft_bar(), {method}, {}, support);
    for (int i = 0; i < 8; ++i) body.step(0.0625);  // exactly to the last key
    const Vector velocity = speed.replicate(test::soft_bar().node_count(), 1);
    const Vector expected =
        test::soft_bar().Phi().transpose() * (test::dense_mass(test::soft_bar()) * velocity);
    EXPECT_LT((body.v() - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LT(body.q().norm(), 1e-12);
    body.step(0.05);
    Positions X(body.node_count(), 3);
    body.node_positions(X);
    const int tip = body.node_count() - 1;
    EXPECT_GT(X(tip, 1) - test::soft_bar().rest_positions()(tip, 1), 1 + 0.05);  // on and beyond
  }
}

TEST(Support, AnImpulseInsideAStepIsOfSecondOrder) {
  // The stop comes at 0.5 s, at changing places inside steps of duration/n.
  const SupportMotion support({{0, {0, 0, 0}}, {0.5, {0, 1, 0}, test::turned(0.5, {0, 0, 1})}});
  const auto state = [&](int steps) {
    ModalBody body(test::soft_bar(), {Method::linear_modal}, {}, support);
    for (int i = 0; i < steps; ++i) body.step(0.9 / steps);
    return body.q();
  };
  const Vector truth = state(9 * 2048);
  const double coarse = (state(200) - truth).norm() / truth.norm();
  const double fine = (state(800) - truth).norm() / truth.norm();
  EXPECT_LT(coarse, 2e-3);
  EXPECT_LT(fine, 2e-4);
}

TEST(Support, ASpinningSupportBulgesTheBodyOutward) {
  // Clamped at x = 0 on a support that spins about y through the origin; to first order in ω² the
  // answer is linear statics under M ω² x, with all modes.
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  const Material material{2e5, 0.3, 1000};
  const std::vector<int> fixed = test::nodes_at(mesh, 0, 0);
  const ModalModel body = test::dense_body(mesh, material, fixed);
  const FreeDofs free(mesh.node_count(), fixed);
  const Eigen::MatrixXd K = free.reduce(stiffness(mesh, material), 3);
  for (const Method method : {Method::linear_modal, Method::modal_warping}) {
    for (const double omega : {0.05, 0.2}) {
      const SupportMotion support({{0, {0, 0, 0}}, {1, {0, 0, 0}, test::turned(omega, {0, 1, 0})}});
      ModalBody spinning(body, {method}, {}, support);
      const SettleStatus status = spinning.settle();
      EXPECT_TRUE(status.converged);
      Positions outward = mesh.V;
      outward.col(1).setZero();  // the radius about y
      const Vector load = omega * omega * (test::dense_mass(body) * stacked(outward).eval());
      const Vector u = free.expand(K.ldlt().solve(free.reduce(load)));
      const Vector q = spinning.q();
      const double tip = node_displacement(body, method, mesh.node_count() - 1, q).x();
      EXPECT_GT(tip, 0);
      // The next order: ω² against the lowest λ, some 40 rad²/s².
      EXPECT_NEAR(tip / u[3 * mesh.node_count() - 3], 1, omega * omega / 20);
    }
  }
}

TEST(Support, SpinKeepsTheEnergyInTheSpinningFrame) {
  // Undamped, on a support that spins at constant ω, ½|q̇|² + ½qᵀΛq − ½ω² Σ m r² is constant
  // (linear modes). Turning by 0.1 rad a step it wavers by 3 %, without growing; with Coriolis
  // forces taken explicitly it reaches 1e28.
  const double omega = 3;
  const double h = omega / 90;
  std::vector<SupportKey> keys;
  for (int k = 0; k <= 400; ++k) {
    keys.push_back({0.5 * k,
                    {0, 0, 0},
                    test::turned(std::fmod(omega * 0.5 * k, 2 * std::numbers::pi), {0, 1, 0})});
  }
  const TetMesh mesh = bar({1, 0.2, 0.2}, {5, 1, 1});
  const ModalModel body = test::dense_body(mesh, {2e5, 0.3, 1000}, test::nodes_at(mesh, 0, 0), 12);
  const Eigen::MatrixXd M = test::dense_mass(body);
  ModalBody spinning(body, {Method::linear_modal}, {}, SupportMotion(keys));
  spinning.set_state(0.3 * Vector::Ones(12).cwiseQuotient(body.eigenvalues().cwiseSqrt()),
                     Vector::Zero(12));
  const auto energy = [&] {
    Positions x(body.node_count(), 3);
    deformed_positions(body, Method::linear_modal, spinning.q(), x);
    x.col(1).setZero();
    const double centrifugal = omega * omega / 2 * stacked(x).dot(M * stacked(x));
    return spinning.kinetic_energy() + spinning.elastic_energy() - centrifugal;
  };
  const double start = energy();
  const double scale = spinning.elastic_energy();
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    spinning.step(h);
    worst = std::max(worst, std::abs(energy() - start));
  }
  EXPECT_LT(worst, 0.1 * scale);
}

}  // namespace
}  // namespace limber
