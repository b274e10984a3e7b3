// Bodies with less detail: forces that serve several steps, modes that stand still, and that
// nothing jumps when either changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dynamics/bodies.h"
#include "limber/dynamics/modal/modal_body.h"

namespace limber::detail_level_tests {
namespace {

constexpr double kStep = 1.0 / 60;

Loads gravity() { return {{{Vec3(0, -9.81, 0)}}, {}}; }

ModalBodyOptions warped(const Damping& damping) {
  ModalBodyOptions options;
  options.damping = damping;
  return options;
}

Positions positions_of(const ModalBody& body) {
  Positions x(body.node_count(), 3);
  body.node_positions(x);
  return x;
}

double largest_row(const Positions& x) { return x.rowwise().norm().maxCoeff(); }

void move(ModalBody& body) {
  body.fade_detail(kStep);
  ASSERT_FALSE(advance(body, kStep));
}

DetailLevel level(const ModalBody& body, int modes, int interval) {
  DetailLevel wanted = body.detail_size().full;
  if (modes > 0) wanted.modes = modes;
  wanted.interval = interval;
  return wanted;
}

/// A cube of 0.2 m that flies and wobbles.
const ModalModel& cube() {
  static const ModalModel made =
      test::dense_body(bar({0.2, 0.2, 0.2}, {2, 2, 2}), Material{2e4, 0.3, 1000}, {}, 12);
  return made;
}

std::unique_ptr<ModalBody> thrown_cube(const Damping& damping = {}) {
  auto body = std::make_unique<ModalBody>(cube(), warped(damping), gravity(),
                                          SupportMotion({{0, Vec3(0, 1, 0)}}));
  Vector q = Vector::Zero(12), v = Vector::Zero(12);
  q[0] = 0.02;
  v[3] = 0.5;
  body->set_state(q, v);
  body->apply_impulse(BodyPoint::at_node(3), Vec3(0.5, 6, 1));
  return body;
}

TEST(DetailLevel, FullDetailIsToTheBitWhatABodyHasWithoutBeingAsked) {
  ModalBody plain(test::soft_bar(), warped({0.1, 0.001}), gravity());
  ModalBody asked(test::soft_bar(), warped({0.1, 0.001}), gravity());
  for (int k = 0; k < 40; ++k) {
    asked.want_detail(level(asked, 0, 1));
    move(asked);
    ASSERT_FALSE(advance(plain, kStep));
  }
  EXPECT_EQ(positions_of(plain), positions_of(asked));
}

TEST(DetailLevel, OneForceForAnIntervalIsOfSecondOrderInItsLength) {
  // Gravity that turns with a soft bar: against steps sixteen times as fine, one force for four
  // steps is some four times as far off as one for two.
  const auto end_of = [](int interval, int finer) {
    ModalBody body(test::soft_bar(), warped({1, 0}), gravity());
    body.want_detail(level(body, 0, interval));
    for (int k = 0; k < 32 * finer; ++k) EXPECT_FALSE(advance(body, kStep / 4 / finer));
    return positions_of(body);
  };
  const Positions exact = end_of(1, 16);
  const double two = largest_row(end_of(2, 1) - exact), four = largest_row(end_of(4, 1) - exact),
               eight = largest_row(end_of(8, 1) - exact);
  EXPECT_GT(four, 2.5 * two);
  EXPECT_LT(four, 6 * two);
  EXPECT_GT(eight, 2.5 * four);
  EXPECT_LT(eight, 6 * four);
}

TEST(DetailLevel, BetweenTwoForcesModesMoveAsOneForceMakesThem) {
  // x' = A x + b f with a constant f: differences d of x obey d'' − tr A d' + det A d = 0, which
  // they do not where the force changes from step to step.
  const auto mismatch = [](int interval) {
    ModalBody body(test::soft_bar(), warped({0.5, 0.001}), gravity());
    const StepCoefficients step =
        step_coefficients(test::soft_bar().eigenvalues(), {0.5, 0.001}, kStep, Integrator::exact);
    body.want_detail(level(body, 0, interval));
    std::vector<Vector> q;
    for (int k = 0; k < 4; ++k) {
      q.emplace_back(Eigen::Map<const Vector>(body.modal().data(), 8));
      EXPECT_FALSE(advance(body, kStep));
    }
    const Vector trace = step.qq + step.vv;
    const Vector determinant = step.qq.cwiseProduct(step.vv) - step.qv.cwiseProduct(step.vq);
    const Vector left =
        (q[3] - q[2]) - trace.cwiseProduct(q[2] - q[1]) + determinant.cwiseProduct(q[1] - q[0]);
    return left.norm() / q[3].norm();
  };
  EXPECT_LT(mismatch(4), 1e-12);
  EXPECT_GT(mismatch(1), 1e-6);
}

TEST(DetailLevel, AnUndampedBarGainsNoEnergyFromForcesThatServeManySteps) {
  // Potential energy of gravity is Σ m g y; the sum with the bar's own stays near its first value,
  // where it hangs with the amplitude that it was let go with.
  ModalBody body(test::soft_bar(), warped({}), gravity());
  const ModalModel& model = test::soft_bar();
  const auto energy = [&] {
    const Positions x = positions_of(body);
    double sum = body.kinetic_energy() + body.elastic_energy();
    for (int i = 0; i < body.node_count(); ++i)
      sum += 9.81 * model.mass.row_sums[static_cast<std::size_t>(i)] *
             (x(i, 1) - model.rest_positions()(i, 1));
    return sum;
  };
  body.want_detail(level(body, 0, 32));
  double deepest = 0, most = 0;
  for (int k = 0; k < 6000; ++k) {
    ASSERT_FALSE(advance(body, kStep));
    deepest = std::max(deepest, body.elastic_energy());
    if (k > 3000) most = std::max(most, std::abs(energy()));
  }
  EXPECT_LT(most, 0.5 * deepest);
}

TEST(DetailLevel, AFlyingBodyKeepsItsParabolaAndMomentumUnderOneForceForManySteps) {
  const std::unique_ptr<ModalBody> body = thrown_cube();
  body->want_detail(level(*body, 0, 16));
  const Momentum start = body->momentum();
  for (int k = 0; k < 48; ++k) move(*body);
  const Momentum end = body->momentum();
  const Vec3 fallen(0, -9.81 * 48 * kStep * body->mass(), 0);
  EXPECT_LT((end.linear - start.linear - fallen).norm(), 1e-9 * fallen.norm());
}

/// Makes each step twice, from the same state: with the detail wanted, and with that of before.
/// What the two differ by is what the change moves the body by in the step.
struct Changes {
  ModalBody& body;
  const ModalModel& model;
  DetailLevel before = body.detail_size().full.with_interval(1);
  std::vector<std::byte> state;
  double largest_jump = 0, largest = 0;

  Positions after(const DetailLevel& wanted) {
    StateArchive loading = StateArchive::loading(state);
    body.archive(loading);
    body.want_detail(wanted);
    move(body);
    return positions_of(body);
  }
  void step(const DetailLevel& wanted) {
    StateArchive saving = StateArchive::saving(state);
    body.archive(saving);
    const Positions plain = after(before), changed = after(wanted);
    largest_jump = std::max(largest_jump, largest_row(changed - plain));
    const RestPlace place = body.rest_place();
    for (int i = 0; i < body.node_count(); ++i) {
      const Vec3 X = model.rest_positions().row(i), x = changed.row(i);
      largest = std::max(largest, (x - place.position - place.rotation * X).norm());
    }
    before = wanted;
  }
};

TEST(DetailLevel, ModesThatAreDroppedAndComeBackMoveNothingByAJump) {
  ModalBody body(test::soft_bar(), warped({0.5, 0.001}), gravity());
  Changes changes{body, test::soft_bar()};
  int least = 8;
  for (int k = 0; k < 300; ++k) {
    changes.step(level(body, k / 50 % 2 == 0 ? 3 : 8, 1));
    least = std::min(least, body.detail_now().modes);
  }
  EXPECT_EQ(least, 3);
  EXPECT_EQ(body.detail_now().modes, 8);
  EXPECT_LT(changes.largest_jump, 0.1 * changes.largest);
}

TEST(DetailLevel, AFlyingBodyChangesItsDetailWithoutAJump) {
  const std::unique_ptr<ModalBody> body = thrown_cube({1, 0.002});
  Changes changes{*body, cube()};
  for (int k = 0; k < 240; ++k) {
    const int part = k / 40 % 3;  // every interval is broken off somewhere
    changes.step(level(*body, part == 1 ? 4 : 12, part == 0 ? 7 : part == 1 ? 16 : 1));
  }
  EXPECT_LT(changes.largest_jump, 0.1 * changes.largest);
}

TEST(DetailLevel, AtRestModesComeAndGoWithoutAnyMotion) {
  ModalBody body(test::soft_bar(), warped({2, 0.01}), gravity());
  ASSERT_TRUE(body.settle().converged);
  const Positions rest = positions_of(body);
  double farthest = 0;
  for (int k = 0; k < 240; ++k) {
    body.want_detail(level(body, k < 60 ? 2 : k < 120 ? 5 : 8, 1));
    move(body);
    farthest = std::max(farthest, largest_row(positions_of(body) - rest));
  }
  EXPECT_EQ(body.detail_now().modes, 8);
  // The tolerance of settle(), 1e-10 of the loads, moves it by so much of its sag of a metre.
  EXPECT_LT(farthest, 1e-8);
}

TEST(DetailLevel, ModesThatStandKeepTheirPlaceInTheShape) {
  // The sums over the modes that move and what the others add once: the same shape.
  ModalBody body(test::soft_bar(), warped({2, 0.01}), gravity());
  for (int k = 0; k < 60; ++k) {
    body.want_detail(level(body, 3, 1));
    move(body);
  }
  ASSERT_EQ(body.detail_now().modes, 3);
  const Vector q = Eigen::Map<const Vector>(body.modal().data(), 8);
  EXPECT_GT(q.tail(5).norm(), 0);
  ModalBody twin(test::soft_bar(), warped({2, 0.01}), gravity());
  twin.set_state(q, Vector::Zero(8));
  EXPECT_LT(largest_row(positions_of(body) - positions_of(twin)), 1e-13);
}

TEST(DetailLevel, ASnapshotInTheMiddleOfFadesComesBackToTheLastBit) {
  const std::unique_ptr<ModalBody> body = thrown_cube({0.1, 0.001});
  const auto run = [&](int from, int to) {
    for (int k = from; k < to; ++k) {
      body->want_detail(level(*body, k % 50 < 25 ? 4 : 10, 1 + 6 * (k % 2)));
      move(*body);
    }
  };
  run(0, 33);
  std::vector<std::byte> bytes;
  StateArchive saving = StateArchive::saving(bytes);
  body->archive(saving);
  run(33, 80);
  const Positions end = positions_of(*body);
  StateArchive loading = StateArchive::loading(bytes);
  body->archive(loading);
  run(33, 80);
  EXPECT_EQ(positions_of(*body), end);
}

TEST(DetailLevel, BodiesThatAreShakenOrPushedHaveAForceAStep) {
  const SupportMotion shaken({{0, Vec3::Zero()}, {1, Vec3(0.1, 0, 0)}, {2, Vec3::Zero()}});
  const ModalBody on_support(test::soft_bar(), warped({}), gravity(), shaken);
  EXPECT_FALSE(on_support.detail_choice().interval);
  Loads pushed = gravity();
  pushed.forces.push_back({{4}, Vec3(1, 0, 0)});
  const ModalBody under_force(test::soft_bar(), warped({}), pushed);
  EXPECT_FALSE(under_force.detail_choice().interval);
  EXPECT_TRUE(under_force.detail_choice().modes);
}

}  // namespace
}  // namespace limber::detail_level_tests
