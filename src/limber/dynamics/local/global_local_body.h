// A body that moves by its modes and has detail where it is touched (García et al. 2010): warped
// modes carry it, local detail follows the contacts, whose rows see both.
//
//   x = c + R (X + R~(Ψq)(Φq + d)),  ẋ along a row: J V + (R~ᵀ Rᵀ direction)ᵀ ḋ
//
// Rows leave out that d turns with Ψq̇, which is of second order in displacements. Position handles
// hold x as it is here, where detail is made of residual modes; else the modes alone.
#pragma once

#include <memory>
#include <vector>

#include "limber/dynamics/local/local_detail.h"
#include "limber/dynamics/local/residual_hold.h"
#include "limber/dynamics/modal/modal_body.h"

namespace limber {

class GlobalLocalBody final : public ModalBody {
 public:
  /// `detail` is of the same nodes as the model; none: the modes alone. Throws Error as ModalBody
  /// does.
  GlobalLocalBody(ModalModel model, std::unique_ptr<LocalDetail> detail,
                  const ModalBodyOptions& options = {}, Loads loads = {},
                  SupportMotion support = {});

  [[nodiscard]] Method method() const override { return Method::global_local; }
  [[nodiscard]] const LocalDetail* detail() const { return detail_.get(); }
  /// Nodes with detail now, and seconds spent on detail so far.
  [[nodiscard]] int local_nodes() const { return detail_ ? detail_->node_count() : 0; }
  [[nodiscard]] double local_seconds() const { return seconds_; }

  [[nodiscard]] Fault predict(double h, StepKind kind) noexcept override;
  [[nodiscard]] Fault commit() noexcept override;
  void point_states(std::span<const BodyPoint> points,
                    std::span<PointState> states) const noexcept override;
  void reserve_rows(int rows) override;
  void set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  [[nodiscard]] int row_length(int rows) const noexcept override;
  void scaled_motion(float* velocity, float* displacement) const noexcept override;
  void apply(std::span<const double> impulses, bool move,
             std::span<const Vec3> carried = {}) noexcept override;
  /// Detail takes impulses one by one.
  [[nodiscard]] bool takes_sums() const noexcept override {
    return !detail_ && ModalBody::takes_sums();
  }
  void set_damping(const Damping& damping) override;
  void set_velocity(const Vec3& velocity, const Vec3& angular_velocity) override;
  void set_node_state(const Positions& positions, const Positions& velocities) override;
  void set_modal(std::span<const double> amplitudes, std::span<const double> velocities) override;
  SettleStatus settle(const SettleOptions& options = {}) override;
  [[nodiscard]] DetailSize detail_size() const override;
  [[nodiscard]] DetailChoice detail_choice() const override;
  [[nodiscard]] DetailLevel detail_now() const override;
  void want_detail(const DetailLevel& level) noexcept override;
  void fade_detail(double h) noexcept override;
  void node_positions(Eigen::Ref<Positions> positions) const override;
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] double kinetic_energy() const override;
  [[nodiscard]] double elastic_energy() const override;
  void archive(StateArchive& state) override;

 private:
  [[nodiscard]] bool has_detail() const { return detail_ && detail_->shows(); }
  [[nodiscard]] Mat3 warp(int node) const;
  [[nodiscard]] int modal_length() const { return ModalBody::row_length(0); }
  /// Handles that have come or gone since the last step.
  void follow_handles();
  /// What handles hold, of modes and detail together, is taken out of the rows.
  void project_held(double h, float* scaled, std::ptrdiff_t stride);
  /// d of a node and its rate, turned as the node is and into the world.
  [[nodiscard]] PointState turned_detail(int node) const noexcept;

  std::unique_ptr<LocalDetail> detail_;
  std::unique_ptr<ResidualHold> hold_;  // of detail_; none: handles hold the modes alone
  std::uint64_t held_layout_ = 0;       // of the handles that hold_ knows
  std::vector<BodyPoint> held_points_;
  ModeMatrix held_rows_, joint_rows_;  // modes and detail side by side
  std::vector<DetailRow> rows_;
  bool predicted_ = false;
  mutable double seconds_ = 0;
};

}  // namespace limber
