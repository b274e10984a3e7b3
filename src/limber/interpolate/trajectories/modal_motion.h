// How the amplitudes of all modes run through their values at the keys.
//
//   z(t) = c(t) + σ (v(t) − c(t))
//
// c the calm way (calm_curve.h), v the way of a swinging mode: a free oscillation (oscillation.h)
// or a wiggly spline (calm_spline.h). σ is 0 for calm motions and 1 for the paper's; where
// MotionControls::swing is given, it is that number, lessened for modes that stray farther than
// their keys are apart.
#pragma once

#include <optional>
#include <vector>

#include "limber/interpolate/trajectories/motion_controls.h"
#include "limber/interpolate/trajectories/wiggly_spline.h"

namespace limber {

enum class Trajectory {
  automatic,  ///< calm unless the controls ask to swing; then free between two keys, else wiggly
  calm,       ///< from key to key without leaving the range between them
  free,       ///< each pair of keys joined by a free oscillation; velocities may jump at keys
  wiggly      ///< one wiggly spline through all keys
};

/// Values at the keys.
struct ModalKeys {
  std::vector<double> times;                      // ascending strictly, at least two
  std::vector<Vector> z;                          // m at each key
  std::vector<std::optional<Vector>> velocities;  // m, where given; empty: nowhere
};

class ModalMotion {
 public:
  ModalMotion() = default;
  /// Throws Error for controls out of range, for key velocities with a free trajectory and for
  /// controls that ask a calm one to swing.
  ModalMotion(const Vector& eigenvalues, const ModalKeys& keys, const MotionControls& controls,
              Trajectory trajectory);

  [[nodiscard]] int mode_count() const { return static_cast<int>(rest_.size()); }
  /// z(t) into `z` (m). Before the first key its value; behind the last, swinging motions go on
  /// freely and calm ones rest.
  void at(double t, Vector& z) const;
  void velocity_at(double t, Vector& velocity) const;
  /// The swing in use between keys `interval` and the next, after the adjustment of eq. 15
  /// (calm_spline.h for wiggly motions). Swinging motions only.
  [[nodiscard]] const Swing& swing(int mode, int interval) const;
  [[nodiscard]] bool calm() const { return splines_.empty() && legs_.empty(); }
  [[nodiscard]] bool wiggly() const { return !splines_.empty(); }
  /// The values that modes swing about; zero unless the rest shape is shifted.
  [[nodiscard]] const Vector& rest() const { return rest_; }

 private:
  struct Leg {
    Oscillation oscillation;
    Swing swing;
  };
  void find_calm_way(const ModalKeys& keys);
  void choose_rest(const ModalKeys& keys, const MotionControls& controls, bool wiggly);
  void find_legs(const ModalKeys& keys, const std::vector<AdjustmentWeights>& weights);
  void find_splines(const ModalKeys& keys, const std::vector<AdjustmentWeights>& weights);
  void limit_straying(const ModalKeys& keys, double swing);
  /// Value and velocity.
  [[nodiscard]] Eigen::Vector2d calm_state(int mode, double t) const;
  [[nodiscard]] Eigen::Vector2d swinging_state(int mode, double t) const;
  [[nodiscard]] Eigen::Vector2d state(int mode, double t) const;

  std::vector<double> times_;
  std::vector<Vector> keys_;    // m at each key
  std::vector<Vector> slopes_;  // m at each key, of the calm way
  Vector rest_;
  Vector share_;           // m, σ
  std::vector<Leg> legs_;  // interval·m + mode; empty for calm and wiggly motions
  std::vector<WigglySpline> splines_;
  std::vector<Swing> swings_;  // as wanted; of wiggly motions, as used
};

}  // namespace limber
