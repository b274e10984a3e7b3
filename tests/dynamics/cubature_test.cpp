// Gravity by cubature against the sum over all nodes, on states it has not been trained on.
#include "limber/dynamics/modal/cubature.h"
#include "support/stepping.h"

#include <gtest/gtest.h>

#include "bodies.h"
#include "limber/core/error.h"
#include "limber/core/nonnegative.h"
#include "limber/dynamics/modal/modal_body.h"
#include "support/sanitizers.h"

namespace limber {
namespace {

struct Shape {
  const char* name;
  TetMesh mesh;
  int axis;  // clamped where this coordinate is lowest
};

std::vector<Shape> five_shapes() {
  return {{"bar", bar({1, 0.2, 0.2}, {10, 2, 2}), 0},
          {"cylinder", cylinder(0.1, 1, 8, 8, 2), 1},
          {"tube", tube(0.2, 0.15, 1, 8, 8, 1), 1},
          {"sheet", sheet({1, 0.03, 0.6}, {8, 1, 6}), 0},
          {"sphere", sphere(0.5, 2), 1}};
}

ModalModel clamped(const Shape& shape, int modes) {
  const auto along = shape.mesh.V.col(shape.axis);
  std::vector<int> fixed;
  for (int i = 0; i < shape.mesh.node_count(); ++i) {
    if (along[i] < along.minCoeff() + 0.1) fixed.push_back(i);
  }
  return test::dense_body(shape.mesh, {2e5, 0.3, 1000}, fixed, modes);
}

Vector exact(ModalShape& force, const Vec3& acceleration, const Vector& q) {
  Vector f = Vector::Zero(q.size());
  AccelerationField field;
  field.uniform = acceleration;
  force.add_field(field, q, Vector::Zero(q.size()), f);
  return f;
}

TEST(Cubature, StaysBelowHalfAPercentOnFiveBodiesAndUntrainedStates) {
  std::vector<Shape> shapes = five_shapes();
  if (under_sanitizers()) shapes.resize(1);  // the work is the same for each
  for (const Shape& shape : shapes) {
    const ModalModel body = clamped(shape, 20);
    Cubature cubature(body);
    const auto force = make_modal_shape(body, Method::modal_warping, LoadLaw::rotated);
    const Eigen::MatrixXd states = random_states(body, 60, 1.5, 4711);
    double sum = 0;
    double worst = 0;
    const std::vector<Vec3> directions{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, -5, 2}};
    for (int k = 0; k < states.cols(); ++k) {
      for (const Vec3& a : directions) {
        const Vector q = states.col(k);
        const Vector reference = exact(*force, a, q);
        Vector f = Vector::Zero(20);
        cubature.add_force(a, q, f);
        const double error = (f - reference).norm() / reference.norm();
        sum += error;
        worst = std::max(worst, error);
      }
    }
    EXPECT_LT(sum / 240, 1e-3) << shape.name;
    EXPECT_LT(worst, 5e-3) << shape.name;
  }
}

TEST(Cubature, IsExactForSmallRotationsAndForOddNumbersOfModes) {
  // The linear part is kept whole, so the error falls with the square of the rotation, down to
  // the rounding of floats.
  const std::vector<int> counts = under_sanitizers() ? std::vector{1, 3} : std::vector{1, 3, 8, 17};
  for (const int modes : counts) {
    const ModalModel body = clamped(five_shapes()[0], modes);
    Cubature cubature(body);
    const auto force = make_modal_shape(body, Method::modal_warping, LoadLaw::rotated);
    const Eigen::MatrixXd states = random_states(body, 5, 1e-3, 5);
    for (int k = 0; k < states.cols(); ++k) {
      const Vec3 a(1, -9.8, 2);
      const Vector reference = exact(*force, a, states.col(k));
      Vector f = Vector::Ones(modes);
      cubature.add_force(a, states.col(k), f);
      EXPECT_LT((f - Vector::Ones(modes) - reference).norm(), 2e-6 * reference.norm());
    }
  }
}

TEST(Cubature, StaysBoundedFarBeyondItsTraining) {
  const ModalModel body = clamped(five_shapes()[0], 8);
  Cubature cubature(body);
  const Eigen::MatrixXd states = random_states(body, 20, 40, 5);  // several full turns
  const double weight = exact(*make_modal_shape(body, Method::modal_warping, LoadLaw::rotated),
                              {0, -9.8, 0}, Vector::Zero(8))
                            .norm();
  for (int k = 0; k < states.cols(); ++k) {
    Vector f = Vector::Zero(8);
    cubature.add_force({0, -9.8, 0}, states.col(k), f);
    EXPECT_TRUE(f.allFinite());
    EXPECT_LT(f.norm(), 100 * weight);
  }
}

TEST(Cubature, AFastBodyMovesLikeTheExactOne) {
  const ModalModel body = clamped(five_shapes()[0], 8);
  Loads loads;
  loads.gravity.push_back({{0, -9.8, 0}});
  ModalBodyOptions options;
  options.damping = {0.5, 0.01};
  ModalBody slow(body, options, loads);
  options.fast = true;
  ModalBody fast(body, options, loads);
  for (int i = 0; i < 120; ++i) {
    step(slow, 1.0 / 60);
    step(fast, 1.0 / 60);
    ASSERT_LT((fast.q() - slow.q()).norm(), 5e-3 * slow.q().norm());
  }
  ASSERT_TRUE(fast.settle().converged);
  ASSERT_TRUE(slow.settle().converged);
  EXPECT_LT((fast.q() - slow.q()).norm(), 5e-3 * slow.q().norm());
}

TEST(Cubature, TrainsTheSameRuleEveryTime) {
  const ModalModel body = clamped(five_shapes()[0], 8);
  CubatureOptions few;
  few.nodes = 12;
  const CubatureRule first = train_cubature(body, few);
  const CubatureRule second = train_cubature(body, few);
  EXPECT_EQ(first.nodes, second.nodes);
  EXPECT_EQ(first.outputs, second.outputs);
  EXPECT_EQ(first.nodes.size(), 12U);
  few.nodes = 0;
  EXPECT_THROW(Cubature(body, few), Error);
}

TEST(NonnegativeLeastSquares, MeetsItsOptimalityConditions) {
  // x ≥ 0, no gradient where x > 0, and none that would help where x = 0.
  std::srand(9);
  for (int size = 1; size <= 30; ++size) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(40, size);
    const Vector b = Vector::Random(40);
    const Vector x = nonnegative_least_squares(A.transpose() * A, A.transpose() * b);
    const Vector gradient = A.transpose() * (b - A * x);
    for (int i = 0; i < size; ++i) {
      EXPECT_GE(x[i], 0);
      if (x[i] > 0) {
        EXPECT_NEAR(gradient[i], 0, 1e-11);
      } else {
        EXPECT_LE(gradient[i], 1e-10);
      }
    }
  }
}

}  // namespace
}  // namespace limber
