// Where the mass of a deformed shape is and how it moves in its frame.
#pragma once

#include "limber/core/types.h"

namespace limber {

struct MassMotion {
  Vec3 shift = Vec3::Zero();          // of the mass centre since rest, m
  Vec3 shift_rate = Vec3::Zero();     // m/s
  Mat3 inertia = Mat3::Zero();        // about the mass centre, kg m²
  Vec3 spin_momentum = Vec3::Zero();  // of the motion in the frame, about the mass centre
};

}  // namespace limber
