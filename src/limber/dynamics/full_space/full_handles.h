// Handles on a body at full resolution: springs and dampers between its points and what the handle
// asks for, hard ones a million times as stiff as the body around them.
//
//   position, spring   the point is pulled to the target; with `exercised` points, these move as a
//                      rigid cluster that turns as it likes.
//   orientation        the edges from the point's node to its neighbours (or to the nodes of
//                      `exercised`) are turned as a rigid cluster: no force on the whole, a couple.
//   velocity           a damper: the target is the point's velocity over the step.
//   acceleration       the same: its velocity changes by h times the target.
#pragma once

#include <vector>

#include "limber/dynamics/full_space/full_system.h"
#include "limber/dynamics/handles.h"

namespace limber {

class FullHandles final : public Handles {
 public:
  /// Both must outlive this.
  FullHandles(FullSystem& system, const NodeState& now) : system_(system), now_(now) {}

  int add(const Handle& handle) override;
  void move(int handle, const Vec3& target) override;
  void remove(int handle) override;
  [[nodiscard]] bool empty() const override { return held_.empty(); }
  [[nodiscard]] HandleErrors errors() const override;
  [[nodiscard]] std::vector<HandleForce> forces() const override;

  /// Where the springs pull at the end of a step of h seconds from the present to `time`, or, with
  /// h = 0, in statics. `velocities` are those at the start.
  void begin_step(double time, double h, const Positions& velocities);
  /// The step is kept.
  void end_step();

  void archive(StateArchive& state);

 private:
  struct Held {
    int number = 0;
    HandleKind kind = HandleKind::position;
    BodyPoint point;
    int centre = 0;  // orientation: the node that its edges start from
    bool cluster = false;
    int path = -1;                 // among paths_; −1: the target stays
    Vec3 target = Vec3::Zero();    // as given: frame coordinates, or world for free bodies
    Vec3 reached = Vec3::Zero();   // the target at the end of the last step, frame coordinates
    Vec3 in_frame = Vec3::Zero();  // at the end of this one
    bool fresh = true;             // no step yet

    void archive(StateArchive& state);
  };

  [[nodiscard]] Held& find(int number);
  void check(const Handle& handle) const;
  void add_springs(const Handle& handle, Held& held);
  void add_edges(const Handle& handle, Held& held);
  void set_springs(const Held& held, double h, const Positions& velocities);
  [[nodiscard]] Vec3 place_in_frame(const Vec3& target) const;
  [[nodiscard]] Mat3 turn_in_frame(const Vec3& target) const;
  [[nodiscard]] Vec3 target_at(const Held& held, double time) const;
  [[nodiscard]] Mat3 cluster_rotation(const Held& held) const;

  FullSystem& system_;
  const NodeState& now_;
  std::vector<Held> held_;   // by number
  std::vector<Path> paths_;  // of all handles ever: snapshots come back to them
  int next_number_ = 0;
};

}  // namespace limber
