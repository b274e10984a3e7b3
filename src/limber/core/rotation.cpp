#include "limber/core/rotation.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>

namespace limber {

namespace {

/// R(w) = I + a [w]× + b [w]×², R~(w) = I + b [w]× + c [w]×², all functions of t = |w|²:
/// a = sin θ/θ, b = (1−cos θ)/θ², c = (θ−sin θ)/θ³, each with its derivative by t.
struct Coefficients {
  double a, b, c;
  double da, db, dc;
};

/// Below this t the power series lose nothing; above it the closed forms lose at most a few ulp.
constexpr double kSeriesLimit = 1.0;

/// Ten terms reach rounding for t ≤ 1: the first one left out is below 1/21!, in derivatives
/// 10/21!.
constexpr int kTerms = 10;

/// 1/(2k+first)! of the k-th term.
template <int first>
constexpr std::array<double, kTerms> kInverseFactorials = [] {
  std::array<double, kTerms> terms{};
  double factorial = 1;
  for (int i = 2; i <= first; ++i) factorial *= i;
  for (int k = 0; k < kTerms; ++k) {
    terms[static_cast<std::size_t>(k)] = 1 / factorial;
    factorial *= (2 * k + first + 1) * (2 * k + first + 2);
  }
  return terms;
}();

/// Σ_k (−t)^k / (2k+first)! and its derivative by t, by Horner's rule.
template <int first>
std::pair<double, double> factorial_series(double t) {
  constexpr const std::array<double, kTerms>& terms = kInverseFactorials<first>;
  double value = terms[kTerms - 1];
  double derivative = 0;
  for (std::size_t k = kTerms - 1; k-- > 0;) {
    derivative = value - derivative * t;
    value = terms[k] - value * t;
  }
  return {value, -derivative};
}

Coefficients coefficients(double t) {
  Coefficients k{};
  if (t < kSeriesLimit) {
    std::tie(k.a, k.da) = factorial_series<1>(t);
    std::tie(k.b, k.db) = factorial_series<2>(t);
    std::tie(k.c, k.dc) = factorial_series<3>(t);
    return k;
  }
  const double angle = std::sqrt(t);
  const double half_sine = std::sin(angle / 2);
  k.a = std::sin(angle) / angle;
  k.b = 2 * half_sine * half_sine / t;
  k.c = (1 - k.a) / t;
  k.da = (std::cos(angle) - k.a) / (2 * t);
  k.db = (k.a - 2 * k.b) / (2 * t);
  k.dc = (-2 * k.da - 2 * k.c) / (2 * t);
  return k;
}

/// I + first [w]× + second [w]×².
Mat3 combine(const Vec3& w, double first, double second) {
  const Mat3 W = skew(w);
  return Mat3::Identity() + first * W + second * (W * W);
}

/// d/dw of u + f(t) w×u + g(t) w×(w×u), given f, g and their derivatives by t = |w|².
Mat3 derivative(const Vec3& w, const Vec3& u, double f, double df, double g, double dg) {
  const Vec3 wu = w.cross(u);
  const Vec3 wwu = w.cross(wu);
  return -f * skew(u) +
         g * (w * u.transpose() + w.dot(u) * Mat3::Identity() - 2 * u * w.transpose()) +
         2 * (df * wu + dg * wwu) * w.transpose();
}

}  // namespace

Mat3 skew(const Vec3& w) {
  Mat3 W;
  W << 0, -w.z(), w.y(),  //
      w.z(), 0, -w.x(),   //
      -w.y(), w.x(), 0;
  return W;
}

Mat3 rotation_exp(const Vec3& w) {
  const Coefficients k = coefficients(w.squaredNorm());
  return combine(w, k.a, k.b);
}

Vec3 rotation_log(const Mat3& R) {
  Eigen::Quaterniond q(R);
  q.normalize();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  // At the identity 2 atan2(sine, w)/sine tends to 2/w = 2.
  const double scale = sine > 0 ? 2 * std::atan2(sine, q.w()) / sine : 2;
  return scale * q.vec();
}

Mat3 mean_rotation(const Vec3& w) {
  const Coefficients k = coefficients(w.squaredNorm());
  return combine(w, k.b, k.c);
}

Mat3 mean_rotation_derivative(const Vec3& w, const Vec3& u) {
  const Coefficients k = coefficients(w.squaredNorm());
  return derivative(w, u, k.b, k.db, k.c, k.dc);
}

Mat3 rotation_derivative(const Vec3& w, const Vec3& u) {
  const Coefficients k = coefficients(w.squaredNorm());
  return derivative(w, u, k.a, k.da, k.b, k.db);
}

Mat3 mean_rotation_inverse(const Vec3& w) {
  // Across the axis R~ multiplies by the complex number z = s e^{iθ/2}, s = sin(θ/2)/(θ/2); along
  // it by one. The inverse is conj(z)/s², its amplification held at 1/kSmallest near |w| = 2πk.
  constexpr double kSmallest = 1e-3;
  const double t = w.squaredNorm();
  if (t < 1e-4) return combine(w, -0.5, 1.0 / 12 + t / 720);  // next term t²/30240 < 4e-13
  const double half = std::sqrt(t) / 2;
  const double s = std::sin(half) / half;
  const double scale = s / std::max(s * s, kSmallest * kSmallest);
  return combine(w, -scale * std::sin(half) / (2 * half), (1 - scale * std::cos(half)) / t);
}

Eigen::Quaterniond turn_between(const Vec3& from, const Vec3& to) {
  // Half-way vectors: q = (from · half, from × half). Nearly opposite vectors have none.
  const Vec3 sum = from + to;
  const double length = sum.norm();
  if (length < 1e-8) {
    const Vec3 axis = from.unitOrthogonal();
    return {0, axis.x(), axis.y(), axis.z()};
  }
  const Vec3 half = sum / length;
  const Vec3 axis = from.cross(half);
  return Eigen::Quaterniond(from.dot(half), axis.x(), axis.y(), axis.z()).normalized();
}

Mat3 polar_rotation(const Mat3& F) {
  if (!F.allFinite()) return Mat3::Identity();
  const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 U = svd.matrixU();
  const Mat3 V = svd.matrixV();
  // Singular values descend, so turning the last column costs least.
  if ((U * V.transpose()).determinant() < 0) U.col(2) = -U.col(2);
  return U * V.transpose();
}

}  // namespace limber
