// What a body must know of its rest shape to touch itself: which places of its surface are near
// each other from the start, and how thick it is behind each of its contact points.
//
// A point may be pushed by a place of the surface that faces it, unless the two are
//   near at rest: |Y − X| ≤ near(), or
//   through the material: each behind the other's face, within two thicknesses; without this the
//   back of a limb would push its front.
// Points that at rest lie on or in another part of the body, as in the slit of a ring, take no
// part.
//
// Symbols: X rest place of a point, N its normal; Y, n of the place that meets it; x, y those of
// now.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "limber/contact/collider.h"
#include "limber/contact/surface_tree.h"

namespace limber {

/// A place of the surface that a point meets.
struct SelfHit {
  int triangle = -1;  ///< none
  Vec3 weights = Vec3::Zero();
  Vec3 closest = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  ///< out of the surface there
  double gap = 0;              ///< m, negative inside
};

class SelfShape {
 public:
  struct Point {
    Vec3 normal = Vec3::Zero();  ///< out of the surface at rest
    double thickness = 0;        ///< m, of the material behind it
    /// It and another place must move by this much against each other before they can touch, m.
    double clearance = 0;
    bool takes_part = true;
  };

  /// Throws Error unless the shape is a closed soft surface.
  explicit SelfShape(Collider::Shared shape);

  [[nodiscard]] const Collider::Shared& shape() const { return shape_; }

  [[nodiscard]] const SurfaceTree& tree() const { return tree_; }
  [[nodiscard]] const Point& point(std::size_t number) const { return points_[number]; }
  /// Triangles around a contact point.
  [[nodiscard]] std::span<const int> around(std::size_t number) const {
    return std::span(around_).subspan(
        static_cast<std::size_t>(first_around_[number]),
        static_cast<std::size_t>(first_around_[number + 1] - first_around_[number]));
  }
  /// The least of all points that take part; infinite where there are none.
  [[nodiscard]] double clearance() const { return clearance_; }
  /// Of the median contact point, m.
  [[nodiscard]] double thickness() const { return thickness_; }
  [[nodiscard]] double near() const { return near_; }
  /// How deep a point may lie in the body and still find its way out, m.
  [[nodiscard]] double deepest(std::size_t number) const {
    return std::min(points_[number].thickness, thickness_) / 2;
  }

  /// A contact point where it is now.
  struct Visitor {
    std::size_t point = 0;
    Vec3 position = Vec3::Zero();
    Vec3 normal = Vec3::Zero();  ///< of any length
    double depth = 0;            ///< m: places that it lies deeper behind are not looked at
  };
  /// Looks at a triangle with corners a, b, c, and keeps it where it is nearer than `radius`, which
  /// becomes its distance.
  void try_triangle(const Visitor& visitor, int triangle, const Vec3& a, const Vec3& b,
                    const Vec3& c, double& radius, SelfHit& hit) const;

 private:
  [[nodiscard]] const RestSurface& surface() const { return *shape_->surface(); }
  void find_triangles_around();
  [[nodiscard]] double thickness_behind(std::size_t point, std::span<const Bounds> boxes) const;
  void find_clearance(std::size_t point, std::span<const Bounds> boxes);
  [[nodiscard]] bool through_material(std::size_t point, int triangle, const Vec3& way) const;
  [[nodiscard]] bool belong_together(std::size_t point, int triangle, const Vec3& weights) const;

  Collider::Shared shape_;
  SurfaceTree tree_;
  std::vector<Point> points_;
  std::vector<int> around_, first_around_;
  double clearance_ = 0, thickness_ = 0, near_ = 0;
};

}  // namespace limber
