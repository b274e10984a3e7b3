#include "limber/dynamics/modal/linear_shape.h"

#include "limber/core/rotation.h"

namespace limber {

namespace {

/// M times the columns of a nodal field (n×c).
Eigen::MatrixXd times_mass(const NodalMass& mass, const Eigen::MatrixXd& field) {
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(field.rows(), field.cols());
  for (Eigen::Index i = 0; i < field.rows(); ++i) {
    for (int entry = mass.offsets[i]; entry < mass.offsets[i + 1]; ++entry) {
      product.row(i) += mass.values[entry] * field.row(mass.columns[entry]);
    }
  }
  return product;
}

/// Component k of all nodes' modes, n×m.
Eigen::MatrixXd component(const ModalModel& body, int k) {
  Eigen::MatrixXd Phi_k(body.node_count(), body.mode_count());
  for (int i = 0; i < body.node_count(); ++i) Phi_k.row(i) = body.Phi().row(3 * i + k);
  return Phi_k;
}

}  // namespace

LinearShape::LinearShape(const ModalModel& model)
    : ModalShape(model),
      uniform_(Columns3::Zero(model.mode_count(), 3)),
      scratch_(Vector::Zero(model.mode_count())) {
  for (int i = 0; i < model.node_count(); ++i) {
    uniform_ += model.mass.row_sums[i] * model.Phi().middleRows<3>(3 * i).transpose();
  }
}

void LinearShape::prepare_turning() {
  if (!pair_.empty()) return;
  const Eigen::MatrixXd X = model_.rest_positions();
  std::vector<Eigen::MatrixXd> components;
  for (int k = 0; k < 3; ++k) components.push_back(component(model_, k));
  for (int k = 0; k < 3; ++k) {
    const Eigen::MatrixXd weighted = times_mass(model_.mass, components[k]);
    for (int l = 0; l < 3; ++l) {
      rest_moments_.emplace_back(weighted.transpose() * X.col(l));
      pair_.emplace_back(weighted.transpose() * components[l]);
    }
  }
}

void LinearShape::set_groups(const std::vector<NodeForce>& forces) {
  groups_.clear();
  for (const NodeForce& force : forces) {
    Columns3& sum = groups_.emplace_back(Columns3::Zero(model_.mode_count(), 3));
    for (const int node : force.nodes) sum += model_.Phi().middleRows<3>(3 * node).transpose();
  }
}

void LinearShape::positions(const Vector& q, Eigen::Ref<Positions> positions) const {
  deformed_positions(model_, Method::linear_modal, q, positions);
}

void LinearShape::velocities(const Vector& q, const Vector& v,
                             Eigen::Ref<Positions> velocities) const {
  deformed_velocities(model_, Method::linear_modal, q, v, velocities);
}

Vec3 LinearShape::position(const BodyPoint& point, const Vector& q) const {
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    const int node = point.nodes[k];
    x += point.weights[k] *
         (model_.rest_positions().row(node).transpose() + node_Phi(model_, node) * q);
  }
  return x;
}

Vec3 LinearShape::velocity(const BodyPoint& point, const Vector& /*q*/, const Vector& v) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] != 0) sum += point.weights[k] * (node_Phi(model_, point.nodes[k]) * v);
  }
  return sum;
}

void LinearShape::derivative(const BodyPoint& point, const Vector& /*q*/, ThreeRows& B) const {
  B.setZero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] != 0) B += point.weights[k] * node_Phi(model_, point.nodes[k]);
  }
}

void LinearShape::force_rows(const BodyPoint& point, const Vector& q, ThreeRows& rows) const {
  derivative(point, q, rows);
}

void LinearShape::frozen_rows(const BodyPoint& point, const Vector& q0, ThreeRows& rows) const {
  derivative(point, q0, rows);
}

/// B = Φᵀ M (1⊗I) is the mass times the shift of each mode.
Vec3 LinearShape::shift(const Vector& q) { return uniform_.transpose() * q / mass_; }

void LinearShape::shift_rows(const Vector& /*q*/, ThreeRows& rows) {
  rows = uniform_.transpose() / mass_;
}

void LinearShape::add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                            Vector& f) {
  f.noalias() += uniform_ * field.uniform;
  if (field.is_uniform()) return;
  const Mat3 spin = skew(field.spin);
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      scratch_ = field.gradient(k, l) * q + 2 * spin(k, l) * v;
      f.noalias() -= pair_[3 * k + l] * scratch_;
      f -= field.gradient(k, l) * rest_moments_[3 * k + l];
    }
  }
}

void LinearShape::add_nodal(int group, const Vec3& force, const Vector& /*q*/, Vector& f) {
  f.noalias() += groups_[group] * force;
}

void LinearShape::add_local_coriolis(const Vector& /*q*/, const Vector& /*v*/, Vector& /*f*/) {}

void LinearShape::add_field_jacobian(const AccelerationField& field, const Vector& /*q*/,
                                     Eigen::MatrixXd& df) {
  if (field.is_uniform()) return;
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) df -= field.gradient(k, l) * pair_[3 * k + l];
  }
}

void LinearShape::add_nodal_jacobian(int /*group*/, const Vec3& /*force*/, const Vector& /*q*/,
                                     Eigen::MatrixXd& /*df*/) {}

void LinearShape::add_point_jacobian(const BodyPoint& /*point*/, const Vec3& /*force*/,
                                     const Vector& /*q*/, Eigen::MatrixXd& /*df*/) const {}

}  // namespace limber
