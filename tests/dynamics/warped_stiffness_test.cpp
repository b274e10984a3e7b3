// The warped stiffness without its matrix, the solver for it, and steps that pass on what they
// leave.
#include "limber/dynamics/full_space/warped_stiffness.h"
#include "support/stepping.h"

#include <gtest/gtest.h>

#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/krylov.h"
#include "limber/dynamics/full_space/symmetric_warp.h"
#include "limber/fem/spring_network.h"
#include "limber/fem/stiffness.h"
#include "support/full_bodies.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

/// Some fixed nodes, and free ones that have turned each its own way.
struct TurnedBar {
  SimulatedMesh mesh;
  NodeRotations rotations;
  Positions x;

  TurnedBar()
      : mesh(shaken_bar({1, 0.3, 0.2}, {4, 2, 1}), kRubber, {0, 1, 2, 3}, MassKind::lumped),
        rotations(mesh) {
    std::srand(7);
    for (BatchMatrices& batch : rotations.lanes()) {
      for (int lane = 0; lane < kTetLanes; ++lane) {
        const Mat3 R = rotation_exp(2 * Vec3::Random());
        for (int k = 0; k < 9; ++k) batch.entry[k][lane] = R(k / 3, k % 3);
      }
    }
    x = mesh.mesh().V + 0.1 * Positions::Random(mesh.node_count(), 3);
  }

  [[nodiscard]] Positions eq12(const SparseMatrix& K, const Positions& from) const {
    Positions out = Positions::Zero(mesh.node_count(), 3);
    for (int i = 0; i < mesh.free_count(); ++i) {
      const int node = mesh.free().nodes()[i];
      const Mat3 R = rotations[i];
      const Eigen::MatrixXd rows = Eigen::MatrixXd(K.middleCols(3 * node, 3)).transpose();
      Vec3 sum = Vec3::Zero();
      for (int j = 0; j < mesh.node_count(); ++j) {
        const Vec3 turned = R.transpose() * x.row(j).transpose() - from.row(j).transpose();
        sum += rows.middleCols(3 * j, 3) * turned;
      }
      out.row(node) = (R * sum).transpose();
    }
    return out;
  }
};

class WarpedProduct : public testing::TestWithParam<bool> {};

TEST_P(WarpedProduct, AndForcesAreThoseOfEquation12) {
  const TurnedBar bar;
  const SparseMatrix K = GetParam() ? spring_stiffness(bar.mesh.mesh(), bar.mesh.materials())
                                    : stiffness(bar.mesh.mesh(), bar.mesh.materials());
  const WarpedStiffness warped(bar.mesh, K);
  const Positions none = Positions::Zero(bar.mesh.node_count(), 3);
  const Positions product = bar.eq12(K, none);
  Positions own = none;
  warped.add_product(1, bar.rotations, bar.x, own);
  warped.add_product(2, bar.rotations, bar.x, own);
  EXPECT_LT((own - 3 * product).norm(), 1e-13 * product.norm());
  Positions forces = none;
  warped.add_forces(bar.rotations, bar.x, forces);
  EXPECT_LT((forces + bar.eq12(K, bar.mesh.mesh().V)).norm(), 1e-13 * product.norm());
}

TEST_P(WarpedProduct, EqualsThatOfTheAssembledMatrix) {
  const TurnedBar bar;
  const WarpedStiffness warped(bar.mesh,
                               GetParam() ? spring_stiffness(bar.mesh.mesh(), bar.mesh.materials())
                                          : stiffness(bar.mesh.mesh(), bar.mesh.materials()));
  const Vector z = Vector::Random(3 * bar.mesh.free_count());
  Positions field = Positions::Zero(bar.mesh.node_count(), 3);
  bar.mesh.add_scattered(1, z, field);
  Positions product = Positions::Zero(bar.mesh.node_count(), 3);
  warped.add_product(0.3, bar.rotations, field, product);
  Vector gathered(z.size());
  bar.mesh.gather(product, gathered);
  BlockMatrix A(bar.mesh.pattern());
  A.set_zero();
  warped.add_to(0.3, bar.rotations, A);
  Vector expected(z.size());
  A.multiply(z, expected);
  EXPECT_LT((gathered - expected).norm(), 1e-13 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(ElementsAndSprings, WarpedProduct, testing::Bool());

class Dense final : public LinearOperator, public Preconditioner {
 public:
  explicit Dense(Eigen::MatrixXd A) : A_(std::move(A)) {}
  void apply(const Vector& x, Vector& y) const override { y = A_ * x; }

 private:
  Eigen::MatrixXd A_;
};

TEST(ConjugateResiduals, SolveInAsManyStepsAsThereAreUnknowns) {
  std::srand(3);
  const int n = 30;
  const Eigen::MatrixXd A = 6 * Eigen::MatrixXd::Identity(n, n) + Eigen::MatrixXd::Random(n, n);
  const Dense op(A);
  const Dense none(Eigen::MatrixXd::Identity(n, n));
  const Vector b = Vector::Random(n);
  Vector x = Vector::Zero(n);
  Vector r = b;
  Krylov krylov(n);
  const KrylovStatus status = krylov.conjugate_residuals(op, none, 1e-12, n, x, r);
  EXPECT_TRUE(status.converged);
  EXPECT_LT((A * x - b).norm(), 1e-11);
  EXPECT_LT((b - A * x - r).norm(), 1e-13) << "what is left is said wrongly";
}

TEST(ConjugateResiduals, GoOnWhereTheResidualGivesNoDirection) {
  // A turns by a right angle: (r, A r) = 0, and the residual stays until its last direction.
  const int n = 6;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) A((i + 1) % n, i) = 1;
  Vector r = Vector::Unit(n, 0);
  Vector x = Vector::Zero(n);
  Krylov krylov(n);
  const KrylovStatus status = krylov.conjugate_residuals(
      Dense(A), Dense(Eigen::MatrixXd::Identity(n, n)), 1e-12, 2 * n, x, r);
  EXPECT_TRUE(status.converged);
  EXPECT_LE(status.iterations, n);
}

/// Swings under its weight: 4 × 4 × 11 nodes, as in Müller et al. 2002, section 4.1.
std::vector<Positions> path(RotationField field, std::optional<double> tolerance) {
  const TetMesh mesh = bar_five_tets({0.09, 0.09, 0.3}, {3, 3, 10});
  FullBodyOptions options = with(Method::stiffness_warping);
  options.rotation_field = field;
  options.tolerance = tolerance;
  FullBody body(mesh, Material{1e5, 0.33, 1000}, select_nodes(mesh, "z<=0.001"), options,
                gravity(9.8));
  std::vector<Positions> displacements;
  for (int k = 0; k < 200; ++k) {
    step(body, 0.01);
    EXPECT_TRUE(body.last_step().converged);
    displacements.push_back(body.positions() - mesh.V);
  }
  return displacements;
}

TEST(PassedOnRemainders, ChangeAPathByLessThanAThousandth) {
  for (const RotationField field : {RotationField::edges_polar, RotationField::edge_frames}) {
    const std::vector<Positions> quick = path(field, {});
    const std::vector<Positions> exact = path(field, 1e-10);
    double size = 0;
    double difference = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      size = std::max(size, exact[k].cwiseAbs().maxCoeff());
      difference = std::max(difference, (quick[k] - exact[k]).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(difference, 1e-3 * size);
    EXPECT_GT(difference, 1e-9 * size) << "both were solved alike";
  }
}

TEST(SymmetricWarp, IsEquation13) {
  const TurnedBar bar;
  const SparseMatrix K = stiffness(bar.mesh.mesh(), bar.mesh.materials());
  SymmetricWarp warp(bar.mesh, K);
  const Mat3 held = rotation_exp({0.2, -0.4, 0.1});
  Positions x = bar.x;
  std::vector<Mat3> rotations(static_cast<std::size_t>(bar.mesh.node_count()), held);
  for (int node = 0; node < bar.mesh.node_count(); ++node) {
    const int free = bar.mesh.free().free_index(node);
    if (free < 0) x.row(node) = (held * bar.mesh.mesh().V.row(node).transpose()).transpose();
    if (free >= 0) rotations[static_cast<std::size_t>(node)] = bar.rotations[free];
  }
  warp.turn(bar.rotations, x);
  Positions forces = Positions::Zero(bar.mesh.node_count(), 3);
  warp.add_forces(x, forces);
  const Eigen::MatrixXd dense = K;
  double largest = 0;
  for (int i = 0; i < bar.mesh.node_count(); ++i) {
    if (bar.mesh.free().free_index(i) < 0) continue;
    Vec3 sum = Vec3::Zero();
    for (int j = 0; j < bar.mesh.node_count(); ++j) {
      const Vec3 turned = rotations[static_cast<std::size_t>(j)].transpose() * x.row(j).transpose() -
                          bar.mesh.mesh().V.row(j).transpose();
      sum += dense.block<3, 3>(3 * i, 3 * j) * turned;
    }
    const Vec3 expected = -(rotations[static_cast<std::size_t>(i)] * sum);
    largest = std::max(largest, (forces.row(i).transpose() - expected).norm() / expected.norm());
  }
  EXPECT_LT(largest, 1e-9);
}

TEST(SymmetricWarp, HasASymmetricMatrixThatItsProductsAgreeWith) {
  const TurnedBar bar;
  SymmetricWarp warp(bar.mesh, stiffness(bar.mesh.mesh(), bar.mesh.materials()));
  warp.turn(bar.rotations, bar.x);
  std::srand(3);
  const auto random_field = [&] {
    Positions field = Positions::Random(bar.mesh.node_count(), 3);
    for (int node = 0; node < bar.mesh.node_count(); ++node) {
      if (bar.mesh.free().free_index(node) < 0) field.row(node).setZero();
    }
    return field;
  };
  const Positions u = random_field();
  const Positions v = random_field();
  Positions Ku = Positions::Zero(bar.mesh.node_count(), 3);
  Positions Kv = Ku;
  warp.add_product(1, u, Ku);
  warp.add_product(1, v, Kv);
  const double vKu = v.cwiseProduct(Ku).sum();
  EXPECT_NEAR(vKu, u.cwiseProduct(Kv).sum(), 1e-10 * std::abs(vKu));
}

}  // namespace
}  // namespace limber
