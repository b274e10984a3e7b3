#include "limber/contact/posed_collider.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/dynamics/rigid_body.h"

namespace limber {

namespace {

/// Up to here all vertices of a surface together cost less than a few of them one by one.
constexpr std::size_t kAllAtOnce = 2048;

/// Speculative contacts reach as far as a pair may close, and by these shares of a body's size and
/// of what gravity may add in a step.
constexpr double kMarginSize = 0.01;
constexpr double kMarginFall = 10;  // m/s²

}  // namespace

PosedCollider::PosedCollider(Collider::Shared collider, const DynamicBody* body)
    : collider_(std::move(collider)), body_(body) {
  for (const Collider::Point& point : collider_->points()) point_list_.push_back(point.point);
  points_.resize(point_list_.size());
  vertices_.resize(collider_->vertices().size());
  stamps_.assign(vertices_.size(), 0);
}

void PosedCollider::set_obstacle(const FrameState& now, const FrameState& end) {
  frame_ = now;
  end_ = end;
}

void PosedCollider::reach(double h) {
  if (body_ != nullptr) {
    frame_ = body_->frame();
    const RestPlace place = body_->rest_place();
    frame_.position = place.position;
    frame_.rotation = place.rotation;
  }
  ++stamp_;
  evaluated_ = false;
  bounds_ = Bounds();
  if (collider_->kind() == Collider::Kind::plane) {
    bounds_ = Bounds::everywhere();
    return;
  }
  const Vec3 arm = frame_.rotation * collider_->centre();
  const Vec3 centre = frame_.position + arm;
  const double radius = collider_->half().norm();
  velocity_ = frame_.velocity + frame_.angular_velocity.cross(arm);
  spread_ = frame_.angular_velocity.norm() * radius;
  if (!soft()) {
    // The box around the turned box.
    const Vec3 half = frame_.rotation.cwiseAbs() * collider_->half();
    bounds_.add(centre - half);
    bounds_.add(centre + half);
  } else {
    const double bulge = modal_bulge();
    if (bulge < 0) {
      evaluate();
    } else {
      // Three times the root mean square covers what vibrates; evaluate() is exact afterwards.
      spread_ = std::max(spread_, 3 * std::sqrt(2 * body_->kinetic_energy() / body_->mass()));
      bounds_.add(centre);
      bounds_.grow(radius + bulge);
    }
  }
  sweep(h);
}

/// Σ|q_k| a_k: the most that any vertex is displaced by; negative where the modes are not known.
double PosedCollider::modal_bulge() const {
  const std::span<const double> q = body_->modal();
  const std::span<const double> mode_reach = collider_->mode_reach();
  if (mode_reach.empty() || q.size() != mode_reach.size()) return -1;
  double sum = 0;
  for (std::size_t k = 0; k < q.size(); ++k) sum += std::abs(q[k]) * mode_reach[k];
  return sum;
}

double PosedCollider::most_deformation() const {
  const double bulge = modal_bulge();
  return bulge < 0 ? std::numeric_limits<double>::infinity() : bulge;
}

void PosedCollider::sweep(double h) {
  const Vec3 travel = h * velocity_;
  bounds_.low += travel.cwiseMin(0);
  bounds_.high += travel.cwiseMax(0);
  bounds_.grow(spread_ * h + resting_margin(h));
}

double PosedCollider::resting_margin(double h) const {
  return kMarginSize * collider_->size() + kMarginFall * h * h;
}

void PosedCollider::evaluate() {
  evaluated_ = true;
  if (collider_->kind() == Collider::Kind::plane) return;
  if (body_ != nullptr && soft() && vertices_.size() <= 2 * points_.size()) {
    evaluate_vertices();
    for (std::size_t k = 0; k < points_.size(); ++k)
      points_[k] = vertices_[static_cast<std::size_t>(collider_->points()[k].vertex)];
  } else if (body_ != nullptr) {
    body_->point_states(point_list_, points_);
  } else {
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const Vec3 arm = frame_.rotation * collider_->points()[k].rest;
      points_[k] = {frame_.position + arm, frame_.velocity + frame_.angular_velocity.cross(arm)};
    }
  }
  if (!soft()) return;
  bounds_ = Bounds();
  double fastest = 0;
  deformation_ = 0;
  if (collider_->mode_reach().empty()) {  // the frame need not move with the body
    velocity_.setZero();
    for (const PointState& point : points_) velocity_ += point.velocity;
    velocity_ /= static_cast<double>(points_.size());
  }
  for (std::size_t k = 0; k < points_.size(); ++k) {
    bounds_.add(points_[k].position);
    fastest = std::max(fastest, (points_[k].velocity - velocity_).squaredNorm());
    const Vec3 moved = to_local(points_[k].position) - collider_->points()[k].rest;
    deformation_ = std::max(deformation_, moved.squaredNorm());
  }
  spread_ = std::sqrt(fastest);
  deformation_ = std::sqrt(deformation_);
  // Vertices between the chosen points may stand out by a little.
  bounds_.grow(0.01 * collider_->size());
}

Vec3 PosedCollider::drift_velocity(const Vec3& x, double h) const {
  if (body_ != nullptr) return Vec3::Zero();
  return (end_.to_world(to_local(x)) - x) / h;
}

PointState PosedCollider::state_of(const BodyPoint& point) const {
  PointState state;
  body_->point_states({&point, 1}, {&state, 1});
  return state;
}

void PosedCollider::evaluate_vertices() const {
  body_->point_states(collider_->vertices(), vertices_);
  std::fill(stamps_.begin(), stamps_.end(), stamp_);
}

std::span<const PointState> PosedCollider::surface_states() const {
  const auto old = [&](std::uint32_t stamp) { return stamp != stamp_; };
  if (std::any_of(stamps_.begin(), stamps_.end(), old)) evaluate_vertices();
  return vertices_;
}

Vec3 PosedCollider::vertex(int v) const {
  if (!soft()) return frame_.to_world(collider_->surface()->vertex(v));
  if (stamps_[v] != stamp_) {
    if (vertices_.size() <= kAllAtOnce) {
      evaluate_vertices();
    } else {
      body_->point_states(collider_->vertices().subspan(v, 1), std::span(vertices_).subspan(v, 1));
      stamps_[v] = stamp_;
    }
  }
  return vertices_[v].position;
}

void PosedCollider::edge_ends(int number, Vec3& from, Vec3& to) const {
  const Collider::Edge& rest = collider_->edges()[static_cast<std::size_t>(number)];
  from = soft() ? vertex(rest.vertex_from) : frame_.to_world(rest.rest_from);
  to = soft() ? vertex(rest.vertex_to) : frame_.to_world(rest.rest_to);
}

PosedCollider::PosedEdge PosedCollider::edge(int number) const {
  const Collider::Edge& rest = collider_->edges()[static_cast<std::size_t>(number)];
  PosedEdge posed;
  edge_ends(number, posed.from, posed.to);
  for (int k = 0; k < 2; ++k) {
    posed.into[k] = frame_.rotation * rest.into[k];
    if (!soft() || rest.opposite[k] < 0) continue;
    const Vec3 along = (posed.to - posed.from).normalized();
    const Vec3 arm = vertex(rest.opposite[k]) - posed.from;
    posed.into[k] = (arm - along.dot(arm) * along).normalized();
  }
  return posed;
}

TrianglePoint PosedCollider::nearest_on(int triangle, const Vec3& x) const {
  const auto& corners = collider_->surface()->triangle(triangle);
  return nearest_on_triangle(x, vertex(corners[0]), vertex(corners[1]), vertex(corners[2]));
}

/// From the world back to the rest shape, near a triangle.
Mat3 PosedCollider::turn_of(int triangle) const {
  const RestSurface& rest = *collider_->surface();
  const auto& t = rest.triangle(triangle);
  return rest.face_frame(triangle) *
         frame_of({vertex(t[0]), vertex(t[1]), vertex(t[2])}).transpose();
}

/// In the shape's own coordinates, the box grown by the reach and by how far the shape is bent: the
/// stretch is cut slab by slab.
bool PosedCollider::may_reach(const Vec3& from, const Vec3& to, double reach) const {
  if (collider_->kind() == Collider::Kind::plane) return true;
  const Vec3 start = to_local(from) - collider_->centre();
  const Vec3 way = to_local(to) - collider_->centre() - start;
  // Vertices between the contact points may be bent by a little more.
  const double more = reach + 2 * deformation_ + (soft() ? 0.01 * collider_->size() : 0);
  double first = 0, last = 1;
  for (int k = 0; k < 3; ++k) {
    const double half = collider_->half()[k] + more;
    if (std::abs(way[k]) < 1e-12 * half) {
      if (std::abs(start[k]) > half) return false;
      continue;
    }
    const double a = (-half - start[k]) / way[k], b = (half - start[k]) / way[k];
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  return first <= last;
}

SolidHit PosedCollider::query(const Vec3& x, double reach, const Vec3& side) const {
  if (soft()) return query_soft(x, reach);
  SolidHit hit = collider_->query(to_local(x), reach, to_local(side));
  if (!hit.hit) return hit;
  hit.normal = frame_.rotation * hit.normal;
  hit.closest = frame_.to_world(hit.closest);
  return hit;
}

SolidHit PosedCollider::query_soft(const Vec3& x, double reach) const {
  const RestSurface& rest = *collider_->surface();
  const bool deformed = deformation_ > 1e-4 * collider_->size();
  const bool little = deformation_ < 0.1 * collider_->half().minCoeff();
  // Back to the rest shape: first as if rigid, then with the turn of the triangle found, twice.
  SurfaceHit found = rest.query(to_local(x), reach + 2 * deformation_);
  SolidHit hit;
  if (found.triangle < 0) return hit;
  const auto rest_place = [&](int triangle, const TrianglePoint& now) {
    Vec3 X = Vec3::Zero();
    for (int k = 0; k < 3; ++k) X += now.weights[k] * rest.vertex(rest.triangle(triangle)[k]);
    return Vec3(X + turn_of(triangle) * (x - now.point));
  };
  TrianglePoint now = nearest_on(found.triangle, x);
  for (int pass = 0; deformed && pass < 2; ++pass) {
    const int before = found.triangle;
    const Vec3 X = rest_place(found.triangle, now);
    if (!X.allFinite()) return hit;
    // A walk cannot leave the wrong side of a thin body that is bent far.
    found = little ? rest.walk(X, found.triangle)
                   : rest.query(X, std::numeric_limits<double>::infinity());
    if (found.triangle < 0) return hit;
    if (found.triangle == before) break;
    now = nearest_on(found.triangle, x);
  }
  // Of the neighbours the one that is nearest in the shape of now.
  int best = found.triangle;
  if (now.feature != TriangleFeature::face) {
    for (int k = 0; k < 3; ++k) {
      const int other = rest.neighbour(found.triangle, k);
      if (other < 0) continue;
      const TrianglePoint point = nearest_on(other, x);
      if (point.squared < now.squared) {
        now = point;
        best = other;
      }
    }
  }
  const auto& t = rest.triangle(best);
  const Vec3 out = x - now.point;
  const Vec3 a = vertex(t[0]);
  const Vec3 normal = (vertex(t[1]) - a).cross(vertex(t[2]) - a).normalized();
  hit.triangle = best;
  hit.weights = now.weights;
  hit.closest = now.point;
  hit.face = now.feature == TriangleFeature::face;
  const double length = std::sqrt(now.squared);
  if (hit.face || length < 1e-9 * collider_->size()) {
    hit.normal = normal;
    hit.distance = normal.dot(out);
  } else {
    hit.distance = found.distance < 0 ? -length : length;
    hit.normal = out / hit.distance;
  }
  hit.hit = hit.distance <= reach;
  return hit;
}

BodyPoint PosedCollider::point_of(const SolidHit& hit) const {
  if (soft()) return collider_->point_on(hit.triangle, hit.weights);
  return RigidBody::point(to_local(hit.closest));
}

}  // namespace limber
