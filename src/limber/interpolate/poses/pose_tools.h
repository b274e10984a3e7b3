// Ways to make a pose by hand: bending and twisting along an axis. (Dragging: elastic_pose.h.)
//
// Symbols: s the coordinate along the axis, counted from `origin`; h the one towards `towards`.
#pragma once

#include "limber/core/types.h"

namespace limber {

/// Between s = from and s = to the axis becomes an arc of `angle` (rad), its length kept; what lies
/// before stays, what lies behind goes on straight.
struct Bend {
  Vec3 origin = Vec3::Zero();
  Vec3 axis = Vec3::UnitX();
  Vec3 towards = Vec3::UnitY();  ///< the arc's centre lies on this side for a positive angle
  double from = 0;               // m
  double to = 1;                 // m
  double angle = 0;              // rad
};

/// Turns about the axis, by nothing before s = from up to `angle` (rad) behind s = to.
struct Twist {
  Vec3 origin = Vec3::Zero();
  Vec3 axis = Vec3::UnitX();
  double from = 0;   // m
  double to = 1;     // m
  double angle = 0;  // rad
};

/// Throw Error unless axis (and `towards`) have a direction of their own and from < to.
[[nodiscard]] Positions bend(const Positions& positions, const Bend& options);
[[nodiscard]] Positions twist(const Positions& positions, const Twist& options);

}  // namespace limber
