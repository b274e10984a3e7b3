// K_res = K⁺ − ΦΛ⁻¹Φᵀ: how a body gives way beyond its modes. K⁺ is K⁻¹, of free bodies by inertia
// relief (flexibility.h).
#pragma once

#include <span>

#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/modes/flexibility.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

class ResidualFlexibility {
 public:
  /// `model` has the modes; mesh, materials and mass are those that it was made from.
  ResidualFlexibility(const TetMesh& mesh, const Materials& materials, const ModalModel& model,
                      MassKind mass = MassKind::consistent);

  [[nodiscard]] const FreeDofs& free() const { return free_; }
  /// Overwrites X, on the free unknowns, with K_res X. `whole`, where given, gets K⁺ X.
  void apply(Eigen::MatrixXd& X, Eigen::MatrixXd* whole = nullptr) const;
  [[nodiscard]] Eigen::MatrixXd times_mass(const Eigen::MatrixXd& X) const;
  /// Unit forces on a node along the three axes, for each node three columns.
  [[nodiscard]] Eigen::MatrixXd unit_forces(std::span<const std::int32_t> nodes) const;

 private:
  FreeDofs free_;
  SparseMatrix m_;
  Flexibility flexibility_;
  Eigen::MatrixXd Phi_, MPhi_;
};

}  // namespace limber
