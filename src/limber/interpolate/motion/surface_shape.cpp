#include "limber/interpolate/motion/surface_shape.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

#include "limber/core/rotation.h"
#include "limber/interpolate/reconstruction/rotation_fit.h"

namespace limber {

namespace {

/// Triangles thinner than this, area over longest edge squared, say nothing about stretch: their
/// gradients are the inverse.
constexpr double kThinnest = 1e-6;
/// A spring of 1/size² an area: the tets' places matter over lengths of the body's size only.
constexpr double kDraw = 1.0;
/// Of vertices that are led, against about four of a vertex's neighbours: to a thousandth.
constexpr double kHold = 4e3;
/// Two rounds halve what edges stray; four more gain a tenth.
constexpr int kFits = 2;
/// Below this share of its volume a tet's own stretch is not divided out.
constexpr double kFlat = 0.05;

TriMesh with_area(const TriMesh& surface) {
  TriMesh kept;
  kept.V = surface.V;
  kept.F.resize(surface.F.rows(), 3);
  Eigen::Index count = 0;
  for (Eigen::Index f = 0; f < surface.F.rows(); ++f) {
    const Vec3 a = surface.V.row(surface.F(f, 1)) - surface.V.row(surface.F(f, 0));
    const Vec3 b = surface.V.row(surface.F(f, 2)) - surface.V.row(surface.F(f, 0));
    const double edge2 = std::max({a.squaredNorm(), b.squaredNorm(), (b - a).squaredNorm()});
    if (0.5 * a.cross(b).norm() > kThinnest * edge2) kept.F.row(count++) = surface.F.row(f);
  }
  kept.F.conservativeResize(count, 3);
  return kept;
}

std::vector<ReconstructionSpring> springs_of(const Elements& triangles,
                                             const std::vector<char>& held,
                                             const std::vector<char>& led) {
  const double size =
      (triangles.rest.colwise().maxCoeff() - triangles.rest.colwise().minCoeff()).norm();
  std::vector<ReconstructionSpring> springs;
  for (int v = 0; v < triangles.node_count(); ++v) {
    if (triangles.parts[v] < 0 || held[v]) continue;
    ReconstructionSpring spring;
    spring.nodes = {v, v, v, v};
    spring.weights = {1, 0, 0, 0};
    spring.stiffness = led[v] ? kHold : kDraw * triangles.node_weights[v] / (size * size);
    springs.push_back(spring);
  }
  return springs;
}

}  // namespace

SurfaceShape::SurfaceShape(const TriMesh& rest, std::vector<int> carriers,
                           const std::vector<char>& held, const std::vector<char>& led)
    : carriers_(std::move(carriers)), is_held_(held) {
  const TriMesh kept = with_area(rest);
  if (kept.F.rows() == 0) return;
  triangles_ = std::make_shared<const Elements>(elements_of(kept));
  ReconstructionConstraints constraints;
  constraints.springs = springs_of(*triangles_, held, led);
  for (int v = 0; v < triangles_->node_count(); ++v) {
    if (held[v] && triangles_->parts[v] >= 0) held_.push_back(v);
  }
  constraints.held_nodes = held_;
  reconstruction_.emplace(triangles_, constraints);
  kernel_.emplace(*reconstruction_);
  targets_ = reconstruction_->targets_at(triangles_->rest);
  still_.assign(3 * static_cast<std::size_t>(triangles_->node_count()), 0.0);
  at_vertices_.resize(carriers_.size());
  now_.w.resize(triangles_->element_count(), 3);
  now_.S.resize(triangles_->element_count());
  changes_.resize(carriers_.size());
  gradients_.resize(triangles_->element_count());
  turned_.reserve(triangles_->element_count());
  terms_.reserve(2 * KeyedFields::kMostTerms + 1);
}

/// The coordinates of the tets around each triangle into now_.
void SurfaceShape::read_carriers(const ShapeInterpolation& shape) {
  for (std::size_t v = 0; v < carriers_.size(); ++v) {
    at_vertices_[v] = shape.coordinates_of(carriers_[v]);
  }
  mean_of_corners();
}

void SurfaceShape::mean_of_corners() {
  for (int f = 0; f < triangles_->element_count(); ++f) {
    Vec3 w = Vec3::Zero();
    Mat3 S = Mat3::Zero();
    for (int k = 0; k < 3; ++k) {
      w += at_vertices_[triangles_->corners(f, k)].w / 3;
      S += at_vertices_[triangles_->corners(f, k)].S / 3;
    }
    now_.w.row(f) = w.transpose();
    now_.S[f] = S;
  }
}

void SurfaceShape::add_pose(double time, const Positions& surface,
                            const ShapeInterpolation& shape) {
  if (!triangles_) return;
  read_carriers(shape);
  keep_pose(time, surface, shape.frame());
}

void SurfaceShape::add_pose(double time, const Positions& surface, const ShapeInterpolation& shape,
                            const RotationStrain& tets) {
  if (!triangles_) return;
  for (std::size_t v = 0; v < carriers_.size(); ++v) {
    at_vertices_[v] = {tets.w.row(carriers_[v]).transpose(), tets.S[carriers_[v]]};
  }
  mean_of_corners();
  keep_pose(time, surface, shape.frame());
}

/// With the tets' coordinates in now_.
void SurfaceShape::keep_pose(double time, const Positions& surface, const Mat3& frame) {
  const auto place = std::lower_bound(times_.begin(), times_.end(), time) - times_.begin();
  UnwrapOptions unwrapping;
  if (!own_.empty()) unwrapping.near = &own_[std::max<std::ptrdiff_t>(0, place - 1)];
  const Positions turned_back = surface * frame;
  RotationStrain own = rotation_strain(*triangles_, turned_back, unwrapping);
  times_.insert(times_.begin() + place, time);
  own_.insert(own_.begin() + place, std::move(own));
  carried_.insert(carried_.begin() + place, now_);
  if (!held_.empty()) {
    posed_.insert(posed_.begin() + place, surface);
    frames_.insert(frames_.begin() + place, frame);
  }
  laid_out_ = false;
}

void SurfaceShape::lay_out() {
  own_fields_ = KeyedFields(times_, own_, *kernel_);
  carried_fields_ = KeyedFields(times_, carried_, *kernel_);
  if (!held_.empty()) {
    groups_ = HeldGroups(*triangles_, held_, times_, posed_);
    for (std::size_t k = 0; k < times_.size(); ++k) {
      groups_.add_turns(*triangles_, frames_[k], own_[k]);
    }
  }
  laid_out_ = true;
}

/// exp(w)(I + S) of every triangle.
void SurfaceShape::find_gradients() {
  for (int f = 0; f < triangles_->element_count(); ++f) {
    const ElementCoordinates c = kernel_->coordinates_of(f, still_.data(), Vec3::Zero(), terms_);
    gradients_[f] = rotation_exp(c.w) * (Mat3::Identity() + c.S);
  }
}

/// Q times that, Q the mean over the corners.
void SurfaceShape::follow_constraints(const ShapeInterpolation& shape, const Positions& nodes) {
  const Elements& tets = *shape.modes().elements();
  for (std::size_t v = 0; v < carriers_.size(); ++v) {
    const ElementCoordinates c = shape.coordinates_of(carriers_[v]);
    const Mat3 actual = shape.frame().transpose() * tets.deformation_gradient(nodes, carriers_[v]);
    const Mat3 stretch = Mat3::Identity() + c.S;
    const Mat3 turned_back = rotation_exp(-c.w);
    changes_[v] = std::abs(stretch.determinant()) > kFlat
                      ? Mat3(actual * stretch.inverse() * turned_back)
                      : Mat3(polar_rotation(actual) * turned_back);
  }
  for (int f = 0; f < triangles_->element_count(); ++f) {
    Mat3 change = Mat3::Zero();
    for (int k = 0; k < 3; ++k) change += changes_[triangles_->corners(f, k)] / 3;
    gradients_[f] = change * gradients_[f];
  }
}

void SurfaceShape::evaluate(double t, const ShapeInterpolation& shape, const Positions& nodes,
                            Positions& surface) {
  if (!triangles_) return;
  if (!laid_out_) lay_out();
  terms_.clear();
  own_fields_.add_terms(t, 1, terms_);
  // Between two keys a calm motion of the tets is their blend itself: nothing to add.
  if (times_.size() > 2 || !shape.motion().calm()) {
    carried_fields_.add_terms(t, -1, terms_);
    read_carriers(shape);
    kernel_->write_field(now_, now_field_);
    terms_.push_back({&now_field_, 1});
  }
  find_gradients();
  if (shape.constrained()) follow_constraints(shape, nodes);
  Eigen::Index spring = 0;
  for (int v = 0; v < triangles_->node_count(); ++v) {
    if (triangles_->parts[v] < 0 || is_held_[v]) continue;
    targets_.springs.row(spring++) = surface.row(v) * shape.frame();
  }
  if (!held_.empty()) {
    groups_.targets(t, shape.frame(), 0, targets_.held);
    for (Eigen::Index k = 0; k < targets_.held.rows(); ++k) {
      targets_.held.row(k) = (targets_.held.row(k) * shape.frame()).eval();
    }
  }
  reconstruction_->solve(gradients_, targets_, solved_);
  fit_rotations(*reconstruction_, gradients_, {}, targets_, kFits, turned_, solved_);
  for (int v = 0; v < triangles_->node_count(); ++v) {
    if (triangles_->parts[v] < 0) continue;
    surface.row(v) = solved_.row(v) * shape.frame().transpose();
  }
}

}  // namespace limber
