// Which nodes and masses stand for all the others: those that give, over many states, the parts of
// the mass centre's derivative and of the second moments that are not taken exactly anyway.
#include <algorithm>

#include "limber/core/nonnegative.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/cubature_training.h"
#include "limber/dynamics/modal/mass_samples.h"
#include "limber/dynamics/modal/sparse_rule.h"

namespace limber {

namespace {

using Columns3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;
using Six = Eigen::Matrix<double, 6, 1>;

/// Φᵀ of_Phi + Ψᵀ of_Psi for accelerations along the three axes.
struct Derivative {
  Mat3 of_Phi, of_Psi;

  [[nodiscard]] Columns3 rows(const ModalModel& model, int node) const {
    return node_Phi(model, node).transpose() * of_Phi + node_Psi(model, node).transpose() * of_Psi;
  }
};

/// (∂d/∂q)ᵀ, and behind its first two orders (∂κ/∂q)ᵀ.
Derivative whole_derivative(const Vec3& w, const Vec3& u) {
  return {mean_rotation(w).transpose(), mean_rotation_derivative(w, u).transpose()};
}
Derivative derivative_behind(const Vec3& w, const Vec3& u) {
  Derivative derivative = whole_derivative(w, u);
  derivative.of_Phi += skew(w) / 2 - Mat3::Identity();
  derivative.of_Psi -= skew(u) / 2;
  return derivative;
}

/// The derivative of the mass centre in one state: 3m equations, each axis divided by the size of
/// the whole that it is a part of.
class CentreEquations {
 public:
  CentreEquations(const ModalModel& model, const std::vector<int>& candidates, const Vector& q)
      : model_(model), rest_(Columns3::Zero(model.mode_count(), 3)) {
    Columns3 whole = rest_;
    for (int i = 0; i < model.node_count(); ++i) {
      const Vec3 u = node_Phi(model, i) * q;
      const Vec3 w = node_Psi(model, i) * q;
      const double mass = model.mass.row_sums[i];
      whole += mass * whole_derivative(w, u).rows(model, i);
      rest_ += mass * derivative_behind(w, u).rows(model, i);
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double length = whole.col(axis).norm();
      unit_[axis] = length > 1e-12 * whole.norm() ? 1 / length : 0;
    }
    rest_ *= unit_.asDiagonal();
    for (const int node : candidates) {
      shares_.push_back(derivative_behind(node_Psi(model, node) * q, node_Phi(model, node) * q));
    }
  }

  [[nodiscard]] const Columns3& target() const { return rest_; }
  /// Of a candidate of unit mass.
  [[nodiscard]] Columns3 column(int node, int place) const {
    return shares_[place].rows(model_, node) * unit_.asDiagonal();
  }

 private:
  const ModalModel& model_;  // lives as long as train_mass_rule()
  Columns3 rest_;
  Vec3 unit_ = Vec3::Zero();
  std::vector<Derivative> shares_;  // of the candidates
};

SparseRule find_centre_rule(const ModalModel& model, const std::vector<int>& candidates,
                            const MassRuleOptions& options) {
  constexpr int kStates = 40;  // 120 m equations for some hundred masses
  const Eigen::MatrixXd states = random_states(model, kStates, options.largest_rotation, 11);
  std::vector<CentreEquations> equations;
  for (int k = 0; k < kStates; ++k) equations.emplace_back(model, candidates, states.col(k));
  const Eigen::Index size = 3 * model.mode_count();
  const auto block = [&](Vector& stacked, int k) {
    return Eigen::Map<Columns3>(stacked.data() + k * size, model.mode_count(), 3);
  };
  Vector target(kStates * size);
  for (int k = 0; k < kStates; ++k) block(target, k) = equations[k].target();
  return find_sparse_rule(target, static_cast<int>(candidates.size()), options.nodes,
                          [&](int place, Vector& column) {
                            for (int k = 0; k < kStates; ++k) {
                              block(column, k) = equations[k].column(candidates[place], place);
                            }
                          });
}

Vec3 mass_centre(const ModalModel& model) {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < model.node_count(); ++i) {
    mass += model.mass.row_sums[i];
    centre += model.mass.row_sums[i] * model.rest_positions().row(i).transpose();
  }
  return centre / mass;
}

/// Second moments behind their first order in one state, d dᵀ + Y (d−u)ᵀ + (d−u) Yᵀ between nodes.
class MomentEquations {
 public:
  MomentEquations(const ModalModel& model, const Vec3& centre, const Vector& q)
      : arms_(model.node_count(), 3), d_(model.node_count(), 3), beyond_(model.node_count(), 3) {
    for (int i = 0; i < model.node_count(); ++i) {
      const Vec3 u = node_Phi(model, i) * q;
      arms_.row(i) = model.rest_positions().row(i) - centre.transpose();
      d_.row(i) = (mean_rotation(node_Psi(model, i) * q) * u).transpose();
      beyond_.row(i) = d_.row(i) - u.transpose();
    }
    for (int i = 0; i < model.node_count(); ++i) {
      for (int entry = model.mass.offsets[i]; entry < model.mass.offsets[i + 1]; ++entry) {
        target_ += model.mass.values[entry] * between(i, model.mass.columns[entry]);
      }
    }
    unit_ = target_.norm() > 0 ? 1 / target_.norm() : 0;
    target_ *= unit_;
  }

  /// Of the shape functions' mass matrix: the samples' masses make up for the difference.
  [[nodiscard]] const Six& target() const { return target_; }
  [[nodiscard]] Six column(int node) const { return unit_ * between(node, node); }

 private:
  [[nodiscard]] Six between(int i, int j) const {
    const Mat3 turned = arms_.row(i).transpose() * beyond_.row(j);
    const Mat3 m = d_.row(i).transpose() * d_.row(j) + turned + turned.transpose();
    Six entries;
    entries << m(0, 0), m(1, 1), m(2, 2), (m(0, 1) + m(1, 0)) / 2, (m(0, 2) + m(2, 0)) / 2,
        (m(1, 2) + m(2, 1)) / 2;
    return entries;
  }

  Positions arms_, d_, beyond_;
  Six target_ = Six::Zero();
  double unit_ = 0;
};

Vector fit_moment_masses(const ModalModel& model, const std::vector<int>& nodes,
                         double largest_rotation) {
  constexpr int kStates = 120;  // 720 equations for some hundred masses
  const Eigen::MatrixXd states = random_states(model, kStates, largest_rotation, 12);
  const Vec3 centre = mass_centre(model);
  Eigen::MatrixXd A(6 * kStates, std::ssize(nodes));
  Vector target(6 * kStates);
  for (int k = 0; k < kStates; ++k) {
    const MomentEquations equations(model, centre, states.col(k));
    target.segment<6>(6 * k) = equations.target();
    for (Eigen::Index c = 0; c < std::ssize(nodes); ++c) {
      A.block<6, 1>(6 * k, c) = equations.column(nodes[c]);
    }
  }
  Eigen::MatrixXd G = A.transpose() * A;
  G.diagonal().array() += 1e-12 * G.trace();  // nodes side by side have nearly equal columns
  return nonnegative_least_squares(G, A.transpose() * target);
}

}  // namespace

MassRule train_mass_rule(const ModalModel& model, const MassRuleOptions& options) {
  const std::vector<int> candidates = candidate_nodes(model);
  const SparseRule sparse = find_centre_rule(model, candidates, options);
  MassRule rule;
  for (const int place : sparse.places) rule.nodes.push_back(candidates[place]);
  rule.centre_masses = sparse.weights;
  rule.moment_masses = fit_moment_masses(model, rule.nodes, options.largest_rotation);
  return rule;
}

}  // namespace limber
