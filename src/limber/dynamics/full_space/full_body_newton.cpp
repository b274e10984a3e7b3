// The system of an implicit step: residual, matrix, and the iterations that bring the one to zero.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "limber/dynamics/full_space/attached_preconditioner.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/fem/stvk.h"

namespace limber {

void FullBody::solve_motion() {
  if (options_.method == FullMethod::stvk) {
    solve_stvk();
  } else {
    solve_held();
  }
}

/// Whether what a step leaves goes into the next, late but not lost. With a matrix that is new in
/// every step and has no symmetry, each digit of a step costs a solve with the rest factor.
bool FullBody::passes_on() const {
  return !elasticity_->symmetric() && elasticity_->has_product() && !attached();
}

/// Whether the step's matrix is not assembled. With a complete factor five iterations or so are
/// enough, and so many products cost no more than the matrix.
bool FullBody::by_products() const {
  if (!elasticity_->symmetric()) return passes_on();
  return elasticity_->has_product() && !attached() && held_tangent() == Tangent::safe &&
         preconditioner_->complete();
}

double FullBody::tolerance() const {
  if (options_.tolerance) return *options_.tolerance;
  return passes_on() ? kPassedOnTolerance : kStepTolerance;
}

/// Velocities go on changing as they did, unless something may be in their way.
void FullBody::choose_held_start() {
  trial_v_ = v_;
  if (!attached()) trial_v_ += v_ - last_v_;
}

void FullBody::solve_held() {
  choose_held_start();
  iterate_held();
  if (passes_on() && status_.converged) {
    remainder_ = r_;
  } else {
    remainder_.setZero();
  }
}

/// Rotations are held while a linear system is solved: those of the start of the step, then, when
/// more than one linearisation is asked for, those of the last iterate. Ground and handles may need
/// more systems, until the nodes that touch stay the same.
void FullBody::iterate_held() {
  constexpr int kContactPasses = 12;
  constexpr double kGain = 0.5;  // a start that is good enough gets better, or errors would add up
  const bool attached = this->attached();
  const int most = options_.newton_iterations + (attached ? kContactPasses : 0);
  for (int k = 0; k < most; ++k) {
    if (k < options_.newton_iterations) elasticity_->linearise(k == 0 ? x_ : end_);
    evaluate_residual(trial_v_, k);
    r_ += remainder_;
    const double scale = residual_scale();
    status_.residual = scale > 0 ? r_.norm() / scale : 0;
    status_.converged = status_.residual <= tolerance();
    if (status_.residual == 0 || (status_.converged && attached)) return;
    if (k < options_.newton_iterations || attached) assemble(held_tangent());
    const double enough = attached ? 0.5 * tolerance() : tolerance();
    const KrylovStatus solved = solve_linear(scale * std::min(enough, kGain * status_.residual));
    mesh_.add_scattered(1, direction_, trial_v_);
    ++status_.newton_iterations;
    status_.residual = solved.residual / scale;
    status_.converged = status_.residual <= tolerance();
    if (!attached && k + 1 == most) return;
  }
}

Tangent FullBody::held_tangent() const {
  return options_.exact_tangent ? Tangent::exact : Tangent::safe;
}

/// Newton's method; where the tangent has negative curvature, the part of it that has none.
void FullBody::solve_stvk() {
  constexpr double kForcing = 0.01;  // how well a Newton direction is solved for
  choose_stvk_start();
  for (int k = 0; k < options_.stvk_newton_iterations; ++k) {
    end_ = x_ + h_ * trial_v_;
    elasticity_->linearise(end_);
    evaluate_residual(trial_v_, k);
    const double scale = residual_scale();
    const double residual = r_.norm();
    status_.residual = scale > 0 ? residual / scale : 0;
    status_.converged = status_.residual <= tolerance();
    if (status_.converged) return;
    gradient_ = -r_;
    const double goal = std::max(0.5 * tolerance() * scale, kForcing * residual);
    assemble(Tangent::exact);
    const KrylovStatus solved = solve_linear(goal);
    bool found = !solved.negative_curvature && search(k);
    if (!found) {
      r_ = -gradient_;
      assemble(Tangent::safe);
      solve_linear(goal);
      found = search(k);
    }
    ++status_.newton_iterations;
    if (!found) return;
  }
}

/// The old velocities, or none where those lead to a worse place.
void FullBody::choose_stvk_start() {
  trial_v_ = v_;
  const double as_before = potential(trial_v_);
  base_v_ = trial_v_;
  for (const int node : mesh_.free().nodes()) trial_v_.row(node).setZero();
  if (as_before <= potential(trial_v_)) trial_v_ = base_v_;
}

/// r = M (v₀ − (1+hα) v) + h (all forces), and `end_` = x + h v.
void FullBody::evaluate_residual(const Positions& velocities, int pass) {
  end_ = x_ + h_ * velocities;
  forces_.setZero();
  elasticity_->add_step_forces(end_, velocities, options_.damping.stiffness, forces_);
  const NodeMotion motion{x_, end_, velocities, h_};
  for_each_attachment([&](Attachment& attachment) {
    attachment.linearise(motion, pass);
    attachment.add_forces(motion, forces_);
  });
  scratch_ = start_v_ - (1 + h_ * options_.damping.mass) * velocities;
  mesh_.multiply_mass(scratch_, mass_times_);
  scratch_ = mass_times_ + h_ * (forces_ + outer_);
  mesh_.gather(scratch_, r_);
}

/// Residuals are compared with the momenta before the step and the impulses during it, as they are
/// at the iterate: a poor start may have far larger ones.
double FullBody::residual_scale() {
  const auto norm = [&](const Positions& field) {
    double sum = 0;
    for (const int node : mesh_.free().nodes()) sum += field.row(node).squaredNorm();
    return std::sqrt(sum);
  };
  mesh_.multiply_mass(start_v_, mass_times_);
  const double momenta = norm(mass_times_);
  // A hard handle's force says how hard it is, not how large the forces in the body are.
  const NodeMotion motion{x_, end_, trial_v_, h_};
  scratch_.setZero();
  springs_.add_forces(motion, scratch_);
  forces_ -= scratch_;
  const double scale =
      momenta + h_ * (norm(outer_) + norm(forces_) + springs_.softened_force(end_));
  refuse_overflow(scale);
  return scale;
}

/// The matrix of the step, unless it is there or its products come without it.
void FullBody::assemble(Tangent kind) {
  preconditioner_->set_rotations(elasticity_->node_rotations());
  if (by_products() || constant_system()) return;
  if (elasticity_->constant()) {
    A_ = constant_matrix_;
  } else {
    mesh_.set_mass(1 + h_ * options_.damping.mass, A_);
    elasticity_->add_tangent(h_ * h_, h_ * options_.damping.stiffness, kind, A_);
  }
  if (!attached()) return;
  add_attached(h_ * h_, h_);
  attached_preconditioner_->set(*preconditioner_, elasticity_->node_rotations(), attached_blocks_);
}

/// A += elastic · (−∂f/∂x) + damping · (−∂f/∂v) of handles and ground.
void FullBody::add_attached(double elastic, double damping) {
  attached_blocks_.clear();
  for_each_attachment([&](const Attachment& attachment) {
    attachment.add_blocks(elastic, damping, attached_blocks_);
  });
  for (const AttachedBlock& block : attached_blocks_) {
    A_.block(A_.pattern().diagonal[block.row]) += block.matrix;
  }
}

const Preconditioner& FullBody::preconditioner() const {
  if (attached()) return *attached_preconditioner_;
  return *preconditioner_;
}

/// y = ((1+hα) M + (h²+hβ) K) x.
class FullBody::StepProduct final : public LinearOperator {
 public:
  explicit StepProduct(FullBody& body) : body_(body) {}
  void apply(const Vector& x, Vector& y) const override {
    const double h = body_.h_;
    const Damping& damping = body_.options_.damping;
    Positions& field = body_.scratch_;
    Positions& product = body_.mass_times_;
    field.setZero();
    body_.mesh_.add_scattered(1 + h * damping.mass, x, field);
    body_.mesh_.multiply_mass(field, product);
    const double stiffness = (h * h + h * damping.stiffness) / (1 + h * damping.mass);
    body_.elasticity_->add_product(stiffness, field, product);
    body_.mesh_.gather(product, y);
  }

 private:
  FullBody& body_;
};

KrylovStatus FullBody::solve_linear(double goal) {
  direction_.setZero();
  const std::clock_t begin = std::clock();
  const KrylovStatus solved = elasticity_->symmetric() ? solve_symmetric(goal) : solve_warped(goal);
  status_.solver_iterations += solved.iterations;
  status_.solver_seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return solved;
}

KrylovStatus FullBody::solve_symmetric(double goal) {
  const auto solve = [&](const LinearOperator& A) {
    return krylov_.conjugate_gradients(A, preconditioner(), goal, options_.most_solver_iterations,
                                       direction_, r_);
  };
  if (by_products()) return solve(StepProduct(*this));
  return solve(BlockOperator(constant_system() ? constant_matrix_ : A_));
}

KrylovStatus FullBody::solve_warped(double goal) {
  constexpr int kMost = 200;  // four restarts: what is not solved by then stagnates
  const int most = std::min(kMost, options_.most_solver_iterations);
  const auto solve = [&](const LinearOperator& A) {
    return krylov_.conjugate_residuals(A, preconditioner(), goal, most, direction_, r_);
  };
  return passes_on() ? solve(StepProduct(*this)) : solve(BlockOperator(A_));
}

/// Goes along the direction as far as the potential falls. Close to the solution, where its changes
/// drown in rounding, the residual decides. False: no way down was found.
bool FullBody::search(int pass) {
  constexpr double kSufficient = 1e-4;  // Armijo's rule
  constexpr double kRounding = 1e-11;
  constexpr double kShortest = 1e-4;
  const double slope = gradient_.dot(direction_);
  if (!(slope < 0)) return false;
  base_v_ = trial_v_;
  const double start = potential(base_v_);
  for (double s = 1; s > kShortest; s /= 2) {
    trial_v_ = base_v_;
    mesh_.add_scattered(s, direction_, trial_v_);
    const double value = potential(trial_v_);
    if (value <= start + kSufficient * s * slope) return true;
    if (std::abs(value - start) > kRounding * std::abs(start)) continue;
    evaluate_residual(trial_v_, pass);
    if (r_.norm() < gradient_.norm()) return true;
  }
  trial_v_ = base_v_;
  return false;
}

/// What the residual is minus the gradient of, friction and damped handles apart; infinite where a
/// tet is inside out.
double FullBody::potential(const Positions& velocities) {
  end_ = x_ + h_ * velocities;
  if (!(smallest_volume_ratio(mesh_.tets(), end_).ratio > 0)) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = elasticity_->energy(end_) - h_ * outer_.cwiseProduct(velocities).sum();
  for_each_attachment([&](const Attachment& attachment) { sum += attachment.energy(end_); });
  scratch_ = velocities - start_v_;
  sum += mesh_.kinetic_energy(scratch_) +
         h_ * options_.damping.mass * mesh_.kinetic_energy(velocities);
  if (options_.damping.stiffness > 0) {
    scratch_.setZero();
    elasticity_->add_forces(end_, scratch_);
    mass_times_.setZero();
    elasticity_->add_step_forces(end_, velocities, options_.damping.stiffness, mass_times_);
    sum -= h_ / 2 * (mass_times_ - scratch_).cwiseProduct(velocities).sum();
  }
  return sum;
}

}  // namespace limber
