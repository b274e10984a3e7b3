#include "limber/constraint/held_equilibrium.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/constraint/prioritised.h"

namespace limber {

namespace {

class HeldNewton {
 public:
  HeldNewton(const Eigen::Ref<const Vector>& eigenvalues, const StaticLoads& loads,
             const HeldStatics& held, const SettleOptions& options)
      : eigenvalues_(eigenvalues), loads_(loads), held_(held), options_(options) {
    for (const HeldPoint& handle : held.hard) {
      if (fixes_end(handle.handle)) rows_ += 3;
      for (const BodyPoint& point : handle.handle.exercised) {
        exercised_.push_back(point);
        dents_.push_back(dents(handle.handle));
      }
    }
    forces_.setZero(static_cast<Eigen::Index>(3 * exercised_.size()));
  }

  SettleStatus run(Vector& q, Vector& forces) {
    constexpr double kSmallestIncrement = 1.0 / 4096;
    double reached = 0;
    double increment = 1;
    SettleStatus status;
    double best = std::numeric_limits<double>::infinity();
    while (reached < 1 && increment >= kSmallestIncrement &&
           iterations_ < options_.most_iterations) {
      const double target = std::min(1.0, reached + increment);
      Vector trial = q;
      const Vector before = forces_;
      const bool solved = solve(target, trial);
      if (target == 1 && residual_ < best) {
        best = residual_;
        best_q_ = trial;
        best_forces_ = forces_;
      }
      if (solved) {
        q = trial;
        reached = target;
        increment *= 2;
      } else {
        forces_ = before;
        increment /= 4;
      }
    }
    status.converged = reached == 1;
    status.iterations = iterations_;
    if (best_q_.size() > 0) {
      q = best_q_;
      forces_ = best_forces_;
    }
    status.residual = std::isfinite(best) ? best : 1;
    forces = forces_;
    if (held_.detail != nullptr) leave_detail(q);
    return status;
  }

 private:
  void leave_detail(const Vector& q) {
    Vector denting = forces_;
    for (std::size_t j = 0; j < exercised_.size(); ++j) {
      if (!dents_[j]) denting.segment<3>(static_cast<Eigen::Index>(3 * j)).setZero();
    }
    held_.detail->rest_under(exercised_, denting, q);
  }

  /// Newton's method for one share of loads and ways.
  bool solve(double share, Vector& q) {
    constexpr int kMostSteps = 40;
    for (int i = 0; i < kMostSteps && iterations_ < options_.most_iterations; ++i) {
      ++iterations_;
      linearise(share, q);
      const Vector step = newton_step();
      if (!step.allFinite()) return false;
      const double turn = loads_.largest_rotation(step);
      q += (turn > kLargestTurn ? kLargestTurn / turn : 1.0) * step;
      evaluate(share, q, nullptr);
      const Vector elastic = eigenvalues_.cwiseProduct(q);
      const Vector pull = force_rows(q).transpose() * forces_;
      const double scale = std::max({f_.norm(), elastic.norm(), pull.norm()});
      residual_ = scale > 0 ? (f_ + pull - elastic).norm() / scale : 0;
      if (!std::isfinite(residual_)) return false;
      const bool still = step.norm() <= kStill * q.norm() || step.norm() == 0;
      if (residual_ <= options_.tolerance && still) return true;
    }
    return false;
  }

  /// f and, where asked for, its derivative: loads and springs.
  void evaluate(double share, const Vector& q, Eigen::MatrixXd* df) {
    f_.setZero(q.size());
    if (df != nullptr) df->setZero(q.size(), q.size());
    loads_.evaluate(q, f_, df);
    f_ *= share;
    if (df != nullptr) *df *= share;
    ThreeRows B(3, q.size());
    for (const HeldPoint& spring : held_.springs) {
      const BodyPoint& point = spring.handle.point;
      held_.shape.derivative(point, q, B);
      const Vec3 pull =
          spring.handle.stiffness * (target_place(share, spring) - held_.shape.position(point, q));
      f_ += B.transpose() * pull;
      if (df == nullptr) continue;
      *df -= spring.handle.stiffness * B.transpose() * B;
      held_.shape.add_point_jacobian(point, pull, q, *df);
    }
  }

  [[nodiscard]] Vec3 target_place(double share, const HeldPoint& handle) const {
    const Vec3 rest = held_.shape.position(handle.handle.point, Vector::Zero(eigenvalues_.size()));
    return rest + share * (handle.handle.target.at(held_.time).value - rest);
  }

  [[nodiscard]] ModeMatrix force_rows(const Vector& q) const {
    ModeMatrix G(forces_.size(), q.size());
    ThreeRows rows(3, q.size());
    for (std::size_t i = 0; i < exercised_.size(); ++i) {
      held_.shape.force_rows(exercised_[i], q, rows);
      G.middleRows<3>(static_cast<Eigen::Index>(3 * i)) = rows;
    }
    return G;
  }

  /// H = Λ − ∂(f + GᵀF)/∂q, J and what is missing, first task first.
  void linearise(double share, const Vector& q) {
    evaluate(share, q, &H_);
    H_ = -H_;
    H_.diagonal() += eigenvalues_;
    Eigen::MatrixXd turning = Eigen::MatrixXd::Zero(q.size(), q.size());
    for (std::size_t i = 0; i < exercised_.size(); ++i) {
      held_.shape.add_point_jacobian(
          exercised_[i], forces_.segment<3>(static_cast<Eigen::Index>(3 * i)), q, turning);
    }
    H_ -= turning;
    imbalance_ = f_ - eigenvalues_.cwiseProduct(q);
    G_ = force_rows(q);
    J_.resize(rows_, q.size());
    missing_.resize(rows_);
    C_.setZero(rows_, forces_.size());
    Eigen::Index row = 0;
    ThreeRows rows(3, q.size());
    for (const bool orientations : {held_.orientation_first, !held_.orientation_first}) {
      for (const HeldPoint& handle : held_.hard) {
        const bool turned = handle.handle.kind == HandleKind::orientation;
        if (!fixes_end(handle.handle) || turned != orientations) continue;
        const BodyPoint& point = handle.handle.point;
        if (turned) {
          held_.shape.turn_rows(point, rows);
          missing_.segment<3>(row) =
              share * handle.handle.target.at(held_.time).value - held_.shape.turn(point, q);
        } else {
          held_.shape.derivative(point, q, rows);
          missing_.segment<3>(row) = target_place(share, handle) - held_.shape.position(point, q);
          add_detail(point, row, q);
        }
        J_.middleRows<3>(row) = rows;
        row += 3;
      }
      if (orientations == held_.orientation_first) first_rows_ = row;
    }
  }

  /// What forces do to a held point by its detail.
  void add_detail(const BodyPoint& point, Eigen::Index row, const Vector& q) {
    if (held_.detail == nullptr) return;
    for (std::size_t j = 0; j < exercised_.size(); ++j) {
      if (dents_[j]) {
        C_.block<3, 3>(row, static_cast<Eigen::Index>(3 * j)) =
            held_.detail->flexibility(point, exercised_[j], q);
      }
    }
  }

  /// dq = H⁻¹ (f − Λq + GᵀF) with J dq + C F = missing, as far as that goes.
  Vector newton_step() {
    const Eigen::PartialPivLU<Eigen::MatrixXd> H(H_);
    const Eigen::MatrixXd compliance = H.solve(G_.transpose());
    const Vector free_step = H.solve(imbalance_);
    const Eigen::MatrixXd A = J_ * compliance + C_;
    const Vector b = missing_ - J_ * free_step;
    const Eigen::Index second = rows_ - first_rows_;
    forces_ = prioritised_solution(A.topRows(first_rows_), b.head(first_rows_),
                                   A.bottomRows(second), b.tail(second));
    return free_step + compliance * forces_;
  }

  static constexpr double kLargestTurn = 0.5;  // rad a step
  static constexpr double kStill = 1e-8;       // of q

  const Eigen::Ref<const Vector>& eigenvalues_;  // all live as long as find_held_equilibrium()
  const StaticLoads& loads_;
  const HeldStatics& held_;
  const SettleOptions& options_;
  std::vector<BodyPoint> exercised_;
  std::vector<char> dents_;  // of the exercised points
  Eigen::Index rows_ = 0;
  Eigen::Index first_rows_ = 0;
  int iterations_ = 0;
  double residual_ = std::numeric_limits<double>::infinity();
  Vector f_, imbalance_, missing_, forces_;
  Vector best_q_, best_forces_;
  Eigen::MatrixXd H_;
  ModeMatrix G_, J_, C_;
};

}  // namespace

SettleStatus find_held_equilibrium(const Eigen::Ref<const Vector>& eigenvalues,
                                   const StaticLoads& loads, const HeldStatics& held,
                                   const SettleOptions& options, Vector& q, Vector& forces) {
  q.setZero(eigenvalues.size());
  return HeldNewton(eigenvalues, loads, held, options).run(q, forces);
}

}  // namespace limber
