// The frames of a whole motion in one call: keys, inserted keys, given motions, surfaces on tets.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "limber/interpolate/motion/surface_interpolation.h"

namespace limber {

struct MotionFramesOptions {
  MotionFramesOptions() {
    motion.fits = kFitsOfKeptFrames;
    motion.within_poses = true;
  }

  InterpolationOptions motion;
  /// m/s, one for each pose, set where the motion must pass with it; or empty.
  std::vector<std::optional<Positions>> velocities;
  /// Poses to pass on the way and their times (ShapeInterpolation::insert_key).
  std::vector<std::pair<double, Positions>> inserted;
  /// The poses are a motion already that vibrations are added to (QuasiStatic): 0 none, 1 nothing
  /// else.
  std::optional<double> gamma;
  double fps = 30;
  double after = 0;  ///< s, to swing on behind the last pose
};

/// The frames of a motion through `poses` at `times`; the last pose is one of them.
[[nodiscard]] std::vector<Positions> interpolate(std::shared_ptr<const PoseModes> modes,
                                                 const std::vector<Positions>& poses,
                                                 const std::vector<double>& times,
                                                 const MotionFramesOptions& options = {});

/// A surface at rest and the tets inside that carry it.
struct CarriedSurface {
  TetMesh tets;
  TriMesh surface;
  double stiffness = 30;  ///< SurfacePoserOptions::stiffness
};

/// The same where `poses` and inserted poses are surfaces (v×3), and so are the frames. `modes` are
/// those of the tets. Throws Error for velocities, which tets do not have here.
[[nodiscard]] std::vector<Positions> interpolate(std::shared_ptr<const PoseModes> modes,
                                                 const CarriedSurface& carried,
                                                 const std::vector<Positions>& poses,
                                                 const std::vector<double>& times,
                                                 const MotionFramesOptions& options = {});

/// The keys of a motion through poses. A given motion (`gamma`) has only its ends as keys, and
/// stands in `motion` beside them.
[[nodiscard]] std::vector<KeyPose> key_poses(
    const std::vector<Positions>& poses, const std::vector<double>& times,
    const std::vector<std::optional<Positions>>& velocities, const std::optional<double>& gamma,
    InterpolationOptions& motion);

/// Evenly from `start` to `end`, both among them, as near to `fps` as that allows, and on at the
/// same rate for `after` seconds. Throws Error for fps that is not positive, `after` that is
/// negative or more than ten million frames.
[[nodiscard]] std::vector<double> frame_times(double start, double end, double fps,
                                              double after = 0);

}  // namespace limber
