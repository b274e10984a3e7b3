// Static equilibrium of a full-resolution body: Newton's method with load steps.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/core/solvers/cholesky.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/fem/stvk.h"

namespace limber {

/// Solves f_elastic(x) + f_attached(x) + load · f_outer(x) = 0 for growing `load`.
struct FullBody::Statics {
  FullBody& body;
  const SettleOptions& options;
  FrameState frame;
  double load = 0;
  double relative = 0;  // residual
  double rounding = 0;  // what it cannot fall below, N
  int iterations = 0;
  int most_iterations;
  Positions x, base;
  Positions laid;  // a free body on the ground, before it was pressed flat
  std::optional<Cholesky> factor;
  std::unique_ptr<RestPreconditioner> preconditioner;
  SparseMatrix matrix;

  Statics(FullBody& owner, const SettleOptions& settle_options)
      : body(owner),
        options(settle_options),
        frame(owner.free_body_ ? owner.frame_ : owner.support_.at(owner.time_)),
        most_iterations(settle_options.most_iterations),
        x(owner.x_) {
    for (const int node : body.mesh_.free().nodes()) x.row(node) = body.mesh_.mesh().V.row(node);
    body.elasticity_->linearise(x);
    body.A_.set_zero();
    body.elasticity_->add_tangent(1, 0, Tangent::safe, body.A_);
    if (body.ground_) {
      body.ground_->set_stiffness(body.A_, 1);
      body.ground_->begin_step(frame, frame);
    }
    body.springs_.begin_step(body.time_);
    body.refuse_overflow(body.A_.norm());
    if (body.free_body_) {
      refuse_fall();
      if (body.ground_ && !body.springs_.active()) lay_down();
      body.mesh_.set_mass(holding_inertia(1e-6), body.A_);
      body.elasticity_->add_tangent(1, 0, Tangent::safe, body.A_);
    }
    rounding = 2e-15 * body.A_.norm() * x.cwiseAbs().maxCoeff();
    matrix = body.A_.to_sparse();
  }

  /// Where nothing holds the body, its inertia does, as in a long time step; 1/s². `part` of the
  /// stiffness: for factors in single precision 1e-6, in double 1e-12.
  [[nodiscard]] double holding_inertia(double part) const {
    return part * body.A_.norm() / body.mesh_.total_mass();
  }

  /// A body that nothing holds has no rest unless its loads balance each other; a ground takes what
  /// presses on it.
  void refuse_fall() {
    constexpr double kBalanced = 1e-9;  // of the forces' sum of lengths
    body.find_outer_forces({body.time_, body.time_}, frame, x);
    const double all = body.outer_.rowwise().norm().sum();
    body.refuse_overflow(all);
    if (body.springs_.active()) return;
    Vec3 total = body.outer_.colwise().sum().transpose();
    if (body.ground_) {
      const Vec3& normal = body.ground_->normal();
      total -= std::min(0.0, total.dot(normal)) * normal;
    }
    if (total.norm() <= kBalanced * all) return;
    throw Error("a free body has no rest under these loads: nothing holds it", body.at_time(),
                "fix nodes, hold it by a handle or lay it on a level ground",
                Error::Kind::work_failed);
  }

  /// Puts the body, as it is at rest, on the ground; a little into it, so that it touches.
  void lay_down() {
    constexpr double kDepth = 1e-6;  // of the body's size
    const Positions& V = body.mesh_.mesh().V;
    const double size = (V.colwise().maxCoeff() - V.colwise().minCoeff()).maxCoeff();
    const Vec3 down = -(body.ground_->lowest_gap(x) + kDepth * size) * body.ground_->normal();
    x.rowwise() += down.transpose();
    laid = x;
  }

  /// A body on the ground rests anywhere on it, turned any way about the normal: where it was laid
  /// down is as good as where the solver has pushed it.
  void undo_slide() {
    if (laid.rows() == 0 || body.elasticity_->constant()) return;  // linear bodies must not turn
    const Vec3& normal = body.ground_->normal();
    const Vec3 was = laid.colwise().mean().transpose();
    const Vec3 is = x.colwise().mean().transpose();
    double sine = 0, cosine = 0;
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      const Vec3 a = normal.cross(laid.row(i).transpose() - was);
      const Vec3 b = normal.cross(x.row(i).transpose() - is);
      sine += normal.dot(b.cross(a));
      cosine += b.dot(a);
    }
    const Mat3 back = rotation_exp(std::atan2(sine, cosine) * normal);
    const Vec3 centre = was + normal.dot(is - was) * normal;
    x = ((x.rowwise() - is.transpose()) * back.transpose()).rowwise() + centre.transpose();
  }

  [[nodiscard]] NodeMotion motion() const { return {x, x, body.v_, 0}; }

  /// Leaves the residual in r_ and returns its norm relative to the loads.
  double evaluate() {
    body.find_outer_forces({body.time_, body.time_}, frame, x);
    body.elasticity_->linearise(x);
    Positions& forces = body.forces_;
    forces.setZero();
    body.for_each_attachment([&](Attachment& attachment) {
      attachment.linearise(motion(), 0);
      attachment.add_forces(motion(), forces);
    });
    forces += load * body.outer_;
    body.mesh_.gather(forces, body.r_);
    const double scale = body.r_.norm();
    body.refuse_overflow(scale);
    body.scratch_.setZero();
    body.elasticity_->add_forces(x, body.scratch_);
    if (body.free_body_ && !body.elasticity_->symmetric()) body.keeper_.balance(x, body.scratch_);
    forces += body.scratch_;
    body.mesh_.gather(forces, body.r_);
    const double residual = std::max(0.0, body.r_.norm() - rounding);
    return scale > 0 ? residual / scale : residual;
  }

  /// −∂r/∂x p by forward differences. The step is a compromise between rounding (1e-16 / ε) and
  /// curvature (ε): √1e-16 of the body's size.
  class ForceDifferences final : public LinearOperator {
   public:
    explicit ForceDifferences(Statics& statics)
        : statics_(statics), base_(statics.x), residual_(statics.body.r_) {}

    void apply(const Vector& p, Vector& y) const override {
      const double largest = p.lpNorm<Eigen::Infinity>();
      if (!(largest > 0)) {
        y.setZero();
        return;
      }
      const double epsilon = 1e-8 * base_.cwiseAbs().maxCoeff() / largest;
      statics_.body.mesh_.add_scattered(epsilon, p, statics_.x);
      statics_.evaluate();
      statics_.x = base_;
      y = (residual_ - statics_.body.r_) / epsilon;
    }

   private:
    Statics& statics_;
    Positions base_;
    Vector residual_;
  };

  /// False: negative curvature.
  bool factor_tangent(Tangent kind, double shift) {
    body.mesh_.set_mass(shift, body.A_);
    body.elasticity_->add_tangent(1, 0, kind, body.A_);
    body.for_each_attachment(
        [&](const Attachment& attachment) { attachment.add_tangent(1, 0, body.A_); });
    body.A_.copy_to(matrix);
    try {
      if (factor) {
        factor->refactor(matrix);
      } else {
        factor.emplace(matrix, Cholesky::Options{Cholesky::Backend::automatic, 3});
      }
    } catch (const Error&) {
      return false;
    }
    return true;
  }

  void find_direction() {
    if (!body.elasticity_->symmetric()) return find_direction_by_differences();
    body.direction_ = body.r_;
    double shift = body.free_body_ ? holding_inertia(1e-12) : 0;
    Tangent kind = Tangent::exact;
    while (!factor_tangent(kind, shift)) {
      if (kind == Tangent::exact) {
        kind = Tangent::safe;
      } else {
        shift = std::max(holding_inertia(1e-6), 10 * shift);
        body.refuse_overflow(shift);
      }
    }
    factor->solve_in_place(body.direction_);
  }

  /// Newton's direction where nobody wrote the tangent down: forces' differences stand for it.
  void find_direction_by_differences() {
    constexpr double kForcing = 1e-3;
    if (!preconditioner) {
      preconditioner = make_preconditioner(body.A_, body.options_.preconditioner,
                                           body.options_.largest_factor_bytes);
    }
    preconditioner->set_rotations(body.elasticity_->node_rotations());
    Vector residual = body.r_;
    body.direction_.setZero();
    const ForceDifferences A(*this);
    body.krylov_.conjugate_residuals(A, *preconditioner, kForcing * residual.norm(),
                                     body.options_.most_solver_iterations, body.direction_,
                                     residual);
    evaluate();
  }

  [[nodiscard]] double potential() {
    if (body.options_.method == FullMethod::stvk &&
        !(smallest_volume_ratio(body.mesh_.tets(), x).ratio > 0)) {
      return std::numeric_limits<double>::infinity();
    }
    double sum = body.elasticity_->energy(x) - load * body.outer_.cwiseProduct(x).sum();
    body.for_each_attachment([&](const Attachment& a) { sum += a.energy(x); });
    return sum;
  }

  /// Without a potential the residual has to fall.
  bool search_by_residual() {
    constexpr double kShortest = 0.05;
    const double start = body.r_.norm();
    base = x;
    for (double s = 1; s > kShortest; s /= 2) {
      x = base;
      body.mesh_.add_scattered(s, body.direction_, x);
      evaluate();
      if (body.r_.norm() < start) return true;
    }
    x = base;
    return false;
  }

  bool search() {
    if (!body.elasticity_->symmetric()) return search_by_residual();
    constexpr double kSufficient = 1e-4;  // Armijo's rule
    constexpr double kRounding = 1e-12;
    constexpr double kShortest = 1e-3;
    const double slope = -body.r_.dot(body.direction_);
    const double start_residual = body.r_.norm();
    const double start = potential();
    base = x;
    for (double s = 1; s > kShortest; s /= 2) {
      x = base;
      body.mesh_.add_scattered(s, body.direction_, x);
      const double value = potential();
      if (value <= start + kSufficient * s * slope) return true;
      if (std::abs(value - start) > kRounding * std::abs(start)) continue;
      evaluate();
      if (body.r_.norm() < start_residual) return true;
    }
    x = base;
    return false;
  }

  /// Newton's method at the present load.
  bool solve(int most) {
    for (int k = 0; k < most; ++k) {
      relative = evaluate();
      if (!std::isfinite(relative)) return false;
      if (relative <= options.tolerance) return true;
      if (iterations >= most_iterations) return false;
      ++iterations;
      find_direction();
      if (!search()) return false;
    }
    relative = evaluate();
    return relative <= options.tolerance;
  }

  /// Half the way to where the body would go if its rotations stayed and its inertia held it back.
  /// Newton's method has failed before, so there is a preconditioner.
  void creep(double inertia) {
    constexpr double kForcing = 0.01;
    constexpr double kPart = 0.5;
    body.mesh_.set_mass(inertia, body.A_);
    body.elasticity_->add_tangent(1, 0, Tangent::safe, body.A_);
    body.for_each_attachment(
        [&](const Attachment& attachment) { attachment.add_tangent(1, 0, body.A_); });
    preconditioner->set_rotations(body.elasticity_->node_rotations());
    body.direction_.setZero();
    const BlockOperator A(body.A_);
    body.krylov_.conjugate_residuals(A, *preconditioner, kForcing * body.r_.norm(),
                                     body.options_.most_solver_iterations, body.direction_,
                                     body.r_);
    body.mesh_.add_scattered(kPart, body.direction_, x);
  }

  /// Without a potential the path from the unloaded body may turn back before the full load, though
  /// a body that swings under it comes to rest. So this creeps to that rest like a heavily damped
  /// body, by a twentieth of its size at most, and lets Newton's method do what is left.
  bool relax() {
    constexpr double kClose = 1e-2;  // relative residual from which Newton's method is tried
    constexpr double kFarthest = 0.1;
    constexpr int kMostNewton = 10;
    most_iterations = iterations + options.most_iterations;
    load = 1;
    relative = evaluate();
    const Eigen::RowVector3d extent = x.colwise().maxCoeff() - x.colwise().minCoeff();
    const double inertia = body.outer_.rowwise().norm().sum() /
                           (body.mesh_.total_mass() * kFarthest * extent.maxCoeff());
    double next_trial = kClose;
    while (iterations < most_iterations && std::isfinite(relative)) {
      if (relative <= next_trial) {
        const Positions crept = x;
        if (solve(kMostNewton)) return true;
        x = crept;
        next_trial = relative / 4;
      }
      evaluate();
      creep(inertia);
      relative = evaluate();
      ++iterations;
    }
    return false;
  }

  /// Follows the path from the unloaded body; steps shrink where Newton's method fails.
  bool follow() {
    constexpr int kMostNewton = 30;
    constexpr double kSmallestStep = 1e-3;
    double step = 1;
    double reached = 0;
    Positions good = x;
    while (reached < 1) {
      load = std::min(1.0, reached + step);
      if (solve(kMostNewton)) {
        reached = load;
        good = x;
        step *= 2;
      } else {
        x = good;
        step = (load - reached) / 4;
        if (step < kSmallestStep || iterations >= most_iterations) return false;
      }
    }
    return true;
  }
};

SettleStatus FullBody::settle(const SettleOptions& options) {
  Statics statics(*this, options);
  SettleStatus status;
  status.converged = statics.follow() || (!elasticity_->symmetric() && statics.relax());
  status.iterations = statics.iterations;
  statics.load = 1;
  status.residual = statics.evaluate();
  refuse_overflow(status.residual);
  if (status.converged) refuse_stretch(statics.x);
  statics.undo_slide();
  frame_ = statics.frame;
  x_ = statics.x;
  v_.setZero();
  forget_history();
  h_ = 0;  // matrices and the ground's springs were used for statics
  return status;
}

}  // namespace limber
