// The least-squares problem of unwrap.h by Gauss-Newton, each step by conjugate gradients.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "limber/core/rotation.h"
#include "limber/interpolate/coordinates/unwrap.h"

namespace limber {

namespace {

/// κ. Shear tilts elements to and fro from one to the next; from 1 upward that is smoothed away,
/// and slow turns of the axis are kept (bars of 3 turns: 0.03 and 0.3 leave jumps, 1 and 3 none).
constexpr double kSmoothness = 3;
constexpr int kMostRounds = 20;
constexpr double kSmallestStep = 1e-3;  // rad; the exact part is put back afterwards
constexpr int kMostIterations = 300;
constexpr double kResidual = 1e-2;  // of a Gauss-Newton step, which is inexact anyway

class RotationSmoother {
 public:
  RotationSmoother(const Elements& elements, const Positions& logs, Positions& w)
      : elements_(elements), logs_(logs), w_(w) {}

  void run() {
    for (int step = 0; step < kMostRounds; ++step) {
      linearise();
      const Positions change = solve();
      w_ += change;
      if (change.cwiseAbs().maxCoeff() < kSmallestStep) return;
    }
  }

 private:
  void linearise() {
    const int count = elements_.element_count();
    normal_.resize(count);
    inverse_.resize(count);
    right_.resize(count, 3);
    for (int element = 0; element < count; ++element) {
      const Vec3 w = w_.row(element);
      const Mat3 J = mean_rotation(-w);
      const Vec3 lacking = rotation_log(rotation_exp(-w) * rotation_exp(logs_.row(element)));
      Vec3 right = J.transpose() * lacking;
      for (const int other : elements_.neighbours(element)) {
        right += kSmoothness * (w_.row(other).transpose() - w);
      }
      const double links = static_cast<double>(elements_.neighbours(element).size());
      normal_[element] = J.transpose() * J + kSmoothness * links * Mat3::Identity();
      // A lone element turned by 2πk is the only one that could be singular.
      inverse_[element] = (normal_[element] + 1e-12 * Mat3::Identity()).inverse();
      right_.row(element) = right.transpose();
    }
  }

  [[nodiscard]] Positions apply(const Positions& x) const {
    Positions result(x.rows(), 3);
    for (int element = 0; element < elements_.element_count(); ++element) {
      Vec3 sum = normal_[element] * x.row(element).transpose();
      for (const int other : elements_.neighbours(element)) {
        sum -= kSmoothness * x.row(other).transpose();
      }
      result.row(element) = sum.transpose();
    }
    return result;
  }

  [[nodiscard]] Positions precondition(const Positions& x) const {
    Positions result(x.rows(), 3);
    for (int element = 0; element < elements_.element_count(); ++element) {
      result.row(element) = (inverse_[element] * x.row(element).transpose()).transpose();
    }
    return result;
  }

  [[nodiscard]] Positions solve() const {
    Positions x = Positions::Zero(right_.rows(), 3);
    Positions residual = right_;
    Positions direction = precondition(residual);
    double rho = residual.cwiseProduct(direction).sum();
    const double target = kResidual * kResidual * rho;
    for (int k = 0; k < kMostIterations && rho > target; ++k) {
      const Positions image = apply(direction);
      const double length = rho / direction.cwiseProduct(image).sum();
      x += length * direction;
      residual -= length * image;
      const Positions next = precondition(residual);
      const double next_rho = residual.cwiseProduct(next).sum();
      direction = next + (next_rho / rho) * direction;
      rho = next_rho;
    }
    return x;
  }

  const Elements& elements_;  // the references live as long as one call of smooth_large_rotations
  const Positions& logs_;
  Positions& w_;
  std::vector<Mat3> normal_;   // JᵀJ + κ·links, the diagonal blocks
  std::vector<Mat3> inverse_;  // of normal_: block Jacobi
  Positions right_;
};

}  // namespace

void smooth_large_rotations(const Elements& elements, const Positions& logs, Positions& w) {
  if (w.rowwise().norm().maxCoeff() <= kExactAngle) return;
  Positions smooth = w;
  RotationSmoother(elements, logs, smooth).run();
  for (int element = 0; element < elements.element_count(); ++element) {
    w.row(element) = lift_near(logs.row(element), smooth.row(element)).transpose();
  }
}

}  // namespace limber
