#include "limber/dynamics/modal/cubature_training.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <random>

#include "limber/core/nonnegative.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/node_kernels.h"
#include "limber/dynamics/modal/sparse_rule.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

namespace {

using Columns3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// One training state, each column (an acceleration along one axis) divided by the size of its
/// whole force: the part of the force to be approximated, and ρ(w) at the nodes that may help.
struct Sample {
  Columns3 rest;  // m×3
  std::vector<Mat3> rho;
};

/// f for accelerations along the three axes, m×3.
Columns3 exact_force(const ModalModel& body, const Vector& w) {
  const int n = body.node_count();
  Columns3 f = Columns3::Zero(body.mode_count(), 3);
  Vector force(3 * n);
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < n; ++i) {
      force.segment<3>(3 * i) = body.mass.row_sums[i] * Vec3::Unit(axis);
    }
    kernels::turn_back(w.data(), force.data(), n, force.data());
    kernels::add_transposed(body.Phi_data.data(), n, body.mode_count(), force.data(),
                            f.col(axis).data());
  }
  return f;
}

Sample make_sample(const ModalModel& body, const LinearGravity& linear, const Vector& q,
                   const std::vector<int>& nodes) {
  Vector w(3 * body.node_count());
  kernels::multiply(body.Psi_data.data(), body.node_count(), body.mode_count(), q.data(), w.data());
  const Columns3 f = exact_force(body, w);
  Sample sample;
  sample.rest = f - linear.B;
  for (int axis = 0; axis < 3; ++axis) sample.rest.col(axis) -= linear.L[axis] * q;
  // A force of zero (a body that no acceleration along this axis moves) has no relative error.
  const double smallest = 1e-12 * f.norm();
  Vec3 scale = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (f.col(axis).norm() > smallest) scale[axis] = 1 / f.col(axis).norm();
  }
  sample.rest *= scale.asDiagonal();
  for (const int node : nodes) {
    const Vec3 wi = w.segment<3>(3 * node);
    const Mat3 rho = rotation_exp(wi).transpose() - Mat3::Identity() + skew(wi);
    sample.rho.emplace_back(rho * scale.asDiagonal());
  }
  return sample;
}

std::vector<Sample> make_samples(const ModalModel& body, const LinearGravity& linear,
                                 const Eigen::MatrixXd& states, const std::vector<int>& nodes) {
  std::vector<Sample> samples;
  for (Eigen::Index k = 0; k < states.cols(); ++k) {
    samples.push_back(make_sample(body, linear, states.col(k), nodes));
  }
  return samples;
}

/// Weights times Φ_c: nodes spread as they should be.
std::vector<int> find_nodes(const ModalModel& body, const std::vector<int>& candidates,
                            const std::vector<Sample>& samples, int count) {
  const Eigen::Index size = 3 * body.mode_count();
  const auto block = [&](Vector& stacked, std::size_t sample) {
    return Eigen::Map<Columns3>(stacked.data() + size * static_cast<Eigen::Index>(sample),
                                body.mode_count(), 3);
  };
  Vector target(size * std::ssize(samples));
  for (std::size_t s = 0; s < samples.size(); ++s) block(target, s) = samples[s].rest;
  const SparseRule rule = find_sparse_rule(
      target, static_cast<int>(candidates.size()), count, [&](int place, Vector& column) {
        for (std::size_t s = 0; s < samples.size(); ++s) {
          block(column, s).noalias() =
              node_Phi(body, candidates[place]).transpose() * samples[s].rho[place];
        }
      });
  std::vector<int> nodes;
  for (const int place : rule.places) nodes.push_back(candidates[place]);
  return nodes;
}

/// G_c by least squares, Σ_c G_c ρ_c = rest for every sample, with a little ridge: neighbours'
/// rotations are nearly dependent.
ModeMatrix fit_outputs(const std::vector<Sample>& samples, int node_count, int modes) {
  constexpr double kRidge = 1e-6;  // of the mean diagonal; 1e-8 fits no better
  const Eigen::Index unknowns = 3 * node_count;
  const Eigen::Index equations = 3 * std::ssize(samples);
  Eigen::MatrixXd X(equations, unknowns);
  Eigen::MatrixXd Y(equations, modes);
  for (Eigen::Index s = 0; s < std::ssize(samples); ++s) {
    for (int c = 0; c < node_count; ++c) {
      X.block<3, 3>(3 * s, 3 * c) = samples[s].rho[c].transpose();
    }
    Y.middleRows<3>(3 * s) = samples[s].rest.transpose();
  }
  Eigen::MatrixXd G = X.transpose() * X;
  G.diagonal().array() += kRidge * G.trace() / static_cast<double>(unknowns) + 1e-300;
  return G.ldlt().solve(X.transpose() * Y);
}

}  // namespace

/// Nodes that can move, a random part of them where there are many.
std::vector<int> candidate_nodes(const ModalModel& body) {
  constexpr int kMost = 1500;
  std::vector<int> movable;
  for (int i = 0; i < body.node_count(); ++i) {
    if (!node_Phi(body, i).isZero(0)) movable.push_back(i);
  }
  std::vector<int> candidates;
  std::sample(movable.begin(), movable.end(), std::back_inserter(candidates), kMost,
              std::mt19937(2));
  return candidates;
}

Eigen::MatrixXd random_states(const ModalModel& body, int count, double largest_rotation,
                              unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> power(-1, -0.5);
  std::uniform_real_distribution<double> part(0.05, 1);
  // Relative to the stiffest, so that a mode without stiffness does not grow beyond bounds.
  const Vector stiffness = (body.eigenvalues() / body.eigenvalues().maxCoeff()).cwiseMax(1e-12);
  Eigen::MatrixXd states(body.mode_count(), count);
  Positions w(body.node_count(), 3);
  for (int k = 0; k < count; ++k) {
    const double exponent = power(random);
    Vector q(body.mode_count());
    for (int j = 0; j < q.size(); ++j) {
      q[j] = normal(random) * std::pow(stiffness[j], exponent);
    }
    kernels::multiply(body.Psi_data.data(), body.node_count(), body.mode_count(), q.data(),
                      w.data());
    const double turn = w.rowwise().norm().maxCoeff();
    states.col(k) = turn > 0 ? Vector(part(random) * largest_rotation / turn * q) : q;
  }
  return states;
}

LinearGravity linear_gravity(const ModalModel& body) {
  LinearGravity linear;
  linear.B.setZero(body.mode_count(), 3);
  linear.L.fill(Eigen::MatrixXd::Zero(body.mode_count(), body.mode_count()));
  for (int i = 0; i < body.node_count(); ++i) {
    const double mass = body.mass.row_sums[i];
    linear.B += mass * node_Phi(body, i).transpose();
    // R(w)ᵀ a = a − w×a + … = a + a×w + …
    for (int axis = 0; axis < 3; ++axis) {
      linear.L[axis].noalias() +=
          mass * node_Phi(body, i).transpose() * (skew(Vec3::Unit(axis)) * node_Psi(body, i));
    }
  }
  return linear;
}

CubatureRule train_cubature(const ModalModel& body, const CubatureOptions& options) {
  constexpr int kGreedySamples = 40;  // 3·40·m equations for a few dozen weights
  constexpr int kFitSamples = 500;    // 3·500 equations for 3·80 unknowns
  const double turn = options.largest_rotation;
  const LinearGravity linear = linear_gravity(body);
  const std::vector<int> candidates = candidate_nodes(body);
  const std::vector<Sample> greedy =
      make_samples(body, linear, random_states(body, kGreedySamples, turn, 11), candidates);
  CubatureRule rule;
  rule.nodes = find_nodes(body, candidates, greedy, options.nodes);
  const std::vector<Sample> fit =
      make_samples(body, linear, random_states(body, kFitSamples, turn, 12), rule.nodes);
  rule.outputs = fit_outputs(fit, static_cast<int>(rule.nodes.size()), body.mode_count());
  return rule;
}

}  // namespace limber
