// The options of `interpolate` that shape a motion: frequencies, damping, weights, constraints.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "limber/interpolate/motion/shape_interpolation.h"

namespace limber {

struct MotionOptions {
  std::string frequency;         ///< η
  std::string damping;           ///< μ
  std::string weights;           ///< γ_z, γ_ω, γ_α
  double mass_damping = 0;       // α_M, 1/s
  double stiffness_damping = 0;  // α_K, s
  double stiffness_scale = 1;
  double mass_scale = 1;
  double rest_shift = -1;
  std::optional<double> swing;
  bool no_adjust = false;
  std::string trajectory = "auto";  // calm unless something asks to swing
  std::string barycentre = "smooth";
  std::vector<double> gravity{0, -9.81, 0};
  std::vector<std::string> move;  ///< NODE=PATH
  std::vector<std::string> turn;  ///< NODE or NODE=PATH
  std::string residuals = "coordinates";
  int fits = kFitsOfKeptFrames;
  int seed = -1;

  void add_to(CLI::App& command);
  /// Throws Error that names the option.
  [[nodiscard]] InterpolationOptions interpolation() const;
};

/// "0.3" for all modes, "0.3,0.1,-0.2" one each, "0:0.5,10:-0.2" a curve through index:value.
[[nodiscard]] ModeCurve parse_mode_curve(const std::string& text, const std::string& where);

/// "0:0,1,0;1.5:2,1,0": points at times.
[[nodiscard]] Path parse_path(const std::string& text, const std::string& where);

/// Numbers joined by commas, `count` of them unless that is 0.
[[nodiscard]] std::vector<double> parse_numbers(const std::string& text, std::size_t count,
                                                const std::string& where);

/// "1.5" radians or "90deg".
[[nodiscard]] double parse_angle(const std::string& text, const std::string& where);

}  // namespace limber
