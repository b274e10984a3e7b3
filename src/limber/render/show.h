// A scene played for the camera: once, or by several methods at the same place.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/render/labels.h"
#include "limber/render/stage.h"

namespace limber {

/// The scene with all its bodies moved by another method.
[[nodiscard]] SceneDescription with_method(SceneDescription scene, const std::string& method);

/// The bodies of all casts at one time.
struct Moment {
  double time = 0;
  std::vector<std::vector<BodyMoment>> casts;
};

class Show {
 public:
  /// Without methods the scene's own; with them one world each, in the methods' colours.
  Show(const SceneDescription& scene, const std::vector<std::string>& methods, Paint paint,
       const Progress& progress);

  /// The state at the step nearest to `time`; the motion from 0 to `until` is what extent() holds
  /// afterwards.
  [[nodiscard]] Moment moment_at(double time, double until, const Progress& progress);
  /// Every frame from 0 to the end.
  [[nodiscard]] std::vector<Moment> all_frames(const Progress& progress);
  /// The equilibrium under the loads of time 0.
  [[nodiscard]] Moment settled();

  [[nodiscard]] const MotionExtent& extent() const { return extent_; }
  [[nodiscard]] double frame_rate() const { return worlds_.front()->frame_rate(); }
  [[nodiscard]] std::vector<Cast::Entry> legend() const;
  [[nodiscard]] std::vector<Shape> shapes(const Moment& moment, const Cast::Look& look) const;
  /// From now on methods stand beside each other, in depth, instead of over each other.
  void set_apart();
  /// Where to look from, unless told.
  [[nodiscard]] View natural_view(const MotionExtent& extent) const;

 private:
  [[nodiscard]] Moment now() const;
  void watch(const Moment& moment);

  std::vector<std::string> methods_;
  std::vector<std::unique_ptr<SceneWorld>> worlds_;
  std::vector<Cast> casts_;
  MotionExtent extent_;
  Vec3 gap_ = Vec3::Zero();  // from one method to the next
};

/// From one method's bodies to the next's when they stand beside each other: along the horizontal
/// axis that the camera looks down most, nearly two bodies deep.
[[nodiscard]] Vec3 gap_between_methods(const SceneWorld& world);

/// Where a row of methods is looked at from: across a corner of the row, which shows each body from
/// its side as well as from its end.
[[nodiscard]] View row_view(const Vec3& up);

/// Several methods at one place, each a list of shapes: all but the last are made translucent, so
/// that one inside another is seen, and drawn apart by a hair, so that equal surfaces do not
/// flicker. The last is meant to be the truth.
[[nodiscard]] std::vector<Shape> overlaid(std::vector<std::vector<Shape>> methods, double radius);

/// The extent of a moment alone.
[[nodiscard]] MotionExtent extent_of(const Moment& moment);
/// The end of a colour scale that holds all values of these moments.
[[nodiscard]] double largest_value(const std::vector<Moment>& moments);

}  // namespace limber
