#include "motion_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "limber/core/error.h"

namespace limber {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> pieces(1);
  for (const char letter : text) {
    if (letter == separator) {
      pieces.emplace_back();
    } else if (letter != ' ') {
      pieces.back() += letter;
    }
  }
  return pieces;
}

double parse_number(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    throw Error(fmt::format("\"{}\" is not a number", text), where, "give finite numbers");
  }
  return value;
}

int parse_node(const std::string& text, const std::string& where) {
  int node = -1;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), node);
  if (status != std::errc() || end != text.data() + text.size() || node < 0) {
    throw Error(fmt::format("\"{}\" is not a node", text), where,
                "give the number of a node, counted from 0");
  }
  return node;
}

/// "12" or "12=PATH".
std::pair<int, std::optional<Path>> parse_node_path(const std::string& text,
                                                    const std::string& where) {
  const std::size_t sign = text.find('=');
  const int node = parse_node(text.substr(0, sign), where);
  if (sign == std::string::npos) return {node, {}};
  return {node, parse_path(text.substr(sign + 1), where)};
}

/// "0.5,0.25,0.25" or three curves joined by semicolons.
void parse_weights(const std::string& text, MotionControls& controls) {
  const std::string where = "--weights";
  std::vector<std::string> three = split(text, text.find(';') == std::string::npos ? ',' : ';');
  if (three.size() != 3) {
    throw Error(fmt::format("{} weights", three.size()), where,
                "give 3 numbers joined by commas or 3 curves joined by semicolons");
  }
  controls.velocity_weight = parse_mode_curve(three[0], where);
  controls.frequency_weight = parse_mode_curve(three[1], where);
  controls.damping_weight = parse_mode_curve(three[2], where);
}

BarycentreOptions parse_barycentre(const std::string& text, const std::vector<double>& gravity) {
  BarycentreOptions options;
  options.gravity = {gravity[0], gravity[1], gravity[2]};
  if (text == "smooth") return options;
  if (text == "linear") {
    options.kind = BarycentrePath::linear;
  } else if (text == "ballistic") {
    options.kind = BarycentrePath::ballistic;
  } else if (text.find(':') != std::string::npos) {
    options.kind = BarycentrePath::given;
    options.path = parse_path(text, "--barycentre");
  } else {
    throw Error(fmt::format("\"{}\" is no path", text), "--barycentre",
                "smooth, linear, ballistic, or points such as 0:0,0,0;1:0,2,0");
  }
  return options;
}

}  // namespace

Path parse_path(const std::string& text, const std::string& where) {
  std::vector<double> times;
  std::vector<Vec3> points;
  for (const std::string& piece : split(text, ';')) {
    const std::vector<std::string> pair = split(piece, ':');
    if (pair.size() != 2) {
      throw Error(fmt::format("\"{}\" is not TIME:X,Y,Z", piece), where,
                  "join points by semicolons, for example 0:0,0,0;1:0,2,0");
    }
    times.push_back(parse_number(pair[0], where));
    const std::vector<double> point = parse_numbers(pair[1], 3, where);
    points.emplace_back(point[0], point[1], point[2]);
  }
  return {std::move(times), std::move(points), Interpolation::smooth, where};
}

std::vector<double> parse_numbers(const std::string& text, std::size_t count,
                                  const std::string& where) {
  std::vector<double> numbers;
  for (const std::string& piece : split(text, ',')) numbers.push_back(parse_number(piece, where));
  if (count != 0 && numbers.size() != count) {
    throw Error(fmt::format("{} numbers", numbers.size()), where,
                fmt::format("give {} joined by commas", count));
  }
  return numbers;
}

double parse_angle(const std::string& text, const std::string& where) {
  if (text.ends_with("deg")) {
    return parse_number(text.substr(0, text.size() - 3), where) * std::numbers::pi / 180;
  }
  return parse_number(text, where);
}

ModeCurve parse_mode_curve(const std::string& text, const std::string& where) {
  if (text.find(':') == std::string::npos) {
    std::vector<double> values = parse_numbers(text, 0, where);
    return values.size() == 1 ? ModeCurve(values.front()) : ModeCurve(std::move(values));
  }
  std::vector<std::pair<double, double>> points;
  for (const std::string& piece : split(text, ',')) {
    const std::vector<std::string> pair = split(piece, ':');
    if (pair.size() != 2) {
      throw Error(fmt::format("\"{}\" is not index:value", piece), where,
                  "join pairs by commas, for example 0:0.5,10:-0.2");
    }
    points.emplace_back(parse_number(pair[0], where), parse_number(pair[1], where));
  }
  return ModeCurve::spline(std::move(points));
}

void MotionOptions::add_to(CLI::App& command) {
  const std::string curve = "CURVE";
  command
      .add_option("--swing", swing,
                  "Vibrations beside the calm way from pose to pose: 0 none, 0.3 lively, 1 as far "
                  "as the poses are apart; frequencies follow from the times of the poses")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--frequency", frequency,
                  "Swing with each mode's own frequency times eta, -1 (none) to 1: a number, one a "
                  "mode joined by commas, "
                  "or a curve index:value,index:value")
      ->type_name(curve);
  command
      .add_option("--damping", damping,
                  "Mu of each mode, -1 (none) to 1 (critical), instead of --alpha-m and --alpha-k")
      ->type_name(curve);
  command.add_option("--alpha-m", mass_damping, "Rayleigh damping by mass, 1/s");
  command.add_option("--alpha-k", stiffness_damping, "Rayleigh damping by stiffness, s");
  command.add_option("--stiffness-scale", stiffness_scale, "Of the whole body")
      ->capture_default_str();
  command.add_option("--mass-scale", mass_scale, "Of the whole body")->capture_default_str();
  command
      .add_option("--weights", weights,
                  "Gamma of initial velocity, frequency and damping when modes are adjusted "
                  "[0.5,0.25,0.25]; or three curves joined by semicolons")
      ->type_name("Z,W,A");
  command.add_flag("--no-adjust", no_adjust, "Keep every mode's own frequency and damping");
  command
      .add_option("--rest-shift", rest_shift,
                  "Swing about a shape between the first (0) and last (1) pose, not about rest")
      ->check(CLI::Range(0.0, 1.0));
  command
      .add_option("--trajectory", trajectory,
                  "Between keys: calm unless an option above asks to swing, then free through two "
                  "and wiggly through more")
      ->check(CLI::IsMember({"auto", "calm", "free", "wiggly"}))
      ->capture_default_str();
  command
      .add_option("--barycentre", barycentre,
                  "Its path: smooth, linear, ballistic, or points at times, TIME:X,Y,Z;...")
      ->type_name("PATH")
      ->capture_default_str();
  command.add_option("--gravity", gravity, "For ballistic, m/s2: x y z")
      ->expected(3)
      ->capture_default_str();
  command
      .add_option("--move", move, "A node that goes its own way, points at times; may be repeated")
      ->type_name("NODE=TIME:X,Y,Z;...")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--turn", turn,
                  "A node whose surroundings turn as in the keys, or by rotation vectors in "
                  "radians at times; may be repeated")
      ->type_name("NODE[=TIME:X,Y,Z;...]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--residuals", residuals,
                  "What the modes cannot show, blended as coordinates or as positions")
      ->check(CLI::IsMember({"coordinates", "positions"}))
      ->capture_default_str();
  command
      .add_option("--fits", fits,
                  "Rounds in which pieces turn once more to keep their stretch; 0: the paper's "
                  "frames, whose "
                  "edges and volume may leave those of the poses")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command
      .add_option("--seed", seed, "Element where rotations are unwrapped from [nearest to rest]")
      ->check(CLI::NonNegativeNumber);
}

InterpolationOptions MotionOptions::interpolation() const {
  InterpolationOptions options;
  MotionControls& controls = options.controls;
  controls.damping = {mass_damping, stiffness_damping};
  controls.stiffness_scale = stiffness_scale;
  controls.mass_scale = mass_scale;
  if (!frequency.empty()) controls.frequency = parse_mode_curve(frequency, "--frequency");
  if (!damping.empty()) controls.damping_ratio = parse_mode_curve(damping, "--damping");
  if (!weights.empty()) parse_weights(weights, controls);
  controls.adjust = !no_adjust;
  if (rest_shift >= 0) controls.rest_shift = rest_shift;
  controls.swing = swing;
  options.trajectory = trajectory == "calm"     ? Trajectory::calm
                       : trajectory == "free"   ? Trajectory::free
                       : trajectory == "wiggly" ? Trajectory::wiggly
                                                : Trajectory::automatic;
  options.barycentre = parse_barycentre(barycentre, gravity);
  for (const std::string& text : move) {
    const auto [node, path] = parse_node_path(text, "--move");
    if (!path) throw Error(fmt::format("no path for node {}", node), "--move", "NODE=TIME:X,Y,Z");
    options.positions.push_back({node, path});
  }
  for (const std::string& text : turn) {
    const auto [node, path] = parse_node_path(text, "--turn");
    options.orientations.push_back({node, path});
  }
  options.residuals = residuals == "positions" ? Residuals::positions : Residuals::coordinates;
  options.fits = fits;
  options.within_poses = fits > 0;
  options.seed = seed;
  return options;
}

}  // namespace limber
