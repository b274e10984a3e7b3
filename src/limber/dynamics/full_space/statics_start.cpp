// Where statics of free bodies start: on the ground, or hanging on their handles.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/guard.h"
#include "limber/dynamics/full_space/statics.h"

namespace limber {

/// A body that nothing holds has no rest unless its loads balance each other; a ground takes what
/// presses on it.
void Statics::refuse_fall() {
  constexpr double kBalanced = 1e-9;  // of the forces' sum of lengths
  set_outer_forces();
  const double all = outer_.rowwise().norm().sum();
  refuse_overflow(all);
  if (system_.springs.holds()) return;
  Vec3 total = outer_.colwise().sum().transpose();
  if (system_.ground) {
    const Vec3& normal = system_.ground->normal();
    total -= std::min(0.0, total.dot(normal)) * normal;
  }
  if (total.norm() <= kBalanced * all) return;
  throw Error("a free body has no rest under these loads: nothing holds it", time_text(time_),
              "fix nodes, hold it by a handle or lay it on a level ground",
              Error::Kind::work_failed);
}

/// Puts the body, as it is at rest, on the ground; a little into it, so that it touches.
void Statics::lay_down() {
  constexpr double kDepth = 1e-6;  // of the body's size
  const double size = extent(system_.mesh.mesh().V);
  const Vec3 down = -(system_.ground->lowest_gap(x_) + kDepth * size) * system_.ground->normal();
  x_.rowwise() += down.transpose();
  laid_ = x_;
}

/// A body on the ground rests anywhere on it, turned any way about the normal: where it was laid
/// down is as good as where the solver has pushed it.
void Statics::undo_slide() {
  if (laid_.rows() == 0 || system_.elasticity->constant()) return;  // linear bodies must not turn
  const Vec3& normal = system_.ground->normal();
  const Vec3 was = laid_.colwise().mean().transpose();
  const Vec3 is = x_.colwise().mean().transpose();
  double sine = 0, cosine = 0;
  for (Eigen::Index i = 0; i < x_.rows(); ++i) {
    const Vec3 a = normal.cross(laid_.row(i).transpose() - was);
    const Vec3 b = normal.cross(x_.row(i).transpose() - is);
    sine += normal.dot(b.cross(a));
    cosine += b.dot(a);
  }
  const Mat3 back = rotation_exp(std::atan2(sine, cosine) * normal);
  const Vec3 centre = was + normal.dot(is - was) * normal;
  x_ = ((x_.rowwise() - is.transpose()) * back.transpose()).rowwise() + centre.transpose();
}

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// A rigid body on springs under dead loads: its potential U, and U's derivatives for a shift and
/// then a turn (a rotation vector times `size`) about `centre`.
struct Hanging {
  Vec3 centre;
  double size;
  double U = 0;
  Vector6 gradient = Vector6::Zero();
  Matrix6 hessian = Matrix6::Zero();

  /// −f·x, where x = c + a turns to c + exp(ω) a: −f·(ω×a) − f·(ω×(ω×a))/2.
  void add_force(const Vec3& x, const Vec3& f) {
    const Vec3 arm = (x - centre) / size;
    gradient.head<3>() -= f;
    gradient.tail<3>() -= arm.cross(f);
    const Mat3 product = arm * f.transpose();
    hessian.bottomRightCorner<3, 3>() +=
        (arm.dot(f) * Mat3::Identity() - (product + product.transpose()) / 2) / size;
  }
  void add_spring(const Vec3& x, const Vec3& target, double k) {
    U += k / 2 * (x - target).squaredNorm();
    add_force(x, k * (target - x));
    Eigen::Matrix<double, 3, 6> moves;
    moves << Mat3::Identity(), -skew((x - centre) / size);
    hessian += k * moves.transpose() * moves;
  }
  /// Downhill also where the potential bends down (Dauphin et al. 2014): −|H|⁻¹ g, at most a
  /// quarter of the size.
  [[nodiscard]] Vector6 step() const {
    constexpr double kFlat = 1e-9;
    constexpr double kFarthest = 0.25;
    const Eigen::SelfAdjointEigenSolver<Matrix6> own(hessian);
    const Vector6 curvature = own.eigenvalues().cwiseAbs();
    const double least = kFlat * curvature.maxCoeff();
    if (!(least > 0)) return Vector6::Zero();
    const Vector6 along = own.eigenvectors().transpose() * gradient;
    const Vector6 whole = -own.eigenvectors() * along.cwiseQuotient(curvature.cwiseMax(least));
    return whole * std::min(1.0, kFarthest * size / whole.norm());
  }
};

}  // namespace

/// Turns and moves the body, as rigid as it is, to where its handles hold it against the loads: a
/// pendulum hangs down, and Newton's method need not turn it there through all its tets. Linear
/// bodies must not turn.
void Statics::hang() {
  if (system_.elasticity->constant()) return;
  constexpr int kMostSteps = 200;
  constexpr double kStill = 1e-9;  // of the size
  const double size = extent(x_);
  const auto look = [&](const Positions& state) {
    Hanging hanging{state.colwise().mean().transpose(), size};
    for (Eigen::Index i = 0; i < state.rows(); ++i) {
      const Vec3 force = outer_.row(i).transpose();
      hanging.U -= force.dot(state.row(i));
      hanging.add_force(state.row(i).transpose(), force);
    }
    for (const PointSpring& spring : system_.springs.all()) {
      if (!spring.ties_to_a_place()) continue;
      hanging.add_spring(spring.point.sum(state), spring.target, spring.stiffness);
    }
    return hanging;
  };
  Hanging now = look(x_);
  double part = 1;
  for (int k = 0; k < kMostSteps && part > kStill; ++k) {
    const Vector6 step = part * now.step();
    if (!(step.norm() > kStill * size)) break;
    const Mat3 turn = rotation_exp(step.tail<3>() / size);
    const Vec3 centre = now.centre + step.head<3>();
    const Positions moved =
        ((x_.rowwise() - now.centre.transpose()) * turn.transpose()).rowwise() + centre.transpose();
    const Hanging there = look(moved);
    if (!(there.U < now.U)) {
      part /= 2;
      continue;
    }
    x_ = moved;
    now = there;
    part = std::min(1.0, 2 * part);
  }
}

}  // namespace limber
