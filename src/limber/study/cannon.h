// The cannon of García et al. 2010: balls shot at a body at random times, from random directions,
// the same for the same seed.
//
// Nothing falls here: a ball that leaves the muzzle at time t is put at time 0 where it would have
// come from, and is shown from t on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "limber/core/types.h"
#include "limber/scene/json_reader.h"

namespace limber::study {

struct Range {
  double least = 0, most = 0;
};

struct Cannon {
  int balls = 10;
  double first = 0.5;     // s, of the first shot
  Range every{0.3, 0.6};  // s between shots
  Range speed{3, 3};      // m/s
  double radius = 0.04;   // m
  double mass = 0.3;      // kg
  double friction = 0.3;
  double distance = 1;          // m, of the muzzle from the point aimed at
  Range direction{-60, 60};     // degrees about the vertical, 0 being the +z axis
  Range elevation{0, 0};        // degrees above the horizon
  Vec3 aim_low = Vec3::Zero();  // m, a corner of the box that is aimed into
  Vec3 aim_high = Vec3::Zero();
};

struct Shot {
  double time = 0;
  Vec3 muzzle = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
};

/// Throws Error for unknown keys and numbers out of range.
[[nodiscard]] Cannon read_cannon(const JsonReader& json);
[[nodiscard]] std::vector<Shot> shots_of(const Cannon& cannon, std::uint64_t seed);
/// As in "ball3".
[[nodiscard]] std::string ball_name(std::size_t number);
/// The balls as obstacles of a scene file, which pass through each other.
[[nodiscard]] nlohmann::json ball_obstacles(const Cannon& cannon, const std::vector<Shot>& shots);

}  // namespace limber::study
