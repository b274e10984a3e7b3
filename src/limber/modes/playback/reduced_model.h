// What a model needs to play as a reduced nonlinear body: a space of few fields, and the tets whose
// elasticity stands for that of all.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/core/shared_array.h"
#include "limber/core/types.h"
#include "limber/modes/playback/reduced_elements.h"

namespace limber {

struct ModalModel;

/// Immutable; copies share memory. Empty in models that were baked without.
struct ReducedModel {
  SharedArray<double> eigenvalues_data;  // r, ascending: ΦᵀKΦ at rest
  SharedArray<double> Phi_data;          // 3n×r row-major, ΦᵀMΦ = I
  SharedArray<double> Psi_data;          // 3n×r row-major
  SharedArray<std::int32_t> tets;        // that count
  SharedArray<double> lame;  // law by law and tet by tet λ, μ times volume and weight, N·m

  [[nodiscard]] bool empty() const { return eigenvalues_data.empty(); }
  [[nodiscard]] int mode_count() const { return static_cast<int>(eigenvalues_data.size()); }
  [[nodiscard]] std::vector<ReducedTet> weighted_tets(ElasticLaw law) const;
};

/// Of a material whose Young's modulus is `factor` times as large: the shapes stay.
[[nodiscard]] ReducedModel stiffened(const ReducedModel& model, double factor);

/// The same body with the reduced space in the place of its modes. Throws Error where the model was
/// baked without one.
[[nodiscard]] ModalModel in_reduced_space(const ModalModel& model);

}  // namespace limber
