// A modal body's coordinates as handles see them: the modes, and before them, where the body is
// free, velocity and angular velocity of its frame (Hauser et al. 2003, eqs. 17-21 as corrected).
//
// A point of a free body is at x = c + R (X + u(q) − X_c − s(q)), in world coordinates; of a body
// on a support at x = X + u(q), in the support's frame. Rows (3×d) of a point: ẋ = J [ċ, ω, q̇].
#pragma once

#include "limber/dynamics/modal/step_correction.h"

namespace limber {

/// A state with all that its points' rows share.
struct HandlePose {
  const Vector* q = nullptr;
  bool is_free = false;
  Mat3 rotation = Mat3::Identity();
  Vec3 centre = Vec3::Zero();        // c
  Vec3 local_centre = Vec3::Zero();  // X_c + s(q)
  ThreeRows shift_rows;              // ∂s/∂q, where rows were asked for
};

class HandleSpace {
 public:
  HandleSpace(int modes, bool is_free) : modes_(modes), is_free_(is_free) { B_.setZero(3, modes); }

  [[nodiscard]] Eigen::Index length() const { return modes_ + first_mode(); }
  [[nodiscard]] Eigen::Index first_mode() const { return is_free_ ? 6 : 0; }

  /// `rows`: whether rows will be asked for, or places alone. The state must outlive the pose.
  void set_pose(ModalShape& shape, const ModalState& state, bool rows, HandlePose& pose) const;

  [[nodiscard]] Vec3 place(const ModalShape& shape, const HandlePose& pose,
                           const BodyPoint& point) const;
  using Rows = Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>>;
  void place_rows(const ModalShape& shape, const HandlePose& pose, const BodyPoint& point,
                  Rows rows) const;
  /// What takes the rows' place for forces at the point, under the body's law of loads.
  void force_rows(const ModalShape& shape, const HandlePose& pose, const BodyPoint& point,
                  Rows rows) const;
  /// Of the point's rotation vector in the support's frame; for a free body of its angular velocity
  /// in the world.
  void turn_rows(const ModalShape& shape, const HandlePose& pose, const BodyPoint& point,
                 Rows rows) const;
  /// How the point has turned in the world: R exp(Ψq).
  [[nodiscard]] Mat3 orientation(const ModalShape& shape, const HandlePose& pose,
                                 const BodyPoint& point) const;

 private:
  void fill(const HandlePose& pose, const Vec3& place, Rows rows) const;

  int modes_;
  bool is_free_;
  mutable ThreeRows B_;
};

}  // namespace limber
