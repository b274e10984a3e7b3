// A small BVH file.
#pragma once

#include <string>

namespace limber {

/// An arm along x: the shoulder at the origin, the elbow at x = 2, the hand's end at x = 3. In the
/// second frame the shoulder goes up by 5 and the elbow turns a quarter about z, then one about x.
inline const std::string kArm = R"(HIERARCHY
ROOT left shoulder
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT elbow {
    OFFSET 2 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 1 0 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 0 0 0 0 0 0 0 0
0 5 0 0 0 0 90 90 0
)";

}  // namespace limber
