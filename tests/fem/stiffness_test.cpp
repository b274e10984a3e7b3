// K against energy, rigid motions, the patch test and element-by-element assembly.
#include "limber/fem/stiffness.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

const Material kSoftRubber{2e5, 0.3, 1000};

TetMesh two_region_bar() {
  TetMesh mesh = shaken_bar({1, 0.3, 0.2}, {4, 2, 2});
  mesh.regions.assign(mesh.tet_count(), 0);
  for (int tet = 0; tet < mesh.tet_count(); tet += 3) mesh.regions[tet] = 5;
  return mesh;
}

Materials two_materials() {
  Materials materials(kSoftRubber);
  materials.by_region[5] = {3e6, 0.1, 500};
  return materials;
}

/// ∫ ½ σ:ε with ε = sym ∇u and σ = λ tr ε I + 2μ ε, straight from the definition.
double strain_energy(const TetMesh& mesh, const Materials& materials, const Vector& u) {
  double energy = 0;
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    Mat3 D;
    Mat3 d;
    for (int k = 0; k < 3; ++k) {
      D.col(k) = (mesh.V.row(mesh.T(tet, k + 1)) - mesh.V.row(mesh.T(tet, 0))).transpose();
      d.col(k) = u.segment<3>(3 * mesh.T(tet, k + 1)) - u.segment<3>(3 * mesh.T(tet, 0));
    }
    const Mat3 gradient = d * D.inverse();
    const Mat3 strain = (gradient + gradient.transpose()) / 2;
    const Material& m = materials.of(mesh.region(tet));
    const double density =
        m.lambda() / 2 * strain.trace() * strain.trace() + m.mu() * strain.cwiseAbs2().sum();
    energy += density * D.determinant() / 6;
  }
  return energy;
}

TEST(Stiffness, QuadraticFormIsTheStrainEnergy) {
  const TetMesh mesh = two_region_bar();
  const SparseMatrix K = stiffness(mesh, two_materials());
  for (int trial = 0; trial < 5; ++trial) {
    const Vector u = Vector::Random(K.rows());
    const double expected = strain_energy(mesh, two_materials(), u);
    EXPECT_NEAR(0.5 * u.dot(K * u), expected, 1e-12 * expected);
  }
}

TEST(Stiffness, IsSymmetric) {
  const SparseMatrix K = stiffness(two_region_bar(), two_materials());
  EXPECT_LT(SparseMatrix(K - SparseMatrix(K.transpose())).norm(), 1e-14 * K.norm());
}

TEST(Stiffness, KillsTheSixRigidMotions) {
  const TetMesh mesh = two_region_bar();
  const SparseMatrix K = stiffness(mesh, two_materials());
  for (int c = 0; c < 3; ++c) {
    for (const Vector& field : {rigid_field(mesh, Vec3::Unit(c), Vec3::Zero()),
                                rigid_field(mesh, Vec3::Zero(), Vec3::Unit(c))}) {
      EXPECT_LT((K * field).norm(), 1e-13 * K.norm() * field.norm());
    }
  }
}

TEST(Stiffness, HasNothingElseInItsNullSpace) {
  const TetMesh mesh = shaken_bar({1, 0.5, 0.5}, {2, 1, 1});
  const Eigen::MatrixXd K = stiffness(mesh, kSoftRubber);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(K);
  EXPECT_LT(eigen.eigenvalues()[5], 1e-12 * eigen.eigenvalues().maxCoeff());
  EXPECT_GT(eigen.eigenvalues()[6], 1e-6 * eigen.eigenvalues().maxCoeff());
}

TEST(Stiffness, UniformStrainLeavesInnerNodesInBalance) {
  const TetMesh mesh = shaken_bar({1, 1, 1}, {3, 3, 3});
  const SparseMatrix K = stiffness(mesh, kSoftRubber);
  const Mat3 gradient = Mat3::Random();
  const Positions field = mesh.V * gradient.transpose();
  const Vector force = K * stacked(field);
  for (int i = 1; i < 3; ++i) {
    for (int j = 1; j < 3; ++j) {
      for (int k = 1; k < 3; ++k) {
        const int node = i + 4 * (j + 4 * k);  // the order of bar()
        EXPECT_LT(force.segment<3>(3 * node).norm(), 1e-12 * K.norm());
      }
    }
  }
}

TEST(Stiffness, EqualsTheSumOfElementMatrices) {
  const TetMesh mesh = two_region_bar();
  const ElementGeometry geometry = element_geometry(mesh);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(3 * mesh.node_count(), 3 * mesh.node_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> gradients(
        geometry.gradients.row(tet).data());
    const auto Ke =
        element_stiffness(gradients, geometry.volumes[tet], two_materials().of(mesh.region(tet)));
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        expected.block<3, 3>(3 * mesh.T(tet, a), 3 * mesh.T(tet, b)) +=
            Ke.block<3, 3>(3 * a, 3 * b);
      }
    }
  }
  EXPECT_LT((Eigen::MatrixXd(stiffness(mesh, two_materials())) - expected).norm(),
            1e-14 * expected.norm());
}

}  // namespace
}  // namespace limber
