// A collider where it stands now: the points of a body as they are, or an obstacle on its way.
//
// Bounds come in two steps. reach() looks at the frame and the modes alone, so that a body far from
// others costs next to nothing; evaluate() asks the body for its contact points. Other vertices are
// evaluated when a query first needs them.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/contact/bounds.h"
#include "limber/contact/collider.h"
#include "limber/dynamics/dynamic_body.h"

namespace limber {

class PosedCollider {
 public:
  /// `body` (null for obstacles) must outlive this.
  PosedCollider(Collider::Shared collider, const DynamicBody* body);

  /// Where an obstacle is now and will be after the step.
  void set_obstacle(const FrameState& now, const FrameState& end);
  /// The body may have moved: forgets what was evaluated. Bounds swept by a step of h seconds.
  void reach(double h);
  /// Contact points with positions and velocities, and exact bounds.
  void evaluate();

  [[nodiscard]] const Collider& shape() const { return *collider_; }
  [[nodiscard]] const Collider::Shared& shared_shape() const { return collider_; }
  [[nodiscard]] bool soft() const { return collider_->kind() == Collider::Kind::soft; }
  [[nodiscard]] const FrameState& frame() const { return frame_; }
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  [[nodiscard]] bool evaluated() const { return evaluated_; }
  /// Of the middle, and how much faster or slower contact points may be, m/s.
  [[nodiscard]] const Vec3& velocity() const { return velocity_; }
  [[nodiscard]] double spread() const { return spread_; }
  /// How far contact points are from their rest places in the frame, m: of the modes alone, before
  /// evaluate(), where they are known, infinite where not; and exactly.
  [[nodiscard]] double most_deformation() const;
  [[nodiscard]] double deformation() const { return deformation_; }
  /// How near others are looked at even when nothing moves, m.
  [[nodiscard]] double resting_margin(double h) const;
  [[nodiscard]] std::span<const PointState> points() const { return points_; }

  /// Whether a stretch of the world comes as near as `reach` to the box around the shape: false
  /// where it certainly does not.
  [[nodiscard]] bool may_reach(const Vec3& from, const Vec3& to, double reach) const;
  /// The nearest place of the solid to a world point. Soft ones in the shape that they have now.
  [[nodiscard]] SolidHit query(const Vec3& x, double reach, const Vec3& side) const;
  /// A place that query() found, as a point of the body.
  [[nodiscard]] BodyPoint point_of(const SolidHit& hit) const;
  /// A place in the world, as a point of a rigid body.
  [[nodiscard]] Vec3 to_local(const Vec3& x) const {
    return frame_.rotation.transpose() * (x - frame_.position);
  }
  /// How fast an obstacle's material moves at x on average over the step; zero for bodies.
  [[nodiscard]] Vec3 drift_velocity(const Vec3& x, double h) const;
  /// Of a surface vertex, soft or rigid, in the world.
  [[nodiscard]] Vec3 vertex(int v) const;
  [[nodiscard]] PointState state_of(const BodyPoint& point) const;
  /// All vertices of a soft surface at once, where they are not known yet.
  [[nodiscard]] std::span<const PointState> surface_states() const;
  /// An edge where it is now.
  struct PosedEdge {
    Vec3 from, to;
    Vec3 into[2];  // unit, into the faces at its sides; zero where there are none
  };
  void edge_ends(int edge, Vec3& from, Vec3& to) const;
  [[nodiscard]] PosedEdge edge(int edge) const;

 private:
  [[nodiscard]] double modal_bulge() const;
  void evaluate_vertices() const;
  void sweep(double h);
  [[nodiscard]] SolidHit query_soft(const Vec3& x, double reach) const;
  [[nodiscard]] TrianglePoint nearest_on(int triangle, const Vec3& x) const;
  [[nodiscard]] Mat3 turn_of(int triangle) const;

  Collider::Shared collider_;
  const DynamicBody* body_;
  FrameState frame_, end_;
  Bounds bounds_;
  Vec3 velocity_ = Vec3::Zero();
  double spread_ = 0;
  double deformation_ = 0;  // the farthest contact point from its rest place in the frame
  bool evaluated_ = false;
  std::vector<BodyPoint> point_list_;
  std::vector<PointState> points_;

  // Vertices evaluated since reach(): those whose stamp is the present one.
  mutable std::vector<PointState> vertices_;
  mutable std::vector<std::uint32_t> stamps_;
  mutable std::uint32_t stamp_ = 0;
};

}  // namespace limber
