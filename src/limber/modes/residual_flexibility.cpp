#include "limber/modes/residual_flexibility.h"

#include "limber/core/solvers/dense_products.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/checks.h"
#include "limber/modes/eigen_solver.h"
#include "limber/modes/rigid_motions.h"

namespace limber {

ResidualFlexibility::ResidualFlexibility(const TetMesh& mesh, const Materials& materials,
                                         const ModalModel& model, MassKind mass)
    : free_(mesh.node_count(),
            std::vector<int>(model.fixed_nodes.begin(), model.fixed_nodes.end())),
      m_(free_.reduce(scalar_mass(mesh, materials, mass), 1)),
      flexibility_(free_.reduce(stiffness(mesh, materials), 3), m_,
                   rigid_motions(mesh.V, connected_parts(mesh), free_)),
      Phi_(free_.reduce(Eigen::MatrixXd(model.Phi()))),
      MPhi_(Phi_.rows(), Phi_.cols()) {
  multiply_mass(m_, Phi_, MPhi_);
}

/// ΦᵀMK⁺ = Λ⁻¹Φᵀ, so that taking the modes out of K⁺X leaves K_res X, orthogonal to rounding.
void ResidualFlexibility::apply(Eigen::MatrixXd& X, Eigen::MatrixXd* whole) const {
  flexibility_.apply(X);
  if (whole != nullptr) *whole = X;
  Eigen::MatrixXd along(Phi_.cols(), X.cols());
  multiply_transposed(MPhi_, X, along);
  subtract_product(Phi_, along, X);
}

Eigen::MatrixXd ResidualFlexibility::times_mass(const Eigen::MatrixXd& X) const {
  Eigen::MatrixXd MX(X.rows(), X.cols());
  multiply_mass(m_, X, MX);
  return MX;
}

Eigen::MatrixXd ResidualFlexibility::unit_forces(std::span<const std::int32_t> nodes) const {
  const auto count = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(Phi_.rows(), 3 * count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const int node = free_.free_index(nodes[static_cast<std::size_t>(k)]);
    E.block<3, 3>(3 * node, 3 * k).setIdentity();
  }
  return E;
}

}  // namespace limber
