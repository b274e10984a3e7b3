// A point moving through keys: what supports and constraint targets follow.
//
// Smooth paths are natural cubic splines: C², no acceleration at the ends, a straight line at
// constant speed for two keys. Before the first and after the last key the point is held, so its
// velocity may jump there, and at every key of a linear path.
#pragma once

#include <string>
#include <vector>

#include "limber/core/state_archive.h"
#include "limber/core/types.h"

namespace limber {

enum class Interpolation { smooth, linear };

class Path {
 public:
  struct Sample {
    Vec3 value = Vec3::Zero();
    Vec3 velocity = Vec3::Zero();
    Vec3 acceleration = Vec3::Zero();
  };
  struct Jump {
    double time = 0;
    Vec3 velocity = Vec3::Zero();  // behind minus before
  };

  /// Stays at the origin.
  Path() = default;

  /// One point a time; times ascend strictly. Throws Error otherwise, or when a number is not
  /// finite; `where` names the path in the message.
  Path(std::vector<double> times, std::vector<Vec3> points,
       Interpolation interpolation = Interpolation::smooth, const std::string& where = "path");

  /// From now on stays at a point. Does not allocate once there was a key.
  void stay_at(const Vec3& point);

  /// At a key the values just behind it.
  [[nodiscard]] Sample at(double time) const;

  /// Where the velocity jumps, ascending in time.
  [[nodiscard]] const std::vector<Jump>& jumps() const { return jumps_; }

  [[nodiscard]] const std::vector<double>& times() const { return times_; }

  void archive(StateArchive& state);

 private:
  [[nodiscard]] Sample inside(std::size_t segment, double time) const;
  void find_jumps(Interpolation interpolation);

  std::vector<double> times_;
  std::vector<Vec3> points_;
  std::vector<Vec3> accelerations_;  // at the keys; zero for linear paths
  std::vector<Jump> jumps_;
};

}  // namespace limber
