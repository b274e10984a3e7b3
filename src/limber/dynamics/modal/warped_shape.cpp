#include "limber/dynamics/modal/warped_shape.h"

#include <algorithm>
#include <array>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/chunks.h"
#include "limber/dynamics/modal/node_kernels.h"

namespace limber {

namespace {

/// The derivative by w of (∂(R~(w) u)/∂w)ᵀ F, 3×3, symmetric: the second derivative of F's work.
/// Central differences; Newton's method in statics asks for no more.
Mat3 work_curvature(const Vec3& w, const Vec3& u, const Vec3& F) {
  constexpr double kStep = 1e-5;  // rad; error 1e-10 of |u||F|
  Mat3 curvature;
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = kStep * Vec3::Unit(k);
    curvature.col(k) = (mean_rotation_derivative(w + step, u).transpose() * F -
                        mean_rotation_derivative(w - step, u).transpose() * F) /
                       (2 * kStep);
  }
  return (curvature + curvature.transpose()) / 2;
}

}  // namespace

WarpedShape::WarpedShape(const ModalModel& model, LoadLaw law, bool fast)
    : ModalShape(model), law_(law), active_(model.mode_count()) {
  if (!fast) return;
  if (law == LoadLaw::rotated) cubature_.emplace(model);
  if (law == LoadLaw::work || model.rigid_modes > 0) {
    samples_.emplace(model, train_mass_rule(model));
  }
}

void WarpedShape::prepare_turning() {
  turns_.resize(model_.node_count(), 3);
  unturned_.resize(model_.node_count(), 3);
  accelerations_.resize(model_.node_count(), 3);
  mass_rows_.resize(6, model_.mode_count());
}

void WarpedShape::set_groups(const std::vector<NodeForce>& forces) {
  groups_.clear();
  for (const NodeForce& force : forces) groups_.push_back(force.nodes);
}

Vec3 WarpedShape::position(const BodyPoint& point, const Vector& q) const {
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    const int node = point.nodes[k];
    x += point.weights[k] * (model_.rest_positions().row(node).transpose() +
                             node_displacement(model_, Method::modal_warping, node, q));
  }
  return x;
}

Vec3 WarpedShape::velocity(const BodyPoint& point, const Vector& q, const Vector& v) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    const NodeRows Phi = node_Phi(model_, point.nodes[k]);
    const NodeRows Psi = node_Psi(model_, point.nodes[k]);
    const Vec3 w = Psi * q;
    const Vec3 u = Phi * q;
    const Vec3 rate = Phi * v;
    const Vec3 turning = Psi * v;
    sum += point.weights[k] * (mean_rotation(w) * rate + mean_rotation_derivative(w, u) * turning);
  }
  return sum;
}

namespace {

/// Points taken a few at a time, each as up to four nodes with weights.
struct PointNodes {
  static constexpr std::size_t kPoints = kChunk / 4;

  std::array<std::int32_t, kChunk> nodes;
  std::array<double, kChunk> weights;
  std::array<int, kPoints + 1> first;  // of each point; its last is before the next one's first
  int count = 0;

  explicit PointNodes(std::span<const BodyPoint> points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      first[i] = count;
      for (std::size_t k = 0; k < 4; ++k) {
        if (points[i].weights[k] == 0) continue;
        nodes[static_cast<std::size_t>(count)] = points[i].nodes[k];
        weights[static_cast<std::size_t>(count++)] = points[i].weights[k];
      }
    }
    first[points.size()] = count;
  }
};

/// Calls work(first, points) for a few points after another.
template <class Work>
void for_points(std::span<const BodyPoint> points, const Work& work) {
  for (std::size_t first = 0; first < points.size(); first += PointNodes::kPoints) {
    work(first, points.subspan(first, std::min(PointNodes::kPoints, points.size() - first)));
  }
}

}  // namespace

void WarpedShape::motion(std::span<const BodyPoint> points, const Vector& q, const Vector& v,
                         std::span<PlaceAndRate> motion) const {
  const int modes = model_.mode_count();
  const double* const Phi = model_.Phi_data.data();
  const double* const Psi = model_.Psi_data.data();
  const Eigen::Map<const Positions> X = model_.rest_positions();
  for_points(points, [&](std::size_t start, std::span<const BodyPoint> few) {
    const PointNodes entries(few);
    const std::int32_t* const nodes = entries.nodes.data();
    const int count = entries.count;
    Chunk u, w, place, rate, turning;
    find_turns_at(nodes, count, q, w.data(), u.data());
    kernels::multiply_at(Phi, nodes, count, active_, v.data(), rate.data(), modes);
    kernels::multiply_at(Psi, nodes, count, active_, v.data(), turning.data(), modes);
    kernels::turn_mean(w.data(), u.data(), count, place.data());
    kernels::turn_mean(w.data(), rate.data(), count, rate.data());
    kernels::mean_rate(w.data(), u.data(), turning.data(), count, turning.data());
    for (std::size_t i = 0; i < few.size(); ++i) {
      PlaceAndRate sum{Vec3::Zero(), Vec3::Zero()};
      for (int e = entries.first[i]; e < entries.first[i + 1]; ++e) {
        const double weight = entries.weights[static_cast<std::size_t>(e)];
        sum.place += weight * (X.row(nodes[e]).transpose() + node_of(place, e));
        sum.rate += weight * (node_of(rate, e) + node_of(turning, e));
      }
      motion[start + i] = sum;
    }
  });
}

/// dᵀB = Σ weight (Φᵀ R~ᵀ d + Ψᵀ (∂(R~ u)/∂w)ᵀ d).
void WarpedShape::direction_rows(std::span<const BodyPoint> points, const Mat3* directions,
                                 const Vector& q, double* rows, std::ptrdiff_t stride) const {
  const int modes = model_.mode_count();
  const double* const Phi = model_.Phi_data.data();
  const double* const Psi = model_.Psi_data.data();
  for_points(points, [&](std::size_t start, std::span<const BodyPoint> few) {
    const PointNodes entries(few);
    const int count = entries.count;
    Chunk u, w;
    std::array<double, 9 * kChunk> acting, turned, moments;  // three sets of `count` vectors
    find_turns_at(entries.nodes.data(), count, q, w.data(), u.data());
    for (std::size_t i = 0; i < few.size(); ++i) {
      for (int e = entries.first[i]; e < entries.first[i + 1]; ++e) {
        for (int r = 0; r < 3; ++r) {
          Eigen::Map<Vec3>(acting.data() + 3 * (r * count + e)) =
              entries.weights[static_cast<std::size_t>(e)] * directions[start + i].col(r);
        }
      }
    }
    kernels::work_of_three(w.data(), u.data(), acting.data(), count, turned.data(), moments.data());
    for (std::size_t i = 0; i < few.size(); ++i) {
      double* const own = rows + static_cast<std::ptrdiff_t>(3 * (start + i)) * stride;
      for (int r = 0; r < 3; ++r) std::fill_n(own + r * stride, modes, 0.0);
      for (int e = entries.first[i]; e < entries.first[i + 1]; ++e) {
        const std::ptrdiff_t at =
            static_cast<std::ptrdiff_t>(3 * modes) * entries.nodes[static_cast<std::size_t>(e)];
        std::array<double, 9> three;
        for (int r = 0; r < 3; ++r)
          std::copy_n(turned.data() + 3 * (r * count + e), 3, three.data() + 3 * r);
        kernels::add_transposed_three(Phi + at, 1, active_, three.data(), own, stride, modes);
        for (int r = 0; r < 3; ++r)
          std::copy_n(moments.data() + 3 * (r * count + e), 3, three.data() + 3 * r);
        kernels::add_transposed_three(Psi + at, 1, active_, three.data(), own, stride, modes);
      }
    }
  });
}

void WarpedShape::derivative(const BodyPoint& point, const Vector& q, ThreeRows& B) const {
  B.setZero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    const NodeRows Phi = node_Phi(model_, point.nodes[k]);
    const NodeRows Psi = node_Psi(model_, point.nodes[k]);
    const Vec3 w = Psi * q;
    const Vec3 u = Phi * q;
    const Mat3 of_Phi = point.weights[k] * mean_rotation(w);
    const Mat3 of_Psi = point.weights[k] * mean_rotation_derivative(w, u);
    B.noalias() += of_Phi.lazyProduct(Phi);
    B.noalias() += of_Psi.lazyProduct(Psi);
  }
}

void WarpedShape::force_rows(const BodyPoint& point, const Vector& q, ThreeRows& rows) const {
  if (law_ == LoadLaw::work) return derivative(point, q, rows);
  rows.setZero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    const Vec3 w = node_Psi(model_, point.nodes[k]) * q;
    const Mat3 turned = point.weights[k] * rotation_exp(w);
    rows.noalias() += turned.lazyProduct(node_Phi(model_, point.nodes[k]));
  }
}

void WarpedShape::frozen_rows(const BodyPoint& point, const Vector& q0, ThreeRows& rows) const {
  rows.setZero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    const Vec3 w = node_Psi(model_, point.nodes[k]) * q0;
    const Mat3 turned = point.weights[k] * mean_rotation(w);
    rows.noalias() += turned.lazyProduct(node_Phi(model_, point.nodes[k]));
  }
}

MassMotion WarpedShape::mass_motion(const Vector& q, const Vector& v) {
  return samples_ ? samples_->motion(q, v) : ModalShape::mass_motion(q, v);
}

Vec3 WarpedShape::shift(const Vector& q) {
  return samples_ ? samples_->shift(q) : ModalShape::shift(q);
}

/// Row k is what a uniform field along axis k does by work, divided by the mass.
void WarpedShape::shift_rows(const Vector& q, ThreeRows& rows) {
  if (samples_) return samples_->shift_rows(q, rows);
  const int modes = model_.mode_count();
  for (int k = 0; k < 3; ++k) {
    row_.setZero(modes);
    for_chunks(model_.node_count(), [&](int first, int count) {
      Chunk w;
      Chunk u;
      Chunk force;
      Chunk moments;
      const double* Phi = node_Phi(model_, first).data();
      const double* Psi = node_Psi(model_, first).data();
      find_turns(first, count, q, w.data(), u.data());
      for (int i = 0; i < count; ++i) {
        node_of(force, i) = model_.mass.row_sums[first + i] / mass_ * Vec3::Unit(k);
      }
      kernels::mean_gradient(w.data(), u.data(), force.data(), count, moments.data());
      kernels::turn_mean_back(w.data(), force.data(), count, force.data());
      kernels::add_transposed(Psi, count, active_, moments.data(), row_.data(), modes);
      kernels::add_transposed(Phi, count, active_, force.data(), row_.data(), modes);
    });
    rows.row(k) = row_.transpose();
  }
}

/// Both by work: S of the fields e_k / m, L of the fields e_k × (x − centre).
void WarpedShape::mass_rows(const Vector& q, const Vec3& centre, ThreeRows& S, ThreeRows& L) {
  if (samples_) return ModalShape::mass_rows(q, centre, S, L);
  const int modes = model_.mode_count();
  const Eigen::Map<const Positions> X = model_.rest_positions();
  Positions& arms = accelerations_;
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk warped;
    double* w = turns_.data() + 3 * first;
    double* u = unturned_.data() + 3 * first;
    find_turns(first, count, q, w, u);
    kernels::turn_mean(w, u, count, warped.data());
    arms.middleRows(first, count) =
        (X.middleRows(first, count) + rows_of(warped, count)).rowwise() - centre.transpose();
  });
  mass_rows_.setZero();
  for_chunks(model_.node_count(), [&](int first, int count) {
    std::array<double, 9 * kChunk> acting, turned, moments;
    const double* const w = turns_.data() + 3 * first;
    const double* const u = unturned_.data() + 3 * first;
    for (const bool turning : {false, true}) {
      for (int i = 0; i < count; ++i) {
        const Vec3 arm = turning ? mass_row(model_.mass, first + i, arms) : Vec3(Vec3::Zero());
        const double share = model_.mass.row_sums[first + i] / mass_;
        for (int k = 0; k < 3; ++k) {
          Eigen::Map<Vec3>(acting.data() + 3 * (k * count + i)) =
              turning ? Vec3(Vec3::Unit(k).cross(arm)) : Vec3(share * Vec3::Unit(k));
        }
      }
      kernels::work_of_three(w, u, acting.data(), count, turned.data(), moments.data());
      double* const rows = mass_rows_.data() + (turning ? 3 * modes : 0);
      kernels::add_transposed_three(node_Phi(model_, first).data(), count, active_, turned.data(),
                                    rows, modes, modes);
      kernels::add_transposed_three(node_Psi(model_, first).data(), count, active_, moments.data(),
                                    rows, modes, modes);
    }
  });
  S = mass_rows_.topRows<3>();
  L = mass_rows_.bottomRows<3>();
}

void WarpedShape::add_forces(int first, int count, const double* w, const double* u, double* forces,
                             Vector& f) const {
  const int modes = model_.mode_count();
  if (law_ == LoadLaw::rotated) {
    kernels::turn_back(w, forces, count, forces);
  } else {
    Chunk moments;
    kernels::mean_gradient(w, u, forces, count, moments.data());
    kernels::add_transposed(node_Psi(model_, first).data(), count, active_, moments.data(),
                            f.data(), modes);
    kernels::turn_mean_back(w, forces, count, forces);
  }
  kernels::add_transposed(node_Phi(model_, first).data(), count, active_, forces, f.data(), modes);
}

void WarpedShape::add_uniform(const Vec3& acceleration, const Vector& q, Vector& f) {
  if (cubature_) {
    cubature_->add_force(acceleration, q, f);
    return;
  }
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk w;
    Chunk u;
    Chunk force;
    find_turns(first, count, q, w.data(), law_ == LoadLaw::work ? u.data() : nullptr);
    for (int i = 0; i < count; ++i) {
      node_of(force, i) = model_.mass.row_sums[first + i] * acceleration;
    }
    add_forces(first, count, w.data(), u.data(), force.data(), f);
  });
}

void WarpedShape::fill_accelerations(const AccelerationField& field, const Vector& q,
                                     const Vector& v) {
  const int modes = model_.mode_count();
  const Eigen::Map<const Positions> X = model_.rest_positions();
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk warped;
    Chunk velocity;
    double* w = turns_.data() + 3 * first;
    double* u = unturned_.data() + 3 * first;
    const double* Phi = node_Phi(model_, first).data();
    const double* Psi = node_Psi(model_, first).data();
    find_turns(first, count, q, w, u);
    kernels::turn_mean(w, u, count, warped.data());
    kernels::multiply(Phi, count, active_, v.data(), velocity.data(), modes);
    if (law_ == LoadLaw::rotated) {
      kernels::turn(w, velocity.data(), count, velocity.data());  // u̇ = R u̇ᴸ, eq. 11
    } else {
      Chunk turning;
      kernels::multiply(Psi, count, active_, v.data(), turning.data(), modes);
      kernels::mean_rate(w, u, turning.data(), count, turning.data());
      kernels::turn_mean(w, velocity.data(), count, velocity.data());
      for (int i = 0; i < 3 * count; ++i) velocity[i] += turning[i];
    }
    for (int i = 0; i < count; ++i) {
      const Vec3 x = X.row(first + i).transpose() + node_of(warped, i);
      const Vec3 coriolis = 2 * field.spin.cross(node_of(velocity, i));
      accelerations_.row(first + i) = field.uniform - field.gradient * x - coriolis;
    }
  });
}

void WarpedShape::add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                            Vector& f) {
  if (samples_ && law_ == LoadLaw::work) return samples_->add_field(field, q, v, f);
  if (field.is_uniform()) {
    if (!field.uniform.isZero(0)) add_uniform(field.uniform, q, f);
    return;
  }
  fill_accelerations(field, q, v);
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk force;
    for (int i = 0; i < count; ++i) {
      node_of(force, i) = mass_row(model_.mass, first + i, accelerations_);
    }
    add_forces(first, count, turns_.data() + 3 * first, unturned_.data() + 3 * first, force.data(),
               f);
  });
}

void WarpedShape::add_nodal(int group, const Vec3& force, const Vector& q, Vector& f) {
  for (const int node : groups_[group]) {
    std::array<double, 3> w;
    std::array<double, 3> u;
    std::array<double, 3> acting{force.x(), force.y(), force.z()};
    find_turns(node, 1, q, w.data(), u.data());
    add_forces(node, 1, w.data(), u.data(), acting.data(), f);
  }
}

/// Rᵀ Ṙ = [R~ᵀ ẇ]× with ẇ = Ψv, R~ being the Jacobian of the exponential.
void WarpedShape::add_local_coriolis(const Vector& q, const Vector& v, Vector& f) {
  const int modes = model_.mode_count();
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk w;
    Chunk spin;
    Chunk velocity;
    const double* Psi = node_Psi(model_, first).data();
    kernels::multiply(Psi, count, modes, q.data(), w.data());
    kernels::multiply(Psi, count, modes, v.data(), spin.data());
    kernels::turn_mean_back(w.data(), spin.data(), count, spin.data());
    kernels::multiply(node_Phi(model_, first).data(), count, modes, v.data(), velocity.data());
    for (int i = 0; i < count; ++i) {
      accelerations_.row(first + i) = -node_of(spin, i).cross(node_of(velocity, i));
    }
  });
  for_chunks(model_.node_count(), [&](int first, int count) {
    Chunk force;
    for (int i = 0; i < count; ++i) {
      node_of(force, i) = mass_row(model_.mass, first + i, accelerations_);
    }
    kernels::add_transposed(node_Phi(model_, first).data(), count, modes, force.data(), f.data());
  });
}

/// By work df += Φᵀ ∂(R~ᵀF)/∂w Ψ + its transpose + Ψᵀ (second derivative by w) Ψ; rotated
/// df += Φᵀ ∂(RᵀF)/∂w Ψ. R(w)ᵀ = R(−w), and R~ likewise.
void WarpedShape::add_node_jacobian(int node, const Vec3& force, const Vector& q,
                                    Eigen::MatrixXd& df) const {
  const NodeRows Phi = node_Phi(model_, node);
  const NodeRows Psi = node_Psi(model_, node);
  const Vec3 w = Psi * q;
  if (law_ == LoadLaw::rotated) {
    df.noalias() += Phi.transpose() * (-rotation_derivative(-w, force) * Psi);
    return;
  }
  const Mat3 cross = -mean_rotation_derivative(-w, force);
  df.noalias() += Phi.transpose() * (cross * Psi);
  df.noalias() += Psi.transpose() * (cross.transpose() * Phi);
  df.noalias() += Psi.transpose() * (work_curvature(w, Phi * q, force) * Psi);
}

void WarpedShape::add_field_jacobian(const AccelerationField& field, const Vector& q,
                                     Eigen::MatrixXd& df) {
  const int nodes = model_.node_count();
  if (field.is_uniform()) {
    for (int i = 0; i < nodes; ++i) {
      add_node_jacobian(i, model_.mass.row_sums[i] * field.uniform, q, df);
    }
    return;
  }
  fill_accelerations(field, q, Vector::Zero(q.size()));
  ModeMatrix da(3 * nodes, model_.mode_count());  // derivatives of the accelerations by q
  ThreeRows B(3, model_.mode_count());
  for (int i = 0; i < nodes; ++i) {
    node_derivative(model_, Method::modal_warping, i, q, B);
    da.middleRows<3>(3 * i) = -field.gradient * B;
  }
  ModeMatrix dF(3, model_.mode_count());
  for (int i = 0; i < nodes; ++i) {
    add_node_jacobian(i, mass_row(model_.mass, i, accelerations_), q, df);
    dF.setZero();
    for (int entry = model_.mass.offsets[i]; entry < model_.mass.offsets[i + 1]; ++entry) {
      dF += model_.mass.values[entry] * da.middleRows<3>(3 * model_.mass.columns[entry]);
    }
    force_rows(BodyPoint::at_node(i), q, B);
    df.noalias() += B.transpose() * dF;
  }
}

void WarpedShape::add_nodal_jacobian(int group, const Vec3& force, const Vector& q,
                                     Eigen::MatrixXd& df) {
  for (const int node : groups_[group]) add_node_jacobian(node, force, q, df);
}

void WarpedShape::add_point_jacobian(const BodyPoint& point, const Vec3& force, const Vector& q,
                                     Eigen::MatrixXd& df) const {
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] != 0) add_node_jacobian(point.nodes[k], point.weights[k] * force, q, df);
  }
}

}  // namespace limber
