// How the mass of a free body moves with its shape, to first order about a state: what takes sums
// over all nodes is found once a step, and substeps of contact cost a few products with the modes.
//
// With S = ∂s/∂q of the mass centre's shift s and L the rows of the shape's own angular momentum:
//   s ≈ s₀ + S (q − q₀),  ṡ = S v,  l = L v;  the inertia stays as it was.
// Mass centre and both momenta are states of their own (rigid_frame.h): what is left out here
// changes how the frame turns within the step, and no momentum.
#pragma once

#include "limber/dynamics/frame/mass_motion.h"
#include "limber/dynamics/modal/modal_shape.h"

namespace limber {

class MassTangent {
 public:
  void reserve(int modes) {
    q_.resize(modes);
    S_.resize(3, modes);
    L_.resize(3, modes);
  }
  /// `now`: the exact one at q, of any velocity.
  void set(ModalShape& shape, const Vector& q, const MassMotion& now) {
    q_ = q;
    shift_ = now.shift;
    inertia_ = now.inertia;
    shape.mass_rows(q, shape.rest_centre() + shift_, S_, L_);
  }
  [[nodiscard]] MassMotion at(const Vector& q, const Vector& v) const {
    MassMotion motion;
    motion.shift = shift_;
    motion.shift_rate = motion.spin_momentum = Vec3::Zero();
    for (Eigen::Index k = 0; k < q.size(); ++k) {  // S and L are read once
      motion.shift += (q[k] - q_[k]) * S_.col(k);
      motion.shift_rate += v[k] * S_.col(k);
      motion.spin_momentum += v[k] * L_.col(k);
    }
    motion.inertia = inertia_;
    return motion;
  }
  [[nodiscard]] const ThreeRows& shift_rows() const { return S_; }

 private:
  Vector q_;
  Vec3 shift_ = Vec3::Zero();
  Mat3 inertia_ = Mat3::Identity();
  ThreeRows S_, L_;
};

}  // namespace limber
