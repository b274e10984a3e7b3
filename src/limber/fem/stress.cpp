#include "limber/fem/stress.h"

#include <cmath>

#include "limber/core/rotation.h"

namespace limber {

namespace {

constexpr double kFlattest = 0.01;  // of the volume at rest

Mat3 edges_of(const Positions& points, const TetMesh& mesh, int tet) {
  Mat3 edges;
  for (int k = 0; k < 3; ++k) {
    edges.col(k) = (points.row(mesh.T(tet, k + 1)) - points.row(mesh.T(tet, 0))).transpose();
  }
  return edges;
}

/// 2μ ε + λ tr ε I.
Mat3 hooke(const Material& material, const Mat3& strain) {
  return 2 * material.mu() * strain + material.lambda() * strain.trace() * Mat3(Mat3::Identity());
}

/// ∂J/∂F: the rows of the other two columns' cross products.
Mat3 cofactors(const Mat3& F) {
  Mat3 result;
  result << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
  return result;
}

Mat3 cauchy_stress(const Material& material, StressLaw law, const Mat3& F) {
  const Mat3 identity = Mat3::Identity();
  const double volume = std::max(F.determinant(), kFlattest);
  switch (law) {
    case StressLaw::linear:
      return hooke(material, (F + F.transpose()) / 2 - identity);
    case StressLaw::corotational: {
      const Mat3 S = polar_rotation(F).transpose() * F;
      return hooke(material, (S + S.transpose()) / 2 - identity);
    }
    case StressLaw::stvk: {
      const Mat3 S = hooke(material, (F.transpose() * F - identity) / 2);
      return F * S * F.transpose() / volume;
    }
    case StressLaw::neo_hookean: {
      const double mu = 4.0 / 3 * material.mu();
      const double lambda = material.lambda() + 5.0 / 6 * material.mu();
      const Mat3 P = mu * (1 - 1 / (F.squaredNorm() + 1)) * F +
                     (lambda * (F.determinant() - 1) - material.mu()) * cofactors(F);
      return P * F.transpose() / volume;
    }
  }
  return Mat3::Zero();
}

}  // namespace

Vector von_mises_stress(const TetMesh& mesh, const Materials& materials, StressLaw law,
                        const Positions& positions) {
  Vector result(mesh.tet_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const Mat3 F = edges_of(positions, mesh, tet) * edges_of(mesh.V, mesh, tet).inverse();
    Mat3 deviator = cauchy_stress(materials.of(mesh.region(tet)), law, F);
    deviator.diagonal().array() -= deviator.trace() / 3;
    result[tet] = std::sqrt(1.5) * deviator.norm();
  }
  return result;
}

}  // namespace limber
