#include "limber/dynamics/modal/warped_force.h"

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/chunks.h"
#include "limber/dynamics/modal/node_kernels.h"

namespace limber {

namespace {

/// Row i of M a.
Vec3 mass_row(const NodalMass& mass, int i, const Positions& a) {
  Vec3 sum = Vec3::Zero();
  for (int entry = mass.offsets[i]; entry < mass.offsets[i + 1]; ++entry) {
    sum += mass.values[entry] * a.row(mass.columns[entry]).transpose();
  }
  return sum;
}

}  // namespace

WarpedForce::WarpedForce(const ModalModel& body, bool fast) : body_(body) {
  if (fast) cubature_.emplace(body);
}

void WarpedForce::prepare_turning() {
  rotations_.resize(body_.node_count(), 3);
  accelerations_.resize(body_.node_count(), 3);
}

void WarpedForce::set_groups(const std::vector<NodeForce>& forces) {
  groups_.clear();
  for (const NodeForce& force : forces) groups_.push_back(force.nodes);
}

void WarpedForce::add_uniform(const Vec3& acceleration, const Vector& q, Vector& f) {
  if (cubature_) {
    cubature_->add_force(acceleration, q, f);
    return;
  }
  const int modes = body_.mode_count();
  for_chunks(body_.node_count(), [&](int first, int count) {
    Chunk w;
    Chunk force;
    kernels::multiply(node_Psi(body_, first).data(), count, modes, q.data(), w.data());
    for (int i = 0; i < count; ++i)
      node_of(force, i) = body_.mass.row_sums[first + i] * acceleration;
    kernels::turn_back(w.data(), force.data(), count, force.data());
    kernels::add_transposed(node_Phi(body_, first).data(), count, modes, force.data(), f.data());
  });
}

void WarpedForce::fill_accelerations(const AccelerationField& field, const Vector& q,
                                     const Vector& v) {
  const int modes = body_.mode_count();
  const Eigen::Map<const Positions> X = body_.rest_positions();
  for_chunks(body_.node_count(), [&](int first, int count) {
    Chunk u;
    Chunk velocity;
    double* w = rotations_.data() + 3 * first;
    const double* Phi = node_Phi(body_, first).data();
    kernels::multiply(node_Psi(body_, first).data(), count, modes, q.data(), w);
    kernels::multiply(Phi, count, modes, q.data(), u.data());
    kernels::turn_mean(w, u.data(), count, u.data());
    kernels::multiply(Phi, count, modes, v.data(), velocity.data());
    kernels::turn(w, velocity.data(), count, velocity.data());  // u̇ = R u̇ᴸ, eq. 11
    for (int i = 0; i < count; ++i) {
      const Vec3 x = X.row(first + i).transpose() + node_of(u, i);
      const Vec3 coriolis = 2 * field.spin.cross(node_of(velocity, i));
      accelerations_.row(first + i) = field.uniform - field.gradient * x - coriolis;
    }
  });
}

void WarpedForce::add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                            Vector& f) {
  if (field.is_uniform()) {
    if (!field.uniform.isZero(0)) add_uniform(field.uniform, q, f);
    return;
  }
  fill_accelerations(field, q, v);
  for_chunks(body_.node_count(), [&](int first, int count) {
    Chunk force;
    for (int i = 0; i < count; ++i)
      node_of(force, i) = mass_row(body_.mass, first + i, accelerations_);
    kernels::turn_back(rotations_.data() + 3 * first, force.data(), count, force.data());
    kernels::add_transposed(node_Phi(body_, first).data(), count, body_.mode_count(), force.data(),
                            f.data());
  });
}

void WarpedForce::add_nodal(int group, const Vec3& force, const Vector& q, Vector& f) {
  const std::vector<int>& nodes = groups_[group];
  const int modes = body_.mode_count();
  for_chunks(static_cast<int>(nodes.size()), [&](int first, int count) {
    Chunk w;
    Chunk turned;
    for (int i = 0; i < count; ++i) {
      kernels::multiply(node_Psi(body_, nodes[first + i]).data(), 1, modes, q.data(),
                        w.data() + 3 * i);
      node_of(turned, i) = force;
    }
    kernels::turn_back(w.data(), turned.data(), count, turned.data());
    for (int i = 0; i < count; ++i) {
      kernels::add_transposed(node_Phi(body_, nodes[first + i]).data(), 1, modes,
                              turned.data() + 3 * i, f.data());
    }
  });
}

/// Rᵀ Ṙ = [R~ᵀ ẇ]× with ẇ = Ψv, R~ being the Jacobian of the exponential.
void WarpedForce::add_local_coriolis(const Vector& q, const Vector& v, Vector& f) {
  const int modes = body_.mode_count();
  for_chunks(body_.node_count(), [&](int first, int count) {
    Chunk w;
    Chunk spin;
    Chunk velocity;
    const double* Psi = node_Psi(body_, first).data();
    kernels::multiply(Psi, count, modes, q.data(), w.data());
    kernels::multiply(Psi, count, modes, v.data(), spin.data());
    kernels::turn_mean_back(w.data(), spin.data(), count, spin.data());
    kernels::multiply(node_Phi(body_, first).data(), count, modes, v.data(), velocity.data());
    for (int i = 0; i < count; ++i) {
      accelerations_.row(first + i) = -node_of(spin, i).cross(node_of(velocity, i));
    }
  });
  for_chunks(body_.node_count(), [&](int first, int count) {
    Chunk force;
    for (int i = 0; i < count; ++i)
      node_of(force, i) = mass_row(body_.mass, first + i, accelerations_);
    kernels::add_transposed(node_Phi(body_, first).data(), count, modes, force.data(), f.data());
  });
}

/// df += Φ_iᵀ d(R(w)ᵀ F)/dw Ψ_i, and R(w)ᵀ = R(−w).
void WarpedForce::add_node_jacobian(int node, const Vec3& force, const Vector& q,
                                    Eigen::MatrixXd& df) const {
  const NodeRows Psi = node_Psi(body_, node);
  const Vec3 w = Psi * q;
  const Mat3 derivative = -rotation_derivative(-w, force);
  df.noalias() += node_Phi(body_, node).transpose() * (derivative * Psi);
}

void WarpedForce::add_field_jacobian(const AccelerationField& field, const Vector& q,
                                     Eigen::MatrixXd& df) {
  const int nodes = body_.node_count();
  if (field.is_uniform()) {
    for (int i = 0; i < nodes; ++i) {
      add_node_jacobian(i, body_.mass.row_sums[i] * field.uniform, q, df);
    }
    return;
  }
  fill_accelerations(field, q, Vector::Zero(q.size()));
  ModeMatrix da(3 * nodes, body_.mode_count());  // derivatives of the accelerations by q
  for (int i = 0; i < nodes; ++i) {
    const NodeRows Phi = node_Phi(body_, i);
    const NodeRows Psi = node_Psi(body_, i);
    const Vec3 w = rotations_.row(i);
    da.middleRows<3>(3 * i) =
        -field.gradient * (mean_rotation_derivative(w, Phi * q) * Psi + mean_rotation(w) * Phi);
  }
  ModeMatrix dF(3, body_.mode_count());
  for (int i = 0; i < nodes; ++i) {
    add_node_jacobian(i, mass_row(body_.mass, i, accelerations_), q, df);
    dF.setZero();
    for (int entry = body_.mass.offsets[i]; entry < body_.mass.offsets[i + 1]; ++entry) {
      dF += body_.mass.values[entry] * da.middleRows<3>(3 * body_.mass.columns[entry]);
    }
    const Vec3 w = rotations_.row(i);
    df.noalias() += node_Phi(body_, i).transpose() * (rotation_exp(w).transpose() * dF);
  }
}

void WarpedForce::add_nodal_jacobian(int group, const Vec3& force, const Vector& q,
                                     Eigen::MatrixXd& df) {
  for (const int node : groups_[group]) add_node_jacobian(node, force, q, df);
}

}  // namespace limber
