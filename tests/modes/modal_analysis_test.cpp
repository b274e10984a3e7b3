// Modes against dense solves, orthogonality, rigid motions and beam theory.
#include "limber/modes/modal_analysis.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/core/error.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/select.h"
#include "limber/modes/block_lanczos.h"
#include "limber/modes/rigid_motions.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

const Material kRubber{2e5, 0.3, 1000};

/// Ascending eigenvalues of the free part by Eigen's dense generalised solver.
Vector dense_eigenvalues(const TetMesh& mesh, const std::vector<int>& fixed, MassKind kind) {
  const FreeDofs free(mesh.node_count(), fixed);
  const Eigen::MatrixXd K = free.reduce(stiffness(mesh, kRubber), 3);
  const Eigen::MatrixXd M = free.reduce(mass(mesh, kRubber, kind), 3);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

void expect_same(const Vector& actual, const Vector& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (Eigen::Index k = 0; k < actual.size(); ++k) {
    EXPECT_NEAR(actual[k], expected[k], tolerance * expected[k]) << "mode " << k;
  }
}

TEST(ModalAnalysis, ClampedBarEqualsTheDenseSolve) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {12, 3, 3});  // 624 free unknowns: Lanczos
  const std::vector<int> fixed = select_nodes(mesh, "x<=0.03");
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped}) {
    const ModalAnalysis modes = modal_analysis(mesh, kRubber, fixed, {20, {}, kind});
    EXPECT_NE(modes.solver.find("lanczos"), std::string::npos);
    EXPECT_EQ(modes.rigid_modes, 0);
    EXPECT_LT(modes.max_residual, 1e-8);
    expect_same(modes.eigenvalues, dense_eigenvalues(mesh, fixed, kind).head(20), 1e-9);
  }
}

TEST(ModalAnalysis, FreeBarEqualsTheDenseSolveBehindSixRigidModes) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {12, 3, 3});
  const ModalAnalysis modes = modal_analysis(mesh, kRubber, {}, {30});
  EXPECT_EQ(modes.rigid_modes, 6);
  EXPECT_LT(modes.max_residual, 1e-8);
  expect_same(modes.eigenvalues, dense_eigenvalues(mesh, {}, MassKind::consistent).segment(6, 30),
              1e-9);
}

TEST(ModalAnalysis, SmallBodiesTakeTheDenseSolverWithTheSameResult) {
  const TetMesh mesh = shaken_bar({1, 0.4, 0.4}, {3, 1, 1});
  for (const std::vector<int>& fixed : {std::vector<int>{}, select_nodes(mesh, "x<=0.1")}) {
    const Vector expected = dense_eigenvalues(mesh, fixed, MassKind::consistent);
    const int rigid = fixed.empty() ? 6 : 0;
    const int count = static_cast<int>(expected.size()) - rigid;
    const ModalAnalysis modes = modal_analysis(mesh, kRubber, fixed, {count});
    EXPECT_EQ(modes.solver, "dense");
    EXPECT_EQ(modes.rigid_modes, rigid);
    expect_same(modes.eigenvalues, expected.tail(count), 1e-9);
  }
}

TEST(ModalAnalysis, ModesAreMassNormalisedAndDiagonaliseK) {
  const TetMesh mesh = shaken_bar({1, 0.3, 0.2}, {14, 3, 3});
  for (const std::vector<int>& fixed : {std::vector<int>{}, select_nodes(mesh, "x<=0.02")}) {
    const ModalAnalysis modes = modal_analysis(mesh, kRubber, fixed, {60});
    const Eigen::MatrixXd gram = modes.Phi.transpose() * (mass(mesh, kRubber) * modes.Phi);
    const Eigen::MatrixXd reduced = modes.Phi.transpose() * (stiffness(mesh, kRubber) * modes.Phi);
    EXPECT_LT((gram - Eigen::MatrixXd::Identity(60, 60)).cwiseAbs().maxCoeff(), 1e-9);
    const Vector scale = modes.eigenvalues.cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd unit = scale.asDiagonal() * reduced * scale.asDiagonal();
    EXPECT_LT((unit - Eigen::MatrixXd::Identity(60, 60)).cwiseAbs().maxCoeff(), 1e-9);
    for (const int node : fixed) EXPECT_EQ(modes.Phi.middleRows<3>(3 * node).norm(), 0);
  }
}

TEST(ModalAnalysis, RepeatedEigenvaluesAreAllFound) {
  const TetMesh mesh = sphere(0.5, 3);  // cubic symmetry: triples and pairs
  const ModalAnalysis modes = modal_analysis(mesh, kRubber, {}, {40});
  const Vector expected = dense_eigenvalues(mesh, {}, MassKind::consistent);
  expect_same(modes.eigenvalues, expected.segment(6, 40), 1e-9);
}

TEST(ModalAnalysis, HingedAndPinnedBodiesKeepTheirFreeMotions) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 3, 3});
  const auto rigid = [&](const std::vector<int>& fixed) {
    return modal_analysis(mesh, kRubber, fixed, {5}).rigid_modes;
  };
  EXPECT_EQ(rigid({0}), 3);                                       // a ball joint
  EXPECT_EQ(rigid(select_nodes(mesh, "x<=0.01 && y<=0.01")), 1);  // a hinge along z
  EXPECT_EQ(rigid(select_nodes(mesh, "x<=0.01")), 0);
}

TEST(ModalAnalysis, PinnedBodyEqualsTheDenseSolve) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {12, 3, 3});
  const Vector expected = dense_eigenvalues(mesh, {7}, MassKind::consistent);
  expect_same(modal_analysis(mesh, kRubber, {7}, {10}).eigenvalues, expected.segment(3, 10), 1e-9);
}

TEST(ModalAnalysis, AskingForMoreContinuesWithTheSameModes) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {12, 3, 3});
  const FreeDofs free(mesh.node_count(), select_nodes(mesh, "x<=0.03"));
  const SparseMatrix K = free.reduce(stiffness(mesh, kRubber), 3);
  const SparseMatrix m = free.reduce(scalar_mass(mesh, kRubber), 1);
  BlockLanczos solver(K, m, Eigen::MatrixXd(K.rows(), 0), 10, {});
  const Vector few = solver.lowest(10, {}).eigenvalues;
  const Vector many = solver.lowest(50, {}).eigenvalues;
  expect_same(few, many.head(10), 1e-11);
}

TEST(ModalAnalysis, SlenderBeamApproachesBeamTheory) {
  // Euler-Bernoulli, clamped-free: ω = 1.8751² √(EI/(ρA L⁴)). Linear tets lock, so the frequency
  // comes down to it from above as cells shrink.
  const Material steel{2e11, 0.0, 7800};
  const double exact = std::pow(1.8751040687, 4) * steel.young * (0.05 * 0.05 / 12) / steel.density;
  double last = 1e300;
  for (const int cells : {1, 2, 4}) {
    const TetMesh mesh = bar({1, 0.05, 0.05}, {20 * cells, cells, cells});
    const double lambda =
        modal_analysis(mesh, steel, select_nodes(mesh, "x<=0"), {1}).eigenvalues[0];
    EXPECT_GT(lambda, exact);
    EXPECT_LT(lambda, last);
    last = lambda;
  }
  EXPECT_LT(last, 1.35 * exact);
}

TEST(ModalAnalysis, AutomaticCountStopsAtHalfTheDisplayRate) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {15, 3, 3});
  const std::vector<int> fixed = select_nodes(mesh, "x<=0");
  ModalOptions options{ModalOptions::kAutomatic};
  options.visible.max_force = 1e9;  // everything gives way: only the rate counts
  options.visible.display_rate_hz = 40;
  const ModalAnalysis modes = modal_analysis(mesh, kRubber, fixed, options);
  const ModalAnalysis more =
      modal_analysis(mesh, kRubber, fixed, {static_cast<int>(modes.eigenvalues.size()) + 3});
  const Eigen::Index count = modes.eigenvalues.size();
  EXPECT_GT(frequency_hz(more.eigenvalues[count]), 20);
  EXPECT_LT(frequency_hz(modes.eigenvalues[0]), 20);
  // The next one is not a twin of the last.
  EXPECT_GT(more.eigenvalues[count], modes.eigenvalues[count - 1] * (1 + 1e-3));
}

TEST(ModalAnalysis, AutomaticCountNeverCutsATwin) {
  // Sample sheets are mirrored cell by cell, so a square section has exact twins in bending.
  const TetMesh mesh = sheet({1, 0.2, 0.2}, {10, 2, 2});
  const std::vector<int> fixed = select_nodes(mesh, "x<=0");
  ModalOptions options{ModalOptions::kAutomatic};
  options.visible.max_force = 1e9;
  const Vector all = modal_analysis(mesh, kRubber, fixed, {40}).eigenvalues;
  for (int k = 0; k + 1 < 20; ++k) {
    // A rate whose half lies just above mode k.
    options.visible.display_rate_hz = 2 * frequency_hz(all[k]) * (1 + 1e-9);
    const Eigen::Index count = modal_analysis(mesh, kRubber, fixed, options).eigenvalues.size();
    EXPECT_GE(count, k + 1);
    EXPECT_GT(all[count], all[count - 1] * (1 + 1e-3)) << "cut after " << count;
  }
}

TEST(ModalAnalysis, AutomaticCountDropsModesTooStiffToSee) {
  const TetMesh mesh = sheet({1, 0.2, 0.2}, {10, 2, 2});
  ModalOptions options{ModalOptions::kAutomatic};
  options.visible.display_rate_hz = 1e4;
  options.visible.at_most = 60;
  options.visible.min_displacement = 1e-3;
  const std::vector<int> fixed = select_nodes(mesh, "x<=0");
  Eigen::Index last = 1000;
  for (const double force : {100.0, 1.0, 0.01}) {
    options.visible.max_force = force;
    const Eigen::Index count = modal_analysis(mesh, kRubber, fixed, options).eigenvalues.size();
    EXPECT_LE(count, last);
    last = count;
  }
  EXPECT_EQ(last, 2);  // nothing shows: the lowest eigenvalue alone, with its twin
}

TEST(ModalAnalysis, UnusedNodesStayStill) {
  TetMesh mesh = bar({1, 0.2, 0.2}, {10, 3, 3});
  const Vector expected = modal_analysis(mesh, kRubber, {}, {5}).eigenvalues;
  mesh.V.conservativeResize(mesh.V.rows() + 1, 3);
  mesh.V.bottomRows<1>() << 5, 5, 5;
  const ModalAnalysis modes = modal_analysis(mesh, kRubber, {}, {5});
  EXPECT_EQ(modes.rigid_modes, 6);
  EXPECT_EQ(modes.Phi.bottomRows<3>().norm(), 0);
  expect_same(modes.eigenvalues, expected, 1e-12);
}

TetMesh two_bars() {
  const TetMesh one = bar({1, 0.2, 0.2}, {5, 2, 2});
  TetMesh two;
  two.V.resize(2 * one.V.rows(), 3);
  two.V << one.V, one.V.rowwise() + Eigen::RowVector3d(0, 1, 0);
  two.T.resize(2 * one.T.rows(), 4);
  two.T << one.T, (one.T.array() + one.node_count()).matrix();
  return two;
}

TEST(ModalAnalysis, SeparatePartsAreRefusedUnlessTheyHaveRegionsOfTheirOwn) {
  TetMesh mesh = two_bars();
  try {
    (void)modal_analysis(mesh, kRubber, {}, {5});
    FAIL() << "two parts were accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2 separate parts"), std::string::npos);
  }
  mesh.regions.assign(mesh.tet_count(), 1);
  for (int tet = mesh.tet_count() / 2; tet < mesh.tet_count(); ++tet) mesh.regions[tet] = 2;
  const ModalAnalysis modes = modal_analysis(mesh, kRubber, {}, {8});
  EXPECT_EQ(modes.parts, 2);
  EXPECT_EQ(modes.rigid_modes, 12);
  expect_same(modes.eigenvalues, dense_eigenvalues(mesh, {}, MassKind::consistent).segment(12, 8),
              1e-9);
}

TEST(ModalAnalysis, BadRequestsAreRefused) {
  const TetMesh mesh = bar({1, 1, 1}, {1, 1, 1});
  std::vector<int> everything(mesh.node_count());
  for (int node = 0; node < mesh.node_count(); ++node) everything[node] = node;
  EXPECT_THROW((void)modal_analysis(mesh, kRubber, {}, {19}), Error);  // 24 unknowns, 6 rigid
  EXPECT_THROW((void)modal_analysis(mesh, kRubber, {}, {-1}), Error);
  EXPECT_THROW((void)modal_analysis(mesh, kRubber, everything, {1}), Error);
  EXPECT_THROW((void)modal_analysis(mesh, kRubber, {99}, {1}), Error);
  EXPECT_THROW((void)modal_analysis(mesh, Material{1e6, 0.5, 1000}, {}, {1}), Error);
  EXPECT_THROW((void)modal_analysis(mesh, Material{0, 0.3, 1000}, {}, {1}), Error);
  EXPECT_THROW((void)modal_analysis(mesh, Material{1e6, 0.3, std::nan("")}, {}, {1}), Error);
  EXPECT_THROW((void)modal_analysis(TetMesh{}, kRubber, {}, {1}), Error);
}

}  // namespace
}  // namespace limber
