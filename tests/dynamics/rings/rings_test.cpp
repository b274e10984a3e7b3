// Detail by rings of elements against dense algebra and the paper's own equations; who is local;
// what a change of the region moves.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <set>

#include "dynamics/bodies.h"
#include "limber/core/error.h"
#include "limber/dynamics/modal/oscillator.h"
#include "limber/dynamics/rings/rings_detail.h"

namespace limber::rings_tests {
namespace {

const Material kRubber{2e5, 0.3, 1000};
const Damping kDamping{0.3, 0.002};

struct Example {
  TetMesh mesh = bar({1, 0.3, 0.3}, {7, 2, 2});
  std::vector<int> fixed = test::nodes_at(mesh, 0, 0);
  ModalModel few = test::dense_body(mesh, kRubber, fixed, 8);
  ModalModel all = test::dense_body(mesh, kRubber, fixed);
  Eigen::MatrixXd K = stiffness(mesh, kRubber).toDense();
  Eigen::MatrixXd M = mass(mesh, kRubber).toDense();
};

const Example& example() {
  static const Example made;
  return made;
}

int node_near(const TetMesh& mesh, const Vec3& place) {
  Eigen::Index nearest = 0;
  (mesh.V.rowwise() - place.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
  return static_cast<int>(nearest);
}

std::vector<DetailRow> rows_at(std::initializer_list<int> nodes) {
  std::vector<DetailRow> rows;
  for (const int node : nodes) {
    for (int axis = 0; axis < 3; ++axis) {
      DetailRow row;
      row.nodes.fill(node);
      row.gradients[0] = Vec3::Unit(axis);
      rows.push_back(row);
    }
  }
  return rows;
}

struct Rows {
  int length;
  std::vector<float> values;
};

Rows set_rows(RingsDetail& detail, const std::vector<DetailRow>& rows, double h) {
  const int count = static_cast<int>(rows.size());
  detail.reserve_rows(count);
  Rows set{detail.row_length(count), {}};
  set.values.resize(static_cast<std::size_t>(count * set.length));
  detail.set_rows(rows, h, set.values.data(), set.length);
  EXPECT_EQ(detail.row_length(count), set.length);
  return set;
}

void push(RingsDetail& detail, double h, const Vector& force) {
  detail.predict(h);
  const Vector impulse = h * force;
  detail.apply({impulse.data(), static_cast<std::size_t>(impulse.size())}, true);
  detail.commit();
}

LocalOptions options(int rings) {
  LocalOptions given;
  given.mode = LocalMode::rings;
  given.rings = rings;
  return given;
}

std::vector<int> unknowns(std::span<const int> nodes) {
  std::vector<int> list;
  for (const int node : nodes)
    for (int c = 0; c < 3; ++c) list.push_back(3 * node + c);
  return list;
}

Vector field(const RingsDetail& detail, int nodes, bool rates = false) {
  Vector d(3 * nodes);
  for (int i = 0; i < nodes; ++i)
    d.segment<3>(3 * i) = rates ? detail.velocity(i) : detail.displacement(i);
  return d;
}

double largest(const Vector& d) {
  double most = 0;
  for (Eigen::Index i = 0; i < d.size(); i += 3) most = std::max(most, d.segment<3>(i).norm());
  return most;
}

/// Nodes by their distance in elements, found by hand.
std::vector<int> within(const TetMesh& mesh, int seed, int rings) {
  std::set<int> found{seed};
  for (int k = 0; k < rings; ++k) {
    std::set<int> more = found;
    for (int t = 0; t < mesh.tet_count(); ++t) {
      bool touches = false;
      for (int c = 0; c < 4; ++c) touches |= found.count(mesh.T(t, c)) > 0;
      for (int c = 0; touches && c < 4; ++c) more.insert(mesh.T(t, c));
    }
    found = more;
  }
  return {found.begin(), found.end()};
}

TEST(Rings, WithAllModesThereIsNothingLeftToDo) {
  const Example& made = example();
  RingsDetail detail(made.mesh, kRubber, made.all, options(2));
  detail.set_damping(kDamping);
  const int node = node_near(made.mesh, {0.7, 0.3, 0.15});
  const double h = 0.01;
  const Vector f = Vec3(3, -20, 5);
  for (const Integrator integrator : {Integrator::exact, Integrator::semi_implicit}) {
    detail.clear();
    const StepCoefficients k = step_coefficients(made.all.eigenvalues(), kDamping, h, integrator);
    Vector q = Vector::Zero(made.all.mode_count()), v = q;
    const Vector modal = made.all.Phi().middleRows(3 * node, 3).transpose() * f;
    for (int step = 0; step < 30; ++step) {
      const Vector q0 = q;
      q = k.qq.cwiseProduct(q) + k.qv.cwiseProduct(v) + k.qf.cwiseProduct(modal);
      v = k.vq.cwiseProduct(q0) + k.vv.cwiseProduct(v) + k.vf.cwiseProduct(modal);
      set_rows(detail, rows_at({node}), h);
      push(detail, h, f);
      const Vector u = made.all.Phi() * q;
      EXPECT_LT(field(detail, made.mesh.node_count()).norm(), 1e-12 * u.norm()) << step;
    }
  }
}

/// Eqs. 11-15 of the paper as printed, u_B from the modes by backward Euler, in dense algebra.
TEST(Rings, AreThePapersEquationsWithBackwardEuler) {
  const Example& made = example();
  const int n = made.mesh.node_count();
  RingsDetail detail(made.mesh, kRubber, made.few, options(2));
  detail.set_damping(kDamping);
  const int node = node_near(made.mesh, {0.7, 0.3, 0.15});
  const double h = 0.01;
  set_rows(detail, rows_at({node}), h);
  const std::vector<int> L =
      unknowns(detail.local_nodes());
  const Eigen::MatrixXd& K = made.K;
  const Eigen::MatrixXd& M = made.M;
  std::vector<int> B;  // all others: the matrices see the border alone
  for (int i = 0; i < 3 * n; ++i)
    if (!std::binary_search(L.begin(), L.end(), i)) B.push_back(i);
  const auto S = [&](const auto& rows, const auto& columns) {
    return Eigen::MatrixXd((1 + kDamping.mass * h) * M(rows, columns) +
                           (kDamping.stiffness * h + h * h) * K(rows, columns));
  };
  const StepCoefficients k =
      step_coefficients(made.few.eigenvalues(), kDamping, h, Integrator::semi_implicit);
  Vector q = Vector::Zero(made.few.mode_count()), v = q;
  Vector u = Vector::Zero(3 * n), rate = u;  // of the local nodes
  const Eigen::MatrixXd S_L = S(L, L);
  for (int step = 0; step < 40; ++step) {
    const Vec3 force(3, step < 20 ? -20 : 0, 5);
    Vector f = Vector::Zero(3 * n);
    f.segment<3>(3 * node) = force;
    const Vector modal = made.few.Phi().transpose() * f, q0 = q, v0 = v;
    q = k.qq.cwiseProduct(q0) + k.qv.cwiseProduct(v0) + k.qf.cwiseProduct(modal);
    v = k.vq.cwiseProduct(q0) + k.vv.cwiseProduct(v0) + k.vf.cwiseProduct(modal);
    const Vector u_B = (made.few.Phi() * q)(B), v_B = (made.few.Phi() * v)(B),
                 a_B = (made.few.Phi() * (v - v0))(B) / h;
    const Vector F_C = M(L, B) * a_B +
                       (kDamping.mass * M(L, B) + kDamping.stiffness * K(L, B)) * v_B +
                       K(L, B) * u_B;
    const Vector next =
        S_L.ldlt().solve(M(L, L) * rate(L) + h * f(L) - h * K(L, L) * u(L) - h * F_C);
    rate(L) = next;
    u(L) += h * next;
    push(detail, h, force);
    const Vector d = field(detail, n);
    const Vector ours = (made.few.Phi() * q)(L) + d(L);
    EXPECT_LT((ours - u(L)).norm(), 1e-12 * u(L).norm()) << step;
    EXPECT_GT(d.norm(), 1e-3 * u(L).norm());  // there is something to compare
  }
}

TEST(Rings, TheWholeBodyRestsWhereStaticsSay) {
  const Example& made = example();
  RingsDetail detail(made.mesh, kRubber, made.few, options(100));
  const int node = node_near(made.mesh, {0.7, 0.3, 0.15});
  const Vec3 f(3, -20, 5);
  for (int step = 0; step < 80; ++step) {
    set_rows(detail, rows_at({node}), 1);  // long steps: backward Euler damps all
    push(detail, 1, f);
  }
  const int n = made.mesh.node_count();
  EXPECT_EQ(static_cast<int>(detail.local_nodes().size()),
            n - static_cast<int>(made.fixed.size()));
  Vector force = Vector::Zero(3 * n);
  force.segment<3>(3 * node) = f;
  const FreeDofs free(n, made.fixed);
  const Eigen::MatrixXd K = free.reduce(stiffness(made.mesh, kRubber), 3).toDense();
  const Vector u = free.expand(K.ldlt().solve(free.reduce(force)));
  const Vector modes =
      made.few.Phi() *
      (made.few.Phi().transpose() * force).cwiseQuotient(made.few.eigenvalues());
  EXPECT_LT((modes + field(detail, n) - u).norm(), 1e-8 * u.norm());
}

TEST(Rings, AFreeBodyIsNotCarriedAwayByItsDetail) {
  const TetMesh mesh = bar({0.3, 0.3, 0.3}, {3, 3, 3});
  const ModalModel model = test::dense_body(mesh, kRubber, {}, 8);
  ASSERT_EQ(model.rigid_modes, 6);
  RingsDetail detail(mesh, kRubber, model, options(100));
  const int node = node_near(mesh, {0.3, 0.3, 0.15});
  for (int step = 0; step < 50; ++step) {
    set_rows(detail, rows_at({node}), 0.01);
    push(detail, 0.01, Vec3(1, -5, 2));
  }
  const Eigen::MatrixXd M = mass(mesh, kRubber).toDense();
  const Vector momentum = M * field(detail, mesh.node_count(), true);
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index i = 0; i < momentum.size(); i += 3) sum += momentum.segment<3>(i);
  EXPECT_LT(sum.norm(), 1e-10);  // of 2.7 N s that the force has given
  EXPECT_GT(largest(field(detail, mesh.node_count())), 1e-5);
}

TEST(Rings, RowsHaveTheComplianceInside) {
  const Example& made = example();
  RingsDetail detail(made.mesh, kRubber, made.few, options(100));  // all: W is symmetric
  const double h = 0.004;
  const int a = node_near(made.mesh, {0.7, 0.3, 0.15}), b = node_near(made.mesh, {1, 0.15, 0.3});
  const Rows rows = set_rows(detail, rows_at({a, b}), h);
  const FreeDofs free(made.mesh.node_count(), made.fixed);
  const Eigen::MatrixXd K = free.reduce(stiffness(made.mesh, kRubber), 3).toDense(),
                        M = free.reduce(mass(made.mesh, kRubber), 3).toDense(),
                        Phi = free.reduce(Eigen::MatrixXd(made.few.Phi()));
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(K.rows(), 6);
  E.block<3, 3>(3 * free.free_index(a), 0).setIdentity();
  E.block<3, 3>(3 * free.free_index(b), 3).setIdentity();
  const Eigen::MatrixXd W =
      E.transpose() * (M + h * h * K).ldlt().solve(E - M * Phi * (Phi.transpose() * E));
  const Eigen::MatrixXd J =
      Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(rows.values.data(), 6,
                                                                      rows.length)
          .cast<double>();
  EXPECT_LT((J * J.transpose() - W).norm(), 1e-5 * W.norm());  // rows are float
  detail.predict(h);
  const Vector p = Vector::LinSpaced(6, 1, 2);
  detail.apply({p.data(), 6}, false);
  std::vector<float> velocity(static_cast<std::size_t>(rows.length)), moved(velocity);
  detail.scaled_motion(velocity.data(), moved.data());
  const Vector along =
      J * Eigen::Map<Eigen::VectorXf>(velocity.data(), rows.length).cast<double>();
  EXPECT_LT((along - W * p).norm(), 1e-4 * (W * p).norm());
}

TEST(Rings, AreAroundWhatIsTouchedButNeverFixedOrExcluded) {
  const Example& made = example();
  const int near_wall = node_near(made.mesh, {0.15, 0.3, 0.15});
  const std::vector<int> excluded = test::nodes_at(made.mesh, 1, 0);
  for (const int rings : {1, 2, 3}) {
    RingsDetail detail(made.mesh, kRubber, made.few, options(rings), excluded);
    set_rows(detail, rows_at({near_wall}), 0.01);
    std::vector<int> expected;
    for (const int node : within(made.mesh, near_wall, rings)) {
      const auto none_of = [&](const std::vector<int>& list) {
        return std::find(list.begin(), list.end(), node) == list.end();
      };
      if (none_of(made.fixed) && none_of(excluded)) expected.push_back(node);
    }
    EXPECT_EQ(std::vector<int>(detail.local_nodes().begin(), detail.local_nodes().end()), expected);
    EXPECT_EQ(detail.displacement(made.fixed[0]), Vec3::Zero());
  }
  // Nor do rows on such nodes wake anything.
  RingsDetail detail(made.mesh, kRubber, made.few, options(1), excluded);
  set_rows(detail, rows_at({excluded[0], made.fixed[0]}), 0.01);
  EXPECT_EQ(detail.node_count(), 0);
  EXPECT_THROW(RingsDetail(made.mesh, kRubber, made.few, options(0)), Error);
  EXPECT_THROW(RingsDetail(made.mesh, kRubber, made.few, options(1), std::vector<int>{-1}), Error);
}

TEST(Rings, TouchedNodesStayAndCalmOnesLeave) {
  const Example& made = example();
  const int one = node_near(made.mesh, {0.3, 0.3, 0.15}), two = node_near(made.mesh, {1, 0.3, 0.15});
  RingsDetail detail(made.mesh, kRubber, made.few, options(1));
  detail.set_damping({5, 0.02});
  const double h = 0.01;
  const auto is_local = [&](int node) {
    return std::binary_search(detail.local_nodes().begin(), detail.local_nodes().end(), node);
  };
  for (int step = 0; step < 60; ++step) {  // touched without force: calm, and yet it stays
    set_rows(detail, rows_at({one}), h);
    push(detail, h, Vector::Zero(3));
    ASSERT_TRUE(is_local(one));
  }
  for (int step = 0; step < 10; ++step) {
    set_rows(detail, rows_at({one}), h);
    push(detail, h, Vec3(0, -100, 0));
  }
  // Another is touched: the first keeps its dent until that is gone.
  set_rows(detail, rows_at({two}), h);
  push(detail, h, Vector::Zero(3));
  EXPECT_TRUE(is_local(one) && is_local(two));
  int steps = 0;
  for (; steps < 2000 && is_local(one); ++steps) {
    set_rows(detail, rows_at({two}), h);
    push(detail, h, Vector::Zero(3));
    ASSERT_TRUE(is_local(two));
  }
  EXPECT_LT(steps, 2000);
  EXPECT_GT(steps, 5);
  // Once nothing touches, rows come no more, and it rests by itself.
  for (steps = 0; steps < 2000 && detail.node_count() > 0; ++steps) {
    detail.predict(h);
    detail.commit();
  }
  EXPECT_EQ(detail.node_count(), 0);
}

TEST(Rings, SolveByConjugateGradientsFirstAndThenByAFactor) {
  const Example& made = example();
  const int node = node_near(made.mesh, {0.7, 0.3, 0.15});
  RingsDetail detail(made.mesh, kRubber, made.few, options(2)), other(made.mesh, kRubber, made.few, options(2));
  const double h = 0.01;
  for (RingsDetail* one : {&detail, &other}) {
    set_rows(*one, rows_at({node}), h);
    EXPECT_TRUE(one->is_factored());  // rows want three solves a node at once
    push(*one, h, Vec3(0, -30, 0));
  }
  // Another step length, as when a body leaves the ground: no factor in the first such step.
  detail.predict(h / 2);
  EXPECT_FALSE(detail.is_factored());
  detail.commit();
  detail.predict(h / 2);
  EXPECT_TRUE(detail.is_factored());
  detail.commit();
  other.predict(h / 2);
  other.cancel();
  other.predict(h / 2);  // the same step again, by the factor
  ASSERT_TRUE(other.is_factored());
  other.commit();
  other.predict(h / 2);
  other.commit();
  const int n = made.mesh.node_count();
  EXPECT_LT((field(detail, n) - field(other, n)).norm(), 1e-8 * field(other, n).norm());
}

TEST(Rings, AChangeOfTheRegionIsNotSeenToPop) {
  const Example& made = example();
  const int node = node_near(made.mesh, {0.7, 0.3, 0.15});
  const int n = made.mesh.node_count();
  for (const double h : {1.0 / 60, 0.004}) {
    RingsDetail detail(made.mesh, kRubber, made.few, options(4));
    detail.set_damping({2, 0.05});
    const auto go = [&](int steps, double most_change) {
      for (int step = 0; step < steps; ++step) {
        const Vector before = field(detail, n);
        set_rows(detail, rows_at({node}), h);
        EXPECT_LE(largest(field(detail, n) - before), 2.2e-5);  // what nobody sees may go
        push(detail, h, Vec3(0, -100, 30));
        const Vector after = field(detail, n);
        EXPECT_LT(largest(after - before), most_change * largest(after)) << h << " " << step;
      }
    };
    go(600, 10);  // until it rests
    const Vector wide = field(detail, n);
    detail.set_rings(1);
    go(600, 0.1);
    const Vector narrow = field(detail, n);
    EXPECT_TRUE(detail.fading_nodes().empty());
    EXPECT_GT(largest(narrow - wide), 0.1 * largest(wide));  // there was something to pop
    detail.set_rings(4);
    go(600, 0.1);
    EXPECT_LT(largest(field(detail, n) - wide), 0.01 * largest(wide));
  }
}

TEST(Rings, AnArchiveComesBackToTheLastBit) {
  const Example& made = example();
  const int one = node_near(made.mesh, {0.7, 0.3, 0.15}), two = node_near(made.mesh, {1, 0.3, 0.15});
  RingsDetail detail(made.mesh, kRubber, made.few, options(2)), other(made.mesh, kRubber, made.few, options(2));
  const double h = 0.01;
  for (RingsDetail* each : {&detail, &other}) each->set_damping(kDamping);
  const auto go = [&](RingsDetail& which, int steps) {
    for (int step = 0; step < steps; ++step) {
      const int touched = step < steps / 2 ? one : two;
      set_rows(which, rows_at({touched}), h);
      push(which, h, Vec3(0, -30, 5));
    }
    return field(which, made.mesh.node_count());
  };
  go(detail, 20);
  detail.set_rings(1);
  go(detail, 3);
  std::vector<std::byte> bytes;
  StateArchive save = StateArchive::saving(bytes);
  detail.archive(save);
  const Vector end = go(detail, 20);
  StateArchive load = StateArchive::loading(bytes);
  other.archive(load);
  EXPECT_EQ(go(other, 20), end);
  StateArchive again = StateArchive::loading(bytes);
  detail.archive(again);
  EXPECT_EQ(go(detail, 20), end);
}

TEST(Rings, SmallBodiesAndManyTouchesDoNotBreakThem) {
  const TetMesh tiny = bar({0.1, 0.1, 0.1}, {1, 1, 1});
  std::vector<int> but_one;
  for (int i = 1; i < tiny.node_count(); ++i) but_one.push_back(i);
  const ModalModel model = test::dense_body(tiny, kRubber, but_one, 1);
  RingsDetail detail(tiny, kRubber, model, options(1000));
  std::vector<DetailRow> rows;
  for (int k = 0; k < 2000; ++k) {
    for (const DetailRow& row : rows_at({k % tiny.node_count()})) rows.push_back(row);
  }
  Vector forces = Vector::Constant(static_cast<Eigen::Index>(rows.size()), 0.001);
  for (int step = 0; step < 50; ++step) {
    set_rows(detail, rows, 0.01);
    push(detail, 0.01, forces);
  }
  EXPECT_EQ(detail.node_count(), 1);
  EXPECT_TRUE(field(detail, tiny.node_count()).allFinite());
}

}  // namespace
}  // namespace limber::rings_tests
