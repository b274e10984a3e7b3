// Mass matrices against exact quadrature and total mass.
#include "limber/fem/mass.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/fem/operators.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

const Material kHeavyRubber{2e5, 0.3, 1234};

/// ∫ ρ N_a N_b over one tet by a rule that is exact for quadratics: four points at barycentric
/// coordinates (α, β, β, β), weight ¼ each.
Eigen::Matrix4d mass_by_quadrature(double mass) {
  const double alpha = (5 + 3 * std::sqrt(5.0)) / 20;
  const double beta = (5 - std::sqrt(5.0)) / 20;
  Eigen::Matrix4d result = Eigen::Matrix4d::Zero();
  for (int point = 0; point < 4; ++point) {
    Eigen::Vector4d N = Eigen::Vector4d::Constant(beta);
    N[point] = alpha;
    result += mass / 4 * N * N.transpose();
  }
  return result;
}

TEST(Mass, ConsistentMassEqualsExactQuadrature) {
  const TetMesh mesh = shaken_bar({1, 0.4, 0.3}, {3, 2, 2});
  const Vector volumes = element_geometry(mesh).volumes;
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(mesh.node_count(), mesh.node_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const Eigen::Matrix4d element = mass_by_quadrature(kHeavyRubber.density * volumes[tet]);
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) expected(mesh.T(tet, a), mesh.T(tet, b)) += element(a, b);
    }
  }
  EXPECT_LT((Eigen::MatrixXd(scalar_mass(mesh, kHeavyRubber)) - expected).norm(),
            1e-14 * expected.norm());
}

TEST(Mass, TotalIsDensityTimesVolumeForEveryKind) {
  TetMesh mesh = bar({2, 0.5, 0.25}, {5, 2, 1});
  mesh.regions.assign(mesh.tet_count(), 0);
  for (int tet = 0; tet < mesh.tet_count() / 2; ++tet) mesh.regions[tet] = 1;
  Materials materials(kHeavyRubber);
  materials.by_region[1] = {1e6, 0.3, 200};
  const double expected = 0.125 * kHeavyRubber.density + 0.125 * 200;
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped, MassKind::one_point}) {
    EXPECT_NEAR(scalar_mass(mesh, materials, kind).sum(), expected, 1e-12 * expected);
  }
}

TEST(Mass, LumpedMassIsDiagonalAndPositive) {
  const SparseMatrix m = scalar_mass(bar({1, 1, 1}, {2, 2, 2}), kHeavyRubber, MassKind::lumped);
  EXPECT_EQ(m.nonZeros(), m.rows());
  EXPECT_GT(m.diagonal().minCoeff(), 0);
}

TEST(Mass, ExpandRepeatsEveryEntryForThreeComponents) {
  const SparseMatrix m = scalar_mass(bar({1, 1, 1}, {2, 1, 1}), kHeavyRubber);
  const Eigen::MatrixXd M = expand(m);
  const Eigen::MatrixXd scalar = m;
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.cols(); ++j) {
      EXPECT_EQ((M.block<3, 3>(3 * i, 3 * j)), scalar(i, j) * Mat3::Identity());
    }
  }
}

}  // namespace
}  // namespace limber
