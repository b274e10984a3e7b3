#include "limber/contact/collider.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/dynamics/rigid_body.h"
#include "limber/modes/playback/contact_points.h"

namespace limber {

namespace {

/// Edges beyond these are left to the points; the longest come first.
constexpr std::size_t kMostEdges = 512;

void check_sizes(const Vec3& sizes, const char* shape) {
  if (!(sizes.allFinite() && sizes.minCoeff() > 0))
    throw Error(std::string("a ") + shape + " needs sizes above zero", "collider",
                "give it a volume");
}

Collider::Point rigid_point(const Vec3& X) { return {RigidBody::point(X), X}; }
Collider::Edge rigid_edge(const Vec3& a, const Vec3& b) {
  Collider::Edge edge;
  edge.from = RigidBody::point(a);
  edge.to = RigidBody::point(b);
  edge.rest_from = a;
  edge.rest_to = b;
  return edge;
}

SolidHit away_from(const Vec3& x, const Vec3& closest, double radius) {
  SolidHit hit;
  const Vec3 out = x - closest;
  const double length = out.norm();
  hit.hit = true;
  hit.normal = length > 0 ? Vec3(out / length) : Vec3(Vec3::UnitY());
  hit.distance = length - radius;
  hit.closest = closest + radius * hit.normal;
  hit.face = true;
  return hit;
}

SolidHit query_box(const Vec3& x, const Vec3& half) {
  SolidHit hit;
  hit.hit = true;
  const Vec3 beyond = x.cwiseAbs() - half;
  hit.closest = x.cwiseMax(-half).cwiseMin(half);
  const int outside = static_cast<int>((beyond.array() > 0).count());
  int axis = 0;
  beyond.maxCoeff(&axis);
  hit.face = outside <= 1;
  if (hit.face) {
    hit.normal = (x[axis] < 0 ? -1.0 : 1.0) * Vec3::Unit(axis);
    hit.distance = beyond[axis];
    hit.closest[axis] = x[axis] < 0 ? -half[axis] : half[axis];
  } else {
    const Vec3 out = x - hit.closest;
    hit.distance = out.norm();
    hit.normal = out / hit.distance;
  }
  return hit;
}

}  // namespace

Collider::Shared Collider::plane() { return std::shared_ptr<Collider>(new Collider(Kind::plane)); }

Collider::Shared Collider::sphere(double radius) {
  check_sizes(Vec3::Constant(radius), "sphere");
  std::shared_ptr<Collider> shape(new Collider(Kind::sphere));
  shape->radius_ = radius;
  shape->half_.setConstant(radius);
  shape->points_ = {rigid_point(Vec3::Zero())};
  return shape;
}

Collider::Shared Collider::box(const Vec3& edges) {
  check_sizes(edges, "box");
  std::shared_ptr<Collider> shape(new Collider(Kind::box));
  shape->half_ = edges / 2;
  // Corners, then the middles of edges, then of faces: a face rests on nine points.
  for (int nonzero = 3; nonzero >= 1; --nonzero) {
    for (int code = 0; code < 27; ++code) {
      const Vec3 sign(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
      if ((sign.array() != 0).count() == nonzero)
        shape->points_.push_back(rigid_point(sign.cwiseProduct(edges / 2)));
    }
  }
  const auto corner = [&](int code) {
    const Vec3 sign(code & 1 ? 1 : -1, code & 2 ? 1 : -1, code & 4 ? 1 : -1);
    return Vec3(sign.cwiseProduct(edges / 2));
  };
  for (int code = 0; code < 8; ++code) {
    for (const int axis : {1, 2, 4}) {
      if (code & axis) continue;
      Edge edge = rigid_edge(corner(code), corner(code | axis));
      int side = 0;
      for (int k = 0; k < 3; ++k) {
        if (axis != 1 << k) edge.into[side++] = (code & (1 << k) ? -1.0 : 1.0) * Vec3::Unit(k);
      }
      shape->edges_.push_back(edge);
    }
  }
  shape->faceted_ = true;
  return shape;
}

Collider::Shared Collider::capsule(double radius, double length) {
  check_sizes({radius, length, radius}, "capsule");
  std::shared_ptr<Collider> shape(new Collider(Kind::capsule));
  const Vec3 end(0, length / 2, 0);
  shape->radius_ = radius;
  shape->half_ = end + Vec3::Constant(radius);
  shape->points_ = {rigid_point(-end), rigid_point(end)};
  shape->edges_ = {rigid_edge(-end, end)};
  return shape;
}

void Collider::bound_by_surface() {
  centre_ = (surface_->low() + surface_->high()) / 2;
  half_ = (surface_->high() - surface_->low()) / 2;
}

void Collider::add_surface_edges() {
  faceted_ = surface_->faceted();
  for (const auto& sharp : surface_->sharp_edges()) {
    if (edges_.size() == kMostEdges) {
      faceted_ = false;
      break;
    }
    Edge edge = rigid_edge(surface_->vertex(sharp.from), surface_->vertex(sharp.to));
    const int corners[2] = {sharp.opposite, sharp.beyond};
    for (int k = 0; k < 2; ++k) {
      if (corners[k] < 0) continue;
      const Vec3 along = (edge.rest_to - edge.rest_from).normalized();
      const Vec3 arm = surface_->vertex(corners[k]) - edge.rest_from;
      edge.into[k] = (arm - along.dot(arm) * along).normalized();
      edge.opposite[k] = corners[k];
    }
    edge.triangle = sharp.triangle;
    edge.corner = sharp.edge;
    if (kind_ == Kind::soft) {
      edge.from = vertices_[sharp.from];
      edge.to = vertices_[sharp.to];
      edge.vertex_from = sharp.from;
      edge.vertex_to = sharp.to;
    }
    edges_.push_back(edge);
  }
}

Collider::Shared Collider::mesh(const Positions& vertices, const Triangles& triangles) {
  std::shared_ptr<Collider> shape(new Collider(Kind::mesh));
  shape->surface_ = std::make_unique<RestSurface>(vertices, triangles);
  shape->bound_by_surface();
  for (const int v : choose_contact_points(vertices, triangles)) {
    shape->points_.push_back(rigid_point(vertices.row(v).transpose()));
  }
  shape->add_surface_edges();
  return shape;
}

Collider::Shared Collider::soft(const Positions& nodes, const Tets& tets, const Positions& vertices,
                                const Triangles& triangles, const SurfaceBinding& binding,
                                std::span<const std::int32_t> contact_points) {
  std::shared_ptr<Collider> shape(new Collider(Kind::soft));
  shape->surface_ = std::make_unique<RestSurface>(vertices, triangles);
  shape->bound_by_surface();
  shape->nodes_ = nodes;
  shape->tets_ = tets;
  shape->vertices_.resize(static_cast<std::size_t>(vertices.rows()));
  for (std::size_t v = 0; v < shape->vertices_.size(); ++v) {
    for (std::size_t k = 0; k < 4; ++k) {
      shape->vertices_[v].nodes[k] = binding.nodes[4 * v + k];
      shape->vertices_[v].weights[k] = binding.weights[4 * v + k];
    }
    check(shape->vertices_[v], static_cast<int>(nodes.rows()), "collider");
  }
  std::vector<std::int32_t> chosen(contact_points.begin(), contact_points.end());
  if (chosen.empty()) chosen = choose_contact_points(vertices, triangles);
  for (const std::int32_t v : chosen) {
    if (v < 0 || v >= vertices.rows())
      throw Error("a contact point is not a vertex of the surface", "collider", "bake it again");
    shape->points_.push_back({shape->vertices_[v], vertices.row(v).transpose(), v});
  }
  shape->add_surface_edges();
  return shape;
}

Collider::Shared Collider::soft(const ModalModel& model,
                                std::span<const std::int32_t> contact_points) {
  const BodySurface& surface = model.surface;
  const Eigen::Map<const Positions> vertices(surface.rest_positions.data(), surface.vertex_count(),
                                             3);
  const Eigen::Map<const Triangles> triangles(surface.triangles.data(),
                                              static_cast<int>(surface.triangles.size() / 3), 3);
  const Shared plain = soft(
      Positions(model.rest_positions()), Tets(model.tets()), vertices, triangles, surface.binding,
      contact_points.empty() ? surface.contact_points.span() : contact_points);
  const std::shared_ptr<Collider> shape = std::const_pointer_cast<Collider>(plain);
  shape->mode_reach_.assign(static_cast<std::size_t>(model.mode_count()), 0.0);
  for (int i = 0; i < model.node_count(); ++i) {
    for (int k = 0; k < model.mode_count(); ++k) {
      const double reach = model.Phi().block(3 * i, k, 3, 1).norm();
      shape->mode_reach_[k] = std::max(shape->mode_reach_[k], reach);
    }
  }
  return shape;
}

SolidHit Collider::query(const Vec3& x, double reach, const Vec3& side) const {
  SolidHit hit;
  switch (kind_) {
    case Kind::plane:
      hit.hit = true;
      hit.distance = x.y();
      hit.closest = Vec3(x.x(), 0, x.z());
      hit.face = true;
      break;
    case Kind::sphere:
      hit = away_from(x, Vec3::Zero(), radius_);
      break;
    case Kind::capsule: {
      const double most = half_.y() - radius_;
      hit = away_from(x, Vec3(0, std::clamp(x.y(), -most, most), 0), radius_);
      break;
    }
    case Kind::box:
      hit = query_box(x, half_);
      break;
    case Kind::mesh:
    case Kind::soft:
      return query_surface(x, reach, side);
  }
  hit.hit = hit.distance <= reach;
  return hit;
}

SolidHit Collider::query_surface(const Vec3& x, double reach, const Vec3& side) const {
  const SurfaceHit found = surface_->query(x, reach);
  SolidHit hit;
  if (found.triangle < 0 || found.distance > reach) return hit;
  hit.hit = true;
  hit.triangle = found.triangle;
  hit.weights = found.nearest.weights;
  hit.closest = found.nearest.point;
  hit.distance = found.distance;
  hit.face = found.nearest.feature == TriangleFeature::face;
  Vec3 normal = surface_->face_normal(found.triangle);
  const Vec3 out = x - hit.closest;
  if (!surface_->closed()) {
    // A sheet without an inside pushes to the side that its visitor comes from.
    if (normal.dot(side - hit.closest) < 0) normal = -normal;
    if (normal.dot(out) < 0) hit.distance = -hit.distance;
  }
  const double length = std::abs(hit.distance);
  // At an edge the direction to the point itself, unless the point is on it to rounding.
  const bool slanted = !hit.face && length > 1e-9 * half_.maxCoeff();
  hit.normal = slanted ? Vec3(out / hit.distance) : normal;
  return hit;
}

BodyPoint Collider::point_on(int triangle, const Vec3& weights) const {
  const auto& corners = surface_->triangle(triangle);
  BodyPoint sum;
  sum.weights = {0, 0, 0, 0};
  std::size_t count = 0;
  bool fits = true;
  for (int c = 0; c < 3; ++c) {
    const BodyPoint& corner = vertices_[corners[c]];
    for (std::size_t k = 0; k < 4; ++k) {
      const double weight = weights[c] * corner.weights[k];
      if (weight == 0) continue;
      std::size_t slot = 0;
      while (slot < count && sum.nodes[slot] != corner.nodes[k]) ++slot;
      if (slot == 4) {
        fits = false;
        break;
      }
      if (slot == count) sum.nodes[count++] = corner.nodes[k];
      sum.weights[slot] += weight;
    }
  }
  for (std::size_t slot = count; slot < 4; ++slot) sum.nodes[slot] = sum.nodes[0];
  if (fits) return sum;
  // Corners in different tets: the tet of the heaviest one, with the place's coordinates in it.
  int heaviest = 0;
  weights.maxCoeff(&heaviest);
  BodyPoint carried = vertices_[corners[heaviest]];
  Vec3 X = Vec3::Zero();
  for (int c = 0; c < 3; ++c) X += weights[c] * surface_->vertex(corners[c]);
  Eigen::Matrix4d A;
  for (int k = 0; k < 4; ++k) A.col(k) << nodes_.row(carried.nodes[k]).transpose(), 1;
  const Eigen::Vector4d coordinates = A.inverse() * Eigen::Vector4d(X.x(), X.y(), X.z(), 1);
  // Two of its nodes may be one: then it is no tet, and the corner itself stands for the place.
  if (!coordinates.allFinite() || coordinates.cwiseAbs().maxCoeff() > 8) return carried;
  for (std::size_t k = 0; k < 4; ++k) carried.weights[k] = coordinates[static_cast<int>(k)];
  return carried;
}

BodyPoint Collider::point_at(const Vec3& X) const {
  if (kind_ != Kind::soft) return RigidBody::point(X);
  BodyPoint best;
  double least = std::numeric_limits<double>::infinity();
  for (int t = 0; t < tets_.rows(); ++t) {
    Eigen::Matrix4d A;
    for (int k = 0; k < 4; ++k) A.col(k) << nodes_.row(tets_(t, k)).transpose(), 1;
    const Eigen::Vector4d w = A.inverse() * Eigen::Vector4d(X.x(), X.y(), X.z(), 1);
    if (!w.allFinite()) continue;
    // How far outside, in the tet's own measure: a sliver nearby must not extrapolate far.
    const double outside = std::max(0.0, -w.minCoeff());
    if (outside < least) {
      least = outside;
      for (std::size_t k = 0; k < 4; ++k) {
        best.nodes[k] = tets_(t, static_cast<int>(k));
        best.weights[k] = w[static_cast<int>(k)];
      }
    }
  }
  if (least == std::numeric_limits<double>::infinity())
    throw Error("the body has no tets to hang a joint on", "joint", "name nodes instead");
  return best;
}

}  // namespace limber
