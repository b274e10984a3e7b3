// Handles whose forces act elsewhere than at what they hold: whether a body swings up under them.
#include <cmath>

#include "limber/constraint/handle_solver.h"
#include "limber/constraint/prioritised.h"

namespace limber {

namespace {

/// The largest |eigenvalue|, as lim ‖Aⁿ‖^(1/n) for n = 2³⁶ (Gelfand): to rounding, also where
/// eigenvectors are missing.
double spectral_radius(Eigen::MatrixXd A) {
  constexpr int kSquarings = 36;
  double logarithm = 0;
  double share = 1;
  Eigen::MatrixXd square(A.rows(), A.cols());
  for (int k = 0; k <= kSquarings; ++k) {
    const double size = A.norm();
    if (!(size > 0)) return 0;
    logarithm += share * std::log(size);
    A /= size;
    square.noalias() = A * A;
    A.swap(square);
    share /= 2;
  }
  return std::exp(logarithm);
}

}  // namespace

bool HandleSolver::is_collocated() const {
  for (const Task* task : {&first_, &second_}) {
    for (const HeldPoint* held : task->handles) {
      if (held->handle.kind != HandleKind::position) continue;
      const auto& exercised = held->handle.exercised;
      const bool found = std::any_of(exercised.begin(), exercised.end(), [&](const BodyPoint& p) {
        return p.nodes == held->handle.point.nodes && p.weights == held->handle.point.weights;
      });
      if (!found) return false;
    }
  }
  return true;
}

/// The largest eigenvalue of the map of (q, v) over a step with targets at zero, about the rest
/// shape: modes go on freely, forces at the exercised points bring the held ones back.
double HandleSolver::growth(const StepContext& step) const {
  if (is_collocated()) return 0;
  const Eigen::Index m = step.model.mode_count();
  const StepCoefficients& k = step.coefficients;
  const Vector rest = Vector::Zero(m);
  ThreeRows rows(3, m);
  const int held_rows = held_row_count();
  ModeMatrix J(held_rows, m);
  Eigen::Index row = 0;
  for (const Task* task : {&first_, &second_}) {
    for (const HeldPoint* held : task->handles) {
      if (!fixes_end(held->handle)) continue;
      if (held->handle.kind == HandleKind::orientation) {
        step.shape.turn_rows(held->handle.point, rows);
      } else {
        step.shape.derivative(held->handle.point, rest, rows);
      }
      J.middleRows<3>(row) = rows;
      row += 3;
    }
  }
  ModeMatrix G(static_cast<Eigen::Index>(3 * exercised_.size()), m);
  for (std::size_t i = 0; i < exercised_.size(); ++i) {
    step.shape.derivative(exercised_[i].point, rest, rows);
    G.middleRows<3>(static_cast<Eigen::Index>(3 * i)) = rows;
  }
  const Eigen::MatrixXd to_q = k.qf.asDiagonal() * G.transpose();
  const Eigen::MatrixXd to_v = k.vf.asDiagonal() * G.transpose();
  const Eigen::MatrixXd hold = pseudo_inverse(J * to_q).matrix;
  const Eigen::MatrixXd stop = pseudo_inverse(J * G.transpose()).matrix;
  Eigen::MatrixXd map(2 * m, 2 * m);
  for (Eigen::Index column = 0; column < 2 * m; ++column) {
    const Vector start = Vector::Unit(2 * m, column);
    const Vector q0 = start.head(m);
    const Vector v0 = start.tail(m);
    Vector q = k.qq.cwiseProduct(q0) + k.qv.cwiseProduct(v0);
    Vector v = k.vq.cwiseProduct(q0) + k.vv.cwiseProduct(v0);
    const Vector force = -hold * (J * q);
    q += to_q * force;
    v += to_v * force;
    v += G.transpose() * (stop * (J * ((q - q0) / step.h - v)));
    map.col(column) << q, v;
  }
  return spectral_radius(std::move(map));
}

}  // namespace limber
