#include "limber/dynamics/modal/mass_samples.h"

#include <algorithm>

#include "limber/core/row_products.h"

namespace limber {

namespace {

constexpr int kWidest = 16;  // floats in the widest vectors

std::vector<float> as_floats(const Vector& values, int lanes) {
  std::vector<float> floats(static_cast<std::size_t>(lanes), 0.0F);
  for (Eigen::Index i = 0; i < values.size(); ++i) floats[i] = static_cast<float>(values[i]);
  return floats;
}

void copy(const Vector& values, std::vector<float>& floats) {
  for (Eigen::Index i = 0; i < values.size(); ++i) floats[i] = static_cast<float>(values[i]);
}

void copy(const Vec3& values, float* floats) {
  for (int k = 0; k < 3; ++k) floats[k] = static_cast<float>(values[k]);
}

Vec3 as_vector(const float* floats) { return {floats[0], floats[1], floats[2]}; }

}  // namespace

MassSamples::MassSamples(const ModalModel& model, const MassRule& rule)
    : shift_(ThreeRows::Zero(3, model.mode_count())),
      bend_(ModeMatrix::Zero(3 * model.mode_count(), model.mode_count())),
      missed_(ModeMatrix::Zero(9, model.mode_count())),
      modes_(model.mode_count()),
      lanes_((static_cast<int>(rule.nodes.size()) + kWidest - 1) / kWidest * kWidest),
      shapes_(static_cast<std::size_t>(6 * lanes_ * modes_), 0.0F),
      arms_(static_cast<std::size_t>(3 * lanes_), 0.0F),
      centre_masses_(as_floats(rule.centre_masses, lanes_)),
      moment_masses_(as_floats(rule.moment_masses, lanes_)),
      q_(modes_),
      v_(modes_),
      f_(modes_),
      scratch_(static_cast<std::size_t>(6 * lanes_)),
      bent_(Vector::Zero(3 * modes_)),
      row_(Vector::Zero(modes_)) {
  const Eigen::Map<const Positions> X = model.rest_positions();
  const NodalMass& mass = model.mass;
  for (int i = 0; i < model.node_count(); ++i) {
    mass_ += mass.row_sums[i];
    rest_centre_ += mass.row_sums[i] * X.row(i).transpose();
  }
  rest_centre_ /= mass_;
  for (int i = 0; i < model.node_count(); ++i) {
    const NodeRows Phi = node_Phi(model, i);
    const NodeRows Psi = node_Psi(model, i);
    const double share = mass.row_sums[i] / mass_;
    shift_ += share * Phi;
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3;
      const int b = (k + 2) % 3;
      // ½ (w×u)_k, made symmetric.
      const Eigen::MatrixXd product =
          Psi.row(a).transpose() * Phi.row(b) - Psi.row(b).transpose() * Phi.row(a);
      bend_.middleRows(k * modes_, modes_) += share / 4 * (product + product.transpose());
    }
    Vec3 arm = Vec3::Zero();  // m_ij Y_j
    for (int entry = mass.offsets[i]; entry < mass.offsets[i + 1]; ++entry) {
      arm += mass.values[entry] * (X.row(mass.columns[entry]).transpose() - rest_centre_);
    }
    rest_moments_ += (X.row(i).transpose() - rest_centre_) * arm.transpose();
    for (int k = 0; k < 3; ++k) missed_.middleRows<3>(3 * k) += arm * Phi.row(k);
  }
  for (std::size_t c = 0; c < rule.nodes.size(); ++c) {
    const int node = rule.nodes[c];
    const Vec3 arm = X.row(node).transpose() - rest_centre_;
    for (int k = 0; k < 3; ++k) {
      arms_[k * lanes_ + c] = static_cast<float>(arm[k]);
      missed_.middleRows<3>(3 * k) -=
          rule.moment_masses[static_cast<Eigen::Index>(c)] * arm * node_Phi(model, node).row(k);
      for (int j = 0; j < modes_; ++j) {
        float* const rows = shapes_.data() + static_cast<std::size_t>(6 * j * lanes_) + c;
        rows[k * lanes_] = static_cast<float>(node_Phi(model, node)(k, j));
        rows[(3 + k) * lanes_] = static_cast<float>(node_Psi(model, node)(k, j));
      }
    }
  }
}

kernels::SampleTables MassSamples::tables() const {
  return {
      modes_, lanes_, shapes_.data(), arms_.data(), centre_masses_.data(), moment_masses_.data()};
}

/// q in float, and the three Q q.
void MassSamples::load_state(const Vector& q) {
  copy(q, q_);
  bent_.setZero();
  add_row_dots(bend_, q.data(), bent_);
}

Vec3 MassSamples::shift(const Vector& q) {
  load_state(q);
  float rest[3];
  kernels::sum_centre(tables(), q_.data(), rest);
  Vec3 shift = shift_ * q + as_vector(rest) / mass_;
  for (int k = 0; k < 3; ++k) shift[k] += q.dot(bent_.segment(k * modes_, modes_));
  return shift;
}

/// Σ x Yᵀ of the whole body without that of the samples, for a motion x by the modes.
Mat3 MassSamples::missed_moments(const Vector& x) const {
  Mat3 moments;
  for (int k = 0; k < 3; ++k) moments.row(k) = (missed_.middleRows<3>(3 * k) * x).transpose();
  return moments;
}

MassMotion MassSamples::motion(const Vector& q, const Vector& v) {
  load_state(q);
  copy(v, v_);
  kernels::SampleSums sums;
  kernels::sum_samples(tables(), q_.data(), v_.data(), sums);
  MassMotion motion;
  motion.shift = shift_ * q + as_vector(sums.centre) / mass_;
  motion.shift_rate = shift_ * v + as_vector(sums.centre_rate) / mass_;
  for (int k = 0; k < 3; ++k) {
    const auto bent = bent_.segment(k * modes_, modes_);
    motion.shift[k] += q.dot(bent);
    motion.shift_rate[k] += 2 * v.dot(bent);
  }
  const Mat3 missed = missed_moments(q);
  const float* const m = sums.moments;
  Mat3 moments;
  moments << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
  moments += rest_moments_ + missed + missed.transpose();
  moments -= mass_ * motion.shift * motion.shift.transpose();
  motion.inertia = moments.trace() * Mat3::Identity() - moments;
  const Mat3 rates = missed_moments(v);  // Σ u̇ Yᵀ; Y×u̇ is its twisted part
  motion.spin_momentum = as_vector(sums.spin) - mass_ * motion.shift.cross(motion.shift_rate);
  motion.spin_momentum +=
      Vec3(rates(2, 1) - rates(1, 2), rates(0, 2) - rates(2, 0), rates(1, 0) - rates(0, 1));
  return motion;
}

void MassSamples::add_exact_part(const Vec3& a, Vector& f) {
  for (int k = 0; k < 3; ++k) {
    f += (mass_ * a[k]) * shift_.row(k).transpose();
    f += (2 * mass_ * a[k]) * bent_.segment(k * modes_, modes_);
  }
}

void MassSamples::add_samples(const kernels::SampleField& field, Vector& f) {
  kernels::sum_forces(tables(), field, q_.data(), v_.data(), scratch_.data(), f_.data());
  for (int j = 0; j < modes_; ++j) f[j] += f_[j];
}

void MassSamples::shift_rows(const Vector& q, ThreeRows& rows) {
  load_state(q);
  for (int k = 0; k < 3; ++k) {
    kernels::SampleField field{};
    field.a[k] = 1;
    row_.setZero();
    add_exact_part(Vec3::Unit(k), row_);
    add_samples(field, row_);
    rows.row(k) = row_.transpose() / mass_;
  }
}

void MassSamples::add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                            Vector& f) {
  load_state(q);
  const Vec3 a = field.uniform - field.gradient * rest_centre_;
  kernels::SampleField sampled{};
  copy(a, sampled.a);
  sampled.turning = !field.is_uniform();
  if (sampled.turning) {
    copy(v, v_);
    copy(field.spin, sampled.spin);
    for (int k = 0; k < 3; ++k) {
      copy(Vec3(field.gradient.row(k)), sampled.gradient + 3 * k);
      f.noalias() -= missed_.middleRows<3>(3 * k).transpose() * field.gradient.row(k).transpose();
    }
  }
  add_exact_part(a, f);
  add_samples(sampled, f);
}

}  // namespace limber
