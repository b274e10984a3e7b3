// How the amplitudes of all modes run through their values at the keys.
#pragma once

#include <optional>
#include <vector>

#include "limber/interpolate/trajectories/motion_controls.h"
#include "limber/interpolate/trajectories/wiggly_spline.h"

namespace limber {

enum class Trajectory {
  automatic,  ///< free between two keys, wiggly through more
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
  /// Throws Error for controls out of range, and for key velocities with a free trajectory.
  ModalMotion(const Vector& eigenvalues, const ModalKeys& keys, const MotionControls& controls,
              Trajectory trajectory);

  [[nodiscard]] int mode_count() const { return static_cast<int>(rest_.size()); }
  /// z(t) into `z` (m). Before the first key its value; behind the last the motion goes on freely.
  void at(double t, Vector& z) const;
  void velocity_at(double t, Vector& velocity) const;
  /// The swing in use between keys `interval` and the next, after the adjustment of eq. 15
  /// (calm_spline.h for wiggly motions).
  [[nodiscard]] const Swing& swing(int mode, int interval) const;
  [[nodiscard]] bool wiggly() const { return !splines_.empty(); }
  /// The values that modes swing about; zero unless the rest shape is shifted.
  [[nodiscard]] const Vector& rest() const { return rest_; }

 private:
  struct Leg {
    Oscillation oscillation;
    Swing swing;
  };
  [[nodiscard]] Eigen::Vector2d state(int mode, double t) const;

  std::vector<double> times_;
  Vector rest_;
  std::vector<Leg> legs_;  // interval·m + mode; empty for wiggly motions
  std::vector<WigglySpline> splines_;
  std::vector<Swing> swings_;  // as wanted; of wiggly motions, as used
};

}  // namespace limber
