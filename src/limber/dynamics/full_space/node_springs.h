// Soft handles: springs from nodes to points that a hand or a path moves (Müller et al. 2002, 4.2).
// They act at the end of the step, so that no stiffness is too large.
#pragma once

#include <optional>
#include <vector>

#include "limber/dynamics/frame/path.h"
#include "limber/dynamics/full_space/attachment.h"
#include "limber/dynamics/full_space/simulated_mesh.h"

namespace limber {

struct NodeSpring {
  int node = 0;
  Vec3 target = Vec3::Zero();     ///< frame coordinates, m
  double stiffness = 1e4;         ///< N/m; beyond a million times the body's own the node is held
  double damping = 0;             ///< N·s/m, against the target's own velocity
  std::optional<Path> path = {};  ///< where the target goes by itself, frame coordinates
};

class NodeSprings final : public Attachment {
 public:
  /// `mesh` must outlive this.
  explicit NodeSprings(const SimulatedMesh& mesh) : mesh_(mesh) {}

  /// Returns the handle's number. Throws Error when the node does not exist or is held, or a number
  /// is negative or not finite. An infinite stiffness
  /// holds the node.
  int add(const NodeSpring& spring);
  /// Where the target is at the end of the next step, and from then on.
  void move(int number, const Vec3& target);
  void remove(int number);

  [[nodiscard]] bool contains(int number) const;
  [[nodiscard]] const NodeSpring& operator[](int number) const;
  /// The largest distance of a node from its target.
  [[nodiscard]] double largest_error(const Positions& positions) const;

  /// The norm of the forces, were no spring stiffer than the body itself: what residuals are
  /// compared with.
  [[nodiscard]] double softened_force(const Positions& positions) const;

  /// |r| of a residual (3 a free node) without what rounding of positions makes of stiff springs'
  /// forces: no position leaves less.
  [[nodiscard]] double norm_beyond_rounding(const Positions& positions, const Vector& r) const;

  /// Calls visit(const NodeSpring&) for all.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Entry& e : entries_) {
      if (e.used) visit(e.spring);
    }
  }

  /// Targets with a path go to where it is at this time, the end of the next step.
  void begin_step(double time);
  /// Targets have been reached: to be called after each step.
  void end_step();

  bool linearise(const NodeMotion&, int) override { return false; }
  void add_forces(const NodeMotion& motion, Positions& forces) const override;
  void add_blocks(double elastic, double damping,
                  std::vector<AttachedBlock>& blocks) const override;
  double energy(const Positions& positions) const override;
  bool active() const override;

 private:
  struct Entry {
    NodeSpring spring;
    Vec3 previous_target = Vec3::Zero();
    double own_stiffness = 0;
    bool used = false;
  };
  [[nodiscard]] Entry& entry(int number);

  /// Of the tets around it against the node, roughly, N/m.
  [[nodiscard]] double own_stiffness(int node) const;

  const SimulatedMesh& mesh_;  // outlives this: both belong to one body
  std::vector<Entry> entries_;
};

}  // namespace limber
