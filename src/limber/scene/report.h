// What `simulate --report` writes: every frame's numbers, and where the time went.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "limber/core/stopwatch.h"
#include "limber/scene/scene_world.h"

namespace limber {

/// Seconds spent on each kind of work.
struct WorkSeconds {
  double setup = 0;
  double dynamics = 0;
  double constraints = 0;
  double deform = 0;
  double detection = 0;  // of contacts
  double contact = 0;    // their solution
  double local = 0;      // detail where bodies touch
};

/// Runs `work` and adds the seconds it took.
template <class Work>
void timed(double& seconds, const Work& work) {
  Stopwatch stopwatch;
  work();
  seconds += stopwatch.lap();
}

class Report {
 public:
  Report();
  ~Report();
  Report(Report&&) noexcept;
  Report& operator=(Report&&) noexcept;

  /// The state of all bodies now; node positions (n×3) as the caller has them already, body by
  /// body.
  void add_frame(const SceneWorld& world, const std::vector<Positions>& node_positions);
  /// The finished report as text.
  [[nodiscard]] std::string text(const WorkSeconds& seconds) const;

 private:
  std::unique_ptr<nlohmann::ordered_json> frames_;
  std::unique_ptr<nlohmann::ordered_json> budget_;  // of the steps so far; null without one
};

}  // namespace limber
