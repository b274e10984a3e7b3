// Symplectic Euler: v += h M⁻¹ f(x, v), x += h v, in as many equal parts of a step as stability
// needs. No system is solved, so the mass is lumped.
#include <algorithm>
#include <cmath>

#include "limber/dynamics/full_space/full_body.h"

namespace limber {

/// ω² of the fastest oscillation, at most: Gershgorin's circles of M⁻¹K at rest.
double FullBody::fastest_squared(const BlockMatrix& K) const {
  double largest = 0;
  for (int row = 0; row < mesh_.free_count(); ++row) {
    double sum = 0;
    for (int k = K.pattern().offsets[row]; k < K.pattern().offsets[row + 1]; ++k) {
      sum += K.block(k).cwiseAbs().rowwise().sum().maxCoeff();
    }
    largest = std::max(largest, sum / mesh_.node_mass()[mesh_.free().nodes()[row]]);
  }
  return largest;
}

/// How many parts a step of h is cut into.
void FullBody::prepare_explicit(double h) {
  constexpr double kSafety = 0.5;  // stretched elements are stiffer than at rest
  elasticity_->linearise(mesh_.mesh().V);
  A_.set_zero();
  elasticity_->add_tangent(1, 0, Tangent::safe, A_);
  if (ground_) ground_->set_stiffness(A_, 1);
  if (springs_.active()) add_attached(1, 0);
  double squared = fastest_squared(A_);
  if (ground_) squared *= 1 + Ground::kHardness;
  const double omega = std::sqrt(squared);
  const double ratio = (options_.damping.stiffness * omega + options_.damping.mass / omega) / 2;
  const double limit = 2 / omega * (std::sqrt(1 + ratio * ratio) - ratio);
  const double parts = std::ceil(h / (kSafety * limit));
  refuse_parts(parts);
  h_ = h;
  parts_ = std::max(1, static_cast<int>(parts));
}

void FullBody::step_explicit(const TimeSpan& span) {
  if (h_ != span.t1 - span.t0 || springs_.active()) prepare_explicit(span.t1 - span.t0);
  begin_step(span);
  const double h = h_ / parts_;
  trial_v_ = start_v_;
  end_ = x_;
  for (int part = 0; part < parts_; ++part) {
    scratch_ = end_;
    mass_times_ = outer_;
    const NodeMotion motion{scratch_, scratch_, trial_v_, h};
    for_each_attachment([&](Attachment& attachment) {
      attachment.linearise(motion, part);
      attachment.add_forces(motion, mass_times_);
    });
    forces_ = mass_times_;
    elasticity_->linearise(scratch_);
    elasticity_->add_step_forces(scratch_, trial_v_, options_.damping.stiffness, forces_);
    const double slowed = 1 / (1 + h * options_.damping.mass);
    for (const int node : mesh_.free().nodes()) {
      trial_v_.row(node) += h / mesh_.node_mass()[node] * forces_.row(node);
      trial_v_.row(node) *= slowed;
      end_.row(node) += h * trial_v_.row(node);
    }
    add_work(mass_times_, scratch_, end_);
  }
  if (options_.method == FullMethod::stvk) refuse_inversion(0);
  refuse_runaway();
  keep_state(span);
}

}  // namespace limber
