// Key poses on a time line and the motion between them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/protocol.h"

namespace limber::studio {

class PoseEditor {
 public:
  /// Makes a motion on another thread.
  using Job = Simulation::MotionJob;

  [[nodiscard]] InterpolationState state() const;
  /// Is the motion shown instead of the simulation?
  [[nodiscard]] bool active() const { return active_ && motion_ != nullptr; }
  [[nodiscard]] double time() const { return time_; }

  void add(Positions pose, double time, const std::string& name);
  void remove(int id);
  void set_time(int id, double time);
  void set(const command::Interpolation& settings);
  void set(const MotionCurves& curves);
  void scrub(double time);
  /// Goes on by so many seconds; back to the start or halted at the end.
  void advance(double seconds);
  void clear() { *this = PoseEditor(); }
  /// For a project, and back from it.
  void save(SavedSession& session) const;
  void restore(const SavedSession& session);

  /// Set when poses or the number of modes changed and the motion must be made anew.
  [[nodiscard]] bool needs_motion() const { return stale_ && poses_.size() >= 2; }
  /// The poses in the order of time, for the one who makes it.
  [[nodiscard]] std::vector<Positions> poses() const;
  [[nodiscard]] std::vector<double> times() const;
  [[nodiscard]] int modes() const { return modes_; }
  void motion_begun() { stale_ = false; }
  void set_motion(std::unique_ptr<PoseMotion> motion, const std::string& obstacle);

  [[nodiscard]] PoseMotion* motion() const { return motion_.get(); }
  /// z(t) of one mode over the whole time line, or nothing while there is no motion.
  [[nodiscard]] std::optional<std::string> mode_curve(int mode) const;

 private:
  struct Pose {
    KeyPose key;
    Positions positions;
  };
  void sort();
  [[nodiscard]] double start() const { return poses_.empty() ? 0 : poses_.front().key.time; }
  [[nodiscard]] double end() const { return poses_.empty() ? 0 : poses_.back().key.time; }

  std::vector<Pose> poses_;  // by time
  int last_id_ = 0;
  bool active_ = false;
  bool looping_ = true;
  double time_ = 0;
  int modes_ = 40;
  bool stale_ = false;
  MotionCurves curves_;
  std::string obstacle_;
  std::unique_ptr<PoseMotion> motion_;
};

}  // namespace limber::studio
