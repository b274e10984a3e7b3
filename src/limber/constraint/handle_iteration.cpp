// Handles that the precomputed inverses cannot serve: short of rank, by Newton's method, or by
// virtual work.
//
// Deviates from Choi & Ko 2005, eqs. 28-29, where their step from R~ to R~ would not converge: a
// force F on a point with x(q) = x₀ + R~(Ψq) Φq acts on the modes by virtual work, ẋᵀF, so that
// x's whole derivative C = R~Φ + ∂(R~u)/∂w Ψ takes the place of RΦ (R held constant). Then C D Cᵀ
// is never indefinite, and no handle gains energy. Where the step ends is found along C at its
// start, its velocity along C at its end (SHAKE and RATTLE: Ryckaert et al. 1977, Andersen 1983).
#include "limber/constraint/handle_solver.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

/// Newton's method stops when a step changes the forces by less than this share.
constexpr double kTolerance = 1e-13;
constexpr int kMostIterations = 40;
/// A linear system needs no more than to make up for the damping of its solution.
constexpr int kLinearIterations = 8;
/// R~ is far from linear over larger angles; steps are held to this, rad.
constexpr double kLargestTurn = 0.5;
/// A step is halved until it brings the first task closer, but not below this share.
constexpr double kSmallestShare = 1.0 / 64;

}  // namespace

/// Forces of position handles act along C of the step's start.
void HandleSolver::turn_responses(const StepContext& step) {
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    if (exercised_[i].kind != HandleKind::position) continue;
    const auto first = static_cast<Eigen::Index>(3 * i);
    exercised_[i].rows.displacement_derivative(step.previous_q, row_);
    turned_.force.middleCols<3>(first) = row_.transpose();
    turned_.q.middleCols<3>(first) = step.coefficients.qf.asDiagonal() * row_.transpose();
    turned_.v.middleCols<3>(first) = step.coefficients.vf.asDiagonal() * row_.transpose();
  }
}

/// Rows of a task at q: the derivative of what it holds by f.
void HandleSolver::linearise(const StepContext& step, const Vector& q, const Task& task,
                             Eigen::MatrixXd& A) {
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Entry& entry = *task.handles[i];
    const auto first = static_cast<Eigen::Index>(3 * i);
    const bool is_position = entry.handle.kind == HandleKind::position;
    if (!virtual_work_) {
      const Mat3 R = is_position ? mean_rotation(known_turn(step, entry)) : Mat3(Mat3::Identity());
      A.middleRows<3>(first).noalias() = R * task.B.middleRows<3>(first);
    } else if (is_position) {
      const bool newton = entry.handle.treatment == Treatment::newton;
      entry.rows.displacement_derivative(newton ? q : step.previous_q, row_);
      A.middleRows<3>(first).noalias() = row_.lazyProduct(turned_.q);
    } else if (entry.handle.kind == HandleKind::orientation) {
      A.middleRows<3>(first).noalias() = entry.rows.Psi.lazyProduct(turned_.q);
    } else if (entry.handle.kind == HandleKind::acceleration) {
      A.middleRows<3>(first).noalias() = entry.rows.Phi.lazyProduct(turned_.force);
    } else {
      A.middleRows<3>(first) = task.B.middleRows<3>(first);  // only impulses at the start
    }
  }
}

/// Velocity and acceleration handles ask about the step's start, which q does not show: what the
/// forces found so far have done to them is taken off here.
void HandleSolver::subtract_done(const Vector& forces, Task& task) const {
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Entry& entry = *task.handles[i];
    if (fixes_end(entry.handle)) continue;
    const bool velocity = entry.handle.kind == HandleKind::velocity;
    const Eigen::MatrixXd& response = velocity ? responses().start : responses().force;
    for (Eigen::Index row = 0; row < 3; ++row) {
      double done = 0;
      for (Eigen::Index k = 0; k < forces.size(); ++k) {
        done += entry.rows.Phi.row(row).dot(response.col(k)) * forces[k];
      }
      task.b[static_cast<Eigen::Index>(3 * i) + row] -= done;
    }
  }
}

/// q for the given forces, and what is then still missing.
void HandleSolver::find_all_missing(const StepContext& step, const Vector& forces, Vector& q) {
  q = predicted_q_;
  q.noalias() += responses().q * forces;
  for (Task* task : {&first_, &second_}) {
    find_missing(step, q, *task, false);
    subtract_done(forces, *task);
  }
}

/// How much of a change keeps every handle's turn within kLargestTurn.
double HandleSolver::allowed_share(const Vector& change) {
  difference_.noalias() = responses().q * change;
  double largest = 0;
  for (const Task* task : {&first_, &second_}) {
    for (const Entry* entry : task->handles) {
      largest = std::max(largest, (entry->rows.Psi * difference_).norm());
    }
  }
  return largest > kLargestTurn ? kLargestTurn / largest : 1.0;
}

/// Newton's method on the forces, and damped least squares where the handles ask for more than the
/// body can do.
void HandleSolver::correct_iteratively(const StepContext& step, Vector& q, Vector& v,
                                       Vector& force) {
  if (virtual_work_) turn_responses(step);
  forces_.setZero();
  find_all_missing(step, forces_, q);
  const bool newton = first_.moving || second_.moving;
  const int iterations = newton ? kMostIterations : virtual_work_ ? kLinearIterations : 1;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    linearise(step, q, first_, A1_);
    linearise(step, q, second_, A2_);
    iterative_.solve(A1_, first_.b, A2_, second_.b, change_);
    const double before = first_.b.norm();
    double share = newton ? allowed_share(change_) : 1;
    while (true) {
      trial_ = forces_ + share * change_;
      find_all_missing(step, trial_, q);
      if (first_.b.norm() <= before * (1 + 1e-12) || share < kSmallestShare) break;
      share /= 2;
    }
    forces_ = trial_;
    if (share * change_.norm() <= kTolerance * forces_.norm()) break;
  }
  v.noalias() += responses().v * forces_;
  force.noalias() += responses().force * forces_;
  if (virtual_work_) {
    set_turned_end_velocities(step, q, v, force);
  } else {
    set_end_velocities(step, q, v, force);
  }
}

/// A: what impulses at the end do to the velocities of a task's handles; task.b_end: what these
/// lack to be the way of the step divided by its time.
void HandleSolver::end_rows(const StepContext& step, const Vector& q, const Vector& v, Task& task,
                            Eigen::MatrixXd& A) {
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Entry& entry = *task.handles[i];
    const PointRows& rows = entry.rows;
    const auto first = static_cast<Eigen::Index>(3 * i);
    auto missing = task.b_end.segment<3>(first);
    if (entry.handle.kind == HandleKind::position) {
      rows.displacement_derivative(q, row_);
      const Vec3 way = rows.displacement(q) - rows.displacement(step.previous_q);
      missing = way / step.h - row_ * v;
    } else if (entry.handle.kind == HandleKind::orientation) {
      row_ = rows.Psi;
      difference_ = (q - step.previous_q) / step.h - v;
      missing = rows.Psi * difference_;
    } else {
      row_.setZero();
      missing.setZero();
    }
    A.middleRows<3>(first).noalias() = row_.lazyProduct(end_directions_);
  }
}

void HandleSolver::set_turned_end_velocities(const StepContext& step, const Vector& q, Vector& v,
                                             Vector& force) {
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    if (exercised_[i].kind != HandleKind::position) continue;
    exercised_[i].rows.displacement_derivative(q, row_);
    end_directions_.middleCols<3>(static_cast<Eigen::Index>(3 * i)) = row_.transpose();
  }
  end_rows(step, q, v, first_, A1_);
  end_rows(step, q, v, second_, A2_);
  iterative_.solve(A1_, first_.b_end, A2_, second_.b_end, end_impulses_);
  difference_.noalias() = end_directions_ * end_impulses_;
  v += difference_;
  force += difference_ / step.h;
}

}  // namespace limber
