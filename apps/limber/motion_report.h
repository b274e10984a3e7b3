// What `interpolate` tells about its frames: numbers of each, and where they go wrong.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "limber/interpolate/quality/motion_quality.h"
#include "limber/interpolate/quality/self_intersections.h"
#include "posed_body.h"

namespace limber {

class MotionReport {
 public:
  struct Seconds {
    double modes = 0;
    double setup = 0;
    double frames = 0;
  };

  /// `check`: whether to look for self-intersections too. `body` lives as long as the report.
  MotionReport(PosedBody& body, std::vector<double> times, bool check);

  void add_frame(double t, const PosedBody::Frame& frame);

  [[nodiscard]] std::string json(double fps, const Seconds& seconds);
  /// Lines for people; warnings about what frames have and the poses do not.
  [[nodiscard]] std::vector<std::string> findings() const;

 private:
  void add_keys();
  [[nodiscard]] nlohmann::ordered_json quality_summary() const;

  PosedBody& body_;
  std::vector<double> times_;
  MotionQuality quality_;
  std::optional<FrameIntersectionFinder> finder_;
  int crossings_in_poses_ = 0;  // the most pairs that a pose has
  double rest_volume_ = 0;      // of tets whose surface is not closed
  std::optional<FrameQuality> worst_;
  std::optional<FrameQuality> worst_of_blends_;
  std::vector<double> crossing_times_;
  nlohmann::ordered_json crossings_ = nlohmann::ordered_json::array();
  int most_crossings_ = 0;
  nlohmann::ordered_json frames_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json keys_ = nlohmann::ordered_json::array();
};

}  // namespace limber
