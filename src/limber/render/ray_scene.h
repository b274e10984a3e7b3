// Triangles that rays can meet, through Embree.
#pragma once

#include <memory>
#include <vector>

#include "limber/render/shape.h"

namespace limber {

struct Hit {
  const Shape* shape = nullptr;
  int triangle = 0;
  float distance = 0;
  float u = 0;  // weight of corner 1
  float v = 0;  // weight of corner 2
};

class RayScene {
 public:
  /// `shapes` must outlive this. Throws Error (work_failed) when Embree cannot start.
  explicit RayScene(const std::vector<Shape>& shapes);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  /// The first thing on the way from `origin` that nothing is seen through, between `least` and
  /// `most` along the unit `direction`; shape is null when there is none. Any thread.
  [[nodiscard]] Hit first_opaque(const Vec3f& origin, const Vec3f& direction, float least,
                                 float most) const;
  /// The first of the others.
  [[nodiscard]] Hit first_seen_through(const Vec3f& origin, const Vec3f& direction, float least,
                                       float most) const;
  /// Whether something opaque is on the way.
  [[nodiscard]] bool blocked(const Vec3f& origin, const Vec3f& direction, float least) const;

 private:
  struct Embree;
  [[nodiscard]] Hit trace(const Vec3f& origin, const Vec3f& direction, float least, float most,
                          unsigned mask) const;

  const std::vector<Shape>& shapes_;
  std::unique_ptr<Embree> embree_;
  bool any_seen_through_ = false;
};

}  // namespace limber
