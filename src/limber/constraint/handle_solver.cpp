#include "limber/constraint/handle_solver.h"

#include "limber/constraint/prioritised.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

/// How much of a change of R~ may come back as a change of R~ one step later. At one the paper's
/// iteration from step to step stops converging; handles return to it well below.
constexpr double kMostFeedback = 1;
constexpr double kCalmFeedback = 0.5;
/// Of the body's size, a step: three metres a second for a body of one metre at 60 Hz.
constexpr double kLongestMove = 0.05;

bool is_orientation(const HandleSolver::Entry& entry) {
  return entry.handle.kind == HandleKind::orientation;
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
  const Eigen::Index unknowns = straight_.q.cols();
  turned_ = straight_;
  iterative_.resize(first_.J.rows(), second_.J.rows(), unknowns);
  A1_.resize(first_.J.rows(), unknowns);
  A2_.resize(second_.J.rows(), unknowns);
  forces_.setZero(unknowns);
  end_impulses_.setZero(unknowns);
  change_.resize(unknowns);
  trial_.resize(unknowns);
  predicted_q_.resize(straight_.q.rows());
  difference_.resize(straight_.q.rows());
  row_.resize(3, straight_.q.rows());
}

void HandleSolver::collect_exercised(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    for (const HandlePoint& point : entry.exercised) {
      exercised_.push_back({entry.number, point, {}, entry.handle.kind});
    }
  }
}

void HandleSolver::build_responses(const StepContext& step) {
  const Eigen::Index m = step.body.mode_count();
  const auto unknowns = static_cast<Eigen::Index>(3 * exercised_.size());
  const StepCoefficients& k = step.coefficients;
  for (Eigen::MatrixXd* response :
       {&straight_.q, &straight_.v, &straight_.start, &straight_.force, &end_directions_}) {
    response->resize(m, unknowns);
  }
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    Exercised& point = exercised_[i];
    point.rows = point_rows(step.body, point.point);
    const Eigen::MatrixXd Xt = point.rows.Phi.transpose();
    const auto first = static_cast<Eigen::Index>(3 * i);
    const bool impulse = point.impulse();
    straight_.q.middleCols<3>(first) = (impulse ? k.qv : k.qf).asDiagonal() * Xt;
    straight_.v.middleCols<3>(first) = (impulse ? k.vv : k.vf).asDiagonal() * Xt;
    straight_.start.middleCols<3>(first) = (impulse ? 1.0 : 0.0) * Xt;
    straight_.force.middleCols<3>(first) = (impulse ? 1 / step.h : 1.0) * Xt;
    end_directions_.middleCols<3>(first) = Xt;
  }
}

void HandleSolver::build_task(Task& task) {
  const auto rows = static_cast<Eigen::Index>(3 * task.handles.size());
  task.J.resize(rows, straight_.q.rows());
  task.B.resize(rows, straight_.q.cols());
  task.b.setZero(rows);
  task.b_end.setZero(rows);
  for (std::size_t i = 0; i < task.handles.size(); ++i) {
    const Entry& entry = *task.handles[i];
    const auto first = static_cast<Eigen::Index>(3 * i);
    task.J.middleRows<3>(first) = is_orientation(entry) ? entry.rows.Psi : entry.rows.Phi;
    const Eigen::MatrixXd& response = entry.handle.kind == HandleKind::velocity ? straight_.start
                                      : entry.handle.kind == HandleKind::acceleration
                                          ? straight_.force
                                          : straight_.q;
    task.B.middleRows<3>(first) = task.J.middleRows<3>(first) * response;
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
  const Eigen::MatrixXd& Xt = end_directions_;
  const auto rows_at_end = [&](const Task& task) {
    Eigen::MatrixXd rows = task.J * Xt;
    for (std::size_t i = 0; i < task.handles.size(); ++i) {
      if (!fixes_end(task.handles[i]->handle))
        rows.middleRows<3>(static_cast<Eigen::Index>(3 * i)).setZero();
    }
    return rows;
  };
  const Eigen::MatrixXd end_first = rows_at_end(first);
  const Eigen::MatrixXd end_second = rows_at_end(second);
  first.P_end = pseudo_inverse(end_first).matrix;
  second.P_end =
      pseudo_inverse(end_second - (end_second * first.P_end) * end_first, column_scale(end_second))
          .matrix;
  for (Task* task : {&first, &second}) {
    task->G_end = Xt * task->P_end;
    task->Gq = straight_.q * task->P;
    task->Gv = straight_.v * task->P;
    task->Gf = straight_.force * task->P;
    task->feedback.resize(task->J.rows(), task->J.rows());
    for (std::size_t i = 0; i < task->handles.size(); ++i) {
      task->feedback.middleRows<3>(static_cast<Eigen::Index>(3 * i)) =
          task->handles[i]->rows.Psi * task->G_end;
    }
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
  predicted_q_ = q;
  virtual_work_ = needs_virtual_work(step);
  if (!virtual_work_ && can_use_precomputed()) {
    correct_precomputed(step, q, v, force);
  } else {
    correct_iteratively(step, q, v, force);
  }
}

/// With R~ held constant, Φ q' = R~(w)⁻¹ u. Where u is large or modes of short waves turn the point
/// fast, the new w differs from the old by more than the old did from the one before: bodies would
/// be thrown about. The Frobenius norm of ∂w'/∂w tells.
bool HandleSolver::needs_virtual_work(const StepContext& step) const {
  if (linear_) return false;
  if (first_.moving || second_.moving) return true;
  double squared = 0;
  for (const Task* task : {&first_, &second_}) {
    for (std::size_t i = 0; i < task->handles.size(); ++i) {
      const Entry& entry = *task->handles[i];
      if (entry.handle.kind != HandleKind::position) continue;
      const Vec3 w = entry.rows.Psi * step.previous_q;
      const Vec3 u = entry.rows.Phi * step.previous_q;
      const Mat3 change = mean_rotation_inverse(w) * mean_rotation_derivative(w, u);
      const auto first = static_cast<Eigen::Index>(3 * i);
      for (Eigen::Index row = 0; row < task->feedback.rows(); row += 3) {
        squared += (task->feedback.block<3, 3>(row, first) * change).squaredNorm();
      }
    }
  }
  const double most = virtual_work_ ? kCalmFeedback : kMostFeedback;
  return squared > most * most;
}

/// The rotation vector that R~ is taken from while it is held constant: of the last constrained
/// state or of the prediction (Choi & Ko 2005, footnote 4).
Vec3 HandleSolver::known_turn(const StepContext& step, const Entry& entry) const {
  if (step.method == ModalMethod::linear) return Vec3::Zero();
  const bool predicted = entry.handle.treatment == Treatment::predicted;
  return entry.rows.Psi * (predicted ? predicted_q_ : step.previous_q);
}

/// Handles by virtual work hold at every step, so a target that jumps would throw the body about:
/// they go there in steps of kLongestMove.
Vec3 HandleSolver::reachable(const StepContext& step, const Entry& entry,
                             const Vec3& target) const {
  if (!virtual_work_) return target;
  const PointRows& rows = entry.rows;
  const Vec3 now = rows.rest_position + rows.displacement(step.previous_q);
  const double distance = (target - now).norm();
  const double longest = kLongestMove * body_size_;
  return distance <= longest ? target : Vec3(now + (longest / distance) * (target - now));
}

/// Of a position handle's point at q. Unless Newton's method looks for the end exactly, virtual
/// work goes along the tangent at the start of the step, and otherwise R~ is held.
Vec3 HandleSolver::displacement(const StepContext& step, const Entry& entry,
                                const Vector& q) const {
  const PointRows& rows = entry.rows;
  if (linear_) return rows.Phi * q;
  if (entry.handle.treatment == Treatment::newton) return rows.displacement(q);
  if (!virtual_work_) return mean_rotation(known_turn(step, entry)) * (rows.Phi * q);
  const Vec3 w = rows.Psi * step.previous_q;
  const Vec3 u = rows.Phi * step.previous_q;
  const Vec3 turn = rows.Psi * q - w;
  return mean_rotation(w) * (rows.Phi * q) + mean_rotation_derivative(w, u) * turn;
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
          missing = wanted - displacement(step, entry, q);
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
      if (!fixes_end(task->handles[i]->handle))
        task->b_end.segment<3>(static_cast<Eigen::Index>(3 * i)).setZero();
    }
    v.noalias() += task->G_end * task->b_end;
    force.noalias() += (1 / step.h) * (task->G_end * task->b_end);
  }
}

Vector HandleSolver::forces(double h) const {
  const bool precomputed = !virtual_work_ && can_use_precomputed();
  Vector total = precomputed ? Vector(first_.P * first_.b + second_.P * second_.b) : forces_;
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    if (exercised_[i].impulse()) total.segment<3>(static_cast<Eigen::Index>(3 * i)) /= h;
  }
  const Vector end = virtual_work_
                         ? end_impulses_
                         : Vector(first_.P_end * first_.b_end + second_.P_end * second_.b_end);
  return total + end / h;
}

}  // namespace limber
