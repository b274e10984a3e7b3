#include "limber/scene/scene_limits.h"

#include <fmt/format.h>

#include "limber/dynamics/fault.h"

namespace limber {

namespace {
constexpr double kMostSteps = 1e9;  // counts are int
}  // namespace

void check_times(const SceneDescription& scene, const JsonReader& json) {
  const auto expect = [&](const char* key, double value, double low, double high) {
    if (value >= low && value <= high) return;
    const std::string what = fmt::format("must lie between {:g} and {:g}", low, high);
    if (json.has(key)) json.at(key).refuse(what, "change it");
    json.refuse(fmt::format("{} {}", key, what), "change it");
  };
  expect("time_step", scene.time_step, kShortestStep, kLongestStep);
  if (scene.frame_rate > 0) expect("frame_rate", scene.frame_rate, 1 / kLongestStep, 1 / kShortestStep);
  expect("duration", scene.duration, 0, kLongestStep);
  const double frame = scene.frame_rate > 0 ? 1 / scene.frame_rate : scene.time_step;
  if (scene.duration / scene.time_step > kMostSteps || scene.duration / frame > kMostSteps ||
      frame / scene.time_step > kMostSteps) {
    json.refuse("the scene takes more than 1e9 steps or frames",
                "give a larger time_step or a shorter duration");
  }
}

}  // namespace limber
