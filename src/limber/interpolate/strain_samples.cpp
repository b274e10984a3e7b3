#include "limber/interpolate/strain_samples.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "limber/core/rotation.h"
#include "limber/core/row_products.h"
#include "limber/dynamics/modal/cubature_training.h"
#include "limber/dynamics/modal/sparse_rule.h"

namespace limber {

namespace {

constexpr int kWidest = 16;        // floats in the widest vectors
constexpr int kCandidates = 1500;  // of many tets, a random part
constexpr int kStates = 40;        // 120 m equations for 3 · kSamples numbers

using Columns3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// (∂κ/∂q)ᵀ (m×3) and, for sizes, (∂(F d)/∂q)ᵀ, for a body's arm or one of the axes.
struct Behind {
  Columns3 rest, whole;
};

Behind derivative_at(const StrainElement& element, const Vec3& arm, const Vector& q) {
  const Vec3 w = element.turn * q;
  const Vector flat = element.stretch * q;
  const Mat3 S = Eigen::Map<const Mat3>(flat.data());
  const Vec3 s = S * arm;
  // Rows of s: Σ_j arm_j · column j of the stretch.
  ThreeRows stretch = arm[0] * element.stretch.topRows<3>();
  for (int j = 1; j < 3; ++j) stretch += arm[j] * element.stretch.middleRows<3>(3 * j);
  const Mat3 R = rotation_exp(w);
  const Mat3 by_turn = rotation_derivative(w, arm + s);
  const ThreeRows whole = R * stretch + by_turn * element.turn;
  // w×d, w×s and ½ w×(w×d) by w.
  const Mat3 W = skew(w);
  const Mat3 second = -skew(s) - 0.5 * (skew(w.cross(arm)) + W * skew(arm));
  const ThreeRows low = (Mat3::Identity() + W) * stretch + (second - skew(arm)) * element.turn;
  return {(whole - low).transpose(), whole.transpose()};
}

/// One training state: what is to be met, and by how much each axis is scaled.
struct TrainingState {
  Vector q;
  Columns3 rest;
  Vec3 unit = Vec3::Zero();
};

std::vector<TrainingState> training_states(const ModalModel& model,
                                           const std::vector<StrainElement>& elements) {
  const Eigen::MatrixXd states = random_states(model, kStates, StrainSamples::kLargestRotation, 11);
  std::vector<TrainingState> result(kStates);
  for (int k = 0; k < kStates; ++k) {
    TrainingState& state = result[static_cast<std::size_t>(k)];
    state.q = states.col(k);
    state.rest = Columns3::Zero(model.mode_count(), 3);
    Columns3 whole = state.rest;
    for (const StrainElement& element : elements) {
      const Behind behind = derivative_at(element, element.arm, state.q);
      state.rest += behind.rest;
      whole += behind.whole;
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double length = whole.col(axis).norm();
      state.unit[axis] = length > 1e-12 * whole.norm() ? 1 / length : 0;
    }
    state.rest *= state.unit.asDiagonal();
  }
  return result;
}

/// The equations' columns of one tet with a given arm, state below state.
void fill_column(const std::vector<TrainingState>& states, const StrainElement& element,
                 const Vec3& arm, Eigen::Ref<Vector> column) {
  const Eigen::Index size = states[0].rest.size();
  for (std::size_t k = 0; k < states.size(); ++k) {
    const Columns3 own =
        derivative_at(element, arm, states[k].q).rest * states[k].unit.asDiagonal();
    column.segment(static_cast<Eigen::Index>(k) * size, size) = own.reshaped();
  }
}

struct Sample {
  int element;
  Vec3 arm;
};

/// Tets by non-negative weights on their own arms, which spreads them well (An, Kim & James 2008);
/// then their arms by least squares, for the same cost at run time.
std::vector<Sample> train(const ModalModel& model, const std::vector<StrainElement>& elements) {
  const std::vector<TrainingState> states = training_states(model, elements);
  const Eigen::Index size = states[0].rest.size();
  Vector target(kStates * size);
  for (int k = 0; k < kStates; ++k) {
    target.segment(k * size, size) = states[static_cast<std::size_t>(k)].rest.reshaped();
  }
  std::vector<int> candidates(elements.size());
  std::iota(candidates.begin(), candidates.end(), 0);
  if (candidates.size() > kCandidates) {
    std::mt19937 random(5);
    std::vector<int> some;
    std::sample(candidates.begin(), candidates.end(), std::back_inserter(some), kCandidates,
                random);
    candidates = some;
  }
  const SparseRule rule = find_sparse_rule(target, static_cast<int>(candidates.size()),
                                           StrainSamples::kSamples, [&](int place, Vector& column) {
                                             const StrainElement& element =
                                                 elements[candidates[place]];
                                             fill_column(states, element, element.arm, column);
                                           });
  const auto count = static_cast<Eigen::Index>(rule.places.size());
  Eigen::MatrixXd A(target.size(), 3 * count);
  std::vector<Sample> samples;
  Vector start(3 * count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const int place = candidates[rule.places[static_cast<std::size_t>(c)]];
    const StrainElement& element = elements[place];
    const double length = std::max(element.arm.norm(), 1e-300);
    for (int k = 0; k < 3; ++k) {
      fill_column(states, element, length * Vec3::Unit(k), A.col(3 * c + k));
    }
    start.segment<3>(3 * c) = rule.weights[c] * element.arm / length;
    samples.push_back({place, Vec3::Constant(length)});
  }
  Eigen::MatrixXd G = A.transpose() * A;
  // Little freedom where states say nothing: weights there stay those of the sparse rule.
  G.diagonal().array() += 1e-6 * G.trace() / static_cast<double>(std::max<Eigen::Index>(count, 1));
  const Vector arms = start + G.llt().solve(A.transpose() * (target - A * start));
  for (Eigen::Index c = 0; c < count; ++c) {
    Vec3& arm = samples[static_cast<std::size_t>(c)].arm;
    arm = arm[0] * arms.segment<3>(3 * c);
  }
  return samples;
}

}  // namespace

StrainSamples::StrainSamples(const ModalModel& model, int elements,
                             const std::function<StrainElement(int)>& element)
    : modes_(model.mode_count()),
      shift_(ThreeRows::Zero(3, modes_)),
      bend_(ModeMatrix::Zero(3 * modes_, modes_)),
      q_(static_cast<std::size_t>(modes_)),
      f_(static_cast<std::size_t>(modes_)),
      bent_(Vector::Zero(3 * modes_)) {
  std::vector<StrainElement> all;
  for (int e = 0; e < elements; ++e) {
    all.push_back(element(e));
    const StrainElement& one = all.back();
    const Vec3& d = one.arm;
    ThreeRows stretch = d[0] * one.stretch.topRows<3>();
    for (int j = 1; j < 3; ++j) stretch += d[j] * one.stretch.middleRows<3>(3 * j);
    shift_ += stretch - skew(d) * one.turn;
    // w×s + ½ w×(w×d), component by component: the latter is ½ (w (w·d) − d |w|²).
    const Vector along = one.turn.transpose() * d;
    const Eigen::MatrixXd squared = one.turn.transpose() * one.turn;
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3;
      const int b = (k + 2) % 3;
      Eigen::MatrixXd part = one.turn.row(a).transpose() * stretch.row(b) -
                             one.turn.row(b).transpose() * stretch.row(a);
      part += 0.5 * (one.turn.row(k).transpose() * along.transpose() - d[k] * squared);
      bend_.middleRows(k * modes_, modes_) += 0.5 * (part + part.transpose());
    }
  }
  const std::vector<Sample> samples = train(model, all);
  // Whole pairs of the widest vectors.
  lanes_ = (static_cast<int>(samples.size()) + kWidest - 1) / kWidest * kWidest;
  shapes_.assign(static_cast<std::size_t>(6 * lanes_ * modes_), 0.0F);
  arms_.assign(static_cast<std::size_t>(3 * lanes_), 0.0F);
  scratch_.assign(static_cast<std::size_t>(6 * lanes_), 0.0F);
  for (std::size_t c = 0; c < samples.size(); ++c) {
    const StrainElement& one = all[static_cast<std::size_t>(samples[c].element)];
    const Vec3& d = samples[c].arm;
    for (int k = 0; k < 3; ++k) {
      arms_[static_cast<std::size_t>(k * lanes_) + c] = static_cast<float>(d[k]);
      for (int j = 0; j < modes_; ++j) {
        float* const rows = shapes_.data() + static_cast<std::size_t>(6 * j * lanes_) + c;
        const double s =
            d[0] * one.stretch(k, j) + d[1] * one.stretch(3 + k, j) + d[2] * one.stretch(6 + k, j);
        rows[k * lanes_] = static_cast<float>(s);
        rows[(3 + k) * lanes_] = static_cast<float>(one.turn(k, j));
      }
    }
  }
}

kernels::StrainTables StrainSamples::tables() const {
  return {modes_, lanes_, shapes_.data(), arms_.data()};
}

/// q in float, and the three second orders' matrices times q.
void StrainSamples::load_state(const Vector& q) {
  for (int j = 0; j < modes_; ++j) q_[static_cast<std::size_t>(j)] = static_cast<float>(q[j]);
  bent_.setZero();
  add_row_dots(bend_, q.data(), bent_);
}

Vec3 StrainSamples::shift(const Vector& q) {
  load_state(q);
  std::array<float, 3> rest;
  kernels::sum_strain_shift(tables(), q_.data(), rest.data());
  Vec3 shift = shift_ * q;
  for (int k = 0; k < 3; ++k) {
    shift[k] += q.dot(bent_.segment(k * modes_, modes_)) + rest[static_cast<std::size_t>(k)];
  }
  return shift;
}

void StrainSamples::add_uniform(const Vec3& a, const Vector& q, Vector& f) {
  load_state(q);
  for (int k = 0; k < 3; ++k) {
    f += a[k] * shift_.row(k).transpose();
    f += 2 * a[k] * bent_.segment(k * modes_, modes_);
  }
  const std::array<float, 3> field{static_cast<float>(a[0]), static_cast<float>(a[1]),
                                   static_cast<float>(a[2])};
  kernels::sum_strain_forces(tables(), field.data(), q_.data(), scratch_.data(), f_.data());
  for (int j = 0; j < modes_; ++j) f[j] += f_[static_cast<std::size_t>(j)];
}

}  // namespace limber
