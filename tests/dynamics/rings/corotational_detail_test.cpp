// Corotational elements inside rings: the difference of the two laws against whole-body forces, and
// the equilibrium that it leads to.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "dynamics/bodies.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/warp.h"
#include "limber/dynamics/rings/corotational_detail.h"
#include "limber/modes/residual_analysis.h"

namespace limber::corotational_detail_tests {
namespace {

const Material kRubber{2e5, 0.3, 1000};

struct Example {
  TetMesh mesh = bar({0.6, 0.3, 0.3}, {4, 2, 2});
  ModalModel model = test::dense_body(mesh, kRubber, test::nodes_at(mesh, 0, 0), 8);
  ResidualModes modes = residual_modes(mesh, kRubber, model);
  NodalRows rows{mesh, kRubber, MassKind::consistent};
};

const Example& example() {
  static const Example made;
  return made;
}

/// Forces of corotational elements on all nodes.
Positions forces_at(const TetMesh& mesh, const Positions& x) {
  const TetBatches tets(mesh, kRubber, element_geometry(mesh));
  TetMatrices rotations(static_cast<std::size_t>(tets.batch_count()));
  tet_rotations(tets, x, rotations);
  Positions forces = Positions::Zero(mesh.node_count(), 3);
  add_corotational_forces(tets, rotations, x, forces);
  return forces;
}

Vector random_field(int nodes, double size) {
  std::srand(7);
  return size * Vector::Random(3 * nodes);
}

TEST(ElementRegion, IsTheDifferenceOfTheTwoLaws) {
  const Example& made = example();
  const int n = made.mesh.node_count();
  const Eigen::MatrixXd K = stiffness(made.mesh, kRubber).toDense();
  Vector q = Vector::Zero(made.model.mode_count());
  q[0] = 0.3;
  q[1] = -0.2;
  ElementRegion region(made.mesh, kRubber, made.model, made.rows);
  const std::vector<int> inner{n - 1, n - 2, n - 9, n / 2};
  region.set_nodes(inner);
  const Vector u = random_field(n, 0.01);
  Positions x = made.mesh.V;
  for (int i = 0; i < n; ++i) {
    if (std::binary_search(region.nodes().begin(), region.nodes().end(), i))
      region.set_displacement(i, u.segment<3>(3 * i));
    x.row(i) += (mean_rotation(node_Psi(made.model, i) * q) * u.segment<3>(3 * i)).transpose();
  }
  const Positions F = forces_at(made.mesh, x);
  const Vector Ku = K * u;
  Vector r(3 * static_cast<Eigen::Index>(inner.size()));
  region.law_difference(q, r);
  for (std::size_t k = 0; k < inner.size(); ++k) {
    const Mat3 R = rotation_exp(node_Psi(made.model, inner[k]) * q);
    const Vec3 expected = Ku.segment<3>(3 * inner[k]) + R.transpose() * F.row(inner[k]).transpose();
    EXPECT_LT((r.segment<3>(3 * static_cast<Eigen::Index>(k)) - expected).norm(),
              1e-10 * Ku.norm());
  }
}

TEST(ElementRegion, IsOfSecondOrderInDisplacements) {
  const Example& made = example();
  const int n = made.mesh.node_count();
  ElementRegion region(made.mesh, kRubber, made.model, made.rows);
  region.set_nodes(std::vector<int>{n - 1, n / 2});
  const auto size = [&](double scale) {
    const Vector u = random_field(n, scale);
    for (const int node : region.nodes()) region.set_displacement(node, u.segment<3>(3 * node));
    Vector r(6);
    region.law_difference(Vector::Zero(made.model.mode_count()), r);
    return r.norm();
  };
  EXPECT_NEAR(size(1e-4) / size(5e-5), 4, 0.05);
}

std::vector<DetailRow> rows_at(int node) {
  std::vector<DetailRow> rows(3);
  for (int axis = 0; axis < 3; ++axis) {
    rows[static_cast<std::size_t>(axis)].nodes.fill(node);
    rows[static_cast<std::size_t>(axis)].gradients[0] = Vec3::Unit(axis);
  }
  return rows;
}

void push(CorotationalDetail& detail, int node, const Vec3& force, double h) {
  const std::vector<DetailRow> rows = rows_at(node);
  detail.reserve_rows(3);
  std::vector<float> scaled(static_cast<std::size_t>(3 * detail.row_length(3)));
  detail.set_rows(rows, h, scaled.data(), detail.row_length(3));
  detail.predict(h);
  const Vec3 impulse = h * force;
  detail.apply({impulse.data(), 3}, true);
  detail.commit();
}

LocalOptions options(int rings) {
  LocalOptions given;
  given.mode = LocalMode::corotational;
  given.rings = rings;
  return given;
}

/// With the whole body in the rings and modes at rest, elements balance what the modes leave.
TEST(CorotationalDetail, RestsWhereItsElementsBalance) {
  const Example& made = example();
  const int n = made.mesh.node_count(), node = n - 1;
  CorotationalDetail detail(made.mesh, kRubber, made.model, made.modes, options(100));
  const Vec3 f(100, -300, 50);
  for (int step = 0; step < 200; ++step) push(detail, node, f, 0.5);
  Vector force = Vector::Zero(3 * n);
  force.segment<3>(3 * node) = f;
  const Eigen::MatrixXd Phi = made.model.Phi();
  const Vector left = force - mass(made.mesh, kRubber) * (Phi * (Phi.transpose() * force));
  // χs at all nodes, by linear statics.
  const FreeDofs free(n, std::vector<int>(made.model.fixed_nodes.begin(), made.model.fixed_nodes.end()));
  const Eigen::MatrixXd K = free.reduce(stiffness(made.mesh, kRubber), 3).toDense();
  const Vector chi_s = free.expand(K.ldlt().solve(free.reduce(left)));
  Positions x = made.mesh.V;
  double most = 0;
  for (int i = 0; i < n; ++i) {
    x.row(i) += (chi_s.segment<3>(3 * i) + detail.correction(i)).transpose();
    most = std::max(most, detail.correction(i).norm());
  }
  EXPECT_GT(most, 0.01 * chi_s.segment<3>(3 * node).norm());  // there is something to correct
  const Positions F = forces_at(made.mesh, x);
  for (const int i : free.nodes())
    EXPECT_LT((F.row(i).transpose() + left.segment<3>(3 * i)).norm(), 1e-5 * f.norm()) << i;
}

TEST(CorotationalDetail, CorrectsNothingUnderSmallForces) {
  const Example& made = example();
  const int node = made.mesh.node_count() - 1;
  CorotationalDetail detail(made.mesh, kRubber, made.model, made.modes, options(2));
  for (int step = 0; step < 50; ++step) push(detail, node, {0.01, -0.03, 0.02}, 0.02);
  EXPECT_LT(detail.correction(node).norm(), 1e-3 * detail.displacement(node).norm());
  EXPECT_GT(detail.node_count(), 5);
}

TEST(CorotationalDetail, AnArchiveComesBackToTheLastBit) {
  const Example& made = example();
  const int node = made.mesh.node_count() - 1, other_node = node - 9;
  CorotationalDetail detail(made.mesh, kRubber, made.model, made.modes, options(1)),
      other(made.mesh, kRubber, made.model, made.modes, options(1));
  const auto go = [&](CorotationalDetail& which) {
    for (int step = 0; step < 10; ++step)
      push(which, step < 5 ? node : other_node, {10, -100, 5}, 0.01);
    return Vec3(which.displacement(node));
  };
  go(detail);
  std::vector<std::byte> bytes;
  StateArchive save = StateArchive::saving(bytes);
  detail.archive(save);
  const Vec3 end = go(detail);
  StateArchive load = StateArchive::loading(bytes);
  other.archive(load);
  EXPECT_EQ(go(other), end);
}

}  // namespace
}  // namespace limber::corotational_detail_tests
