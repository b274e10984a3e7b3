// Springs and dampers from points of the body, or from one node to another, to places that a hand
// or a path moves (Müller et al. 2002, 4.2). They act at the end of the step, so that no stiffness
// is too large.
//
//   y = Σ weight_k x_k,  force on y = k (target − y) + c (target's velocity − ẏ)
#pragma once

#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/body_point.h"
#include "limber/dynamics/full_space/attachment.h"
#include "limber/dynamics/full_space/simulated_mesh.h"

namespace limber {

struct PointSpring {
  /// Weights that sum to one: a point. To zero: a difference of two nodes.
  BodyPoint point;
  int owner = 0;                    ///< a number for whoever added it
  Vec3 target = Vec3::Zero();       ///< of y, frame coordinates, m
  double stiffness = 0;             ///< N/m; beyond a million times the body's own y is held
  double damping = 0;               ///< N·s/m
  Vec3 target_rate = Vec3::Zero();  ///< m/s
  Vec3 force = Vec3::Zero();        ///< on y over the last step, N

  [[nodiscard]] bool ties_to_a_place() const;
  void archive(StateArchive& state);
};

class PointSprings final : public Attachment {
 public:
  /// `mesh` must outlive this.
  explicit PointSprings(const SimulatedMesh& mesh) : mesh_(mesh) {}

  /// Throws Error when stiffness or damping are negative or not a number. An infinite stiffness
  /// holds y.
  void add(const PointSpring& spring);
  void remove_owned_by(int owner);

  [[nodiscard]] std::vector<PointSpring>& all() { return springs_; }
  [[nodiscard]] const std::vector<PointSpring>& all() const { return springs_; }

  /// Of the tets around it against a node or a point, roughly, N/m.
  [[nodiscard]] double own_stiffness(int node) const;
  [[nodiscard]] double own_stiffness(const BodyPoint& point) const;
  /// What holds a point: it misses its target by a millionth of what it would give way. More drowns
  /// the body's own forces in rounding.
  static constexpr double kHard = 1e6;

  /// Some spring ties the body to a place.
  [[nodiscard]] bool holds() const;

  /// The norm of the forces, were no spring stiffer than the body itself: what residuals are
  /// compared with.
  [[nodiscard]] double softened_force(const NodeMotion& motion) const;
  /// |r| of a residual (3 a free node) without what rounding of positions makes of stiff springs'
  /// forces: no position leaves less.
  [[nodiscard]] double norm_beyond_rounding(const Positions& positions, const Vector& r) const;
  /// Remembers the forces of a step.
  void keep_forces(const NodeMotion& motion);

  void archive(StateArchive& state) { state.each(springs_); }

  bool linearise(const NodeMotion&, int) override { return false; }
  void add_forces(const NodeMotion& motion, Positions& forces) const override;
  void add_blocks(double elastic, double damping,
                  std::vector<AttachedBlock>& blocks) const override;
  double energy(const Positions& positions) const override;
  bool active() const override { return !springs_.empty(); }

 private:
  [[nodiscard]] static Vec3 force(const PointSpring& spring, const NodeMotion& motion);

  const SimulatedMesh& mesh_;  // outlives this: both belong to one body
  std::vector<PointSpring> springs_;
};

}  // namespace limber
