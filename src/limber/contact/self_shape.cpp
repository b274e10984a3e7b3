#include "limber/contact/self_shape.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"

namespace limber {

namespace {

/// Cosine between the normals of places that face each other: less than minus this.
constexpr double kFacing = 0.3;
/// Near at rest: this share of the body's size, and at most this one of its thickness.
constexpr double kNearSize = 0.02;
constexpr double kNearThickness = 0.25;
/// Through the material: nearer than this many thicknesses.
constexpr double kThrough = 2;
/// Of what lies inside, seen from an edge of a triangle: the cosine of the direction to it and the
/// triangle's normal. Flatter ones are beside the triangle, not behind it.
constexpr double kBehind = 0.7;

/// n·N < −kFacing |n||N|, without roots.
bool face_each_other(const Vec3& n, const Vec3& N) {
  const double along = n.dot(N);
  return along < 0 && along * along > kFacing * kFacing * n.squaredNorm() * N.squaredNorm();
}

}  // namespace

SelfShape::SelfShape(Collider::Shared shape)
    : shape_([&] {
        if (shape->kind() != Collider::Kind::soft || !shape->surface()->closed())
          throw Error("only a closed surface can touch itself: this one has no inside",
                      "self-contact", "mend the surface, or leave self-contact off for the body");
        return std::move(shape);
      }()),
      tree_(surface()) {
  std::vector<Bounds> boxes(tree_.node_count());
  tree_.refit(
      surface(), [&](int v) -> const Vec3& { return surface().vertex(v); }, boxes);
  find_triangles_around();
  const std::span<const Collider::Point> places = shape_->points();
  points_.resize(places.size());
  std::vector<double> thicknesses;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    points_[k].normal = surface().vertex_normal(places[k].vertex).normalized();
    points_[k].thickness = thickness_behind(k, boxes);
    thicknesses.push_back(points_[k].thickness);
  }
  const auto middle = thicknesses.begin() + static_cast<std::ptrdiff_t>(thicknesses.size() / 2);
  std::nth_element(thicknesses.begin(), middle, thicknesses.end());
  thickness_ = *middle;
  near_ = std::min(kNearSize * shape_->size(), kNearThickness * thickness_);
  clearance_ = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < points_.size(); ++k) {
    find_clearance(k, boxes);
    if (points_[k].takes_part) clearance_ = std::min(clearance_, points_[k].clearance);
  }
}

void SelfShape::find_triangles_around() {
  const std::span<const Collider::Point> places = shape_->points();
  std::vector<std::vector<int>> around(static_cast<std::size_t>(surface().vertex_count()));
  for (int t = 0; t < surface().triangle_count(); ++t) {
    for (const int v : surface().triangle(t)) around[static_cast<std::size_t>(v)].push_back(t);
  }
  first_around_.push_back(0);
  for (const Collider::Point& place : places) {
    const std::vector<int>& own = around[static_cast<std::size_t>(place.vertex)];
    around_.insert(around_.end(), own.begin(), own.end());
    first_around_.push_back(static_cast<int>(around_.size()));
  }
}

/// From the point straight inward to the other side.
double SelfShape::thickness_behind(std::size_t point, std::span<const Bounds> boxes) const {
  const Vec3& X = surface().vertex(shape_->points()[point].vertex);
  const Vec3 d = -points_[point].normal;
  double length = shape_->size();
  tree_.along(boxes, X, d, length, [&](int t) {
    const auto& corners = surface().triangle(t);
    // Its own triangles begin at X; others that are met from outside are not the other side.
    if (surface().face_normal(t).dot(d) <= 0 ||
        std::find(corners.begin(), corners.end(), shape_->points()[point].vertex) != corners.end())
      return;
    const RayHit met = ray_triangle(X, d, surface().vertex(corners[0]),
                                    surface().vertex(corners[1]), surface().vertex(corners[2]));
    if (met.hit) length = std::min(length, met.t);
  });
  return length;
}

bool SelfShape::through_material(std::size_t point, int triangle, const Vec3& way) const {
  const double most = kThrough * std::max(points_[point].thickness, thickness_);
  return way.squaredNorm() < most * most && points_[point].normal.dot(way) < 0 &&
         surface().face_normal(triangle).dot(way) > 0;
}

bool SelfShape::belong_together(std::size_t point, int triangle, const Vec3& weights) const {
  const auto& corners = surface().triangle(triangle);
  Vec3 way = -shape_->points()[point].rest;  // from X to Y
  for (int k = 0; k < 3; ++k)
    way += weights[k] * surface().vertex(corners[static_cast<std::size_t>(k)]);
  return way.squaredNorm() <= near_ * near_ || through_material(point, triangle, way);
}

/// What faces the point at rest. A place that does not must first be turned towards it: bending a
/// limb that far moves its sides against each other by about its thickness.
void SelfShape::find_clearance(std::size_t number, std::span<const Bounds> boxes) {
  Point& point = points_[number];
  const int vertex = shape_->points()[number].vertex;
  const Vec3& X = surface().vertex(vertex);
  const double inside = deepest(number);
  point.clearance = thickness_;
  const double reach = std::max({near_, inside, point.clearance});
  tree_.near(boxes, X, reach, [&](int t) {
    const auto& corners = surface().triangle(t);
    const Vec3& n = surface().face_normal(t);
    if (!face_each_other(n, point.normal) ||
        std::find(corners.begin(), corners.end(), vertex) != corners.end())
      return;
    const TrianglePoint place =
        nearest_on_triangle(X, surface().vertex(corners[0]), surface().vertex(corners[1]),
                            surface().vertex(corners[2]));
    const Vec3 way = place.point - X;
    if (through_material(number, t, way)) return;
    const double distance = std::sqrt(place.squared);
    const double behind = n.dot(way);
    if (distance <= near_ || (distance <= inside && behind > kBehind * distance))
      point.takes_part = false;
    point.clearance = std::min(point.clearance, distance);
  });
}

void SelfShape::try_triangle(const Visitor& visitor, int triangle, const Vec3& a, const Vec3& b,
                             const Vec3& c, double& radius, SelfHit& hit) const {
  const Vec3 n = (b - a).cross(c - a);
  if (!face_each_other(n, visitor.normal)) return;
  const TrianglePoint place = nearest_on_triangle(visitor.position, a, b, c);
  if (!(place.squared < radius * radius) || belong_together(visitor.point, triangle, place.weights))
    return;
  const Vec3 out = visitor.position - place.point;
  const double distance = std::sqrt(place.squared), length = n.norm();
  const double height = n.dot(out) / length;
  const bool inside = height < 0;
  const bool on_face = place.feature == TriangleFeature::face || distance < 1e-9 * shape_->size();
  if (inside && (distance > visitor.depth || (!on_face && -height < kBehind * distance))) return;
  const Vec3 direction = on_face ? Vec3(n / length) : Vec3(out / (inside ? -distance : distance));
  if (!face_each_other(direction, visitor.normal)) return;
  radius = distance;
  hit.triangle = triangle;
  hit.weights = place.weights;
  hit.closest = place.point;
  hit.normal = direction;
  hit.gap = on_face ? height : (inside ? -distance : distance);
}

}  // namespace limber
