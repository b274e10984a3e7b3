#include "limber/constraint/handle_solver.h"

#include "limber/constraint/prioritised.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

/// Newton's method stops when a step changes the forces by less than this share.
constexpr double kTolerance = 1e-13;
constexpr int kMostIterations = 40;
/// R~ is far from linear over larger angles; Newton's steps are held to this, rad.
constexpr double kLargestTurn = 0.5;
/// Of the body's size, a step: three metres a second for a body of one metre at 60 Hz.
constexpr double kLongestMove = 0.05;
/// A step is halved until it brings the first task closer, but not below this share.
constexpr double kSmallestShare = 1.0 / 64;

/// Position and orientation handles fix where the step ends; the others where it starts.
bool fixes_end(const HandleSolver::Entry& entry) {
  return entry.handle.kind == HandleKind::position || entry.handle.kind == HandleKind::orientation;
}

bool is_orientation(const HandleSolver::Entry& entry) {
  return entry.handle.kind == HandleKind::orientation;
}

/// R~(w), the identity for linear modes.
Mat3 turned(const StepContext& step, const Vec3& w) {
  if (step.method == ModalMethod::linear) return Mat3::Identity();
  return mean_rotation(w);
}

Mat3 rotation_at(const StepContext& step, const PointRows& rows, const Vector& q) {
  if (step.method == ModalMethod::linear) return Mat3::Identity();
  return rotation_exp(rows.Psi * q);
}

}  // namespace

HandleSolver::HandleSolver(const std::vector<Entry>& entries, bool orientation_first,
                           const StepContext& step)
    : linear_(step.method == ModalMethod::linear) {
  const Positions rest = step.body.rest_positions();
  body_size_ = (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
  for (const Entry& entry : entries) {
    Task& task = is_orientation(entry) == orientation_first ? first_ : second_;
    task.handles.push_back(&entry);
  }
  collect_exercised(entries);
  build_responses(step);
  build_task(first_);
  build_task(second_);
  precompute(first_, second_);
  const Eigen::Index unknowns = response_q_.cols();
  iterative_.resize(first_.J.rows(), second_.J.rows(), unknowns);
  A1_.resize(first_.J.rows(), unknowns);
  A2_.resize(second_.J.rows(), unknowns);
  forces_.setZero(unknowns);
  change_.resize(unknowns);
  trial_.resize(unknowns);
  predicted_q_.resize(response_q_.rows());
  difference_.resize(response_q_.rows());
}

void HandleSolver::collect_exercised(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    for (const HandlePoint& point : entry.exercised) {
      exercised_.push_back({entry.number, point, {}, entry.handle.kind == HandleKind::velocity});
    }
  }
}

void HandleSolver::build_responses(const StepContext& step) {
  const Eigen::Index m = step.body.mode_count();
  const auto unknowns = static_cast<Eigen::Index>(3 * exercised_.size());
  const StepCoefficients& k = step.coefficients;
  response_q_.resize(m, unknowns);
  response_v_.resize(m, unknowns);
  response_start_.resize(m, unknowns);
  response_force_.resize(m, unknowns);
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    Exercised& point = exercised_[i];
    point.rows = point_rows(step.body, point.point);
    const Eigen::MatrixXd Xt = point.rows.Phi.transpose();
    const auto first = static_cast<Eigen::Index>(3 * i);
    const bool impulse = point.impulse;
    response_q_.middleCols<3>(first) = (impulse ? k.qv : k.qf).asDiagonal() * Xt;
    response_v_.middleCols<3>(first) = (impulse ? k.vv : k.vf).asDiagonal() * Xt;
    response_start_.middleCols<3>(first) = (impulse ? 1.0 : 0.0) * Xt;
    response_force_.middleCols<3>(first) = (impulse ? 1 / step.h : 1.0) * Xt;
  }
}

void HandleSolver::build_task(Task& task) {
  const auto rows = static_cast<Eigen::Index>(3 * task.handles.size());
  task.J.resize(rows, response_q_.rows());
  task.B.resize(rows, response_q_.cols());
  task.turns.resize(rows, response_q_.cols());
  task.b.setZero(rows);
  task.b_end.setZero(rows);
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Entry& entry = *task.handles[i];
    const auto first = static_cast<Eigen::Index>(3 * i);
    task.J.middleRows<3>(first) = is_orientation(entry) ? entry.rows.Psi : entry.rows.Phi;
    const Eigen::MatrixXd& response = entry.handle.kind == HandleKind::velocity ? response_start_
                                      : entry.handle.kind == HandleKind::acceleration
                                          ? response_force_
                                          : response_q_;
    task.B.middleRows<3>(first) = task.J.middleRows<3>(first) * response;
    task.turns.middleRows<3>(first) = entry.rows.Psi * response_q_;
    task.moving = task.moving || (entry.handle.kind == HandleKind::position &&
                                  entry.handle.treatment == Treatment::newton);
  }
}

void HandleSolver::precompute(Task& first, Task& second) {
  const PseudoInverse inverse = pseudo_inverse(first.B);
  first.P = inverse.matrix;
  first.full_rank = inverse.rank == first.B.rows();
  const Eigen::MatrixXd rest = second.B - (second.B * first.P) * first.B;
  const PseudoInverse rest_inverse = pseudo_inverse(rest, column_scale(second.B));
  second.P = rest_inverse.matrix;
  second.full_rank = rest_inverse.rank == rest.rows();
  // Velocities at the end: the same tasks with impulses that act at once.
  Eigen::MatrixXd Xt = response_force_;
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    Xt.middleCols<3>(static_cast<Eigen::Index>(3 * i)) = exercised_[i].rows.Phi.transpose();
  }
  const auto end_rows = [&](const Task& task) {
    Eigen::MatrixXd rows = task.J * Xt;
    for (std::size_t i = 0; i < task.handles.size(); ++i) {
      if (!fixes_end(*task.handles[i]))
        rows.middleRows<3>(static_cast<Eigen::Index>(3 * i)).setZero();
    }
    return rows;
  };
  const Eigen::MatrixXd end_first = end_rows(first);
  const Eigen::MatrixXd end_second = end_rows(second);
  first.P_end = pseudo_inverse(end_first).matrix;
  second.P_end =
      pseudo_inverse(end_second - (end_second * first.P_end) * end_first, column_scale(end_second))
          .matrix;
  for (Task* task : {&first, &second}) {
    task->G_end = Xt * task->P_end;
    task->Gq = response_q_ * task->P;
    task->Gv = response_v_ * task->P;
    task->Gf = response_force_ * task->P;
  }
}

/// (S B)⁺ = B⁺ S⁻¹ holds only for independent rows. Orientations and linear modes have S = I, so
/// they may be short of rank.
bool HandleSolver::can_use_precomputed() const {
  if (linear_) return true;
  const auto fine = [](const Task& task) {
    const bool turned = !task.handles.empty() && !is_orientation(*task.handles.front());
    return !task.moving && (task.full_rank || !turned);
  };
  return fine(first_) && fine(second_);
}

void HandleSolver::correct(const StepContext& step, Vector& q, Vector& v, Vector& force) {
  if (can_use_precomputed()) {
    correct_precomputed(step, q, v, force);
  } else {
    correct_iteratively(step, q, v, force);
  }
}

/// The rotation vector that R~ is taken from while it is held constant: of the last constrained
/// state or of the prediction (Choi & Ko 2005, footnote 4).
Vec3 HandleSolver::known_turn(const StepContext& step, const Entry& entry) const {
  if (step.method == ModalMethod::linear) return Vec3::Zero();
  const bool predicted = entry.handle.treatment == Treatment::predicted;
  return entry.rows.Psi * (predicted ? predicted_q_ : step.previous_q);
}

/// Newton's handles hold at every step, so a target that jumps would throw the body about: they go
/// there in steps of kLongestMove.
Vec3 HandleSolver::reachable(const StepContext& step, const Entry& entry,
                             const Vec3& target) const {
  if (entry.handle.treatment != Treatment::newton || linear_) return target;
  const PointRows& rows = entry.rows;
  const Vec3 now =
      rows.rest_position + mean_rotation(rows.Psi * step.previous_q) * (rows.Phi * step.previous_q);
  const double distance = (target - now).norm();
  const double longest = kLongestMove * body_size_;
  return distance <= longest ? target : Vec3(now + (longest / distance) * (target - now));
}

/// task.b: target minus present value. With `undo_rotation` position rows are divided by R~, so
/// that they are linear in q.
void HandleSolver::find_missing(const StepContext& step, const Vector& q, Task& task,
                                bool undo_rotation) const {
  const StepCoefficients& k = step.coefficients;
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Entry& entry = *task.handles[i];
    const PointRows& rows = entry.rows;
    const Vec3 target = entry.handle.target.at(step.time).value;
    auto missing = task.b.segment<3>(static_cast<Eigen::Index>(3 * i));
    switch (entry.handle.kind) {
      case HandleKind::position: {
        const Vec3 wanted = reachable(step, entry, target) - rows.rest_position;
        if (undo_rotation) {
          missing = mean_rotation_inverse(known_turn(step, entry)) * wanted - rows.Phi * q;
        } else {
          const Vec3 w = entry.handle.treatment == Treatment::newton ? Vec3(rows.Psi * q)
                                                                     : known_turn(step, entry);
          missing = wanted - turned(step, w) * (rows.Phi * q);
        }
        break;
      }
      case HandleKind::orientation:
        missing = target - rows.Psi * q;
        break;
      case HandleKind::velocity:
        // Hauser et al. 2003, eq. 14: right after the impulse.
        missing = rotation_at(step, rows, step.previous_q).transpose() * target -
                  rows.Phi * step.previous_v;
        break;
      case HandleKind::acceleration: {
        // Hauser et al. 2003, eq. 13: q̈ = f − b q̇ − λ q at the start, f read off the prediction.
        missing = rotation_at(step, rows, step.previous_q).transpose() * target;
        for (Eigen::Index mode = 0; mode < q.size(); ++mode) {
          const double f = (predicted_q_[mode] - k.qq[mode] * step.previous_q[mode] -
                            k.qv[mode] * step.previous_v[mode]) /
                           k.qf[mode];
          const double rate =
              step.damping.mass + step.damping.stiffness * step.body.eigenvalues()[mode];
          missing -= rows.Phi.col(mode) * (f - rate * step.previous_v[mode] -
                                           step.body.eigenvalues()[mode] * step.previous_q[mode]);
        }
        break;
      }
    }
  }
}

void HandleSolver::correct_precomputed(const StepContext& step, Vector& q, Vector& v,
                                       Vector& force) {
  predicted_q_ = q;
  for (Task* task : {&first_, &second_}) {
    if (task->handles.empty()) continue;
    // The second task sees what the first has done: J₂ (q + G₁ b₁), Choi & Ko 2005, eq. 29.
    find_missing(step, q, *task, true);
    q.noalias() += task->Gq * task->b;
    v.noalias() += task->Gv * task->b;
    force.noalias() += task->Gf * task->b;
  }
  set_end_velocities(step, q, v, force);
}

/// J v' = (J q' − J q)/h: what eq. 19 gives by itself.
void HandleSolver::set_end_velocities(const StepContext& step, const Vector& q, Vector& v,
                                      Vector& force) {
  for (Task* task : {&first_, &second_}) {
    if (task->handles.empty()) continue;
    difference_ = (q - step.previous_q) / step.h - v;
    task->b_end.noalias() = task->J * difference_;
    for (std::size_t i = 0; i < task->handles.size(); ++i) {
      if (!fixes_end(*task->handles[i]))
        task->b_end.segment<3>(static_cast<Eigen::Index>(3 * i)).setZero();
    }
    v.noalias() += task->G_end * task->b_end;
    force.noalias() += (1 / step.h) * (task->G_end * task->b_end);
  }
}

/// Rows of a task at q: the derivative of what it holds by f; under Newton that of R~ included.
void HandleSolver::linearise(const StepContext& step, const Vector& q, const Task& task,
                             Eigen::MatrixXd& A) {
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Entry& entry = *task.handles[i];
    const auto first = static_cast<Eigen::Index>(3 * i);
    if (entry.handle.kind != HandleKind::position || step.method == ModalMethod::linear) {
      A.middleRows<3>(first) = task.B.middleRows<3>(first);
      continue;
    }
    if (entry.handle.treatment != Treatment::newton) {
      A.middleRows<3>(first).noalias() =
          mean_rotation(known_turn(step, entry)) * task.B.middleRows<3>(first);
      continue;
    }
    const Vec3 w = entry.rows.Psi * q;
    const Vec3 u = entry.rows.Phi * q;
    A.middleRows<3>(first).noalias() = mean_rotation(w) * task.B.middleRows<3>(first);
    A.middleRows<3>(first).noalias() +=
        mean_rotation_derivative(w, u) * task.turns.middleRows<3>(first);
  }
}

/// Velocity and acceleration handles ask about the step's start, which q does not show: what the
/// forces found so far have done to them is taken off here.
void HandleSolver::subtract_done(const Vector& forces, Task& task) const {
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    if (fixes_end(*task.handles[i])) continue;
    const auto first = static_cast<Eigen::Index>(3 * i);
    task.b.segment<3>(first).noalias() -= task.B.middleRows<3>(first) * forces;
  }
}

/// q for the given forces, and what is then still missing.
void HandleSolver::find_all_missing(const StepContext& step, const Vector& forces, Vector& q) {
  q = predicted_q_;
  q.noalias() += response_q_ * forces;
  for (Task* task : {&first_, &second_}) {
    find_missing(step, q, *task, false);
    subtract_done(forces, *task);
  }
}

/// How much of a change keeps every handle's turn within kLargestTurn.
double HandleSolver::allowed_share(const Vector& change) const {
  double largest = 0;
  for (const Task* task : {&first_, &second_}) {
    for (std::size_t i = 0; i < task->handles.size(); ++i) {
      const Vec3 turn = task->turns.middleRows<3>(static_cast<Eigen::Index>(3 * i)) * change;
      largest = std::max(largest, turn.norm());
    }
  }
  return largest > kLargestTurn ? kLargestTurn / largest : 1.0;
}

/// Newton's method on the forces, and damped least squares where the handles ask for more than the
/// body can do.
void HandleSolver::correct_iteratively(const StepContext& step, Vector& q, Vector& v,
                                       Vector& force) {
  predicted_q_ = q;
  forces_.setZero();
  find_all_missing(step, forces_, q);
  // With constant rotations the system is linear: one damped solution, bettered from step to step.
  const int iterations = first_.moving || second_.moving ? kMostIterations : 1;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    linearise(step, q, first_, A1_);
    linearise(step, q, second_, A2_);
    iterative_.solve(A1_, first_.b, A2_, second_.b, change_);
    const double before = first_.b.norm();
    double share = allowed_share(change_);
    while (true) {
      trial_ = forces_ + share * change_;
      find_all_missing(step, trial_, q);
      if (first_.b.norm() <= before * (1 + 1e-12) || share < kSmallestShare) break;
      share /= 2;
    }
    forces_ = trial_;
    if (share * change_.norm() <= kTolerance * forces_.norm()) break;
  }
  v.noalias() += response_v_ * forces_;
  force.noalias() += response_force_ * forces_;
  set_end_velocities(step, q, v, force);
}

Vector HandleSolver::forces(double h) const {
  Vector total = forces_;
  if (can_use_precomputed()) total.noalias() = first_.P * first_.b + second_.P * second_.b;
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    if (exercised_[i].impulse) total.segment<3>(static_cast<Eigen::Index>(3 * i)) /= h;
  }
  total += (first_.P_end * first_.b_end + second_.P_end * second_.b_end) / h;
  return total;
}

}  // namespace limber
