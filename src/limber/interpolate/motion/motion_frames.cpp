#include "limber/interpolate/motion/motion_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr double kMostFrames = 1e7;

void add_evenly(double start, double end, double fps, std::vector<double>& times) {
  const double wanted = std::round((end - start) * fps);
  if (!(static_cast<double>(times.size()) + wanted < kMostFrames)) {
    throw Error(fmt::format("{:g} frames", wanted), "frames", "lower the rate or the times");
  }
  const int steps = std::max(1, static_cast<int>(wanted));
  for (int k = 1; k < steps; ++k) times.push_back(start + (end - start) * k / steps);
  times.push_back(end);
}

void check_counts(std::size_t poses, std::size_t times, std::size_t velocities) {
  if (poses != times) {
    throw Error(fmt::format("{} times for {} poses", times, poses), "key poses",
                "give one time a pose");
  }
  if (poses < 2) throw Error(fmt::format("{} poses", poses), "key poses", "give at least two");
  if (velocities != 0 && velocities != poses) {
    throw Error(fmt::format("{} velocities for {} poses", velocities, poses), "key poses",
                "give one a pose, or none");
  }
}

template <typename Evaluate>
std::vector<Positions> frames_at(const std::vector<double>& times, Evaluate&& evaluate) {
  std::vector<Positions> frames;
  frames.reserve(times.size());
  for (const double t : times) frames.push_back(evaluate(t));
  return frames;
}

}  // namespace

std::vector<double> frame_times(double start, double end, double fps, double after) {
  if (!(fps > 0) || !std::isfinite(fps)) {
    throw Error(fmt::format("{:g} frames a second", fps), "frames", "give a positive number");
  }
  if (!(after >= 0) || !std::isfinite(after)) {
    throw Error(fmt::format("{:g} s behind the last pose", after), "frames", "give zero or more");
  }
  std::vector<double> times{start};
  add_evenly(start, end, fps, times);
  if (after > 0) add_evenly(end, end + after, fps, times);
  return times;
}

std::vector<KeyPose> key_poses(const std::vector<Positions>& poses,
                               const std::vector<double>& times,
                               const std::vector<std::optional<Positions>>& velocities,
                               const std::optional<double>& gamma, InterpolationOptions& motion) {
  check_counts(poses.size(), times.size(), velocities.size());
  std::vector<KeyPose> keys;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    keys.push_back({times[k], poses[k], velocities.empty() ? std::nullopt : velocities[k]});
  }
  if (!gamma) return keys;
  motion.quasi_static = QuasiStatic{times, poses, *gamma};
  return {keys.front(), keys.back()};
}

std::vector<Positions> interpolate(std::shared_ptr<const PoseModes> modes,
                                   const std::vector<Positions>& poses,
                                   const std::vector<double>& times,
                                   const MotionFramesOptions& options) {
  InterpolationOptions motion = options.motion;
  const std::vector<KeyPose> keys =
      key_poses(poses, times, options.velocities, options.gamma, motion);
  ShapeInterpolation shape(std::move(modes), keys, motion);
  for (const auto& [time, pose] : options.inserted) shape.insert_key(time, pose);
  return frames_at(frame_times(times.front(), times.back(), options.fps, options.after),
                   [&](double t) { return shape.evaluate(t); });
}

std::vector<Positions> interpolate(std::shared_ptr<const PoseModes> modes,
                                   const CarriedSurface& carried,
                                   const std::vector<Positions>& poses,
                                   const std::vector<double>& times,
                                   const MotionFramesOptions& options) {
  if (!options.velocities.empty()) {
    throw Error("velocities of a surface that tets carry", "key poses",
                "give poses of the tets, or leave the velocities out");
  }
  SurfacePoserOptions posing;
  posing.stiffness = carried.stiffness;
  SurfacePoser poser(modes->elements(), carried.surface,
                     binding_of(embed(carried.tets, carried.surface)), posing);
  std::vector<Positions> nodes;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    nodes.push_back(poser.pose(poses[k], fmt::format("pose {}", k)).nodes);
  }
  InterpolationOptions motion = options.motion;
  const std::vector<KeyPose> keys = key_poses(nodes, times, {}, options.gamma, motion);
  SurfaceInterpolation shape(std::move(modes), carried.surface, poser.binding(), keys,
                             options.gamma ? std::vector{poses.front(), poses.back()} : poses,
                             motion);
  for (std::size_t k = 1; options.gamma && k + 1 < poses.size(); ++k) {
    shape.add_pose(times[k], nodes[k], poses[k], false);
  }
  for (const auto& [time, pose] : options.inserted) {
    shape.add_pose(time, poser.pose(pose, "inserted key").nodes, pose, true);
  }
  return frames_at(frame_times(times.front(), times.back(), options.fps, options.after),
                   [&](double t) { return shape.evaluate(t); });
}

}  // namespace limber
