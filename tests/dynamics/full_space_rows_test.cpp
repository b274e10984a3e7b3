// Impulses along rows at full resolution: against dense algebra, momenta, what scaled rows promise.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/core/rotation.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

constexpr double kStep = 0.01;

BodyRow row_at(const FullBody& body, const BodyPoint& point, const Vec3& direction) {
  PointState state;
  body.point_states({&point, 1}, {&state, 1});
  return {point, direction.normalized(), state.position, false};
}

/// A node, a point within a triangle and a point within a tet, three directions each.
std::vector<BodyRow> some_rows(const FullBody& body) {
  const Tets& T = body.simulated_mesh().mesh().T;
  const int last = body.simulated_mesh().mesh().tet_count() - 1;
  const std::array<BodyPoint, 3> points{
      BodyPoint::at_node(body.node_count() - 1),
      BodyPoint{{T(last / 2, 0), T(last / 2, 1), T(last / 2, 2), 0}, {0.2, 0.5, 0.3, 0}},
      BodyPoint{{T(last, 0), T(last, 1), T(last, 2), T(last, 3)}, {0.1, 0.2, 0.3, 0.4}}};
  std::vector<BodyRow> rows;
  for (const BodyPoint& point : points) {
    for (int c = 0; c < 3; ++c) {
      rows.push_back(row_at(body, point, Vec3::Unit(c) + Vec3(0.3, -0.2, 0.1)));
    }
  }
  return rows;
}

Eigen::MatrixXf scaled_rows(FullBody& body, const std::vector<BodyRow>& rows) {
  const int count = static_cast<int>(rows.size());
  body.reserve_rows(count);
  Eigen::Matrix<float, -1, -1, Eigen::RowMajor> scaled(count, body.row_length(count));
  body.set_rows(rows, kStep, scaled.data(), scaled.cols());
  return scaled;
}

Vector row_velocities(const FullBody& body, const std::vector<BodyRow>& rows) {
  Vector velocities(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    PointState state;
    body.point_states({&rows[k].point, 1}, {&state, 1});
    velocities[k] = rows[k].direction.dot(state.velocity);
  }
  return velocities;
}

const Vector kImpulses = (Vector(9) << 0.2, 0, -0.1, 0.3, 0.1, 0, -0.2, 0.1, 0.05).finished();

class Rows : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Rows, testing::ValuesIn(kAllFullMethods));

TEST(RowResponse, OfAClampedBodyAtRestIsThatOfADenseInverse) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  FullBodyOptions options = with(Method::corotational);
  options.damping = {0.5, 0.002};
  FullBody body(mesh, kRubber, clamped_end(mesh), options);
  const std::vector<BodyRow> rows = some_rows(body);
  const Eigen::MatrixXd scaled = scaled_rows(body, rows).cast<double>();
  const SimulatedMesh& simulated = body.simulated_mesh();
  BlockMatrix A(simulated.pattern());
  simulated.set_mass(1 + kStep * 0.5, A);
  make_elasticity(simulated, options)->add_tangent(kStep * kStep, kStep * 0.002, Tangent::safe, A);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows.size(), A.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const int row = simulated.free().free_index(rows[i].point.nodes[k]);
      if (row < 0) continue;
      J.block<1, 3>(i, 3 * row) += rows[i].point.weights[k] * rows[i].direction.transpose();
    }
  }
  const Eigen::MatrixXd W = J * Eigen::MatrixXd(A.to_sparse()).ldlt().solve(J.transpose());
  // Columns are solved to 1e-7 in a norm that weighs stiff directions most, and kept in single
  // precision.
  EXPECT_LT((scaled * scaled.transpose() - W).norm(), 2e-5 * W.norm());
}

TEST_P(Rows, ImpulsesOfABodyAtRestDoWhatTheScaledRowsSay) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  for (const std::vector<int>& fixed : {clamped_end(mesh), std::vector<int>{}}) {
    FullBody body(mesh, kRubber, fixed, with(GetParam()));
    const std::vector<BodyRow> rows = some_rows(body);
    const Eigen::MatrixXd scaled = scaled_rows(body, rows).cast<double>();
    ASSERT_FALSE(body.predict(kStep, StepKind::touching));
    const Vector before = row_velocities(body, rows);
    body.apply({kImpulses.data(), 9}, true);
    const Vector change = row_velocities(body, rows) - before;
    const Vector told = scaled * (scaled.transpose() * kImpulses);
    EXPECT_LT((change - told).norm(), 1e-4 * told.norm());
    // Velocities and displacements in the coordinates of the scaled rows are those of the points.
    Eigen::VectorXf velocity(9), displacement(9);
    body.scaled_motion(velocity.data(), displacement.data());
    const Vector now = row_velocities(body, rows);
    EXPECT_LT((scaled * velocity.cast<double>() - now).norm(), 1e-4 * now.norm());
    EXPECT_LT((scaled * displacement.cast<double>() - kStep * now).norm(),
              1e-4 * kStep * now.norm());
    ASSERT_FALSE(body.commit());
    EXPECT_LT((row_velocities(body, rows) - now).norm(), 1e-12 * now.norm());
  }
}

TEST_P(Rows, FreeBodiesTakeExactlyTheMomentumOfTheImpulses) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  for (const bool move : {true, false}) {
    FullBody body(mesh, kRubber, {}, with(GetParam()));
    Positions x = mesh.V, v(mesh.node_count(), 3);
    for (int node = 0; node < mesh.node_count(); ++node) {
      const Vec3 X = mesh.V.row(node).transpose();
      x.row(node) += Eigen::RowVector3d(0, 0.1 * X.x() * X.x(), 0);
      v.row(node) = (Vec3(1, 2, 0) + Vec3(0.5, 1, 2).cross(X)).transpose();
    }
    body.set_node_state(x, v);
    std::vector<BodyRow> rows = some_rows(body);
    Momentum expected = body.momentum();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows[k].place += Vec3(0.01, -0.02, 0.01);  // a gap: the impulse acts beside the point
      expected.linear += kImpulses[k] * rows[k].direction;
      expected.angular += kImpulses[k] * rows[k].place.cross(rows[k].direction);
    }
    scaled_rows(body, rows);
    ASSERT_FALSE(body.predict(kStep, StepKind::touching));
    body.apply({kImpulses.data(), 9}, move);
    ASSERT_FALSE(body.commit());
    const Momentum momentum = body.momentum();
    EXPECT_LT((momentum.linear - expected.linear).norm(), 1e-12 * expected.linear.norm());
    EXPECT_LT((momentum.angular - expected.angular).norm(), 1e-12 * expected.angular.norm());
  }
}

// Angular rows: the body as a whole, stiff, answers with I⁻¹ to a couple.
TEST(RowResponse, CouplesTurnAStiffBodyAsARigidOne) {
  const TetMesh mesh = bar({0.4, 0.3, 0.2}, {4, 3, 2});
  FullBody body(mesh, Material{1e9, 0.3, 1000}, {}, with(Method::corotational));
  const BodyPoint point = BodyPoint::at_node(nearest_node(mesh, Vec3(0.2, 0.1, 0.1)));
  std::vector<BodyRow> rows;
  for (int c = 0; c < 3; ++c) rows.push_back({point, Vec3::Unit(c), Vec3::Zero(), true});
  const Eigen::MatrixXd scaled = scaled_rows(body, rows).cast<double>();
  MomentumKeeper keeper(body.simulated_mesh());
  const Eigen::MatrixXd W = scaled * scaled.transpose();
  const Mat3 expected = keeper.inertia(mesh.V).inverse();
  // What deforms within the step is 1/(hω)², ω > c/L = 2500/s for waves of 1000 m/s across 0.4 m:
  // 1.6e-3, and more around the point itself.
  EXPECT_LT((W - expected).norm(), 2e-2 * expected.norm());
}

// A contact that stops a body dead leaves it where it was.
TEST_P(Rows, AHeldPointHardlyAnswers) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()));
  const int tip = mesh.node_count() - 1;
  const std::vector<BodyRow> rows{row_at(body, BodyPoint::at_node(tip), Vec3::UnitY())};
  const double loose = scaled_rows(body, rows).squaredNorm();
  hold(body, tip, mesh.V.row(tip).transpose(), INFINITY);
  EXPECT_LT(scaled_rows(body, rows).squaredNorm(), 1e-4 * loose);
}

TEST(RowResponse, APointOnTheSupportDoesNotMove) {
  const TetMesh mesh = small_bar();
  FullBody body(mesh, kRubber, clamped_end(mesh), with(Method::corotational));
  const BodyPoint fixed = BodyPoint::at_node(clamped_end(mesh)[0]);
  const std::vector<BodyRow> rows{row_at(body, fixed, Vec3::UnitY())};
  scaled_rows(body, rows);
  ASSERT_FALSE(body.predict(kStep, StepKind::touching));
  const double push = 10;
  body.apply({&push, 1}, true);
  ASSERT_FALSE(body.commit());
  EXPECT_LT(body.velocities().norm(), 1e-12);
}

TEST_P(Rows, OfAStepThatCannotBeFactoredAreZero) {
  const TetMesh mesh = small_bar();
  FullBody body(mesh, kRubber, clamped_end(mesh), with(GetParam()));
  const std::vector<BodyRow> rows = some_rows(body);
  Eigen::MatrixXf scaled = scaled_rows(body, rows);
  EXPECT_GT(scaled.norm(), 0);
  body.set_rows(rows, 1e200, scaled.data(), scaled.cols());  // h² is infinite
  EXPECT_EQ(scaled.norm(), 0);
  EXPECT_TRUE(body.predict(1e200, StepKind::touching));
}

}  // namespace
}  // namespace limber
