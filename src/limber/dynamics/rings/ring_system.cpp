#include "limber/dynamics/rings/ring_system.h"

#include <Eigen/LU>

namespace limber {

namespace {

/// Of |b|: what conjugate gradients leave.
constexpr double kTolerance = 1e-10;
constexpr int kMostIterations = 400;

}  // namespace

/// S_L x, row by row.
class RingSystem::Product final : public LinearOperator {
 public:
  explicit Product(const RingSystem& system) : system_(system) {}
  void apply(const Vector& x, Vector& y) const override {
    for (int i = 0; i < system_.local_; ++i) {
      Vec3 mass = Vec3::Zero(), elastic = Vec3::Zero();
      for (const Entry& entry : system_.row(i)) {
        if (entry.column >= system_.local_) continue;
        const Vec3 xj = x.segment<3>(3 * entry.column);
        mass += entry.m * xj;
        elastic += entry.K * xj;
      }
      y.segment<3>(3 * i) = system_.heavier_ * mass + system_.stiffer_ * elastic;
    }
  }

 private:
  const RingSystem& system_;
};

/// Jacobi's, as in the paper, by blocks of a node.
class RingSystem::Jacobi final : public Preconditioner {
 public:
  explicit Jacobi(const RingSystem& system) : system_(system) {}
  void apply(const Vector& r, Vector& z) const override {
    for (int i = 0; i < system_.local_; ++i)
      z.segment<3>(3 * i) =
          system_.inverse_diagonal_[static_cast<std::size_t>(i)] * r.segment<3>(3 * i);
  }

 private:
  const RingSystem& system_;
};

RingSystem::RingSystem(const NodalRows& rows)
    : rows_(rows), places_(static_cast<std::size_t>(rows.node_count()), -1) {}

void RingSystem::set_nodes(std::span<const int> nodes, int local) {
  factor_.reset();
  for (const int node : nodes_) places_[static_cast<std::size_t>(node)] = -1;
  nodes_.assign(nodes.begin(), nodes.end());
  local_ = local;
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    places_[static_cast<std::size_t>(nodes_[k])] = static_cast<int>(k);
  offsets_.assign(1, 0);
  entries_.clear();
  for (int i = 0; i < local_; ++i) {
    const int node = nodes_[static_cast<std::size_t>(i)];
    for (int entry = rows_.offset(node); entry < rows_.offset(node + 1); ++entry) {
      const int column = places_[static_cast<std::size_t>(rows_.neighbour(entry))];
      if (column >= 0) entries_.push_back({column, rows_.m(entry), rows_.K(entry)});
    }
    offsets_.push_back(static_cast<int>(entries_.size()));
  }
  inverse_diagonal_.assign(static_cast<std::size_t>(local_), Mat3::Identity());
  x_.resize(3 * local_);
  residual_.resize(3 * local_);
  krylov_ = std::make_unique<Krylov>(3 * local_);
  h_ = 0;
}

void RingSystem::set_step(double h, const Damping& damping) {
  const double heavier = 1 + damping.mass * h, stiffer = damping.stiffness * h + h * h;
  if (h == h_ && heavier == heavier_ && stiffer == stiffer_) return;
  factor_.reset();
  h_ = h;
  heavier_ = heavier;
  stiffer_ = stiffer;
  for (int i = 0; i < local_; ++i) {
    for (const Entry& entry : row(i)) {
      if (entry.column != i) continue;
      inverse_diagonal_[static_cast<std::size_t>(i)] =
          (heavier_ * entry.m * Mat3::Identity() + stiffer_ * entry.K).inverse();
    }
  }
}

SparseMatrix RingSystem::matrix() const {
  SparseMatrix S(3 * local_, 3 * local_);
  Eigen::VectorXi counts(3 * local_);
  for (int i = 0; i < local_; ++i)
    counts.segment<3>(3 * i).setConstant(3 * static_cast<int>(row(i).size()));
  S.reserve(counts);
  // Symmetric: row i is column i. Neighbours ascend, as local nodes do.
  for (int i = 0; i < local_; ++i) {
    for (int c = 0; c < 3; ++c) {
      for (const Entry& entry : row(i)) {
        if (entry.column >= local_) continue;
        for (int k = 0; k < 3; ++k) {
          const double mass = c == k ? heavier_ * entry.m : 0;
          S.insert(3 * entry.column + k, 3 * i + c) = mass + stiffer_ * entry.K(c, k);
        }
      }
    }
  }
  S.makeCompressed();
  return S;
}

void RingSystem::factor() {
  if (factor_ || local_ == 0) return;
  try {
    Cholesky::Options options;
    options.block_size = 3;
    factor_.emplace(matrix(), options);
    x_.setZero();
    factor_->solve_in_place(x_);  // allocates what further solves need
  } catch (const std::exception&) {
    factor_.reset();  // no memory, or numbers beyond all range
  }
}

void RingSystem::left_over(const Vector& d, const Vector& rate,
                           const Eigen::Ref<const Vector>& fading_rate,
                           Eigen::Ref<Vector> result) const {
  for (int i = 0; i < local_; ++i) {
    Vec3 sum = Vec3::Zero();
    for (const Entry& entry : row(i)) {
      const Eigen::Index j = 3 * entry.column;
      sum += entry.m * rate.segment<3>(j) - h_ * (entry.K * d.segment<3>(j));
      if (entry.column < local_) continue;
      const Vec3 next = fading_rate.segment<3>(j - 3 * local_);
      sum -= heavier_ * entry.m * next + stiffer_ * (entry.K * next);
    }
    result.segment<3>(3 * i) = sum;
  }
}

void RingSystem::solve(Vector& b, const Eigen::Ref<const Vector>& guess) {
  if (factor_) {
    factor_->solve_in_place(b);
    return;
  }
  x_ = guess;
  conjugate_gradients(b);
}

void RingSystem::solve(Vector& b) {
  if (factor_) {
    factor_->solve_in_place(b);
    return;
  }
  x_.setZero();
  conjugate_gradients(b);
}

void RingSystem::conjugate_gradients(Vector& b) {
  const Product S(*this);
  S.apply(x_, residual_);
  residual_ = b - residual_;
  const double goal = kTolerance * b.norm();
  if (residual_.norm() > goal)
    krylov_->conjugate_gradients(S, Jacobi(*this), goal, kMostIterations, x_, residual_);
  b = x_;
}

void RingSystem::solve_unit(int place, Eigen::MatrixXd& columns) const {
  columns.setZero(3 * local_, 3);
  columns.middleRows<3>(3 * place).setIdentity();
  if (factor_) factor_->solve_in_place(columns);
}

double RingSystem::elastic_energy(const Vector& d) const {
  double sum = 0;
  for (int i = 0; i < local_; ++i) {
    for (const Entry& entry : row(i))
      sum += d.segment<3>(3 * i).dot(entry.K * d.segment<3>(3 * entry.column)) / 2;
  }
  return sum;
}

double RingSystem::kinetic_energy(const Vector& rate) const {
  double sum = 0;
  for (int i = 0; i < local_; ++i) {
    for (const Entry& entry : row(i))
      sum += entry.m * rate.segment<3>(3 * i).dot(rate.segment<3>(3 * entry.column)) / 2;
  }
  return sum;
}

}  // namespace limber
