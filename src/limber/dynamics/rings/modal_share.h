// What the modes take of a force: r = f − MΦ(Φᵀf) is what is left for local detail. Of free bodies
// Φ has their six rigid motions as well, which the frame takes.
//
// Symbols: Φ (3n×p) modes and rigid motions, ΦᵀMΦ = I, rows of fixed nodes zero.
#pragma once

#include "limber/dynamics/rings/nodal_rows.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

class ModalShare {
 public:
  ModalShare(const NodalRows& rows, const ModalModel& model);

  [[nodiscard]] Eigen::Index count() const { return Phi_.cols(); }  // p
  /// Rows (3×p) of a node.
  [[nodiscard]] auto Phi(int node) const { return Phi_.middleRows<3>(3 * node); }
  [[nodiscard]] auto MPhi(int node) const { return MPhi_.middleRows<3>(3 * node); }

 private:
  ModeMatrix Phi_, MPhi_;
};

}  // namespace limber
