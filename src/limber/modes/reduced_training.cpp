#include "limber/modes/reduced_training.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "limber/core/nonnegative.h"
#include "limber/fem/mass.h"
#include "limber/fem/operators.h"

namespace limber {

namespace {

using Stresses = Eigen::Matrix<double, Eigen::Dynamic, 9, Eigen::RowMajor>;

/// The elastic force of every candidate tet at every pose, normalised by that of all tets: what
/// greedy choice and weights work on.
class Samples {
 public:
  Samples(const ReducedElements& all, const ReducedElements& candidates, ElasticLaw law,
          const std::vector<Vector>& poses)
      : elements_(candidates), modes_(candidates.mode_count()), poses_(poses.size()) {
    target_.resize(static_cast<Eigen::Index>(poses_) * modes_);
    stresses_.resize(poses_);
    Vector g(modes_);
    for (std::size_t s = 0; s < poses_; ++s) {
      stresses_[s].resize(candidates.tet_count(), 9);
      candidates.stresses(law, poses[s], stresses_[s]);
      all.forces(law, poses[s], g);
      const double size = 1 / std::max(g.norm(), 1e-300);
      stresses_[s] *= size;
      target_.segment(static_cast<Eigen::Index>(s) * modes_, modes_) = size * g;
    }
  }

  [[nodiscard]] const Vector& target() const { return target_; }

  /// A candidate's share of the force at every pose.
  void column(int tet, Vector& result) const {
    Eigen::Matrix<double, 9, Eigen::Dynamic> B(9, modes_);
    for (int j = 0; j < modes_; ++j) B.col(j) = elements_.gradient(tet, j);
    result.resize(target_.size());
    for (std::size_t s = 0; s < poses_; ++s) {
      result.segment(static_cast<Eigen::Index>(s) * modes_, modes_).noalias() =
          B.transpose() * stresses_[s].row(tet).transpose();
    }
  }

 private:
  const ReducedElements& elements_;  // outlives the samples
  int modes_;
  std::size_t poses_;
  Vector target_;
  std::vector<Stresses> stresses_;
};

/// Non-negative weights of the chosen tets: their normal equations grow by a row at a time.
class TetWeights {
 public:
  explicit TetWeights(const Vector& target) : target_(target), columns_(target.size(), 0) {}

  void add(const Vector& column) {
    const Eigen::Index k = columns_.cols();
    columns_.conservativeResize(Eigen::NoChange, k + 1);
    columns_.col(k) = column;
    G_.conservativeResize(k + 1, k + 1);
    G_.row(k) = column.transpose() * columns_;
    G_.col(k) = G_.row(k).transpose();
    g_.conservativeResize(k + 1);
    g_[k] = column.dot(target_);
  }
  [[nodiscard]] Vector best() const {
    Eigen::MatrixXd G = G_;
    G.diagonal().array() += 1e-12 * G.trace();  // neighbours have nearly equal columns
    return nonnegative_least_squares(G, g_);
  }
  void keep(const std::vector<int>& kept) {
    columns_ = Eigen::MatrixXd(columns_(Eigen::all, kept));
    G_ = Eigen::MatrixXd(G_(kept, kept));
    g_ = Vector(g_(kept));
  }
  [[nodiscard]] Vector missing(const Vector& weights) const { return target_ - columns_ * weights; }

 private:
  const Vector& target_;
  Eigen::MatrixXd columns_, G_;
  Vector g_;
};

/// Tets one by one: the one whose share of the force points most along what is missing.
std::vector<int> choose(const Samples& samples, int tet_count, int wanted) {
  constexpr int kTried = 150;  // at each turn; An et al. try 100
  std::mt19937 random(1);
  std::vector<int> all(static_cast<std::size_t>(tet_count));
  std::iota(all.begin(), all.end(), 0);
  std::vector<int> chosen;
  TetWeights weights(samples.target());
  Vector missing = samples.target();
  Vector column;
  // A tet whose weight falls to zero leaves again; the bound ends a search that runs in circles.
  for (int turn = 0; turn < 3 * wanted && std::ssize(chosen) < wanted; ++turn) {
    std::vector<int> tried;
    std::sample(all.begin(), all.end(), std::back_inserter(tried), kTried, random);
    int best = -1;
    double best_match = 0;
    for (const int tet : tried) {
      if (std::find(chosen.begin(), chosen.end(), tet) != chosen.end()) continue;
      samples.column(tet, column);
      const double match = column.dot(missing) / std::max(column.norm(), 1e-300);
      if (match <= best_match) continue;
      best_match = match;
      best = tet;
    }
    if (best < 0) continue;
    samples.column(best, column);
    chosen.push_back(best);
    weights.add(column);
    const Vector found = weights.best();
    std::vector<int> kept, kept_tets;
    for (int k = 0; k < std::ssize(chosen); ++k) {
      if (found[k] <= 0) continue;
      kept.push_back(k);
      kept_tets.push_back(chosen[static_cast<std::size_t>(k)]);
    }
    weights.keep(kept);
    missing = weights.missing(found(kept));
    chosen = std::move(kept_tets);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// The loads that the body is trained under, as modal forces.
std::vector<Vector> training_loads(const TetMesh& mesh, const Materials& materials,
                                   const ReducedBasis& basis,
                                   const ReducedTrainingOptions& options) {
  const Vector& lambda = basis.eigenvalues;
  const SparseRows W = curl_operator(mesh);
  const Eigen::MatrixXd Psi = W * basis.Phi;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> part(0.1, 1);
  /// A load's size: by how far the linear body would turn under it.
  const auto scaled = [&](Vector f) {
    const Vector w = Psi * f.cwiseQuotient(lambda);
    double turn = 0;
    for (Eigen::Index i = 0; i < w.size(); i += 3) turn = std::max(turn, w.segment<3>(i).norm());
    f *= part(random) * options.largest_turn / std::max(turn, 1e-300);
    return f;
  };
  std::vector<Vector> loads;
  std::uniform_real_distribution<double> power(-1, -0.5);
  for (int k = 0; k < options.random_poses; ++k) {
    const double exponent = power(random);
    Vector f(lambda.size());
    for (Eigen::Index j = 0; j < f.size(); ++j) {
      f[j] = normal(random) * lambda[j] * std::pow(lambda[j] / lambda[0], exponent);
    }
    loads.push_back(scaled(f));
  }
  const SparseMatrix m = scalar_mass(mesh, materials);
  const Vector masses = m * Vector::Ones(m.cols());
  const auto along = [&](const Vec3& direction, const auto& weight_of) {
    Vector f = Vector::Zero(lambda.size());
    for (int i = 0; i < mesh.node_count(); ++i) {
      const double weight = weight_of(i);
      if (weight != 0) f += weight * (basis.Phi.middleRows<3>(3 * i).transpose() * direction);
    }
    return f;
  };
  for (int k = 0; k < options.random_poses / 3; ++k) {
    const Vec3 direction = Vec3(normal(random), normal(random), normal(random)).normalized();
    loads.push_back(scaled(along(direction, [&](int i) { return masses[i]; })));
  }
  std::uniform_int_distribution<int> any(0, mesh.node_count() - 1);
  for (int k = 0; k < options.random_poses / 3; ++k) {
    const Vec3 direction = Vec3(normal(random), normal(random), normal(random)).normalized();
    const int node = any(random);
    const Vector f = along(direction, [&](int i) { return i == node ? 1.0 : 0.0; });
    if (f.norm() > 0) loads.push_back(scaled(f));
  }
  for (Eigen::Index j = 0; j < std::min<Eigen::Index>(8, lambda.size()); ++j) {
    for (const double sign : {1.0, -1.0})
      loads.push_back(scaled(sign * Vector::Unit(lambda.size(), j)));
  }
  return loads;
}

/// So many of them at random, all where there are no more; `scaled`: each standing for several.
std::vector<ReducedTet> any_tets(const std::vector<ReducedTet>& tets, int count, bool scaled) {
  if (std::ssize(tets) <= count) return tets;
  std::mt19937 random(3);
  std::vector<ReducedTet> chosen;
  std::sample(tets.begin(), tets.end(), std::back_inserter(chosen), count, random);
  const double share = static_cast<double>(tets.size()) / count;
  for (ReducedTet& tet : chosen) {
    if (!scaled) break;
    tet.lambda *= share;
    tet.mu *= share;
  }
  return chosen;
}

}  // namespace

std::vector<ReducedTet> weighted_tets(const TetMesh& mesh, const Materials& materials) {
  std::vector<int> all(static_cast<std::size_t>(mesh.tet_count()));
  std::iota(all.begin(), all.end(), 0);
  return weighted_tets(mesh, materials, all, Vector::Ones(mesh.tet_count()));
}

std::vector<ReducedTet> weighted_tets(const TetMesh& mesh, const Materials& materials,
                                      const std::vector<int>& tets, const Vector& weights) {
  const ElementGeometry geometry = element_geometry(mesh);
  std::vector<ReducedTet> result;
  for (std::size_t k = 0; k < tets.size(); ++k) {
    const Material& material = materials.of(mesh.region(tets[k]));
    const double volume = geometry.volumes[tets[k]] * weights[static_cast<Eigen::Index>(k)];
    result.push_back({tets[k], volume * material.lambda(), volume * material.mu()});
  }
  return result;
}

ReducedRest reduced_rest(const ReducedElements& elements, ElasticLaw law, const Vector& eigenvalues,
                         const Vector& f, Vector start, double tolerance) {
  constexpr int kMost = 100;
  ReducedRest rest{std::move(start), 0, 0};
  const Eigen::Index r = f.size();
  Vector g(r);
  Eigen::MatrixXd K(r, r);
  double energy = elements.forces(law, rest.q, g) - f.dot(rest.q);
  double shift = 0;  // of the eigenvalues at rest, where K is not definite
  for (; rest.iterations < kMost; ++rest.iterations) {
    const Vector residual = f - g;
    rest.residual = residual.norm() / std::max(f.norm(), 1e-300);
    if (rest.residual <= tolerance) break;
    elements.stiffness(law, rest.q, K);
    Eigen::LLT<Eigen::MatrixXd> factor;
    for (;;) {
      Eigen::MatrixXd A = K;
      A.diagonal() += shift * eigenvalues;
      factor.compute(A);
      if (factor.info() == Eigen::Success) break;
      shift = std::max(2 * shift, 0.01);
    }
    const Vector step = factor.solve(residual);
    double length = 1;
    Vector trial;
    double trial_energy = 0;
    for (; length > 1e-6; length /= 2) {
      trial = rest.q + length * step;
      trial_energy = elements.forces(law, trial, g) - f.dot(trial);
      // Armijo's rule; near the end rounding of the energy is allowed for.
      if (trial_energy <= energy - 1e-4 * length * residual.dot(step) + 1e-12 * std::abs(energy)) {
        break;
      }
    }
    rest.q = trial;
    energy = trial_energy;
    shift = length == 1 ? shift / 4 : shift;
    if (shift < 1e-3) shift = 0;
  }
  return rest;
}

TrainedTets train_reduced(const TetMesh& mesh, const Materials& materials,
                          const ReducedBasis& basis, const ReducedTrainingOptions& options) {
  const ModeMatrix Phi = basis.Phi;
  const Vector& lambda = basis.eigenvalues;
  const std::vector<ReducedTet> all_tets = weighted_tets(mesh, materials);
  const ReducedElements whole(mesh.V, mesh.T, Phi, all_tets);
  // Poses need not be exact, so that few tets are enough to find them; candidates are so many that
  // neighbours of all are among them.
  const std::vector<ReducedTet> posing = any_tets(all_tets, 1500, true);
  const std::vector<ReducedTet> candidate_tets = any_tets(all_tets, 4000, false);
  const ReducedElements few(mesh.V, mesh.T, Phi, posing);
  const ReducedElements candidates(mesh.V, mesh.T, Phi, candidate_tets);
  std::vector<Vector> poses;
  for (const Vector& f : training_loads(mesh, materials, basis, options)) {
    const ReducedRest rest =
        reduced_rest(few, ElasticLaw::corotational, lambda, f, Vector::Zero(lambda.size()), 1e-3);
    if (rest.residual < 0.1) poses.push_back(rest.q);
  }
  for (Eigen::Index k = 0; k < basis.grown.cols(); ++k) poses.push_back(basis.grown.col(k));
  const double small = 1e-3 * poses.front().norm();
  for (Eigen::Index j = 0; j < lambda.size(); ++j) {
    poses.push_back(small * Vector::Unit(lambda.size(), j));
  }

  TrainedTets trained;
  const Samples corotational(whole, candidates, ElasticLaw::corotational, poses);
  const std::vector<int> chosen = choose(corotational, candidates.tet_count(), options.tets);
  for (const int candidate : chosen) {
    trained.tets.push_back(candidate_tets[static_cast<std::size_t>(candidate)].tet);
  }
  for (int law = 0; law < kElasticLaws; ++law) {
    const Samples samples(whole, candidates, static_cast<ElasticLaw>(law), poses);
    TetWeights weights(samples.target());
    Vector column;
    for (const int candidate : chosen) {
      samples.column(candidate, column);
      weights.add(column);
    }
    const auto index = static_cast<std::size_t>(law);
    trained.weights[index] = weights.best();
    trained.errors[index] =
        weights.missing(trained.weights[index]).norm() / samples.target().norm();
  }
  return trained;
}

}  // namespace limber
