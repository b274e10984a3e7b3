// Modal forces against the formulas written out with dense matrices, and their derivatives
// against finite differences.
#include "limber/dynamics/modal/modal_shape.h"

#include <gtest/gtest.h>

#include "bodies.h"
#include "limber/core/rotation.h"

namespace limber {
namespace {

using test::dense_body;
using test::dense_mass;

const ModalModel& bar_body() {
  static const ModalModel body = [] {
    const TetMesh mesh = bar({1, 0.3, 0.2}, {4, 2, 1});
    return dense_body(mesh, {2e5, 0.3, 1000}, test::nodes_at(mesh, 0, 0), 14);
  }();
  return body;
}

AccelerationField spinning_field() {
  FrameState frame;
  frame.rotation = rotation_exp({0.3, -0.7, 1.1});
  frame.acceleration = {1, -2, 3};
  frame.angular_velocity = {2, -3, 1};
  frame.angular_acceleration = {4, 1, -5};
  return inertial_field(frame, {0, -9.81, 0.5});
}

/// Amplitudes that turn nodes by up to `angle`.
Vector bent(const ModalModel& body, double angle, unsigned seed) {
  std::srand(seed);
  const Vector q = Vector::Random(body.mode_count()).cwiseQuotient(body.eigenvalues());
  const Vector w = body.Psi() * q;
  return q * (angle / w.reshaped(3, body.node_count()).colwise().norm().maxCoeff());
}

/// Φᵀ Rᵀ M a with every factor a dense matrix.
Vector dense_field_force(const ModalModel& body, Method method, const AccelerationField& field,
                         const Vector& q, const Vector& v) {
  const int n = body.node_count();
  Vector a(3 * n);
  Eigen::MatrixXd R = Eigen::MatrixXd::Identity(3 * n, 3 * n);
  for (int i = 0; i < n; ++i) {
    Vec3 x = body.rest_positions().row(i);
    Vec3 velocity = body.Phi().middleRows<3>(3 * i) * v;
    Vec3 u = body.Phi().middleRows<3>(3 * i) * q;
    if (method == Method::modal_warping) {
      const Vec3 w = body.Psi().middleRows<3>(3 * i) * q;
      R.block<3, 3>(3 * i, 3 * i) = rotation_exp(w);
      velocity = rotation_exp(w) * velocity;
      u = mean_rotation(w) * u;
    }
    x += u;
    a.segment<3>(3 * i) = field.uniform - field.gradient * x - 2 * field.spin.cross(velocity);
  }
  return body.Phi().transpose() * (R.transpose() * (dense_mass(body) * a));
}

class ModalForces : public testing::TestWithParam<Method> {
 protected:
  void SetUp() override {
    force->prepare_turning();
    force->set_groups({{{7, 11, 12}, {}}, {{3}, {}}});
  }
  const ModalModel& body = bar_body();
  std::unique_ptr<ModalShape> force = make_modal_shape(body, GetParam());
  const Vector zero = Vector::Zero(body.mode_count());
};

INSTANTIATE_TEST_SUITE_P(Methods, ModalForces,
                         testing::Values(Method::linear_modal, Method::modal_warping),
                         [](const auto& method) {
                           return method.param == Method::linear_modal ? "Linear" : "Warping";
                         });

TEST_P(ModalForces, FieldsActAsWithDenseMatrices) {
  const Vector v = bent(body, 3, 8);
  AccelerationField uniform;
  uniform.uniform = {0.3, -9.81, 2};
  for (const double angle : {0.0, 0.2, 2.0}) {
    const Vector q = bent(body, angle, 4);
    for (const AccelerationField& field : {uniform, spinning_field()}) {
      Vector f = zero;
      force->add_field(field, q, v, f);
      const Vector reference = dense_field_force(body, GetParam(), field, q, v);
      EXPECT_LT((f - reference).norm(), 1e-13 * reference.norm() + 1e-13);  // sums of 30 nodes
    }
  }
}

TEST_P(ModalForces, NodalForcesAreTurnedBackAtEachNode) {
  const Vector q = bent(body, 1.5, 2);
  const Vec3 F(1, -2, 0.5);
  Vector f = zero;
  force->add_nodal(0, F, q, f);
  Vector reference = zero;
  for (const int i : {7, 11, 12}) {
    const Vec3 w = body.Psi().middleRows<3>(3 * i) * q;
    const Mat3 R = GetParam() == Method::modal_warping ? rotation_exp(w) : Mat3::Identity();
    reference += body.Phi().middleRows<3>(3 * i).transpose() * (R.transpose() * F);
  }
  EXPECT_LT((f - reference).norm(), 1e-14 * reference.norm());
}

TEST_P(ModalForces, JacobiansEqualFiniteDifferences) {
  const Vector q = bent(body, 1.2, 3);
  const Vec3 F(1, -2, 0.5);
  AccelerationField uniform;
  uniform.uniform = {0.3, -9.81, 2};
  const auto total = [&](const AccelerationField& field, const Vector& at) {
    Vector f = zero;
    force->add_field(field, at, zero, f);
    force->add_nodal(0, F, at, f);
    return f;
  };
  for (const AccelerationField& field : {uniform, spinning_field()}) {
    Eigen::MatrixXd exact = Eigen::MatrixXd::Zero(q.size(), q.size());
    force->add_field_jacobian(field, q, exact);
    force->add_nodal_jacobian(0, F, q, exact);
    Eigen::MatrixXd differences(q.size(), q.size());
    for (int j = 0; j < q.size(); ++j) {
      const double step = 1e-4;  // amplitudes are near 1: truncation and rounding below 1e-7
      const Vector d = step * Vector::Unit(q.size(), j);
      differences.col(j) = (total(field, q + d) - total(field, q - d)) / (2 * step);
    }
    EXPECT_LT((exact - differences).norm(), 1e-6 * (1 + exact.norm()));
  }
}

TEST_P(ModalForces, LocalCoriolisIsFootnoteTwo) {
  // −Φᵀ M Rᵀ Ṙ Φ v with Ṙ by central differences along v; truncation step² = 1e-10.
  const Vector q = bent(body, 1.1, 5);
  const Vector v = bent(body, 2.3, 6);
  Vector f = zero;
  force->add_local_coriolis(q, v, f);
  if (GetParam() == Method::linear_modal) {
    EXPECT_EQ(f, zero);
    return;
  }
  const double step = 1e-5;
  Vector a(3 * body.node_count());
  for (int i = 0; i < body.node_count(); ++i) {
    const auto R = [&](double t) {
      return rotation_exp(body.Psi().middleRows<3>(3 * i) * (q + t * v));
    };
    const Mat3 spin = R(0).transpose() * (R(step) - R(-step)) / (2 * step);
    a.segment<3>(3 * i) = -spin * (body.Phi().middleRows<3>(3 * i) * v);
  }
  const Vector reference = body.Phi().transpose() * (dense_mass(body) * a);
  EXPECT_LT((f - reference).norm(), 1e-8 * reference.norm());
}

TEST(InertialField, IsTheAccelerationSeenInAMovingFrame) {
  // A particle that is free in the world, X(t) = X₀ + V₀t + ½gt², seen in the frame as x(t) =
  // R(t)ᵀ(X − p(t)): its second derivative by finite differences (truncation step² · 1e3, rounding
  // eps/step²) must be the field's.
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(2.2, Vec3(1, 2, -1).normalized()));
  const SupportMotion motion({{0, {0, 0, 0}},
                              {1, {1, -1, 2}, turn},
                              {2, {0, 1, 1}, Eigen::Quaterniond(0.1, 0.8, 0.3, -0.5)}});
  const Vec3 g(0, -9.81, 1);
  const double t = 0.9;
  const double step = 1e-4;
  const auto x = [&](double time) -> Vec3 {
    const FrameState frame = motion.at(time);
    const double s = time - t;
    const Vec3 X = Vec3(0.5, 2, -1) + s * Vec3(1, 3, -2) + s * s / 2 * g;
    return frame.rotation.transpose() * (X - frame.position);
  };
  const Vec3 velocity = (x(t + step) - x(t - step)) / (2 * step);
  const Vec3 acceleration = (x(t + step) - 2 * x(t) + x(t - step)) / (step * step);
  const AccelerationField field = inertial_field(motion.at(t), g);
  const Vec3 expected = field.uniform - field.gradient * x(t) - 2 * field.spin.cross(velocity);
  EXPECT_LT((acceleration - expected).norm(), 1e-5 * expected.norm());
}

}  // namespace
}  // namespace limber
