// Damped free oscillation between two given values, in closed form (Huang et al. 2011, eqs. 11-14).
//
//   z̈ + 2α ż + λ² z = 0,  z(0) = z₀,  z(T) = z_T,  κ = λ² − α²
//   z(t) = [z₀ e^{−αt} s(T−t) + z_T e^{α(T−t)} s(t)] / s(T)
//
// s(t) is sin(ωt)/ω for κ = ω² > 0, t for κ = 0 and sinh(σt)/σ for κ = −σ² < 0, so that critically
// and overdamped modes are included (the paper leaves them out). λ = α = 0 gives a straight line.
//
// Limits: at ωT = kπ, k ≥ 1, only z_T = ±z₀ e^{−αT} can be met; ω is kept off those frequencies.
// A strongly damped mode that has to arrive at z_T ≠ 0 must start from z_T e^{αT}; α is kept where
// that stays finite.
#pragma once

namespace limber {

/// How a mode swings, whatever its end values.
struct Swing {
  double kappa = 0;  // λ² − α², rad²/s²
  double alpha = 0;  // decay rate, 1/s

  [[nodiscard]] static Swing of(double lambda, double alpha) {
    return {(lambda - alpha) * (lambda + alpha), alpha};
  }
  /// λ², never below zero by rounding.
  [[nodiscard]] double stiffness() const;
};

class Oscillation {
 public:
  /// Rests at zero.
  Oscillation() = default;
  /// `duration` T > 0.
  Oscillation(const Swing& swing, double z0, double zT, double duration);

  [[nodiscard]] double value(double t) const;
  [[nodiscard]] double velocity(double t) const;
  /// What is left of the wanted swing after keeping it off the limits above.
  [[nodiscard]] const Swing& swing() const { return swing_; }

 private:
  /// First function 1 at 0 and 0 at T, second the other way round, both solutions of the equation;
  /// with derivatives.
  struct Pair {
    double first, second;
    double first_slope, second_slope;
  };
  [[nodiscard]] Pair pair(double t) const;

  Swing swing_;
  double z0_ = 0;
  double zT_ = 0;
  double T_ = 1;
  double rate_ = 0;  // ω or σ
};

}  // namespace limber
