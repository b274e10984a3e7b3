// Eigenvalues of stiff parts that move rigidly, against a dense solve in 80-bit numbers.
#include "limber/modes/strain_ritz.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"
#include "limber/fem/strain_energy.h"
#include "limber/mesh/select.h"
#include "limber/modes/modal_analysis.h"
#include "support/dense_pairs.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

TetMesh stiff_tipped_bar() {
  TetMesh mesh = shaken_bar({1, 0.2, 0.24}, {6, 1, 1});
  mesh.regions.assign(mesh.tet_count(), 1);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    double x = 0;
    for (int a = 0; a < 4; ++a) x += mesh.V(mesh.T(tet, a), 0) / 4;
    if (x > 0.5) mesh.regions[tet] = 2;
  }
  return mesh;
}

Materials soft_and_stiff(double ratio) {
  Materials materials(Material{1e5, 0.33, 1000});
  materials.by_region[2] = {1e5 * ratio, 0.33, 3000};
  return materials;
}

/// K and consistent M from positions on, in 80-bit numbers.
void assemble(const TetMesh& mesh, const Materials& materials, LongMatrix& K, LongMatrix& M) {
  K = M = LongMatrix::Zero(3 * mesh.node_count(), 3 * mesh.node_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    Eigen::Matrix<Long, 3, 3> D;
    for (int a = 0; a < 3; ++a) {
      D.col(a) =
          (mesh.V.row(mesh.T(tet, a + 1)).cast<Long>() - mesh.V.row(mesh.T(tet, 0)).cast<Long>())
              .transpose();
    }
    const Long volume = D.determinant() / 6;
    Eigen::Matrix<Long, 4, 3> g;
    g.bottomRows<3>() = D.inverse();
    g.row(0) = -g.bottomRows<3>().colwise().sum();
    const Material& m = materials.of(mesh.region(tet));
    const Long mu = Long(m.young) / (2 * (1 + Long(m.poisson)));
    const Long lambda =
        Long(m.young) * m.poisson / ((1 + Long(m.poisson)) * (1 - 2 * Long(m.poisson)));
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        const Eigen::Matrix<Long, 3, 3> block = volume * (lambda * g.row(a).transpose() * g.row(b) +
                                                          mu * g.row(b).transpose() * g.row(a));
        const Long dot = volume * mu * g.row(a).dot(g.row(b));
        const Long mass = Long(m.density) * volume * (a == b ? 2 : 1) / 20;
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j)
            K(3 * mesh.T(tet, a) + i, 3 * mesh.T(tet, b) + j) += block(i, j);
          K(3 * mesh.T(tet, a) + i, 3 * mesh.T(tet, b) + i) += dot;
          M(3 * mesh.T(tet, a) + i, 3 * mesh.T(tet, b) + i) += mass;
        }
      }
    }
  }
}

Vector precise_eigenvalues(const TetMesh& mesh, const Materials& materials,
                           const std::vector<int>& fixed, int count) {
  LongMatrix K;
  LongMatrix M;
  assemble(mesh, materials, K, M);
  for (const int node : fixed) {  // far above all that is looked at
    for (int i = 0; i < 3; ++i) {
      K.row(3 * node + i).setZero();
      K.col(3 * node + i).setZero();
      M.row(3 * node + i).setZero();
      M.col(3 * node + i).setZero();
      K(3 * node + i, 3 * node + i) = 1e9L;
      M(3 * node + i, 3 * node + i) = 1;
    }
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<LongMatrix> solver(K, M, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().head(count).cast<double>();
}

double largest_difference(const Vector& found, const Vector& wanted) {
  return ((found - wanted).array() / wanted.array()).abs().maxCoeff();
}

TEST(StrainGram, IsTheQuadraticFormOfK) {
  const TetMesh mesh = stiff_tipped_bar();
  const Materials materials = soft_and_stiff(7);
  const Eigen::MatrixXd U = Eigen::MatrixXd::Random(3 * mesh.node_count(), 4);
  const Eigen::MatrixXd wanted = U.transpose() * (stiffness(mesh, materials) * U);
  const ElementGeometry geometry = element_geometry(mesh);
  const Eigen::MatrixXd gram = strain_gram(mesh, materials, geometry, U);
  EXPECT_LT((gram - wanted).cwiseAbs().maxCoeff(), 1e-12 * wanted.cwiseAbs().maxCoeff());
  const Eigen::MatrixXd even =
      strain_gram(mesh, materials, geometry, U, [](int t) { return t % 2 == 0; });
  const Eigen::MatrixXd odd =
      strain_gram(mesh, materials, geometry, U, [](int t) { return t % 2 == 1; });
  EXPECT_LT((even + odd - wanted).cwiseAbs().maxCoeff(), 1e-12 * wanted.cwiseAbs().maxCoeff());
}

TEST(StrainRitz, StiffPartsThatMoveRigidlyKeepTheirDigits) {
  const TetMesh mesh = stiff_tipped_bar();
  const std::vector<int> fixed = select_nodes(mesh, "x<=0.05");
  const Materials materials = soft_and_stiff(1e6);
  const Vector wanted = precise_eigenvalues(mesh, materials, fixed, 6);

  // ε times the mesh's highest eigenvalue is 1e-6 of the lowest: K's digits end there. Vectors are
  // off by ten times that where modes are near, which counts squared; 1e-10 is left alone.
  const ModalAnalysis modes = modal_analysis(mesh, materials, fixed, {6});
  EXPECT_LT(largest_difference(modes.eigenvalues, wanted), 1e-9);
  EXPECT_LT((modes.Phi.transpose() * (mass(mesh, materials, MassKind::consistent) * modes.Phi) -
             Eigen::MatrixXd::Identity(6, 6))
                .cwiseAbs()
                .maxCoeff(),
            1e-10);

  const FreeDofs free(mesh.node_count(), fixed);
  const Vector rounded = dense_eigenvalues(
      Eigen::MatrixXd(free.reduce(stiffness(mesh, materials), 3)),
      Eigen::MatrixXd(free.reduce(mass(mesh, materials, MassKind::consistent), 3)));
  EXPECT_GT(largest_difference(rounded.head(6), wanted), 1e-7) << "K's own digits would do";
}

TEST(StrainRitz, PairsThatAreExactStayToTheBit) {
  EigenPairs pairs{Vector{{1.0, 2.0, 2.0}}, Eigen::MatrixXd::Random(9, 3)};
  const EigenPairs before = pairs;
  refine_by_strains(
      [&](int first, int count) {
        return Eigen::MatrixXd(
            ((1 + 1e-12) * before.eigenvalues.segment(first, count)).asDiagonal());
      },
      pairs);
  EXPECT_EQ(pairs.eigenvalues, before.eigenvalues);
  EXPECT_EQ(pairs.vectors, before.vectors);
}

TEST(StrainRitz, ClosePairsAreTurnedAmongEachOther) {
  EigenPairs pairs{Vector{{1.0, 1.0}}, Eigen::MatrixXd::Identity(2, 2)};
  refine_by_strains([](int, int) { return Eigen::MatrixXd{{1.0, 1e-7}, {1e-7, 1.0}}; }, pairs);
  EXPECT_NEAR(pairs.eigenvalues[0], 1 - 1e-7, 1e-15);
  EXPECT_NEAR(pairs.eigenvalues[1], 1 + 1e-7, 1e-15);
  // The angle is known to ε of the diagonal over the 1e-7 beside it.
  EXPECT_NEAR(std::abs(pairs.vectors(0, 0)), std::sqrt(0.5), 1e-8);
  EXPECT_NEAR(std::abs(pairs.vectors(1, 0)), std::sqrt(0.5), 1e-8);
}

}  // namespace
}  // namespace limber
