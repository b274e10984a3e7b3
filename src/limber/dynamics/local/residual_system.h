// The equations of a few residual modes, for steps of one length: dense and small.
//
// Symbols: s (3n) their amplitudes, N; K_χ, M_χ (3n×3n) as in modes/playback/residual_modes.h;
// c₁, c₂ Rayleigh damping, h the step. Backward Euler,
//   S ṡ' = M_χ ṡ − h K_χ s + h K_χ f,  S = (1 + c₁h) M_χ + (c₂h + h²) K_χ = L Lᵀ,  s' = s + h ṡ',
// goes by y = Lᵀ s, in which an impulse p on the nodes acts by ẏ += Tᵀ p and the detail of the
// nodes is d = K_χ s = T y:
//   T = K_χ L⁻ᵀ,  B = L⁻¹ K_χ L⁻ᵀ,  ẏ' = (ẏ − (c₂h + h²) B ẏ)/(1 + c₁h) − h B y.
// At rest under a constant force s = f.
#pragma once

#include <span>

#include "limber/material/material.h"
#include "limber/modes/playback/residual_modes.h"

namespace limber {

class ResidualSystem {
 public:
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// `modes` must outlive this. Allocates for so many contact nodes.
  ResidualSystem(const ResidualModes& modes, int most_nodes);

  /// Of these contact nodes, for steps of h seconds.
  void set(std::span<const int> nodes, double h, const Damping& damping);

  [[nodiscard]] Eigen::Index size() const { return size_; }  // 3n
  [[nodiscard]] auto L() const { return L_.topLeftCorner(size_, size_); }
  [[nodiscard]] auto T() const { return T_.topLeftCorner(size_, size_); }
  [[nodiscard]] auto B() const { return B_.topLeftCorner(size_, size_); }
  /// One step without forces, in place. `scratch`: as long.
  void advance(Eigen::Ref<Vector> y, Eigen::Ref<Vector> rate, Eigen::Ref<Vector> scratch) const;
  /// L⁻ᵀ x in place: from y to s.
  void to_amplitudes(Eigen::Ref<Vector> x) const;
  /// Lᵀ x in place: from s to y.
  void from_amplitudes(Eigen::Ref<Vector> x, Eigen::Ref<Vector> scratch) const;
  [[nodiscard]] double kinetic_energy(const Eigen::Ref<const Vector>& rate) const;
  [[nodiscard]] double elastic_energy(const Eigen::Ref<const Vector>& y) const;
  /// What the rows of a contact node at rest (3×3n of K_χ) become in y: L⁻¹ on the right.
  void to_scaled(Eigen::Ref<Vector> row) const;

 private:
  void assemble(std::span<const int> nodes);
  void factor();

  const ResidualModes& modes_;
  Eigen::Index size_ = 0;
  double h_ = 0, heavier_ = 1, stiffer_ = 0;  // h, 1 + c₁h, c₂h + h²
  Square K_, M_, L_, T_, B_;
};

}  // namespace limber
