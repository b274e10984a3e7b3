// What participants see or play with: a scene changed by the levels of a trial, with its cannon,
// its camera and the hand that may pull.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "limber/scene/scene_file.h"
#include "limber/study/cannon.h"
#include "limber/study/plan.h"

namespace limber::study {

/// Where the picture is taken from: a place, or an ellipse about the target that is gone round or,
/// from one end of an arc to the other, back and forth.
struct CameraPath {
  Vec3 eye = {0, 0.5, 2};
  Vec3 target = {0, 0.3, 0};
  double field_of_view = 40;  // degrees, vertical
  bool orbit = false;
  double radius_x = 1, radius_z = 1, height = 0.5;  // m
  double from = 0, to = 360;                        // degrees; 0 is the +z axis
  double period = 10;                               // s, of a turn or of a way there and back
  bool back_and_forth = false;
};

/// What pulls the body in a game: a spring from the point that was grabbed to the pointer.
struct HandSpring {
  double stiffness = 300;  // N/m
  double damping = 10;     // N s/m
};

struct Stimulus {
  SceneDescription scene;
  std::string identity;  ///< digest of all that its motion and picture depend on
  std::vector<Shot> shots;
  double ball_radius = 0;
  CameraPath camera;
  HandSpring hand;
};

/// The levels of one thing shown: of the conditions, and of what is compared.
struct Shown {
  std::vector<int> condition;
  std::vector<int> compare;
  int repeat = 0;
};

/// The seed of a trial's shots: the same whatever is compared and whatever the conditions, but for
/// those that the plan lets vary it.
[[nodiscard]] std::uint64_t shots_seed(const Plan& plan, const Experiment& experiment,
                                       const std::vector<int>& condition, int repeat);
/// Throws Error that names the experiment and its levels.
[[nodiscard]] Stimulus make_stimulus(const Plan& plan, const Experiment& experiment,
                                     const Shown& shown);

}  // namespace limber::study
