#include "limber/contact/self_contact.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace limber {

namespace {

/// Gaps are watched up to here even when nothing moves: a share of what counts as near at rest.
constexpr double kRestingMargin = 0.5;
/// Modes may speed up within the step: gaps that would close in so many of them are watched too.
constexpr double kSteps = 1.5;
/// Gaps that differ by less than this share of the thickness count as one; the point's rank
/// decides.
constexpr double kSelfBucket = 0.02;

}  // namespace

void SelfContact::reserve(const SelfShape& shape) {
  boxes_.resize(std::max(boxes_.size(), shape.tree().node_count()));
  candidates_.reserve(std::max(candidates_.capacity(), shape.shape()->points().size()));
}

/// How fast contact points move against each other at most: their velocities less those of the body
/// as a whole.
double SelfContact::stir(const PosedCollider& posed) const {
  const std::span<const PointState> points = posed.points();
  Vec3 middle = Vec3::Zero(), mean = Vec3::Zero();
  for (const PointState& point : points) {
    middle += point.position;
    mean += point.velocity;
  }
  middle /= static_cast<double>(points.size());
  mean /= static_cast<double>(points.size());
  const Vec3 spin = posed.frame().angular_velocity;
  double fastest = 0;
  for (const PointState& point : points) {
    const Vec3 own = point.velocity - mean - spin.cross(point.position - middle);
    fastest = std::max(fastest, own.squaredNorm());
  }
  return 2 * std::sqrt(fastest);
}

void SelfContact::search(const PosedCollider& posed, const SelfShape& shape, double h,
                         double most_margin, std::span<const RememberedContact> before) {
  const RestSurface& surface = *posed.shape().surface();
  const SurfaceTree& tree = shape.tree();
  const std::span<const PointState> vertices = posed.surface_states();
  const std::span<Bounds> boxes = std::span(boxes_).first(tree.node_count());
  const auto place = [&](int v) -> const Vec3& {
    return vertices[static_cast<std::size_t>(v)].position;
  };
  tree.refit(surface, place, boxes);
  const double resting = kRestingMargin * shape.near();
  for (std::size_t k = 0; k < posed.points().size(); ++k) {
    const SelfShape::Point& point = shape.point(k);
    const PointState& now = posed.points()[k];
    const double moved = (posed.to_local(now.position) - posed.shape().points()[k].rest).norm();
    if (!point.takes_part || moved + posed.deformation() + most_margin < point.clearance) continue;
    SelfShape::Visitor visitor;
    visitor.point = k;
    visitor.position = now.position;
    for (const int t : shape.around(k)) {
      const auto& corners = surface.triangle(t);
      const Vec3& a = place(corners[0]);
      visitor.normal += (place(corners[1]) - a).cross(place(corners[2]) - a);
    }
    const bool known = remembered(before, static_cast<std::uint32_t>(k)) != nullptr;
    visitor.depth = known ? shape.deepest(k) : std::min(shape.near(), shape.deepest(k));
    SelfHit hit;
    double radius = std::max(most_margin, visitor.depth);
    tree.near(boxes, now.position, radius, [&](int t) {
      const auto& corners = surface.triangle(t);
      shape.try_triangle(visitor, t, place(corners[0]), place(corners[1]), place(corners[2]),
                         radius, hit);
    });
    if (hit.triangle < 0) continue;
    Vec3 other = Vec3::Zero();
    for (int c = 0; c < 3; ++c) {
      const auto v =
          static_cast<std::size_t>(surface.triangle(hit.triangle)[static_cast<std::size_t>(c)]);
      other += hit.weights[c] * vertices[v].velocity;
    }
    const double closing = std::max(0.0, -hit.normal.dot(now.velocity - other));
    if (hit.gap > resting + kSteps * h * closing) continue;
    candidates_.push_back({k, hit, 0, 0});
  }
}

/// Those that carried load first, then nearer ones, then by rank: as between two bodies.
void SelfContact::reduce(const SelfShape& shape, std::span<const RememberedContact> before) {
  double least = std::numeric_limits<double>::infinity();
  for (Candidate& one : candidates_) {
    const RememberedContact* last = remembered(before, static_cast<std::uint32_t>(one.point));
    one.load = last != nullptr ? last->normal_impulse : 0;
    least = std::min(least, one.hit.gap);
  }
  for (Candidate& one : candidates_) {
    const double behind = (one.hit.gap - least) / (kSelfBucket * shape.thickness());
    one.bucket = static_cast<int>(std::min(behind, 1e6));
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& x, const Candidate& y) {
    const bool x_loaded = x.load > 0, y_loaded = y.load > 0;
    if (x_loaded != y_loaded) return x_loaded;
    if (!x_loaded && x.bucket != y.bucket) return x.bucket < y.bucket;
    return x.point < y.point;
  });
  if (candidates_.size() > kSelfContacts) candidates_.resize(kSelfContacts);
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& x, const Candidate& y) { return x.point < y.point; });
}

void SelfContact::find(int who, PosedCollider& posed, const SelfShape& shape, double h,
                       std::span<const RememberedContact> before, std::vector<Contact>& contacts) {
  const double resting = kRestingMargin * shape.near();
  // Two places of the surface: each may have moved, and both may be on their way.
  const double far = 2 * posed.most_deformation() + resting + 2 * kSteps * h * posed.spread();
  if (far < shape.clearance()) return;
  if (!posed.evaluated()) posed.evaluate();
  const double margin = resting + kSteps * h * stir(posed);
  if (!(2 * posed.deformation() + margin >= shape.clearance())) return;
  candidates_.clear();
  search(posed, shape, h, margin, before);
  reduce(shape, before);
  for (const Candidate& one : candidates_) {
    Contact contact;
    contact.a = contact.b = who;
    contact.feature = static_cast<std::uint32_t>(one.point);
    contact.gap = one.hit.gap;
    contact.normal = one.hit.normal;
    contact.place = one.hit.closest + one.hit.gap / 2 * one.hit.normal;
    contact.point_a = posed.shape().points()[one.point].point;
    contact.point_b = posed.shape().point_on(one.hit.triangle, one.hit.weights);
    contacts.push_back(contact);
  }
}

}  // namespace limber
