// Detail by residual modes: statics, steps against dense algebra, who wakes and rests.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "dynamics/bodies.h"
#include "limber/core/error.h"
#include "limber/dynamics/local/global_local_body.h"
#include "limber/dynamics/local/residual_detail.h"
#include "limber/modes/residual_analysis.h"

namespace limber::local_detail_tests {
namespace {

const Material kRubber{2e5, 0.3, 1000};

struct Example {
  TetMesh mesh = bar({1, 0.3, 0.3}, {6, 2, 2});
  ModalModel model = test::dense_body(mesh, kRubber, test::nodes_at(mesh, 0, 0), 10);
  ResidualModes modes = residual_modes(mesh, kRubber, model);
};

const Example& example() {
  static const Example made;
  return made;
}

LocalOptions options(double release_time = 0.1) {
  LocalOptions given;
  given.release_time = release_time;
  return given;
}

/// Rows along the axes at a contact node.
std::vector<DetailRow> rows_at(const ResidualModes& modes, std::initializer_list<int> numbers) {
  std::vector<DetailRow> rows;
  for (const int number : numbers) {
    for (int axis = 0; axis < 3; ++axis) {
      DetailRow row;
      row.nodes.fill(modes.contact_nodes[static_cast<std::size_t>(number)]);
      row.gradients[0] = Vec3::Unit(axis);
      rows.push_back(row);
    }
  }
  return rows;
}

/// K_χ or M_χ of some contact nodes.
Eigen::MatrixXd dense(const ResidualModes& modes, std::initializer_list<int> numbers,
                      bool stiffness) {
  const std::vector<int> list(numbers);
  const auto count = static_cast<Eigen::Index>(list.size());
  Eigen::MatrixXd matrix(3 * count, 3 * count);
  for (Eigen::Index a = 0; a < count; ++a) {
    for (Eigen::Index b = 0; b < count; ++b) {
      const int i = list[static_cast<std::size_t>(a)], j = list[static_cast<std::size_t>(b)];
      const std::ptrdiff_t pair = modes.find(std::min(i, j), std::max(i, j));
      const Mat3 block = stiffness ? modes.K_block(pair) : modes.M_block(pair);
      matrix.block<3, 3>(3 * a, 3 * b) = i <= j ? block : Mat3(block.transpose());
    }
  }
  return matrix;
}

struct Rows {
  int length;
  std::vector<float> values;
  Eigen::MatrixXf matrix(int rows) const {
    return Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(values.data(), rows,
                                                                           length);
  }
};

Rows set_rows(ResidualDetail& detail, const std::vector<DetailRow>& rows, double h) {
  const int count = static_cast<int>(rows.size());
  detail.reserve_rows(count);
  Rows set{detail.row_length(count), {}};
  set.values.resize(static_cast<std::size_t>(count * set.length));
  detail.set_rows(rows, h, set.values.data(), set.length);
  EXPECT_EQ(detail.row_length(count), set.length);  // as long as it was said before
  return set;
}

void push(ResidualDetail& detail, double h, const Vector& force) {
  detail.predict(h);
  const Vector impulse = h * force;
  detail.apply({impulse.data(), static_cast<std::size_t>(impulse.size())}, true);
  detail.commit();
}

TEST(ResidualDetail, RestsWhereStaticsSay) {
  const ResidualModes& modes = example().modes;
  ResidualDetail detail(modes, options(), 1);
  set_rows(detail, rows_at(modes, {3, 11, 7}), 1);
  Vector f = Vector::LinSpaced(9, -1, 2);
  for (int k = 0; k < 40; ++k) push(detail, 1, f);  // long steps: backward Euler damps all
  const Vector s = detail.amplitudes();
  ASSERT_EQ(s.size(), 9);
  // All three touched equally: awake in the order of their numbers.
  Vector sorted(9);
  sorted << f.segment<3>(0), f.segment<3>(6), f.segment<3>(3);
  EXPECT_LT((s - sorted).norm(), 1e-8 * f.norm());
  const Vector d = dense(modes, {3, 7, 11}, true) * sorted;
  for (const auto& [number, at] : {std::pair(3, 0), std::pair(7, 3), std::pair(11, 6)}) {
    const Vec3 seen = detail.displacement(modes.contact_nodes[static_cast<std::size_t>(number)]);
    EXPECT_LT((seen - d.segment<3>(at)).norm(), 1e-8 * d.norm());
  }
  // And a node that nothing touches has its share.
  const Eigen::MatrixXd with_other = dense(modes, {0, 3, 7, 11}, true);
  const Vec3 other = with_other.topRightCorner(3, 9) * sorted;
  EXPECT_LT((detail.displacement(modes.contact_nodes[0]) - other).norm(), 1e-8 * d.norm());
}

TEST(ResidualDetail, StepsAsBackwardEulerDoes) {
  const ResidualModes& modes = example().modes;
  const Damping damping{0.3, 0.002};
  ResidualDetail detail(modes, options(), 1);
  detail.set_damping(damping);
  const double h = 0.004;
  const auto rows = rows_at(modes, {5, 6});
  set_rows(detail, rows, h);
  const Eigen::MatrixXd K = dense(modes, {5, 6}, true), M = dense(modes, {5, 6}, false);
  const Eigen::MatrixXd S = (1 + damping.mass * h) * M + (damping.stiffness * h + h * h) * K;
  Vector s = Vector::Zero(6), rate = s, f(6);
  f << 1, -2, 0.5, 0.1, 3, -1;
  for (int step = 0; step < 30; ++step) {
    const Vector now = step < 10 ? f : Vector(Vector::Zero(6));
    rate = S.ldlt().solve(M * rate - h * K * s + h * K * now);
    s += h * rate;
    push(detail, h, now);
    EXPECT_LT((detail.amplitudes() - s).norm(), 1e-9 * f.norm()) << step;
    EXPECT_NEAR(detail.kinetic_energy(), rate.dot(M * rate) / 2, 1e-9 * f.dot(K * f));
    EXPECT_NEAR(detail.elastic_energy(), s.dot(K * s) / 2, 1e-9 * f.dot(K * f));
  }
}

TEST(ResidualDetail, RowsHaveTheComplianceInside) {
  const ResidualModes& modes = example().modes;
  ResidualDetail detail(modes, options(), 1);
  const double h = 0.004;
  const Rows rows = set_rows(detail, rows_at(modes, {2, 9}), h);
  const Eigen::MatrixXd K = dense(modes, {2, 9}, true), M = dense(modes, {2, 9}, false);
  const Eigen::MatrixXd W = K * (M + h * h * K).ldlt().solve(K);
  const Eigen::MatrixXd J = rows.matrix(6).cast<double>();
  EXPECT_LT((J * J.transpose() - W).norm(), 1e-5 * W.norm());  // rows are float
  // Velocities along the rows after an impulse are W p.
  detail.predict(h);
  const Vector p = Vector::LinSpaced(6, 1, 2);
  detail.apply({p.data(), 6}, false);
  std::vector<float> velocity(static_cast<std::size_t>(rows.length)), moved(velocity);
  detail.scaled_motion(velocity.data(), moved.data());
  const Eigen::VectorXf along =
      rows.matrix(6) * Eigen::Map<Eigen::VectorXf>(velocity.data(), rows.length);
  EXPECT_LT((along.cast<double>() - W * p).norm(), 1e-4 * (W * p).norm());
  const Vec3 rate = detail.velocity(modes.contact_nodes[2]);
  EXPECT_LT((rate - (W * p).head<3>()).norm(), 1e-8 * (W * p).norm());
}

TEST(ResidualDetail, TouchedNodesStayAndCalmOnesLeave) {
  const ResidualModes& modes = example().modes;
  LocalOptions given = options(0.05);
  given.max_nodes = 4;
  ResidualDetail detail(modes, given, 1);
  const double h = 0.01;
  for (int k = 0; k < 30; ++k) {  // touched without force
    set_rows(detail, rows_at(modes, {1, 2}), h);
    EXPECT_EQ(detail.node_count(), 2);
    push(detail, h, Vector::Zero(6));
  }
  set_rows(detail, rows_at(modes, {8}), h);
  EXPECT_EQ(detail.node_count(), 3);  // the others wait for their time
  push(detail, h, Vector::Zero(3));
  for (int k = 0; k < 6; ++k) {
    set_rows(detail, rows_at(modes, {8}), h);
    push(detail, h, Vector::Zero(3));
  }
  EXPECT_EQ(detail.node_count(), 1);
  // Never more than allowed, and those that carry a dent are not thrown out for others.
  set_rows(detail, rows_at(modes, {8}), h);
  push(detail, h, Vector::Constant(3, 100));
  set_rows(detail, rows_at(modes, {0, 1, 2, 3, 4, 5}), h);
  EXPECT_EQ(detail.node_count(), 4);
  EXPECT_NE(std::find(detail.awake().begin(), detail.awake().end(), 8), detail.awake().end());
}

TEST(ResidualDetail, RestsByItselfOnceNothingTouches) {
  const ResidualModes& modes = example().modes;
  ResidualDetail detail(modes, options(), 1);
  detail.set_damping({5, 0.02});
  const double h = 0.01;
  set_rows(detail, rows_at(modes, {4, 12}), h);
  for (int k = 0; k < 5; ++k) push(detail, h, Vector::Constant(6, 50));
  const int node = modes.contact_nodes[4];
  ASSERT_GT(detail.displacement(node).norm(), 1e-4);
  int steps = 0;
  for (; steps < 2000 && detail.node_count() > 0; ++steps) {  // rows come no more
    const Vec3 before = detail.displacement(node);
    detail.predict(h);
    detail.commit();
    if (detail.node_count() == 0) EXPECT_LT(before.norm(), 1e-4);  // nothing jumps
  }
  EXPECT_EQ(detail.node_count(), 0);
  EXPECT_GT(5 + steps, 25);  // since the rows were set: not within a frame
  EXPECT_EQ(detail.displacement(node), Vec3::Zero());
}

TEST(ResidualDetail, ChangingTheSetMovesNothing) {
  const ResidualModes& modes = example().modes;
  ResidualDetail detail(modes, options(), 1);
  const double h = 0.005;
  set_rows(detail, rows_at(modes, {4, 12}), h);
  for (int k = 0; k < 5; ++k) push(detail, h, Vector::Constant(6, 2));
  const int node = modes.contact_nodes[4];
  const Vec3 before = detail.displacement(node), rate = detail.velocity(node);
  set_rows(detail, rows_at(modes, {4, 12, 6, 15}), h);
  EXPECT_EQ(detail.node_count(), 4);
  EXPECT_LT((detail.displacement(node) - before).norm(), 1e-12 * before.norm());
  EXPECT_LT((detail.velocity(node) - rate).norm(), 1e-9 * rate.norm());
  detail.cancel();
  set_rows(detail, rows_at(modes, {4, 12, 6, 15}), h / 3);  // nor another step
  EXPECT_LT((detail.displacement(node) - before).norm(), 1e-10 * before.norm());
}

TEST(ResidualDetail, RefusesBadOptions) {
  const ResidualModes& modes = example().modes;
  LocalOptions bad;
  bad.tolerance = -1;
  EXPECT_THROW(ResidualDetail(modes, bad, 1), Error);
  bad = {};
  bad.max_nodes = 0;
  EXPECT_THROW(ResidualDetail(modes, bad, 1), Error);
  bad = {};
  bad.release_time = -1;
  EXPECT_THROW(ResidualDetail(modes, bad, 1), Error);
}

TEST(GlobalLocalBody, VelocitiesAreThoseOfThePositions) {
  const Example& made = example();
  GlobalLocalBody body(made.model, std::make_unique<ResidualDetail>(made.modes, options(), 1),
                       {Method::modal_warping, Integrator::semi_implicit}, {{{{0, -9.81, 0}}}, {}});
  const BodyPoint point = BodyPoint::at_node(made.modes.contact_nodes[20]);
  const double h = 1e-4;
  std::vector<BodyRow> rows(3);
  for (int axis = 0; axis < 3; ++axis)
    rows[static_cast<std::size_t>(axis)] = {point, Vec3::Unit(axis)};
  body.reserve_rows(3);
  std::vector<float> scaled(static_cast<std::size_t>(3 * body.row_length(3)));
  body.set_rows(rows, h, scaled.data(), body.row_length(3));
  const std::array<double, 3> impulses{0.001, -0.002, 0.0015};
  Positions x0(body.node_count(), 3), x1(x0), v(x0);
  for (int k = 0; k < 3; ++k) {
    body.node_positions(x0);
    ASSERT_FALSE(body.predict(h, StepKind::touching));
    body.apply(impulses, true);
    ASSERT_FALSE(body.commit());
    body.node_positions(x1);
    body.node_velocities(v);
  }
  EXPECT_EQ(body.local_nodes(), 1);
  PointState state;
  body.point_states({&point, 1}, {&state, 1});
  EXPECT_LT((state.position - x1.row(point.nodes[0]).transpose()).norm(), 1e-14);
  EXPECT_LT((state.velocity - v.row(point.nodes[0]).transpose()).norm(), 1e-12);
  // x' = x + h v' for modes and detail alike, but for how nodes turn within the step.
  const Vec3 moved = (x1.row(point.nodes[0]) - x0.row(point.nodes[0])).transpose() / h;
  EXPECT_LT((moved - state.velocity).norm(), 1e-3 * state.velocity.norm());
}

}  // namespace
}  // namespace limber::local_detail_tests
