// The space and the tets of reduced bodies: derivatives by finite differences and by their order,
// trained forces on loads that were not trained.
#include <gtest/gtest.h>

#include <filesystem>

#include "limber/core/error.h"
#include "limber/fem/mass.h"
#include "limber/fem/stiffness.h"
#include "limber/fem/stvk.h"
#include "limber/modes/bake_reduced.h"
#include "limber/modes/modal_derivatives.h"
#include "limber/modes/playback/baked_file.h"
#include "support/baked_bar.h"

namespace limber {
namespace {

const Material kGrownRubber{2e5, 0.3, 1000};

/// A coarse bar and a space for it, both made once.
struct ReducedBar {
  TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  Materials materials{kGrownRubber};
  ModalModel model;
  TrainedTets trained;

  explicit ReducedBar(bool is_free) {
    const std::vector<int> fixed = is_free ? std::vector<int>{} : select_nodes(mesh, "x<=0.001");
    model = bake(mesh, materials, fixed, {16});
    ReducedBakeOptions options;
    options.basis.size = 20;
    trained = bake_reduced(mesh, materials, model, options);
  }
  static const ReducedBar& clamped() {
    static const ReducedBar bar(false);
    return bar;
  }
  static const ReducedBar& flying() {
    static const ReducedBar bar(true);
    return bar;
  }
  [[nodiscard]] ReducedElements elements(ElasticLaw law) const {
    const ModalModel view = in_reduced_space(model);
    return {view.rest_positions(), view.tets(), view.Phi(), model.reduced.weighted_tets(law)};
  }
};

class ReducedLaws : public testing::TestWithParam<ElasticLaw> {};
INSTANTIATE_TEST_SUITE_P(All, ReducedLaws,
                         testing::Values(ElasticLaw::corotational, ElasticLaw::stvk,
                                         ElasticLaw::neo_hookean));

/// Bends the bar by about a radian, and excites everything.
Vector bent(const ReducedBar& bar) {
  const int r = bar.model.reduced.mode_count();
  Vector q(r);
  for (int j = 0; j < r; ++j)
    q[j] = (j % 3 - 1.2) / std::sqrt(bar.model.reduced.eigenvalues_data[j]);
  return q;
}

TEST_P(ReducedLaws, ForcesAreTheEnergysGradientAndStiffnessTheirs) {
  const ReducedBar& bar = ReducedBar::clamped();
  const ReducedElements elements = bar.elements(GetParam());
  const Eigen::Index r = elements.mode_count();
  const Vector q = bent(bar);
  Vector g(r), plus(r), minus(r);
  Eigen::MatrixXd K(r, r);
  elements.forces(GetParam(), q, g);
  elements.stiffness(GetParam(), q, K);
  for (Eigen::Index j = 0; j < r; ++j) {
    const double h = 1e-5 * q.norm();
    const Vector ahead = q + h * Vector::Unit(r, j);
    const Vector behind = q - h * Vector::Unit(r, j);
    const double slope =
        (elements.forces(GetParam(), ahead, plus) - elements.forces(GetParam(), behind, minus)) /
        (2 * h);
    EXPECT_NEAR(slope, g[j], 1e-7 * g.norm());
    EXPECT_LT(((plus - minus) / (2 * h) - K.col(j)).norm(), 1e-7 * K.norm());
  }
}

TEST(ModalDerivatives, MakeForcesOfGrownModesLinear) {
  // f(φp + ½Θp²) = K φ p + O(p³): halving p must cut what is left by eight.
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  for (const bool is_free : {false, true}) {
    const std::vector<int> fixed = is_free ? std::vector<int>{} : select_nodes(mesh, "x<=0.001");
    const ModalModel model = bake(mesh, kGrownRubber, fixed, {4});
    const Eigen::MatrixXd Phi = model.Phi();
    const Eigen::MatrixXd Theta = modal_derivatives(mesh, kGrownRubber, fixed, Phi);
    const TetBatches tets(mesh, kGrownRubber, element_geometry(mesh));
    const SparseMatrix K = stiffness(mesh, kGrownRubber);
    const Vector a =
        Vector::LinSpaced(4, 1, -0.5).cwiseProduct(model.eigenvalues().cwiseInverse().cwiseSqrt());
    Vector second = Vector::Zero(Phi.rows());
    Eigen::Index column = 0;
    for (int i = 0; i < 4; ++i) {
      for (int j = i; j < 4; ++j) {
        second += (i == j ? 0.5 : 1) * a[i] * a[j] * Theta.col(column++);
      }
    }
    // Of what free unknowns feel; a flying body's inertia balances the rigid part.
    const auto left = [&](double p) {
      Positions x = mesh.V;
      stacked(x) += p * (Phi * a) + p * p * second;
      Positions f = Positions::Zero(x.rows(), 3);
      add_stvk_forces(tets, x, f);
      const Vector rest = -stacked(f) - p * (K * (Phi * a));
      return Vector(Phi.transpose() * rest).norm();
    };
    const double rate = left(0.02) / left(0.01);
    EXPECT_NEAR(std::log2(rate), 3, 0.15) << is_free;
  }
}

TEST(ReducedBasis, IsOrthonormalAndDiagonal) {
  for (const ReducedBar* bar : {&ReducedBar::clamped(), &ReducedBar::flying()}) {
    const ModalModel view = in_reduced_space(bar->model);
    const Eigen::MatrixXd Phi = view.Phi();
    const Eigen::MatrixXd M = Phi.transpose() * (mass(bar->mesh, bar->materials) * Phi);
    const Eigen::MatrixXd K = Phi.transpose() * (stiffness(bar->mesh, bar->materials) * Phi);
    const Eigen::MatrixXd Lambda = Vector(view.eigenvalues()).asDiagonal();
    EXPECT_LT((M - Eigen::MatrixXd::Identity(20, 20)).norm(), 1e-9);
    EXPECT_LT((K - Lambda).norm(), 1e-9 * Lambda.norm());
    // The lowest modes stay themselves.
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(view.eigenvalues()[j], bar->model.eigenvalues()[j],
                  1e-8 * bar->model.eigenvalues()[j]);
    }
  }
}

TEST_P(ReducedLaws, TrainedTetsGiveTheRestShapesOfAllTets) {
  const ReducedBar& bar = ReducedBar::clamped();
  const ModalModel view = in_reduced_space(bar.model);
  const ReducedElements all(view.rest_positions(), view.tets(), view.Phi(),
                            weighted_tets(bar.mesh, bar.materials));
  const Vector none = Vector::Zero(20);
  for (const Vec3& gravity : {Vec3(0, 0, -6), Vec3(0, 4, 4), Vec3(3, -5, 1)}) {
    const SparseMatrix m = scalar_mass(bar.mesh, bar.materials);
    const Positions force = m * Vector::Ones(m.cols()) * gravity.transpose();
    const Vector f = view.Phi().transpose() * stacked(force);
    const ReducedRest exact = reduced_rest(all, GetParam(), view.eigenvalues(), f, none);
    const ReducedRest fast =
        reduced_rest(bar.elements(GetParam()), GetParam(), view.eigenvalues(), f, none);
    ASSERT_LT(exact.residual, 1e-8);
    ASSERT_LT(fast.residual, 1e-8);
    // |Φ| = 1 in mass: the distance of all nodes, weighted by mass.
    EXPECT_LT((fast.q - exact.q).norm(), 0.02 * exact.q.norm());
  }
}

TEST(ReducedModel, ComesBackFromItsFile) {
  const auto path = std::filesystem::temp_directory_path() / "limber_reduced.limber";
  const ModalModel& model = ReducedBar::clamped().model;
  write_baked(path, {model, pack_surface(model, Precision::float32)});
  const ModalModel read = read_baked(path).body;
  EXPECT_EQ(read.reduced.mode_count(), 20);
  EXPECT_TRUE(std::equal(read.reduced.lame.begin(), read.reduced.lame.end(),
                         model.reduced.lame.begin(), model.reduced.lame.end()));
  EXPECT_TRUE(std::equal(read.reduced.Phi_data.begin(), read.reduced.Phi_data.end(),
                         model.reduced.Phi_data.begin(), model.reduced.Phi_data.end()));
  std::filesystem::remove(path);
}

TEST(ReducedModel, IsRefusedWhereThereIsNone) {
  EXPECT_THROW((void)in_reduced_space(baked_bar(4)), Error);
}

}  // namespace
}  // namespace limber
