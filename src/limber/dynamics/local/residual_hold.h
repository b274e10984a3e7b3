// Handles on a body with residual modes: their forces dent it as contacts do, so that at rest a
// held point is where every node of the linear body would have it, Φq + χs = K⁻¹f. See
// modal/held_detail.h for the symbols.
#pragma once

#include "limber/dynamics/local/residual_detail.h"
#include "limber/dynamics/modal/held_detail.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

class ResidualHold final : public HeldDetail {
 public:
  /// Both must outlive this.
  ResidualHold(const ModalModel& model, ResidualDetail& detail)
      : model_(model), detail_(detail), row_(Vector::Zero(detail.most_length())) {}

  /// The points that handles act at, from the next steps on: see ResidualDetail::hold().
  void hold(std::span<const BodyPoint> points);
  void wake(double h) { detail_.wake_held(h); }

  [[nodiscard]] Eigen::Index length() const override { return detail_.length(); }
  [[nodiscard]] Eigen::Index most_length() const override { return detail_.most_length(); }
  void point_rows(const BodyPoint& point, const Vector& q,
                  Eigen::Ref<ModeMatrix> rows) const noexcept override;
  [[nodiscard]] const Vector& start() const override { return detail_.start_y(); }
  [[nodiscard]] const Vector& end() const override { return detail_.end_y(); }
  [[nodiscard]] Vec3 displacement(const BodyPoint& point, const Vector& q) const noexcept override;
  void push(const Eigen::Ref<const Vector>& change, bool move) noexcept override {
    detail_.push(change, move);
  }
  [[nodiscard]] Mat3 flexibility(const BodyPoint& at, const BodyPoint& from,
                                 const Vector& q) const override;
  void rest_under(std::span<const BodyPoint> points, const Vector& forces,
                  const Vector& q) override;

 private:
  [[nodiscard]] Mat3 warp(int node, const Vector& q) const;

  const ModalModel& model_;
  ResidualDetail& detail_;
  mutable Vector row_;
};

}  // namespace limber
