// Handles on a bar: they hold, in the order of their priority, and their forces balance.
#include "limber/constraint/modal_handles.h"
#include "support/stepping.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "limber/constraint/prioritised.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/mesh/checks.h"
#include "support/held_bar.h"

namespace limber {
namespace {

constexpr double kPi = std::numbers::pi;

class EveryIntegrator : public testing::TestWithParam<Integrator> {};
INSTANTIATE_TEST_SUITE_P(Integrators, EveryIntegrator,
                         testing::Values(Integrator::exact, Integrator::semi_implicit,
                                         Integrator::newmark, Integrator::filter));

TEST_P(EveryIntegrator, PositionHandleHoldsAfterSettling) {
  for (const Treatment treatment : {Treatment::previous, Treatment::newton}) {
    HeldBar bar(16, GetParam());
    const Vec3 target(0.7, 0.6, 0.2);  // bends the tip far beyond small angles
    bar.handles->add(position_handle(bar.tip, at(target), treatment));
    bar.run(20);
    EXPECT_LT(bar.errors().position, 1e-6);
    EXPECT_LT((bar.positions().row(bar.tip).transpose() - target).norm(), 1e-6);
    EXPECT_LT(bar.moving.kinetic_energy(), 1e-12);
  }
}

TEST_P(EveryIntegrator, OrientationHandleHoldsAfterSettling) {
  HeldBar bar(32, GetParam());
  bar.handles->add(orientation_handle(bar.tip, at({0, 0, 1.7})));  // past 90°
  bar.run(20);
  EXPECT_LT(bar.errors().orientation, 1e-6);
  EXPECT_LT(bar.moving.kinetic_energy(), 1e-12);
}

TEST_P(EveryIntegrator, MixedHandlesHoldAfterSettling) {
  for (const Treatment treatment : {Treatment::previous, Treatment::newton}) {
    HeldBar bar(64, GetParam());
    bar.handles->add(position_handle(bar.tip, at({0.75, 0.5, 0.1}), treatment));
    bar.handles->add(orientation_handle(bar.tip, at({0.4, 0, 1.3})));
    bar.handles->add(position_handle(bar.middle, at({0.45, 0.2, 0.1}), treatment));
    bar.run(20);
    EXPECT_LT(bar.errors().position, 1e-6);
    EXPECT_LT(bar.errors().orientation, 1e-6);
  }
}

TEST(ModalHandles, MovingHandleIsHeldByNewtonAndFollowedByPrevious) {
  // A quarter circle in three seconds.
  const Path path(
      {0, 0.75, 1.5, 2.25, 3.0},
      {{1, 0.1, 0.1}, {0.97, 0.3, 0.1}, {0.85, 0.5, 0.1}, {0.7, 0.6, 0.15}, {0.6, 0.65, 0.2}});
  for (const auto& [treatment, limit] :
       {std::pair{Treatment::previous, 2e-3}, std::pair{Treatment::newton, 1e-6}}) {
    HeldBar bar(20);
    bar.handles->add(position_handle(bar.tip, path, treatment));
    double largest = 0;
    for (int k = 0; k < 180; ++k) {
      step(bar.moving, kStep);
      largest = std::max(largest, bar.errors().position);
    }
    EXPECT_LT(largest, limit);
  }
}

TEST_P(EveryIntegrator, HandlesFarFromRestNeverThrowTheBodyAbout) {
  // The tip is pushed towards the clamp, where bending turns it faster than it moves; forty modes
  // with hardly any damping would take up energy at once.
  const Path push({0, 1.5}, {{1, 0.1, 0.1}, {0.5, 0.7, 0.1}});
  for (const Treatment treatment : {Treatment::previous, Treatment::predicted, Treatment::newton}) {
    HeldBar bar(40, GetParam(), Method::modal_warping, {0.1, 0.0005});
    bar.handles->add(position_handle(bar.tip, push, treatment));
    const auto energy = [&] {
      const Vector q = bar.moving.q();
      return bar.moving.kinetic_energy() + 0.5 * q.dot(bar.body.eigenvalues().cwiseProduct(q));
    };
    // The prediction is never the state: its treatment keeps an offset, some millimetres here, and
    // the energy that goes with it (Choi & Ko 2005, footnote 4b).
    const bool offset = treatment == Treatment::predicted;
    bar.run(1.6);
    const double at_stop = energy();
    EXPECT_LT(bar.errors().position, offset ? 1e-2 : 1e-3);
    for (int k = 0; k < 300; ++k) {
      step(bar.moving, kStep);
      ASSERT_LT(energy(), (offset ? 1.01 : 1.001) * at_stop)
          << "after " << k << " steps at a standing target";
    }
    EXPECT_LT(bar.errors().position, offset ? 1e-2 : 1e-4);
  }
}

TEST_P(EveryIntegrator, SpringsFarFromRestNeverThrowTheBodyAbout) {
  const Path push({0, 1.5}, {{1, 0.1, 0.1}, {0.5, 0.7, 0.1}});
  for (const double stiffness : {1e2, 1e5, 1e9}) {
    HeldBar bar(40, GetParam(), Method::modal_warping, {0.1, 0.0005});
    bar.handles->add(spring_handle(BodyPoint::at_node(bar.tip), push, stiffness, 0));
    bar.run(1.6);
    for (int k = 0; k < 300; ++k) {
      step(bar.moving, kStep);
      // Bending by half a turn takes about one unit of q.
      ASSERT_LT(bar.moving.q().cwiseAbs().maxCoeff(), 5) << stiffness << ", step " << k;
    }
  }
}

TEST(ModalHandles, ForceFarFromRestDoesTheWorkThatBendingTakes) {
  // At rest Λq is the derivative of the held point's position, transposed, times the force.
  HeldBar bar(24);
  bar.handles->add(position_handle(bar.tip, at({0.6, 0.65, 0.2})));
  bar.run(40);
  ASSERT_EQ(bar.handles->forces().size(), 1);
  const Vec3 force = bar.handles->forces().front().force;
  const auto displacement = [&](const Vector& q) {
    return node_displacement(bar.body, Method::modal_warping, bar.tip, q);
  };
  const Vector q = bar.moving.q();
  const double step = 1e-6;  // central differences: error 1e-12 of curvature, 1e-10 of rounding
  for (Eigen::Index mode = 0; mode < q.size(); ++mode) {
    const Vector shift = step * Vector::Unit(q.size(), mode);
    const double work = (displacement(q + shift) - displacement(q - shift)).dot(force) / (2 * step);
    EXPECT_NEAR(bar.body.eigenvalues()[mode] * q[mode], work, 1e-6 * force.norm()) << mode;
  }
}

TEST(ModalHandles, PredictedRotationKeepsALastingOffset) {
  // Choi & Ko's choice (b): the prediction springs back each step and is never the state.
  HeldBar bar(16, Integrator::semi_implicit);
  bar.handles->add(position_handle(bar.tip, at({0.93, 0.35, 0.1}), Treatment::predicted));
  bar.run(20);
  EXPECT_GT(bar.errors().position, 1e-6);
  EXPECT_LT(bar.errors().position, 0.05);
}

/// A⁺ by singular values, for comparison.
Eigen::MatrixXd pinv(const Eigen::MatrixXd& A) {
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-10);
  return svd.solve(Eigen::MatrixXd::Identity(A.rows(), A.rows()));
}

TEST(ModalHandles, EqualsTheFormulasOfChoiAndKoSolvedDensely) {
  HeldBar bar(24, Integrator::semi_implicit, Method::modal_warping, {2.0, 0.05}, LoadLaw::rotated);
  const Handle position = position_handle(bar.tip, at({0.9, 0.3, 0.15}));
  const Handle turn = orientation_handle(bar.middle, at({0, 0.1, 0.4}));
  bar.handles->add(position);
  bar.handles->add(turn);
  const ModalModel& body = bar.body;
  const Eigen::MatrixXd Phi_c = body.Phi().middleRows<3>(3 * bar.tip);
  const Eigen::MatrixXd Psi_p = body.Psi().middleRows<3>(3 * bar.tip);
  const Eigen::MatrixXd Psi_c = body.Psi().middleRows<3>(3 * bar.middle);
  // Exercised nodes: the tip, and the neighbourhood of the middle.
  std::vector<int> nodes{bar.tip};
  for (const BodyPoint& point : neighbourhood(body, turn.point)) nodes.push_back(point.nodes[0]);
  Eigen::MatrixXd Phi_x(3 * nodes.size(), body.mode_count());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Phi_x.middleRows<3>(3 * i) = body.Phi().middleRows<3>(3 * nodes[i]);
  }
  ModalBody free_bar(body, bar.moving.options());
  const StepCoefficients k = step_coefficients(body.eigenvalues(), bar.moving.options().damping,
                                               kStep, Integrator::semi_implicit);
  for (int k_step = 0; k_step < 30; ++k_step) {
    free_bar.set_state(bar.moving.q(), bar.moving.v());
    const Vector before = bar.moving.q();
    step(bar.moving, kStep);
    step(free_bar, kStep);  // q_u, v_u
    const Mat3 R = mean_rotation(Psi_p * before);
    // Forces in the support's frame: each exercised node's rows turned by its rotation.
    Eigen::MatrixXd turned = Phi_x;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      turned.middleRows<3>(3 * i) =
          rotation_exp(node_Psi(body, nodes[i]) * before) * Phi_x.middleRows<3>(3 * i);
    }
    const Eigen::MatrixXd A_p = R * Phi_c * k.qf.asDiagonal() * turned.transpose();
    const Eigen::MatrixXd A_o = Psi_c * k.qf.asDiagonal() * turned.transpose();
    const Vec3 u = position.target.at(0).value - body.rest_positions().row(bar.tip).transpose();
    const Vector b_p = u - R * Phi_c * free_bar.q();
    const Vector b_o = turn.target.at(0).value - Psi_c * free_bar.q();
    const Eigen::MatrixXd A_p_inverse = pinv(A_p);  // eq. 29
    const Vector f_p = A_p_inverse * b_p;
    const Eigen::MatrixXd rest = A_o - A_o * A_p_inverse * A_p;
    const Vector f = f_p + pinv(rest) * (b_o - A_o * f_p);
    const Vector q = free_bar.q() + k.qf.cwiseProduct(turned.transpose() * f);
    const Vector v = free_bar.v() + k.vf.cwiseProduct(turned.transpose() * f);
    EXPECT_LT((bar.moving.q() - q).norm(), 1e-10 * q.norm());
    EXPECT_LT((bar.moving.v() - v).norm(), 1e-10 * (1 + v.norm()));
  }
}

TEST(ModalHandles, PositionsComeFirstWhereNotAllCanBeMet) {
  HeldBar bar(16);  // 18 numbers are asked for
  bar.handles->add(position_handle(bar.tip, at({0.9, 0.3, 0.1})));
  bar.handles->add(position_handle(bar.middle, at({0.48, 0.17, 0.1})));
  for (const double x : {0.3, 0.5, 0.7, 1.0}) {
    bar.handles->add(orientation_handle(bar_node(bar.body, {x, 0.1, 0.1}), at({0.3, 0.2, -0.2})));
  }
  bar.run(30);
  EXPECT_LT(bar.errors().position, 1e-6);
  EXPECT_GT(bar.errors().orientation, 1e-3);
}

TEST(ModalHandles, ImpossibleMixesEqualTheDensePrioritisedSolution) {
  for (const auto priority :
       {ModalHandles::Priority::position, ModalHandles::Priority::orientation}) {
    HeldBar bar(7, Integrator::semi_implicit, Method::linear_modal);  // nine numbers are asked for
    bar.moving.set_correction(std::make_unique<ModalHandles>(bar.body, priority));
    bar.handles = &bar.moving.handles();
    const std::vector<int> nodes{bar.tip, bar.middle};
    const Vec3 turn(0.02, 0.01, -0.03);
    bar.handles->add(orientation_handle(bar.tip, at(turn)));
    Eigen::MatrixXd J_p(6, 7);
    Vector wanted(6);
    for (int i = 0; i < 2; ++i) {
      wanted.segment<3>(3 * i) = Vec3(0.01, 0.03 * (i + 1), -0.02);
      const Vec3 rest = bar.body.rest_positions().row(nodes[i]);
      bar.handles->add(position_handle(nodes[i], at(rest + wanted.segment<3>(3 * i))));
      J_p.middleRows<3>(3 * i) = node_Phi(bar.body, nodes[i]);
    }
    const Eigen::MatrixXd J_o = node_Psi(bar.body, bar.tip);
    std::vector<BodyPoint> exercised = neighbourhood(bar.body, BodyPoint::at_node(bar.tip));
    for (const int node : nodes) exercised.push_back(BodyPoint::at_node(node));
    Eigen::MatrixXd X(3 * exercised.size(), 7);
    for (std::size_t i = 0; i < exercised.size(); ++i) {
      X.middleRows<3>(3 * i) = node_Phi(bar.body, exercised[i].nodes[0]);
    }
    const StepCoefficients k = step_coefficients(
        bar.body.eigenvalues(), bar.moving.options().damping, kStep, Integrator::semi_implicit);
    const Eigen::MatrixXd A_p = J_p * k.qf.asDiagonal() * X.transpose();
    const Eigen::MatrixXd A_o = J_o * k.qf.asDiagonal() * X.transpose();
    const bool position_first = priority == ModalHandles::Priority::position;
    const Vector f = position_first ? prioritised_solution(A_p, wanted, A_o, turn)
                                    : prioritised_solution(A_o, turn, A_p, wanted);
    step(bar.moving, kStep);
    const Vector expected = k.qf.cwiseProduct(X.transpose() * f);
    EXPECT_LT((bar.moving.q() - expected).norm(), 1e-10 * expected.norm());
  }
}

TEST(Prioritised, SecondTaskIsAsGoodAsTheNullSpaceAllows) {
  std::srand(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::MatrixXd A1 = Eigen::MatrixXd::Random(4, 9);
    const Eigen::MatrixXd A2 = Eigen::MatrixXd::Random(8, 9);
    const Vector b1 = Vector::Random(4);
    const Vector b2 = Vector::Random(8);
    const Vector x = prioritised_solution(A1, b1, A2, b2);
    EXPECT_LT((A1 * x - b1).norm(), 1e-12);
    // Dense reference: x = x1 + N y with N a basis of the null space of A1.
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A1);
    const Eigen::MatrixXd N = lu.kernel();
    const Vector x1 = lu.solve(b1);
    const Vector y = (A2 * N).colPivHouseholderQr().solve(b2 - A2 * x1);
    EXPECT_NEAR((A2 * x - b2).norm(), (A2 * (x1 + N * y) - b2).norm(), 1e-12);
  }
}

TEST(ModalHandles, MoreHandlesThanModesSettleAtTheLeastSquaresPose) {
  HeldBar bar(8);
  std::vector<int> nodes;
  for (const double x : {0.3, 0.5, 0.7, 0.9}) nodes.push_back(bar_node(bar.body, {x, 0.1, 0.1}));
  const auto wanted = [&](int node) {
    return Vec3(0, 0.2 * bar.body.rest_positions()(node, 0), 0.05);
  };
  for (const int node : nodes) {
    const Vec3 rest = bar.body.rest_positions().row(node);
    bar.handles->add(position_handle(node, at(rest + wanted(node))));
  }
  bar.run(30);
  EXPECT_TRUE(bar.moving.q().allFinite());
  EXPECT_LT(bar.moving.kinetic_energy(), 1e-9);  // no jitter
  const auto squares = [&](const Vector& q) {
    double sum = 0;
    for (const int node : nodes) {
      sum += (wanted(node) - node_displacement(bar.body, Method::modal_warping, node, q))
                 .squaredNorm();
    }
    return sum;
  };
  const double best = squares(bar.moving.q());
  for (int mode = 0; mode < 8; ++mode) {
    for (const double change : {-1e-3, 1e-3}) {
      Vector q = bar.moving.q();
      q[mode] += change;
      // Rotations are those of the last step and small directions damped: near the least, not at
      // it.
      EXPECT_GE(squares(q), 0.95 * best);
    }
  }
}

TEST(ModalHandles, HandlesThatFightSettle) {
  HeldBar bar(20);
  const int next = bar_node(bar.body, {0.9, 0.1, 0.1});
  bar.handles->add(position_handle(bar.tip, at({0.9, 0.5, 0.1})));
  bar.handles->add(position_handle(bar.tip, at({0.9, 0.3, 0.1})));  // a twin elsewhere
  bar.handles->add(position_handle(next, at({0.8, -0.1, 0.1})));
  bar.run(30);
  EXPECT_TRUE(bar.moving.q().allFinite());
  EXPECT_LT(bar.moving.kinetic_energy(), 1e-8);
}

TEST(ModalHandles, TwistThroughAWholeTurnNeverFlips) {
  for (const double sign : {1.0, -1.0}) {
    HeldBar bar(40, Integrator::exact, Method::modal_warping, {2.0, 0.02});
    bar.handles->add(
        orientation_handle(bar.tip, Path({0, 4}, {Vec3::Zero(), Vec3(sign * 2 * kPi, 0, 0)})));
    bar.handles->add(position_handle(bar.tip, at({1, 0.1, 0.1})));
    double last = 0;
    for (int k = 0; k < 240; ++k) {
      step(bar.moving, kStep);
      const double turned = sign * (node_Psi(bar.body, bar.tip) * bar.moving.q())[0];
      EXPECT_GT(turned, last - 1e-6);
      EXPECT_LT(turned, last + 0.1);
      last = turned;
      if (turned < kPi) {
        const double ratio = volume(bar.positions(), Tets(bar.body.tets())) / 0.04;
        EXPECT_NEAR(ratio, 1, 0.05) << "turned by " << turned;
      }
    }
    EXPECT_NEAR(last, 2 * kPi, 1e-6);
  }
}

TEST(ModalHandles, ForcesBalanceTheChangeOfModalMomentum) {
  // By the paper's law, where no impulse at the end of a step is needed.
  HeldBar bar(24, Integrator::semi_implicit, Method::modal_warping, {2.0, 0.05}, LoadLaw::rotated);
  bar.handles->add(position_handle(bar.tip, at({0.97, 0.2, 0.1})));
  bar.handles->add(orientation_handle(bar.middle, at({0, 0, 0.2})));
  const int spring =
      bar.handles->add(spring_handle(BodyPoint::at_node(bar.middle), at({0.4, 0, 0.3}), 50, 1));
  const Vector lambda = bar.body.eigenvalues();
  const Damping damping = bar.moving.options().damping;
  for (int k = 0; k < 20; ++k) {
    const Vector before = bar.moving.v();
    const Vector q_before = bar.moving.q();
    step(bar.moving, kStep);
    Vector f = Vector::Zero(lambda.size());
    ThreeRows B(3, lambda.size());
    for (const HandleForce& force : bar.handles->forces()) {
      const int node = force.point.nodes[0];
      if (force.handle == spring) {
        node_derivative(bar.body, Method::modal_warping, node, q_before, B);
      } else {
        B = rotation_exp(node_Psi(bar.body, node) * q_before) * node_Phi(bar.body, node);
      }
      f += B.transpose() * force.force;
    }
    // Backward Euler: v' − v = h (f − (mass + stiffness λ) v' − λ q').
    const Vector rate = (damping.mass + damping.stiffness * lambda.array()).matrix();
    const Vector change =
        kStep * (f - rate.cwiseProduct(bar.moving.v()) - lambda.cwiseProduct(bar.moving.q()));
    EXPECT_LT((bar.moving.v() - before - change).norm(), 1e-9 * (1 + change.norm()));
  }
}

TEST(ModalHandles, SoftHandleIsStableAtAnyStiffnessAndSettlesWhereItShould) {
  for (const double stiffness : {1.0, 1e3, 1e6, 1e12}) {
    HeldBar bar(16);
    const Vec3 target(0.8, 0.5, 0.1);
    bar.handles->add(spring_handle(BodyPoint::at_node(bar.tip), at(target), stiffness, 0.1));
    bar.run(30);
    ASSERT_TRUE(bar.moving.q().allFinite());
    // At rest Λq = Cᵀ k (x* − x).
    const Vec3 x = bar.positions().row(bar.tip);
    ThreeRows C(3, bar.body.mode_count());
    node_derivative(bar.body, Method::modal_warping, bar.tip, bar.moving.q(), C);
    const Vector pull = C.transpose() * (stiffness * (target - x));
    const Vector elastic = bar.body.eigenvalues().cwiseProduct(bar.moving.q());
    // k (x* − x) is a small difference of large numbers for hard springs.
    EXPECT_LT((pull - elastic).norm(), 1e-5 * elastic.norm() + 1e-12 * stiffness);
  }
}

TEST(ModalHandles, VelocityHandleSetsTheVelocityRightAfterTheImpulse) {
  HeldBar bar(16, Integrator::exact, Method::linear_modal, {});
  Handle handle = position_handle(bar.tip, at({0.3, -0.2, 0.1}));
  handle.kind = HandleKind::velocity;
  bar.handles->add(handle);
  const Vector before = bar.moving.v();
  step(bar.moving, kStep);
  Vector impulse = Vector::Zero(16);
  for (const HandleForce& force : bar.handles->forces()) {
    impulse += kStep * node_Phi(bar.body, bar.tip).transpose() * force.force;
  }
  const Vec3 velocity = node_Phi(bar.body, bar.tip) * (before + impulse);
  EXPECT_LT((velocity - Vec3(0.3, -0.2, 0.1)).norm(), 1e-12);
}

TEST(ModalHandles, AccelerationHandleSetsTheAccelerationAtTheStart) {
  HeldBar bar(16, Integrator::exact, Method::linear_modal, {0.3, 0.01});
  bar.moving.set_state(Vector::Constant(16, 0.01), Vector::Constant(16, -0.02));
  Handle handle = position_handle(bar.tip, at({1, 2, -3}));
  handle.kind = HandleKind::acceleration;
  bar.handles->add(handle);
  const Vector q = bar.moving.q();
  const Vector v = bar.moving.v();
  step(bar.moving, kStep);
  Vector f = Vector::Zero(16);
  for (const HandleForce& force : bar.handles->forces()) {
    f += node_Phi(bar.body, bar.tip).transpose() * force.force;
  }
  const Vector lambda = bar.body.eigenvalues();
  const Vector rate = (0.3 + 0.01 * lambda.array()).matrix();
  const Vec3 acceleration =
      node_Phi(bar.body, bar.tip) * (f - rate.cwiseProduct(v) - lambda.cwiseProduct(q));
  // f is read back from q' − qq q − qv v, which cancels for stiff modes.
  EXPECT_LT((acceleration - Vec3(1, 2, -3)).norm(), 1e-7);
}

TEST(ModalHandles, SurfacePointsAreHeldLikeNodes) {
  HeldBar bar(24);
  Handle handle = position_handle(bar.tip, at({0.85, 0.35, 0.1}), Treatment::newton);
  const Eigen::Matrix<std::int32_t, 1, 4> corners = bar.body.tets().row(bar.body.tet_count() - 1);
  handle.point = {{corners[0], corners[1], corners[2], corners[3]}, {0.2, 0.5, 0.3, 0}};
  bar.handles->add(handle);
  bar.run(15);
  EXPECT_LT(bar.errors().position, 1e-6);
}

TEST(ModalHandles, SettlingFindsTheSameRestAsTime) {
  // Positions only: where forces act at more points than handles need, as for orientations, their
  // sharing out, and so the rest, depends on the time step.
  const auto hold = [](HeldBar& bar) {
    bar.handles->add(position_handle(bar.tip, at({0.85, 0.4, 0.15})));
    bar.handles->add(position_handle(bar.middle, at({0.47, 0.2, 0.12})));
    Loads loads;
    loads.gravity.push_back({Vec3(0, -3, 1)});
    bar.moving.set_loads(loads);
  };
  HeldBar by_time(32);
  hold(by_time);
  by_time.run(40);
  HeldBar at_once(32);
  hold(at_once);
  const SettleStatus status = at_once.moving.settle();
  EXPECT_TRUE(status.converged);
  EXPECT_LT(at_once.errors().position, 1e-9);
  EXPECT_LT((at_once.moving.q() - by_time.moving.q()).norm(), 1e-6 * by_time.moving.q().norm());
}

TEST(ModalHandles, HandlesCanBeMovedAndDroppedAtRunTime) {
  HeldBar bar(16);
  const int handle = bar.handles->add(position_handle(bar.tip, at({0.9, 0.3, 0.1})));
  bar.run(1);
  bar.handles->move(handle, {0.9, -0.1, 0.1});
  bar.run(15);
  EXPECT_LT((bar.positions().row(bar.tip).transpose() - Vec3(0.9, -0.1, 0.1)).norm(), 1e-6);
  bar.handles->remove(handle);
  bar.run(15);
  EXPECT_LT(bar.moving.q().norm(), 1e-3);  // swung back to rest
}

TEST(ModalHandles, BadHandlesAreRefusedAndChangeNothing) {
  HeldBar bar(8);
  const int handle = bar.handles->add(position_handle(bar.tip, at({0.9, 0.3, 0.1})));
  EXPECT_THROW(bar.handles->add(position_handle(99999, at({0, 0, 0}))), Error);
  EXPECT_THROW(bar.handles->add(position_handle(-1, at({0, 0, 0}))), Error);
  EXPECT_THROW(bar.handles->add(position_handle(0, at({0, 0, 0}))), Error);  // clamped
  EXPECT_THROW(bar.handles->move(handle, Vec3(std::nan(""), 0, 0)), Error);
  EXPECT_THROW(bar.handles->move(77, Vec3::Zero()), Error);
  EXPECT_THROW(bar.handles->add(spring_handle(BodyPoint::at_node(bar.tip), {}, -1, 0)), Error);
  bar.run(10);
  EXPECT_LT(bar.errors().position, 1e-6);
  bar.handles->remove(handle);
  EXPECT_THROW(bar.handles->remove(handle), Error);
  bar.run(0.1);
  EXPECT_TRUE(bar.moving.q().allFinite());
}

}  // namespace
}  // namespace limber
