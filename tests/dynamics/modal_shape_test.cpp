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

struct Law {
  Method method;
  LoadLaw loads;
};

/// x(q) of a node, written out.
Vec3 place(const ModalModel& body, Method method, int i, const Vector& q) {
  const Vec3 u = body.Phi().middleRows<3>(3 * i) * q;
  const Vec3 w = body.Psi().middleRows<3>(3 * i) * q;
  const Vec3 x = body.rest_positions().row(i);
  return x + (method == Method::modal_warping ? Vec3(mean_rotation(w) * u) : u);
}

/// ∂x/∂q of a node (3×m) by central differences: truncation step² = 1e-8, rounding 1e-12.
Eigen::MatrixXd place_derivative(const ModalModel& body, Method method, int i, const Vector& q) {
  const double step = 1e-4;
  Eigen::MatrixXd B(3, q.size());
  for (int j = 0; j < q.size(); ++j) {
    const Vector d = step * Vector::Unit(q.size(), j);
    // Fourth order, so that truncation is below rounding.
    B.col(j) = (8 * (place(body, method, i, q + d) - place(body, method, i, q - d)) -
                (place(body, method, i, q + 2 * d) - place(body, method, i, q - 2 * d))) /
               (12 * step);
  }
  return B;
}

/// The rows (3n×m) that forces act through: ∂x/∂q, or RΦ.
Eigen::MatrixXd dense_rows(const ModalModel& body, const Law& law, const Vector& q) {
  Eigen::MatrixXd rows(3 * body.node_count(), q.size());
  for (int i = 0; i < body.node_count(); ++i) {
    const Vec3 w = body.Psi().middleRows<3>(3 * i) * q;
    if (law.method == Method::modal_warping && law.loads == LoadLaw::rotated) {
      rows.middleRows<3>(3 * i) = rotation_exp(w) * body.Phi().middleRows<3>(3 * i);
    } else {
      rows.middleRows<3>(3 * i) = place_derivative(body, law.method, i, q);
    }
  }
  return rows;
}

/// Rowsᵀ M a with every factor a dense matrix; velocities are Rows v.
Vector dense_field_force(const ModalModel& body, const Law& law, const AccelerationField& field,
                         const Vector& q, const Vector& v) {
  const Eigen::MatrixXd rows = dense_rows(body, law, q);
  Vector a(3 * body.node_count());
  for (int i = 0; i < body.node_count(); ++i) {
    const Vec3 velocity = rows.middleRows<3>(3 * i) * v;
    a.segment<3>(3 * i) = field.uniform - field.gradient * place(body, law.method, i, q) -
                          2 * field.spin.cross(velocity);
  }
  return rows.transpose() * (dense_mass(body) * a);
}

class ModalForces : public testing::TestWithParam<Law> {
 protected:
  void SetUp() override {
    force->prepare_turning();
    force->set_groups({{{7, 11, 12}, {}}, {{3}, {}}});
  }
  const ModalModel& body = bar_body();
  std::unique_ptr<ModalShape> force = make_modal_shape(body, GetParam().method, GetParam().loads);
  const Vector zero = Vector::Zero(body.mode_count());
};

INSTANTIATE_TEST_SUITE_P(Laws, ModalForces,
                         testing::Values(Law{Method::linear_modal, LoadLaw::work},
                                         Law{Method::modal_warping, LoadLaw::work},
                                         Law{Method::modal_warping, LoadLaw::rotated}),
                         [](const auto& law) {
                           if (law.param.method == Method::linear_modal) return "Linear";
                           return law.param.loads == LoadLaw::work ? "Work" : "Rotated";
                         });

TEST_P(ModalForces, PointsMoveAsTheirDerivativesSay) {
  const Vector q = bent(body, 1.4, 9);
  const Vector v = bent(body, 2, 10);
  const BodyPoint point{{3, 8, 12, 5}, {0.4, 0.3, 0.2, 0.1}};
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(3, q.size());
  Vec3 where = Vec3::Zero();
  for (int k = 0; k < 4; ++k) {
    expected += point.weights[k] * place_derivative(body, GetParam().method, point.nodes[k], q);
    where += point.weights[k] * place(body, GetParam().method, point.nodes[k], q);
  }
  ThreeRows B(3, q.size());
  force->derivative(point, q, B);
  EXPECT_LT((B - expected).norm(), 1e-10 * expected.norm());
  EXPECT_LT((force->position(point, q) - where).norm(), 1e-14);
  EXPECT_LT((force->velocity(point, q, v) - B * v).norm(), 1e-13 * (1 + (B * v).norm()));
}

TEST_P(ModalForces, ManyPointsAtOnceAreAsOneByOne) {
  const Vector q = bent(body, 1.4, 9);
  const Vector v = bent(body, 2, 10);
  std::vector<BodyPoint> points;
  std::vector<Mat3> directions;
  for (int k = 0; k < 23; ++k) {  // more than are taken at a time, of one to four nodes
    const int node = k % body.node_count();
    points.push_back(
        k % 3 == 0 ? BodyPoint::at_node(node)
                   : BodyPoint{{node, 8, 12, 5}, {0.4, 0.3, 0.3 - 0.1 * (k % 2), 0.1 * (k % 2)}});
    directions.push_back(rotation_exp({0.1 * k, 1, -0.2 * k}));
  }
  std::vector<PlaceAndRate> motion(points.size());
  force->motion(points, q, v, motion);
  const std::ptrdiff_t stride = q.size() + 3;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Constant(stride, 3 * 23, 99);
  force->direction_rows(points, directions.data(), q, rows.data(), stride);
  ThreeRows B(3, q.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_LT((motion[k].place - force->position(points[k], q)).norm(), 1e-14) << k;
    EXPECT_LT((motion[k].rate - force->velocity(points[k], q, v)).norm(), 1e-13) << k;
    force->derivative(points[k], q, B);
    const Eigen::MatrixXd expected = B.transpose() * directions[k];
    const auto found = rows.middleCols<3>(3 * static_cast<Eigen::Index>(k)).topRows(q.size());
    EXPECT_LT((found - expected).norm(), 1e-13 * (1 + expected.norm())) << k;
  }
  EXPECT_EQ(rows(stride - 1, 5), 99);  // what lies between rows is left alone
}

TEST_P(ModalForces, TheMassMovesByItsRows) {
  const Vector q = bent(body, 1.3, 11);
  const Vec3 centre = force->rest_centre() + force->shift(q);
  ThreeRows S(3, q.size()), L(3, q.size());
  force->mass_rows(q, centre, S, L);
  for (int k = 0; k < q.size(); ++k) {
    const MassMotion motion = force->mass_motion(q, Vector::Unit(q.size(), k));
    EXPECT_LT((motion.shift_rate - S.col(k)).norm(), 1e-12 * (1 + motion.shift_rate.norm())) << k;
    EXPECT_LT((motion.spin_momentum - L.col(k)).norm(), 1e-12 * (1 + motion.spin_momentum.norm()))
        << k;
  }
}

TEST_P(ModalForces, TheMassCentreShiftsAsItsDerivativeSays) {
  const Vector q = bent(body, 1.3, 11);
  const Vector v = bent(body, 2, 12);
  const MassMotion motion = force->mass_motion(q, v);
  EXPECT_LT((motion.shift - force->shift(q)).norm(), 1e-14);
  ThreeRows rows(3, q.size());
  force->shift_rows(q, rows);
  EXPECT_LT((motion.shift_rate - rows * v).norm(), 1e-12 * (1 + motion.shift_rate.norm()));
  const double step = 1e-5;
  const Vec3 rate = (force->shift(q + step * v) - force->shift(q - step * v)) / (2 * step);
  EXPECT_LT((motion.shift_rate - rate).norm(), 1e-8 * (1 + rate.norm()));
}

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
      EXPECT_LT((f - reference).norm(), 1e-9 * reference.norm() + 1e-13);  // differences
    }
  }
}

TEST_P(ModalForces, NodalForcesActThroughTheirNodesRows) {
  const Vector q = bent(body, 1.5, 2);
  const Vec3 F(1, -2, 0.5);
  Vector f = zero;
  force->add_nodal(0, F, q, f);
  const Eigen::MatrixXd rows = dense_rows(body, GetParam(), q);
  Vector reference = zero;
  for (const int i : {7, 11, 12}) reference += rows.middleRows<3>(3 * i).transpose() * F;
  EXPECT_LT((f - reference).norm(), 1e-10 * reference.norm());
}

TEST(ModalShapes, ForcesOfALoadByWorkHaveAPotential) {
  const ModalModel& body = bar_body();
  const auto shape = make_modal_shape(body, Method::modal_warping);
  const Vector q = bent(body, 1.5, 2);
  Eigen::MatrixXd df = Eigen::MatrixXd::Zero(q.size(), q.size());
  AccelerationField gravity;
  gravity.uniform = {0.3, -9.81, 2};
  shape->add_field_jacobian(gravity, q, df);
  EXPECT_LT((df - df.transpose()).norm(), 1e-12 * df.norm());
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
  if (GetParam().method == Method::linear_modal) {
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
