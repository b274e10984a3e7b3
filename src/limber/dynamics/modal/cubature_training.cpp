#include "limber/dynamics/modal/cubature_training.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "limber/core/nonnegative.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/node_kernels.h"
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

/// Finds nodes one by one: the one whose share of the force points most along what is missing.
/// Nodes are counted by their place among the candidates.
class GreedyNodes {
 public:
  GreedyNodes(const ModalModel& body, const std::vector<int>& candidates,
              const std::vector<Sample>& samples)
      : body_(body),
        candidates_(candidates),
        samples_(samples),
        rows_(3 * body.mode_count() * std::ssize(samples)),
        target_(rows_) {
    for (std::size_t s = 0; s < samples.size(); ++s) block(target_, s) = samples[s].rest;
    missing_ = target_;
  }

  std::vector<int> find(int count) {
    constexpr int kTried = 100;  // at each turn, as An et al. do
    std::mt19937 random(1);
    std::vector<int> places(candidates_.size());
    std::iota(places.begin(), places.end(), 0);
    // A node whose weight falls to zero leaves again; the bound ends a search that runs in circles.
    for (int turn = 0; turn < 3 * count && std::ssize(chosen_) < count; ++turn) {
      std::vector<int> tried;
      std::sample(places.begin(), places.end(), std::back_inserter(tried), kTried, random);
      const int best = best_of(tried);
      if (best >= 0) add(best);
    }
    std::vector<int> nodes;
    for (const int place : chosen_) nodes.push_back(candidates_[place]);
    return nodes;
  }

 private:
  Eigen::Map<Columns3> block(Vector& stacked_rows, std::size_t sample) const {
    const Eigen::Index size = 3 * body_.mode_count();
    return {stacked_rows.data() + size * static_cast<Eigen::Index>(sample), body_.mode_count(), 3};
  }

  /// What a node adds to all samples' forces, with weight one.
  void fill_column(int place, Vector& column) const {
    column.resize(rows_);
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      block(column, s).noalias() =
          node_Phi(body_, candidates_[place]).transpose() * samples_[s].rho[place];
    }
  }

  int best_of(const std::vector<int>& tried) {
    int best = -1;
    double best_match = 0;
    for (const int place : tried) {
      if (std::find(chosen_.begin(), chosen_.end(), place) != chosen_.end()) continue;
      fill_column(place, column_);
      const double match = column_.dot(missing_) / std::max(column_.norm(), 1e-300);
      if (match <= best_match) continue;
      best_match = match;
      best = place;
    }
    return best;
  }

  void add(int place) {
    fill_column(place, column_);
    chosen_.push_back(place);
    columns_.conservativeResize(rows_, std::ssize(chosen_));
    columns_.rightCols<1>() = column_;
    Eigen::MatrixXd G = columns_.transpose() * columns_;
    G.diagonal().array() += 1e-12 * G.trace();  // nodes side by side have nearly equal columns
    const Vector weights = nonnegative_least_squares(G, columns_.transpose() * target_);
    std::vector<int> kept;
    std::vector<int> kept_places;
    for (int k = 0; k < std::ssize(chosen_); ++k) {
      if (weights[k] <= 0) continue;
      kept.push_back(k);
      kept_places.push_back(chosen_[k]);
    }
    chosen_ = kept_places;
    columns_ = Eigen::MatrixXd(columns_(Eigen::all, kept));
    missing_ = target_ - columns_ * Vector(weights(kept));
  }

  const ModalModel& body_;  // all three live as long as train_cubature()
  const std::vector<int>& candidates_;
  const std::vector<Sample>& samples_;
  Eigen::Index rows_;
  Vector target_;
  Vector missing_;
  Vector column_;
  std::vector<int> chosen_;
  Eigen::MatrixXd columns_;  // one a chosen node
};

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
  rule.nodes = GreedyNodes(body, candidates, greedy).find(options.nodes);
  const std::vector<Sample> fit =
      make_samples(body, linear, random_states(body, kFitSamples, turn, 12), rule.nodes);
  rule.outputs = fit_outputs(fit, static_cast<int>(rule.nodes.size()), body.mode_count());
  return rule;
}

}  // namespace limber
