// The mass of a warped body by few nodes against sums over all of them, on states it has not seen.
#include "limber/dynamics/modal/mass_samples.h"

#include <gtest/gtest.h>

#include "bodies.h"
#include "limber/dynamics/modal/cubature_training.h"
#include "limber/dynamics/modal/modal_shape.h"
#include "limber/modes/bake.h"

namespace limber {
namespace {

struct Case {
  const char* name;
  ModalModel model;
};

std::vector<Case> bodies() {
  const Material soft{2e5, 0.3, 1000};
  const TetMesh long_bar = bar({1, 0.2, 0.2}, {10, 3, 3});
  const TetMesh ball = sphere(0.5, 3);
  const TetMesh pipe = tube(0.2, 0.15, 1, 8, 8, 1);
  return {{"clamped bar", bake(long_bar, soft, test::nodes_at(long_bar, 0, 0), {20})},
          {"free bar", bake(long_bar, soft, {}, {20})},
          {"ball", bake(ball, soft, {}, {20})},
          {"tube", bake(pipe, soft, {}, {16})}};
}

double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double scale) {
  return (a - b).norm() / scale;
}

TEST(MassSamples, ComeWithinAPercentOfForcesAndThreeOfMomentsOnUntrainedStates) {
  for (const Case& body : bodies()) {
    const int modes = body.model.mode_count();
    MassSamples samples(body.model, train_mass_rule(body.model));
    const auto exact = make_modal_shape(body.model, Method::modal_warping);
    exact->prepare_turning();
    const Eigen::MatrixXd states = random_states(body.model, 40, 1.5, 4711);
    const Eigen::MatrixXd rates = random_states(body.model, 40, 1.5, 4712);
    const double mass = exact->mass();
    AccelerationField uniform;
    uniform.uniform = {1, -9.81, 2};
    double force = 0, inertia = 0, spin = 0;
    for (int k = 0; k < states.cols(); ++k) {
      const Vector q = states.col(k), v = rates.col(k);
      Vector f = Vector::Zero(modes), reference = f;
      samples.add_field(uniform, q, v, f);
      exact->add_field(uniform, q, v, reference);
      const MassMotion whole = exact->mass_motion(q, v);
      const MassMotion few = samples.motion(q, v);
      // √m |a| is what the field does to a mode that moves all of the body.
      const double scale = std::sqrt(mass) * uniform.uniform.norm();
      force = std::max(force, relative(f, reference, scale));
      inertia = std::max(inertia, relative(few.inertia, whole.inertia, whole.inertia.norm()));
      spin = std::max(spin, (few.spin_momentum - whole.spin_momentum).norm() /
                                (whole.inertia.norm() * v.norm() / q.norm()));
    }
    EXPECT_LT(force, 0.01) << body.name;
    EXPECT_LT(inertia, 0.02) << body.name;
    EXPECT_LT(spin, 0.03) << body.name;
  }
}

TEST(MassSamples, AreTheirOwnDerivatives) {
  const ModalModel model = bodies()[1].model;
  MassSamples samples(model, train_mass_rule(model));
  const int modes = model.mode_count();
  const Eigen::MatrixXd states = random_states(model, 3, 1.2, 7);
  for (int k = 0; k < states.cols(); ++k) {
    const Vector q = states.col(k);
    ThreeRows rows(3, modes);
    samples.shift_rows(q, rows);
    // Sums are in float: a small step would drown in rounding, a large one wants a higher order.
    const double step = 2e-2 * q.norm();
    for (int j = 0; j < modes; ++j) {
      const auto difference = [&](double way) {
        const Vector change = way * Vector::Unit(modes, j);
        return Vec3((samples.shift(q + change) - samples.shift(q - change)) / (2 * way));
      };
      const Vec3 slope = (4 * difference(step) - difference(2 * step)) / 3;
      EXPECT_LT((rows.col(j) - slope).norm(), 1e-4 * rows.norm()) << j;
    }
    const Vector v = states.col((k + 1) % 3);
    EXPECT_LT((samples.motion(q, v).shift_rate - rows * v).norm(), 1e-5 * v.norm() * rows.norm());
    Vector f = Vector::Zero(modes);
    AccelerationField field;
    field.uniform = {3, 1, -2};
    samples.add_field(field, q, v, f);
    const double mass = 1000 * 0.04;
    EXPECT_LT((f - mass * rows.transpose() * field.uniform).norm(), 1e-5 * f.norm());
  }
}

TEST(MassSamples, AreExactForSmallMotions) {
  for (const Case& body : bodies()) {
    const int modes = body.model.mode_count();
    MassSamples samples(body.model, train_mass_rule(body.model));
    const auto exact = make_modal_shape(body.model, Method::modal_warping);
    exact->prepare_turning();
    const Vector q = random_states(body.model, 1, 1e-5, 3).col(0);
    const Vector v = random_states(body.model, 1, 1, 4).col(0);
    const MassMotion whole = exact->mass_motion(q, v);
    const MassMotion few = samples.motion(q, v);
    EXPECT_LT((few.inertia - whole.inertia).norm(), 1e-9 * whole.inertia.norm()) << body.name;
    EXPECT_LT((few.shift_rate - whole.shift_rate).norm(), 1e-9 * v.norm()) << body.name;
    AccelerationField field;
    field.uniform = {1, 2, 3};
    field.gradient << 1, 2, 3, -2, 1, 0.5, 0.1, 0.2, -3;
    Vector f = Vector::Zero(modes), reference = f;
    const Vector still = Vector::Zero(modes);
    samples.add_field(field, still, still, f);
    exact->add_field(field, still, still, reference);
    EXPECT_LT((f - reference).norm(), 1e-6 * (1 + reference.norm())) << body.name;
  }
}

}  // namespace
}  // namespace limber
