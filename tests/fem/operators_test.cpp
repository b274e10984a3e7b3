// Gradients and curls of fields whose derivatives are known.
#include "limber/fem/operators.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/core/rotation.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

const TetMesh kMesh = shaken_bar({1, 0.4, 0.3}, {3, 2, 2});

TEST(Operators, GradientOfALinearFieldIsExact) {
  const Mat3 A = Mat3::Random();
  const Positions field = kMesh.V * A.transpose();
  const Vector gradients = gradient_operator(kMesh) * stacked(field);
  for (int tet = 0; tet < kMesh.tet_count(); ++tet) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(gradients[9 * tet + 3 * i + j], A(i, j), 1e-12);
    }
  }
}

TEST(Operators, DeformationGradientsEqualTheOperator) {
  const Positions moved = kMesh.V + 0.1 * Positions::Random(kMesh.node_count(), 3);
  const std::vector<Mat3> F = deformation_gradients(kMesh, element_geometry(kMesh), moved);
  const Vector expected = gradient_operator(kMesh) * stacked(moved);
  for (int tet = 0; tet < kMesh.tet_count(); ++tet) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> row(expected.data() +
                                                                             9 * tet);
    EXPECT_LT((F[tet] - row).norm(), 1e-13);
  }
}

TEST(Operators, CurlOfASmallRotationIsItsVector) {
  const Vec3 w(0.3, -0.2, 0.5);
  const Vector rotations = curl_operator(kMesh) * rigid_field(kMesh, Vec3(1, 2, 3), w);
  for (int node = 0; node < kMesh.node_count(); ++node) {
    EXPECT_LT((rotations.segment<3>(3 * node) - w).norm(), 1e-12);
  }
}

TEST(Operators, PureStrainDoesNotRotate) {
  const Mat3 A = Mat3::Random();
  const Positions field = kMesh.V * (A + A.transpose());
  EXPECT_LT((curl_operator(kMesh) * stacked(field)).norm(), 1e-11);
}

TEST(Operators, NodalCurlIsThePlainAverageOverItsTets) {
  const Positions u = Positions::Random(kMesh.node_count(), 3);
  const std::vector<Mat3> gradients = deformation_gradients(kMesh, element_geometry(kMesh), u);
  Positions sum = Positions::Zero(kMesh.node_count(), 3);
  Vector count = Vector::Zero(kMesh.node_count());
  for (int tet = 0; tet < kMesh.tet_count(); ++tet) {
    const Mat3 skew_part = (gradients[tet] - gradients[tet].transpose()) / 2;
    const Vec3 w(skew_part(2, 1), skew_part(0, 2), skew_part(1, 0));
    for (int k = 0; k < 4; ++k) {
      sum.row(kMesh.T(tet, k)) += w.transpose();
      count[kMesh.T(tet, k)] += 1;
    }
  }
  const Positions expected = count.cwiseInverse().asDiagonal() * sum;
  EXPECT_LT((curl_operator(kMesh) * stacked(u) - stacked(expected)).norm(),
            1e-12 * expected.norm());
}

TEST(Operators, ShapeGradientsSumToZeroAndVolumesToTheBox) {
  const TetMesh mesh = bar({2, 0.5, 0.25}, {4, 2, 2});
  const ElementGeometry geometry = element_geometry(mesh);
  EXPECT_NEAR(geometry.volumes.sum(), 0.25, 1e-14);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> g(geometry.gradients.row(tet).data());
    EXPECT_LT(g.rowwise().sum().norm(), 1e-13);
  }
}

}  // namespace
}  // namespace limber
