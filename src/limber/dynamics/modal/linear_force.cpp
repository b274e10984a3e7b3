#include "limber/dynamics/modal/linear_force.h"

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

LinearForce::LinearForce(const ModalModel& body)
    : body_(body),
      uniform_(Columns3::Zero(body.mode_count(), 3)),
      scratch_(Vector::Zero(body.mode_count())) {
  for (int i = 0; i < body.node_count(); ++i) {
    uniform_ += body.mass.row_sums[i] * body.Phi().middleRows<3>(3 * i).transpose();
  }
}

void LinearForce::prepare_turning() {
  if (!pair_.empty()) return;
  const Eigen::MatrixXd X = body_.rest_positions();
  std::vector<Eigen::MatrixXd> components;
  for (int k = 0; k < 3; ++k) components.push_back(component(body_, k));
  for (int k = 0; k < 3; ++k) {
    const Eigen::MatrixXd weighted = times_mass(body_.mass, components[k]);
    for (int l = 0; l < 3; ++l) {
      rest_moments_.emplace_back(weighted.transpose() * X.col(l));
      pair_.emplace_back(weighted.transpose() * components[l]);
    }
  }
}

void LinearForce::set_groups(const std::vector<NodeForce>& forces) {
  groups_.clear();
  for (const NodeForce& force : forces) {
    Columns3& sum = groups_.emplace_back(Columns3::Zero(body_.mode_count(), 3));
    for (const int node : force.nodes) sum += body_.Phi().middleRows<3>(3 * node).transpose();
  }
}

void LinearForce::add_field(const AccelerationField& field, const Vector& q, const Vector& v,
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

void LinearForce::add_nodal(int group, const Vec3& force, const Vector& /*q*/, Vector& f) {
  f.noalias() += groups_[group] * force;
}

void LinearForce::add_local_coriolis(const Vector& /*q*/, const Vector& /*v*/, Vector& /*f*/) {}

void LinearForce::add_field_jacobian(const AccelerationField& field, const Vector& /*q*/,
                                     Eigen::MatrixXd& df) {
  if (field.is_uniform()) return;
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) df -= field.gradient(k, l) * pair_[3 * k + l];
  }
}

void LinearForce::add_nodal_jacobian(int /*group*/, const Vec3& /*force*/, const Vector& /*q*/,
                                     Eigen::MatrixXd& /*df*/) {}

}  // namespace limber
