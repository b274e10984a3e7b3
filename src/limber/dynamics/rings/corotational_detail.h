// Local detail beyond the linear law: residual modes carry the touched nodes and the border, and
// inside some rings around them corotational elements correct the shape.
//
//   x = X + R~ (Φq + χs + e),  S_L ė' = M_L ė − h K_L e + h r(Φq + χs + e),
// e (m) the correction, zero on the border; r how far corotational elements are from the linear law
// (element_region.h). Symbols as in ring_system.h and residual_modes.h.
//
// r is taken at the start of the step: S_L is that of the rest shape, factored once a region, and
// the difference of two laws is what moves slowly. (Before contacts push, the end of a step is no
// place to take it: stiff residual modes have sprung back there.) Contacts see the compliance of
// the residual modes; what e adds they find at the next detection.
// χ is needed at inner nodes too: two solves of the whole body for each node that wakes, some
// milliseconds.
#pragma once

#include <vector>

#include "limber/dynamics/local/residual_detail.h"
#include "limber/dynamics/rings/element_region.h"
#include "limber/dynamics/rings/ring_field.h"
#include "limber/modes/residual_flexibility.h"

namespace limber {

class CorotationalDetail final : public LocalDetail {
 public:
  /// As RingsDetail; `modes` are the model's residual modes, not empty.
  CorotationalDetail(const TetMesh& mesh, const Materials& materials, const ModalModel& model,
                     ResidualModes modes, const LocalOptions& options,
                     std::span<const int> excluded = {}, MassKind mass = MassKind::consistent);

  [[nodiscard]] int node_count() const override;
  void set_damping(const Damping& damping) override;
  void see(const Vector& q) noexcept override { q_ = q; }
  void predict(double h) noexcept override;
  void commit() noexcept override;
  void cancel() noexcept override;
  void reserve_rows(int rows) override { linear_.reserve_rows(rows); }
  [[nodiscard]] int row_length(int rows) const noexcept override {
    return linear_.row_length(rows);
  }
  void set_rows(std::span<const DetailRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  void scaled_motion(float* velocity, float* displacement) const noexcept override {
    linear_.scaled_motion(velocity, displacement);
  }
  void apply(std::span<const double> impulses, bool move) noexcept override {
    linear_.apply(impulses, move);
  }
  [[nodiscard]] Vec3 displacement(int node) const noexcept override {
    return linear_.displacement(node) + field_.displacement(node);
  }
  [[nodiscard]] Vec3 velocity(int node) const noexcept override {
    return linear_.velocity(node) + field_.velocity(node);
  }
  [[nodiscard]] double kinetic_energy() const override {
    return linear_.kinetic_energy() + field_.kinetic_energy();
  }
  /// That of the linear law for χs and e; what couples them is left out.
  [[nodiscard]] double elastic_energy() const override {
    return linear_.elastic_energy() + field_.elastic_energy();
  }
  void stand_still() override;
  void clear() override;
  void archive(StateArchive& state) override;

  /// e of a node.
  [[nodiscard]] Vec3 correction(int node) const { return field_.displacement(node); }

 private:
  void follow(double h);
  void find_columns();
  void find_forces();

  ModalModel model_;
  ResidualModes modes_;
  NodalRows rows_;
  RingField field_;  // looks into rows_
  ResidualFlexibility flexibility_;
  ResidualDetail linear_;
  ElementRegion elements_;  // looks into rows_
  Vector q_;                // at the start of the step
  std::vector<int> awake_, seeds_;        // contact nodes with columns; their numbers in the mesh
  std::vector<Eigen::MatrixXd> columns_;  // χ of each (3n×3)
  Vector s_;
};

}  // namespace limber
