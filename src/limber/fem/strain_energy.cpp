#include "limber/fem/strain_energy.h"

#include <numbers>

#include "limber/fem/operators.h"

namespace limber {

namespace {

using Strain = Eigen::Matrix<double, 6, 1>;  // its dot product is ε:ε'

Strain strain(const TetMesh& mesh, const ElementGeometry& geometry, int tet,
              const Eigen::Ref<const Vector>& u) {
  const Vec3 origin = u.segment<3>(3 * mesh.T(tet, 0));
  Mat3 gradient = Mat3::Zero();
  for (int a = 1; a < 4; ++a) {
    const Vec3 difference = u.segment<3>(3 * mesh.T(tet, a)) - origin;
    gradient += difference * geometry.gradient(tet, a).transpose();
  }
  constexpr double half = std::numbers::sqrt2 / 2;
  Strain result;
  result << gradient(0, 0), gradient(1, 1), gradient(2, 2),
      half * (gradient(0, 1) + gradient(1, 0)), half * (gradient(1, 2) + gradient(2, 1)),
      half * (gradient(2, 0) + gradient(0, 2));
  return result;
}

}  // namespace

Eigen::MatrixXd strain_gram(const TetMesh& mesh, const Materials& materials,
                            const ElementGeometry& geometry,
                            const Eigen::Ref<const Eigen::MatrixXd>& U,
                            const std::function<bool(int)>& counts) {
  const Eigen::Index count = U.cols();
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(count, count);
  Eigen::Matrix<double, 6, Eigen::Dynamic> strains(6, count);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    if (counts && !counts(tet)) continue;
    for (Eigen::Index k = 0; k < count; ++k) strains.col(k) = strain(mesh, geometry, tet, U.col(k));
    const Material& material = materials.of(mesh.region(tet));
    const double lambda = material.lambda() * geometry.volumes[tet];
    const double two_mu = 2 * material.mu() * geometry.volumes[tet];
    for (Eigen::Index j = 0; j < count; ++j) {
      const double trace = lambda * strains.col(j).head<3>().sum();
      for (Eigen::Index i = 0; i <= j; ++i) {
        gram(i, j) +=
            trace * strains.col(i).head<3>().sum() + two_mu * strains.col(i).dot(strains.col(j));
      }
    }
  }
  return gram.selfadjointView<Eigen::Upper>();
}

}  // namespace limber
