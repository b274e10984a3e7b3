// The shape of something that others can touch, at rest in its own coordinates. Immutable, shared.
//
// Rigid shapes: a half space below the plane y = 0, spheres and boxes around the origin, capsules
// along y, and triangle surfaces. Soft shapes: a body's surface, each vertex hanging on its nodes.
// Contact is found by points of one in the solid of the other, both ways, and by edges where points
// miss; a sphere is one point with a radius, a capsule an edge with one.
#pragma once

#include <memory>
#include <vector>

#include "limber/contact/rest_surface.h"
#include "limber/dynamics/body_point.h"
#include "limber/dynamics/rigid_body.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// The nearest place of a solid's surface to a point.
struct SolidHit {
  bool hit = false;
  double distance = 0;  ///< m, negative inside
  Vec3 normal = Vec3::UnitY();
  Vec3 closest = Vec3::Zero();
  bool face = false;  ///< not at an edge or corner: the normal is sure
  int triangle = -1;
  Vec3 weights = Vec3::Zero();  ///< of the triangle's corners
};

class Collider {
 public:
  enum class Kind { plane, sphere, box, capsule, mesh, soft };
  struct Point {
    BodyPoint point;
    Vec3 rest;
    int vertex = -1;  // of soft surfaces
  };
  struct Edge {
    BodyPoint from, to;
    Vec3 rest_from, rest_to;
    /// From the edge into the faces on its two sides, at rest; zero where there are none.
    Vec3 into[2] = {Vec3::Zero(), Vec3::Zero()};
    int vertex_from = -1, vertex_to = -1;  // of soft surfaces
    int opposite[2] = {-1, -1};            // the third corners of the two triangles there
    int triangle = -1, corner = -1;        // where it begins, of surfaces
  };

  using Shared = std::shared_ptr<const Collider>;
  [[nodiscard]] static Shared plane();
  /// These throw Error unless all sizes are positive and finite.
  [[nodiscard]] static Shared sphere(double radius);
  [[nodiscard]] static Shared box(const Vec3& edges);
  /// `length`: between the centres of its round ends.
  [[nodiscard]] static Shared capsule(double radius, double length);
  /// Open or closed; see RestSurface for what is healed and refused.
  [[nodiscard]] static Shared mesh(const Positions& vertices, const Triangles& triangles);
  /// The surface of a body of these nodes and tets at rest (n×3, t×4). `contact_points`: vertices
  /// by rank; chosen here when empty.
  [[nodiscard]] static Shared soft(const Positions& nodes, const Tets& tets,
                                   const Positions& vertices, const Triangles& triangles,
                                   const SurfaceBinding& binding,
                                   std::span<const std::int32_t> contact_points = {});
  /// The same of a baked body, with bounds that follow its modes, and the contact points that were
  /// baked with it where none are given.
  [[nodiscard]] static Shared soft(const ModalModel& model,
                                   std::span<const std::int32_t> contact_points = {});

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::span<const Point> points() const { return points_; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  /// All sides are flat: edges meet nothing but edges where corners miss.
  [[nodiscard]] bool faceted() const { return faceted_; }
  /// Edges have an inside and an outside.
  [[nodiscard]] bool edges_have_sides() const {
    return kind_ == Kind::box || (surface_ && surface_->closed());
  }
  [[nodiscard]] double radius() const { return radius_; }  ///< of points and edges
  [[nodiscard]] const RestSurface* surface() const { return surface_.get(); }
  [[nodiscard]] std::span<const BodyPoint> vertices() const { return vertices_; }  ///< soft ones
  [[nodiscard]] const Vec3& centre() const { return centre_; }  ///< of the bounds
  [[nodiscard]] const Vec3& half() const { return half_; }      ///< of the bounds' edges
  [[nodiscard]] double size() const { return 2 * half_.maxCoeff(); }
  /// Σ|q_k| · this bounds every vertex's displacement: ‖R~‖ ≤ 1 (Hauser et al. 2003; James & Pai
  /// 2004). Empty where the modes are not known.
  [[nodiscard]] std::span<const double> mode_reach() const { return mode_reach_; }

  /// Rigid shapes, in their own coordinates. `side`: where surfaces without an inside are seen
  /// from.
  [[nodiscard]] SolidHit query(const Vec3& x, double reach, const Vec3& side) const;
  /// A place on a triangle of a soft surface.
  [[nodiscard]] BodyPoint point_on(int triangle, const Vec3& weights) const;
  /// The place X of the body at rest: what joints hang on. Soft ones by the tet that holds it or,
  /// outside, the nearest, extrapolated.
  [[nodiscard]] BodyPoint point_at(const Vec3& X) const;

 private:
  explicit Collider(Kind kind) : kind_(kind) {}
  void bound_by_surface();
  void add_surface_edges();
  [[nodiscard]] SolidHit query_surface(const Vec3& x, double reach, const Vec3& side) const;

  Kind kind_;
  double radius_ = 0;
  bool faceted_ = false;
  Vec3 centre_ = Vec3::Zero();
  Vec3 half_ = Vec3::Zero();
  std::vector<Point> points_;
  std::vector<Edge> edges_;
  std::unique_ptr<const RestSurface> surface_;
  std::vector<BodyPoint> vertices_;
  Positions nodes_;  // at rest, soft ones
  Tets tets_;
  std::vector<double> mode_reach_;
};

/// Mass, centre and inertia of a shape filled evenly. Throws Error when it has no volume.
[[nodiscard]] RigidMass filled_evenly(const Collider& shape, double mass);

}  // namespace limber
