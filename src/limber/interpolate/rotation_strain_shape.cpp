#include "limber/interpolate/rotation_strain_shape.h"

#include <algorithm>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/node_kernels.h"

namespace limber {

namespace {

ReconstructionConstraints fixed_nodes_of(const ModalModel& model, const Elements& elements) {
  ReconstructionConstraints constraints;
  for (const int node : model.fixed_nodes) {
    if (elements.parts[node] >= 0) constraints.held_nodes.push_back(node);
  }
  return constraints;
}

bool same(const BodyPoint& a, const BodyPoint& b) {
  return a.nodes == b.nodes && a.weights == b.weights;
}

/// One tet's turn and stretch.
struct ElementState {
  Vec3 w;
  Mat3 R;
  Mat3 mean;  // R~(w)
  Mat3 U;     // I + S

  explicit ElementState(const Mat3& A)
      : w(axial(A)),
        R(rotation_exp(w)),
        mean(mean_rotation(w)),
        U(Mat3::Identity() + 0.5 * (A + A.transpose())) {}

  /// dF when A changes by dA.
  [[nodiscard]] Mat3 rate(const Mat3& dA) const {
    return skew(mean * axial(dA)) * R * U + R * (0.5 * (dA + dA.transpose()));
  }
};

/// How D of the header changes with B u: column 3j+i is that of entry (i, j), column-major as D.
Eigen::Matrix<double, 9, 9> second_derivative(const ElementState& state, const Mat3& P) {
  const Mat3 N = state.R.transpose() * P;
  const Mat3 of_turn = mean_rotation_derivative(state.w, axial(N * state.U));
  Eigen::Matrix<double, 9, 9> C;
  for (int entry = 0; entry < 9; ++entry) {
    Mat3 E = Mat3::Zero();
    E.data()[entry] = 1;
    const Vec3 dw = axial(E);
    const Mat3 dS = 0.5 * (E + E.transpose());
    const Mat3 dN = -skew(state.mean.transpose() * dw) * N;
    const Vec3 dm = 2 * (of_turn * dw + state.mean * axial(dN * state.U + N * dS));
    const Mat3 dD = 0.5 * (dN + dN.transpose() + skew(dm));
    C.col(entry) = dD.reshaped();
  }
  return C;
}

}  // namespace

TetMesh rest_mesh(const ModalModel& model) {
  TetMesh mesh;
  mesh.V = model.rest_positions();
  mesh.T = model.tets();
  return mesh;
}

RotationStrainShape::RotationStrainShape(const ModalModel& model, bool fast)
    : ModalShape(model),
      elements_(std::make_shared<const Elements>(elements_of(rest_mesh(model)))),
      reconstruction_(elements_, fixed_nodes_of(model, *elements_)),
      targets_(reconstruction_.targets_at(elements_->rest)),
      still_(targets_),
      kernel_(reconstruction_),
      turning_(model) {
  const int nodes = model.node_count();
  still_.barycentres.setZero();
  still_.held.setZero();
  for (Positions* field : {&places_, &rates_, &loads_, &y_, &g_}) field->setZero(nodes, 3);
  u_.setZero(3 * nodes);
  row_.setZero(model.mode_count());
  gradients_.resize(elements_->element_count());
  for (Influence& influence : influences_) influence.values.setZero(nodes);
  // No state has been seen: a number that equals nothing.
  q_.setConstant(model.mode_count(), std::numeric_limits<double>::quiet_NaN());
  v_ = q_;
  find_influence(Eigen::Map<const Vector>(model.mass.row_sums.data(), nodes), mass_influence_);
  if (!fast) return;
  load_by(mass_influence_, Vec3::UnitX());
  samples_.emplace(model, elements_->element_count(), [&](int element) {
    StrainElement one;
    const auto modes = element_modes(element);
    one.turn.resize(3, modes.cols());
    one.stretch.resize(9, modes.cols());
    for (Eigen::Index j = 0; j < modes.cols(); ++j) {
      const Mat3 A = modes.col(j).reshaped(3, 3);
      const Mat3 S = 0.5 * (A + A.transpose());
      one.turn.col(j) = axial(A);
      one.stretch.col(j) = S.reshaped();
    }
    const Mat3 gradient = elements_->gradient_change(y_.data(), element);
    one.arm = reconstruction_.element_weight(element) * gradient.row(0).transpose();
    return one;
  });
}

/// G Φ of an element, column-major as a matrix of three by three.
Eigen::Matrix<double, 9, Eigen::Dynamic> RotationStrainShape::element_modes(int element) const {
  Eigen::Matrix<double, 9, Eigen::Dynamic> modes =
      Eigen::Matrix<double, 9, Eigen::Dynamic>::Zero(9, model_.mode_count());
  for (int k = 0; k < 4; ++k) {
    const NodeRows Phi = node_Phi(model_, elements_->corners(element, k));
    for (int j = 0; j < 3; ++j) {
      modes.middleRows<3>(3 * j) += elements_->gradient(element, k)[j] * Phi;
    }
  }
  return modes;
}

void RotationStrainShape::set_groups(const std::vector<NodeForce>& forces) {
  group_influences_.clear();
  for (const NodeForce& force : forces) {
    Vector weights = Vector::Zero(model_.node_count());
    for (const int node : force.nodes) weights[node] += 1;
    find_influence(weights, group_influences_.emplace_back());
  }
}

void RotationStrainShape::find_influence(const Vector& weights, Vector& values) const {
  loads_.setZero();
  loads_.col(0) = weights;
  reconstruction_.spread(loads_, y_);
  values = y_.col(0);
}

const Vector& RotationStrainShape::influence_of(const BodyPoint& point) const {
  for (const Influence& influence : influences_) {
    if (influence.known && same(influence.point, point)) return influence.values;
  }
  Influence& oldest = influences_[next_influence_];
  next_influence_ = (next_influence_ + 1) % kKept;
  oldest.point = point;
  oldest.known = true;
  loads_.setZero();
  for (std::size_t k = 0; k < 4; ++k) loads_(point.nodes[k], 0) += point.weights[k];
  reconstruction_.spread(loads_, y_);
  oldest.values = y_.col(0);
  return oldest.values;
}

void RotationStrainShape::see(const Vector& q) const {
  if (q == q_) return;
  q_ = q;
  placed_ = rates_known_ = false;
  kernels::multiply(model_.Phi_data.data(), model_.node_count(), model_.mode_count(), q.data(),
                    u_.data());
}

void RotationStrainShape::place() const {
  if (placed_) return;
  reconstruction_.clear();
  kernel_.accumulate(u_.data(), Vec3::Zero(), {}, reconstruction_.rows());
  reconstruction_.finish(targets_, places_);
  placed_ = true;
}

/// The reconstruction is linear in the gradients.
void RotationStrainShape::find_rates(const Vector& v) const {
  if (rates_known_ && v == v_) return;
  v_ = v;
  kernels::multiply(model_.Phi_data.data(), model_.node_count(), model_.mode_count(), v.data(),
                    y_.data());
  for (int element = 0; element < elements_->element_count(); ++element) {
    const ElementState state(elements_->gradient_change(u_.data(), element));
    gradients_[element] = state.rate(elements_->gradient_change(y_.data(), element));
  }
  reconstruction_.solve(gradients_, still_, rates_);
  for (int node = 0; node < model_.node_count(); ++node) {
    if (elements_->parts[node] < 0) rates_.row(node).setZero();
  }
  rates_known_ = true;
}

void RotationStrainShape::positions(const Vector& q, Eigen::Ref<Positions> positions) const {
  see(q);
  place();
  positions = places_;
}

void RotationStrainShape::velocities(const Vector& q, const Vector& v,
                                     Eigen::Ref<Positions> velocities) const {
  see(q);
  find_rates(v);
  velocities = rates_;
}

Vec3 RotationStrainShape::position(const BodyPoint& point, const Vector& q) const {
  see(q);
  place();
  return point.sum(places_);
}

Vec3 RotationStrainShape::velocity(const BodyPoint& point, const Vector& q, const Vector& v) const {
  see(q);
  find_rates(v);
  return point.sum(rates_);
}

void RotationStrainShape::load_by(const Vector& influence, const Vec3& force) const {
  y_.noalias() = influence * force.transpose();
}

void RotationStrainShape::load_by_field(const AccelerationField& field, const Vector& v) const {
  if (field.is_uniform()) return load_by(mass_influence_, field.uniform);
  place();
  if (!field.spin.isZero(0)) find_rates(v);
  for (int i = 0; i < model_.node_count(); ++i) {
    g_.row(i) = (field.uniform - field.gradient * places_.row(i).transpose()).transpose();
    if (!field.spin.isZero(0)) {
      g_.row(i) -= 2 * field.spin.cross(Vec3(rates_.row(i).transpose())).transpose();
    }
  }
  for (int i = 0; i < model_.node_count(); ++i) {
    loads_.row(i) = mass_row(model_.mass, i, g_).transpose();
  }
  reconstruction_.spread(loads_, y_);
}

void RotationStrainShape::add_pulled(Vector& f) const {
  g_.setZero();
  kernel_.pull_back(u_.data(), y_.data(), g_.data());
  kernels::add_transposed(model_.Phi_data.data(), model_.node_count(), model_.mode_count(),
                          g_.data(), f.data());
}

void RotationStrainShape::add_field(const AccelerationField& field, const Vector& q,
                                    const Vector& v, Vector& f) {
  if (field.is_uniform() && field.uniform.isZero(0)) return;
  if (samples_ && field.is_uniform()) return samples_->add_uniform(field.uniform, q, f);
  see(q);
  load_by_field(field, v);
  add_pulled(f);
}

void RotationStrainShape::add_nodal(int group, const Vec3& force, const Vector& q, Vector& f) {
  see(q);
  load_by(group_influences_[group], force);
  add_pulled(f);
}

void RotationStrainShape::add_local_coriolis(const Vector& q, const Vector& v, Vector& f) {
  turning_.add_local_coriolis(q, v, f);
}

void RotationStrainShape::write_rows(const Vector& influence, ThreeRows& rows) const {
  for (int c = 0; c < 3; ++c) {
    load_by(influence, Vec3::Unit(c));
    row_.setZero();
    add_pulled(row_);
    rows.row(c) = row_.transpose();
  }
}

void RotationStrainShape::derivative(const BodyPoint& point, const Vector& q, ThreeRows& B) const {
  see(q);
  write_rows(influence_of(point), B);
}

void RotationStrainShape::force_rows(const BodyPoint& point, const Vector& q,
                                     ThreeRows& rows) const {
  derivative(point, q, rows);
}

void RotationStrainShape::shift_rows(const Vector& q, ThreeRows& rows) {
  see(q);
  write_rows(mass_influence_, rows);
  rows /= mass_;
}

void RotationStrainShape::frozen_rows(const BodyPoint& point, const Vector& q0,
                                      ThreeRows& rows) const {
  see(q0);
  const Vector& influence = influence_of(point);
  for (int c = 0; c < 3; ++c) {
    load_by(influence, Vec3::Unit(c));
    g_.setZero();
    for (int element = 0; element < elements_->element_count(); ++element) {
      const ElementState state(elements_->gradient_change(u_.data(), element));
      const Mat3 P =
          reconstruction_.element_weight(element) * elements_->gradient_change(y_.data(), element);
      const Mat3 N = state.R.transpose() * P;
      const Mat3 turned = state.mean.transpose() * P;
      const Mat3 D = 0.5 * (N + N.transpose() + turned - turned.transpose());
      for (int k = 0; k < 4; ++k) {
        g_.row(elements_->corners(element, k)) += (D * elements_->gradient(element, k)).transpose();
      }
    }
    row_.setZero();
    kernels::add_transposed(model_.Phi_data.data(), model_.node_count(), model_.mode_count(),
                            g_.data(), row_.data());
    rows.row(c) = row_.transpose();
  }
}

/// df += Φᵀ Gᵀ (∂D/∂(BΦq)) G Φ for the multipliers in y.
void RotationStrainShape::add_pulled_jacobian(Eigen::MatrixXd& df) const {
  const int modes = model_.mode_count();
  ModeMatrix pulled = ModeMatrix::Zero(3 * model_.node_count(), modes);
  Eigen::Matrix<double, 9, Eigen::Dynamic> CH(9, modes);
  for (int element = 0; element < elements_->element_count(); ++element) {
    const ElementState state(elements_->gradient_change(u_.data(), element));
    const Mat3 P =
        reconstruction_.element_weight(element) * elements_->gradient_change(y_.data(), element);
    CH.noalias() = second_derivative(state, P) * element_modes(element);
    for (int k = 0; k < 4; ++k) {
      auto rows = pulled.middleRows<3>(3 * elements_->corners(element, k));
      for (int j = 0; j < 3; ++j) {
        rows += elements_->gradient(element, k)[j] * CH.middleRows<3>(3 * j);
      }
    }
  }
  df.noalias() += model_.Phi().transpose() * pulled;
}

void RotationStrainShape::add_field_jacobian(const AccelerationField& field, const Vector& q,
                                             Eigen::MatrixXd& df) {
  const Vector still = Vector::Zero(q.size());
  see(q);
  load_by_field(field, still);
  add_pulled_jacobian(df);
  if (field.is_uniform()) return;
  // The loads follow the shape: Bᵀ M (−gradient) B, column by column.
  for (int j = 0; j < model_.mode_count(); ++j) {
    find_rates(Vector::Unit(q.size(), j));
    g_ = -rates_ * field.gradient.transpose();
    for (int i = 0; i < model_.node_count(); ++i) {
      loads_.row(i) = mass_row(model_.mass, i, g_).transpose();
    }
    reconstruction_.spread(loads_, y_);
    row_.setZero();
    add_pulled(row_);
    df.col(j) += row_;
  }
}

void RotationStrainShape::add_nodal_jacobian(int group, const Vec3& force, const Vector& q,
                                             Eigen::MatrixXd& df) {
  see(q);
  load_by(group_influences_[group], force);
  add_pulled_jacobian(df);
}

void RotationStrainShape::add_point_jacobian(const BodyPoint& point, const Vec3& force,
                                             const Vector& q, Eigen::MatrixXd& df) const {
  see(q);
  load_by(influence_of(point), force);
  add_pulled_jacobian(df);
}

}  // namespace limber
