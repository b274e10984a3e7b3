#include "limber/dynamics/modal/modal_shape.h"

#include <numeric>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/linear_shape.h"
#include "limber/dynamics/modal/warped_shape.h"

namespace limber {

ModalShape::ModalShape(const ModalModel& model)
    : model_(model),
      no_velocity_(Vector::Zero(model.mode_count())),
      field_row_(model.mode_count()),
      derivative_(3, model.mode_count()) {
  mass_ = std::accumulate(model.mass.row_sums.begin(), model.mass.row_sums.end(), 0.0);
  for (int i = 0; i < model.node_count(); ++i) {
    rest_centre_ += model.mass.row_sums[i] / mass_ * model.rest_positions().row(i).transpose();
  }
}

Vec3 ModalShape::mass_row(const NodalMass& mass, int i, const Positions& a) {
  Vec3 sum = Vec3::Zero();
  for (int entry = mass.offsets[i]; entry < mass.offsets[i + 1]; ++entry) {
    sum += mass.values[entry] * a.row(mass.columns[entry]).transpose();
  }
  return sum;
}

Vec3 ModalShape::turn(const BodyPoint& point, const Vector& q) const {
  Vec3 w = point.weights[0] * (node_Psi(model_, point.nodes[0]) * q);
  for (std::size_t k = 1; k < 4; ++k) {
    if (point.weights[k] != 0) w += point.weights[k] * (node_Psi(model_, point.nodes[k]) * q);
  }
  return w;
}

void ModalShape::turn_rows(const BodyPoint& point, ThreeRows& Psi) const {
  Psi = point.weights[0] * node_Psi(model_, point.nodes[0]);
  for (std::size_t k = 1; k < 4; ++k) {
    if (point.weights[k] != 0) Psi += point.weights[k] * node_Psi(model_, point.nodes[k]);
  }
}

void ModalShape::motion(std::span<const BodyPoint> points, const Vector& q, const Vector& v,
                        std::span<PlaceAndRate> motion) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    motion[i] = {position(points[i], q), velocity(points[i], q, v)};
  }
}

void ModalShape::direction_rows(std::span<const BodyPoint> points, const Mat3* directions,
                                const Vector& q, double* rows, std::ptrdiff_t stride) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    derivative(points[i], q, derivative_);
    for (int r = 0; r < 3; ++r, rows += stride) {
      Eigen::Map<Vector>(rows, q.size()) =
          derivative_.transpose().lazyProduct(directions[i].col(r));
    }
  }
}

/// A field e_k × (x − centre) does Σ m_ij (e_k × y_i)·ẋ_j = e_k · Σ m_ij y_i × ẋ_j of work.
void ModalShape::mass_rows(const Vector& q, const Vec3& centre, ThreeRows& S, ThreeRows& L) {
  shift_rows(q, S);
  for (int k = 0; k < 3; ++k) {
    AccelerationField field;
    field.gradient = -skew(Vec3::Unit(k));
    field.uniform = field.gradient * centre;
    field_row_.setZero();
    add_field_by_work(field, q, field_row_);
    L.row(k) = field_row_.transpose();
  }
}

/// With the mass matrix of the shape functions: m_ij of places and velocities that are linear in
/// each tet, so that momenta are those of the body as it is drawn.
MassMotion ModalShape::mass_motion(const Vector& q, const Vector& v) {
  MassMotion motion;
  motion.shift = ModalShape::shift(q);  // leaves places_
  rates_.resize(model_.node_count(), 3);
  velocities(q, v, rates_);
  const NodalMass& mass = model_.mass;
  const Vec3 centre = rest_centre_ + motion.shift;
  Mat3 moments = Mat3::Zero();  // Σ m_ij y_i y_jᵀ
  for (int i = 0; i < model_.node_count(); ++i) {
    Vec3 place = Vec3::Zero();
    Vec3 rate = Vec3::Zero();
    for (int entry = mass.offsets[i]; entry < mass.offsets[i + 1]; ++entry) {
      const int j = mass.columns[entry];
      place += mass.values[entry] * (places_.row(j).transpose() - centre);
      rate += mass.values[entry] * rates_.row(j).transpose();
    }
    const Vec3 y = places_.row(i).transpose() - centre;
    moments += y * place.transpose();
    motion.spin_momentum += y.cross(rate);
    motion.shift_rate += rate / mass_;
  }
  motion.inertia = moments.trace() * Mat3::Identity() - moments;
  return motion;
}

Vec3 ModalShape::shift(const Vector& q) {
  places_.resize(model_.node_count(), 3);
  positions(q, places_);
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < model_.node_count(); ++i) {
    centre += model_.mass.row_sums[i] / mass_ * places_.row(i).transpose();
  }
  return centre - rest_centre_;
}

void ModalShape::shift_rows(const Vector& q, ThreeRows& rows) {
  rows_.resize(3, q.size());
  rows.setZero();
  for (int i = 0; i < model_.node_count(); ++i) {
    derivative(BodyPoint::at_node(i), q, rows_);
    rows += model_.mass.row_sums[i] / mass_ * rows_;
  }
}

std::unique_ptr<ModalShape> make_modal_shape(const ModalModel& model, Method method, LoadLaw law,
                                             bool fast) {
  if (method == Method::linear_modal || method == Method::reduced) {
    return std::make_unique<LinearShape>(model);
  }
  return std::make_unique<WarpedShape>(model, law, fast);
}

}  // namespace limber
