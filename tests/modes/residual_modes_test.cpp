// Residual modes against dense algebra: orthogonal to the modes, statics exact, in files.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <filesystem>
#include <random>

#include "limber/core/error.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/modes/residual_analysis.h"
#include "limber/modes/residual_flexibility.h"
#include "support/random_mesh.h"

namespace limber::residual_tests {
namespace {

template <class T>
bool same(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

const Material kRubber{2e5, 0.3, 1000};

struct Example {
  TetMesh mesh;
  ModalModel model;
  Eigen::MatrixXd K, M;  // of the free unknowns
};

Example example(bool clamped, int modes = 12) {
  Example made;
  made.mesh = shaken_bar({1, 0.3, 0.3}, {8, 3, 3});
  const auto fixed = clamped ? select_nodes(made.mesh, "x<=0.05") : std::vector<int>{};
  made.model = bake(made.mesh, kRubber, fixed, {modes});
  const FreeDofs free(made.mesh.node_count(), fixed);
  made.K = free.reduce(stiffness(made.mesh, kRubber), 3);
  made.M = free.reduce(mass(made.mesh, kRubber), 3);
  return made;
}

/// K_χ or M_χ (3N×3N) as stored.
Eigen::MatrixXd dense(const ResidualModes& modes, bool stiffness) {
  const int count = modes.contact_node_count();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * count, 3 * count);
  for (int i = 0; i < count; ++i) {
    for (int j = i; j < count; ++j) {
      const std::ptrdiff_t pair = modes.find(i, j);
      if (pair < 0) continue;
      const Mat3 block = stiffness ? modes.K_block(pair) : modes.M_block(pair);
      matrix.block<3, 3>(3 * i, 3 * j) = block;
      matrix.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  }
  return matrix;
}

TEST(ResidualModes, AreOrthogonalToTheModes) {
  for (const bool clamped : {true, false}) {
    const Example body = example(clamped);
    const ResidualFlexibility flexibility(body.mesh, kRubber, body.model);
    const auto nodes = choose_contact_nodes(body.mesh, body.model, 1000);
    Eigen::MatrixXd chi = flexibility.unit_forces(nodes);
    flexibility.apply(chi);
    const Eigen::MatrixXd Phi = flexibility.free().reduce(Eigen::MatrixXd(body.model.Phi()));
    // Relative to what the two could give at most: 1e-10 as promised; rounding is 1e-15.
    const Eigen::MatrixXd MChi = body.M * chi, KChi = body.K * chi;
    EXPECT_LT((Phi.transpose() * MChi).cwiseAbs().maxCoeff(),
              1e-10 * std::sqrt((chi.transpose() * MChi).diagonal().maxCoeff()));
    const double lambda = body.model.eigenvalues().maxCoeff();
    EXPECT_LT((Phi.transpose() * KChi).cwiseAbs().maxCoeff(),
              1e-10 * std::sqrt(lambda * (chi.transpose() * KChi).diagonal().maxCoeff()));
  }
}

TEST(ResidualModes, MatricesAreThoseOfTheModes) {
  for (const bool clamped : {true, false}) {
    const Example body = example(clamped);
    const ResidualModes modes = residual_modes(body.mesh, kRubber, body.model);
    const ResidualFlexibility flexibility(body.mesh, kRubber, body.model);
    Eigen::MatrixXd chi = flexibility.unit_forces(modes.contact_nodes.span());
    flexibility.apply(chi);
    const Eigen::MatrixXd K = chi.transpose() * body.K * chi, M = chi.transpose() * body.M * chi;
    // The modes of a clamped bar are known to 1e-9 of their eigenvalue.
    EXPECT_LT((dense(modes, true) - K).norm(), 1e-8 * K.norm());
    EXPECT_LT((dense(modes, false) - M).norm(), 1e-8 * M.norm());
    EXPECT_GT(dense(modes, true).ldlt().vectorD().minCoeff(), 0);
    EXPECT_GT(dense(modes, false).ldlt().vectorD().minCoeff(), 0);
  }
}

TEST(ResidualModes, MakeStaticsExact) {
  const Example body = example(true);
  const ResidualModes modes = residual_modes(body.mesh, kRubber, body.model);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const int count = modes.contact_node_count();
  Vector f = Vector::NullaryExpr(3 * count, [&] { return normal(random); });
  Vector force = Vector::Zero(3 * body.mesh.node_count());
  for (int k = 0; k < count; ++k)
    force.segment<3>(3 * modes.contact_nodes[static_cast<std::size_t>(k)]) = f.segment<3>(3 * k);
  const FreeDofs free(body.mesh.node_count(), select_nodes(body.mesh, "x<=0.05"));
  const Vector exact = free.expand(body.K.ldlt().solve(Vector(free.reduce(force)))).col(0);
  const Vector q = (body.model.Phi().transpose() * force).cwiseQuotient(body.model.eigenvalues());
  const Vector whole = body.model.Phi() * q;
  const Vector local = dense(modes, true) * f;
  double worst = 0;
  for (int k = 0; k < count; ++k) {
    const int node = modes.contact_nodes[static_cast<std::size_t>(k)];
    const Vec3 u = whole.segment<3>(3 * node) + local.segment<3>(3 * k);
    worst = std::max(worst, (u - exact.segment<3>(3 * node)).norm());
  }
  EXPECT_LT(worst, 1e-8 * exact.cwiseAbs().maxCoeff());
}

TEST(ResidualModes, OfFreeBodiesCarryNoMomentum) {
  const Example body = example(false);
  const ResidualFlexibility flexibility(body.mesh, kRubber, body.model);
  Eigen::MatrixXd chi = flexibility.unit_forces(choose_contact_nodes(body.mesh, body.model, 1000));
  flexibility.apply(chi);
  Eigen::MatrixXd N(chi.rows(), 6);
  for (int i = 0; i < body.mesh.node_count(); ++i) {
    const Vec3 x = body.mesh.V.row(i);
    N.middleRows<3>(3 * i) << Mat3::Identity(),
        (Mat3() << 0, x.z(), -x.y(), -x.z(), 0, x.x(), x.y(), -x.x(), 0).finished();
  }
  const Eigen::MatrixXd Mchi = body.M * chi;
  EXPECT_LT((N.transpose() * Mchi).cwiseAbs().maxCoeff(),
            1e-11 * Mchi.cwiseAbs().colwise().sum().maxCoeff());
}

TEST(ResidualModes, AreNoneWhereTheModesLeaveNothingOut) {
  TetMesh mesh = shaken_bar({1, 0.4, 0.4}, {2, 1, 1});
  const auto fixed = select_nodes(mesh, "x<=0.1");
  const int all = 3 * (mesh.node_count() - static_cast<int>(fixed.size()));
  EXPECT_TRUE(residual_modes(mesh, kRubber, bake(mesh, kRubber, fixed, {all})).empty());
  EXPECT_FALSE(residual_modes(mesh, kRubber, bake(mesh, kRubber, fixed, {3})).empty());
}

TEST(ResidualModes, OfFewContactNodesServeTheOthers) {
  const Example body = example(true);
  ResidualOptions options;
  options.most_contact_nodes = 20;
  options.most_pairs = 100;
  const ResidualModes modes = residual_modes(body.mesh, kRubber, body.model, options);
  EXPECT_EQ(modes.contact_node_count(), 20);
  EXPECT_LE(modes.columns.size(), 100U);
  EXPECT_GT(modes.columns.size(), 60U);
  const auto touchable = choose_contact_nodes(body.mesh, body.model, 1000);
  int served = 0;
  for (int node = 0; node < body.mesh.node_count(); ++node) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += modes.weights[static_cast<std::size_t>(4 * node + k)];
    if (sum == 0) continue;
    EXPECT_NEAR(sum, 1, 1e-12);
    ++served;
  }
  EXPECT_EQ(served, static_cast<int>(touchable.size()));
}

double smallest_eigenvalue(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

/// The nearest pairs of `limited` as all pairs of `full` have them.
ResidualModes cut_off(const ResidualModes& full, const ResidualModes& limited) {
  ResidualModes cut = limited;
  std::vector<double> K, M;
  for (int i = 0; i < limited.contact_node_count(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto pair = limited.offsets[row]; pair < limited.offsets[row + 1]; ++pair) {
      const std::ptrdiff_t from = full.find(i, limited.columns[static_cast<std::size_t>(pair)]);
      K.insert(K.end(), full.K_blocks.begin() + 9 * from, full.K_blocks.begin() + 9 * from + 9);
      M.insert(M.end(), full.M_blocks.begin() + 9 * from, full.M_blocks.begin() + 9 * from + 9);
    }
  }
  cut.K_blocks = SharedArray<double>(std::move(K));
  cut.M_blocks = SharedArray<double>(std::move(M));
  cut.reach = {};
  return cut;
}

/// With few modes residual modes reach far; pairs cut off leave matrices by which a body blows up.
TEST(ResidualModes, StayPositiveWhereFarPairsAreLeftOut) {
  for (const bool clamped : {true, false}) {
    const Example body = example(clamped, 3);
    const ResidualModes full = residual_modes(body.mesh, kRubber, body.model);
    EXPECT_EQ(full.reach[0], 0);
    ResidualOptions options;
    options.most_pairs = static_cast<int>(full.columns.size() / 4);
    const ResidualModes modes = residual_modes(body.mesh, kRubber, body.model, options);
    const ResidualModes cut = cut_off(full, modes);
    for (const bool stiffness : {true, false}) {
      const Eigen::MatrixXd matrix = dense(modes, stiffness);
      EXPECT_LT(smallest_eigenvalue(dense(cut, stiffness)), 0);
      // Of the whole matrix, so of that of every set of nodes (Cauchy's interlacing).
      EXPECT_GT(smallest_eigenvalue(matrix), 0);
      // What a node does to itself is kept.
      EXPECT_LT((matrix.diagonal() - dense(full, stiffness).diagonal()).norm(),
                1e-12 * matrix.diagonal().norm());
    }
  }
}

TEST(ResidualModes, OfOldFilesAreTaperedWhenRead) {
  const Example body = example(true, 3);
  const ResidualModes full = residual_modes(body.mesh, kRubber, body.model);
  ResidualOptions options;
  options.most_pairs = static_cast<int>(full.columns.size() / 4);
  const auto path = std::filesystem::temp_directory_path() / "limber_old_residual_modes.limber";
  BakedBody baked{body.model, pack_surface(body.model, Precision::float32)};
  baked.residual = residual_modes(body.mesh, kRubber, body.model, options);
  write_baked(path, baked);  // new ones as they are
  EXPECT_TRUE(same(read_baked(path).residual.K_blocks.span(), baked.residual.K_blocks.span()));
  EXPECT_EQ(read_baked(path).residual.reach[0], baked.residual.reach[0]);
  baked.residual = cut_off(full, baked.residual);
  write_baked(path, baked);
  const ResidualModes read = read_baked(path).residual;
  EXPECT_GT(smallest_eigenvalue(dense(read, true)), 0);
  EXPECT_GT(smallest_eigenvalue(dense(read, false)), 0);
  std::filesystem::remove(path);
}

TEST(ResidualModes, TaperIsSmoothFromOneToNothing) {
  EXPECT_EQ(taper(0, 2), 1);
  EXPECT_EQ(taper(2, 2), 0);
  EXPECT_EQ(taper(3, 2), 0);
  EXPECT_NEAR(taper(1, 2), 5.0 / 24, 1e-15);  // where the two polynomials meet
  EXPECT_NEAR(taper(1 - 1e-9, 2), taper(1 + 1e-9, 2), 1e-8);
  EXPECT_NEAR(taper(2 - 1e-6, 2), 0, 1e-12);
}

TEST(ResidualModes, ComeBackFromFilesAndOldFilesHaveNone) {
  const Example body = example(true, 6);
  const auto path = std::filesystem::temp_directory_path() / "limber_residual_modes.limber";
  BakedBody baked{body.model, pack_surface(body.model, Precision::float32)};
  write_baked(path, baked);
  EXPECT_TRUE(read_baked(path).residual.empty());
  baked.residual = residual_modes(body.mesh, kRubber, body.model);
  write_baked(path, baked);
  const ResidualModes read = read_baked(path).residual;
  const ResidualModes& written = baked.residual;
  EXPECT_TRUE(same(read.contact_nodes.span(), written.contact_nodes.span()));
  EXPECT_TRUE(same(read.K_blocks.span(), written.K_blocks.span()));
  EXPECT_TRUE(same(read.M_blocks.span(), written.M_blocks.span()));
  EXPECT_TRUE(same(read.sources.span(), written.sources.span()));
  BakedBody damaged = baked;
  damaged.residual.sources = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(written.sources.size(), written.contact_node_count()));
  write_baked(path, damaged);
  EXPECT_THROW(static_cast<void>(read_baked(path)), Error);
  std::filesystem::remove(path);
}

TEST(ResidualModes, RefuseWhatTheyCannotDo) {
  const Example body = example(true, 6);
  ResidualOptions none;
  none.most_contact_nodes = 0;
  EXPECT_THROW(static_cast<void>(residual_modes(body.mesh, kRubber, body.model, none)), Error);
  EXPECT_THROW(
      static_cast<void>(residual_modes(shaken_bar({1, 1, 1}, {1, 1, 1}), kRubber, body.model)),
      Error);
}

}  // namespace
}  // namespace limber::residual_tests
