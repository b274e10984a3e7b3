// Held nodes that hang together move as a rigid body from key to key (Huang et al. 2011, section 3,
// "interpolated through shape matching"; Müller et al. 2005): a face that turns keeps its size.
//
//   x_i(t) = c(t) + R(t) exp(v(t)) exp(r(t)) d_i(t)
//
// c the group's centre, R the frame that turns with the body, v the group's turn in it, r what v
// lacks where it is counted past whole turns (lift_near), d_i a node's place in the group; v, r and
// d_i run from key to key as the coordinates of elements do, d_i not at all where the group is
// rigid in the keys. Between two keys c moves on a screw with the turn from one to the other, so
// that the end of a bar that bends goes round a bow and not across it; through more keys it follows
// a spline. A node alone, or nodes on a line, have no turn of their own: they take that of the
// elements around, and their centre goes straight.
#pragma once

#include <vector>

#include "limber/dynamics/frame/path.h"
#include "limber/interpolate/coordinates/rotation_strain.h"

namespace limber {

class HeldGroups {
 public:
  HeldGroups() = default;
  /// `nodes` without repetition; `poses` (n×3 each) at `times`.
  HeldGroups(const Elements& elements, std::vector<int> nodes, std::vector<double> times,
             const std::vector<Positions>& poses);

  /// One for each pose, in order: the frame's rotation and the pose's coordinates in it, from which
  /// groups learn how many times they have turned. All must be there before targets().
  void add_turns(const Elements& elements, const Mat3& frame, const RotationStrain& coordinates);

  /// Where `nodes` are at time t, world, into `held` from row `first` on.
  void targets(double t, const Mat3& frame, Eigen::Index first, Positions& held) const;

  [[nodiscard]] int group_count() const { return static_cast<int>(groups_.size()); }

 private:
  struct Group {
    std::vector<int> members;   // places in nodes_
    std::vector<int> elements;  // that have a member
    std::vector<Vec3> centres;  // at the keys
    std::vector<Mat3> rotations;
    std::vector<Vec3> turns;  // v at the keys
    std::vector<Vec3> lacks;  // r at the keys
    Path centre;
    Path turn;
    Path lack;
    Vec3 screw = Vec3::Zero();  // rotation vector from the first to the second of two keys
  };
  void find_groups(const Elements& elements);
  void match(const Elements& elements);
  void finish();
  [[nodiscard]] Vec3 centre(const Group& group, double t) const;

  std::vector<int> nodes_;
  std::vector<double> times_;
  std::vector<Positions> poses_;  // of nodes_, one a key; empty once finished
  std::vector<Mat3> frames_;
  std::vector<Group> groups_;
  std::vector<Path> places_;  // d of nodes_
};

}  // namespace limber
