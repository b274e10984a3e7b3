// Symplectic Euler: v += h M⁻¹ f(x, v), x += h v, in as many equal parts of a step as stability
// needs. No system is solved, so the mass is lumped.
#include <algorithm>
#include <cmath>
#include <string>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/fem/stvk.h"

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
  constexpr double kMostParts = 1e5;
  elasticity_->linearise(mesh_.mesh().V);
  A_.set_zero();
  elasticity_->add_tangent(1, 0, Tangent::safe, A_);
  if (ground_) ground_->set_stiffness(A_, 1);
  if (springs_.active()) springs_.add_tangent(1, 0, A_);
  double squared = fastest_squared(A_);
  if (ground_) squared *= 1 + Ground::kHardness;
  const double omega = std::sqrt(squared);
  const double ratio = (options_.damping.stiffness * omega + options_.damping.mass / omega) / 2;
  const double limit = 2 / omega * (std::sqrt(1 + ratio * ratio) - ratio);
  const double parts = std::ceil(h / (kSafety * limit));
  if (!(parts <= kMostParts)) {
    throw Error("an explicit step would need " + std::to_string(parts) + " parts",
                "full-resolution body", "use the implicit integrator or a smaller step");
  }
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
    forces_ = outer_;
    elasticity_->linearise(scratch_);
    elasticity_->add_step_forces(scratch_, trial_v_, options_.damping.stiffness, forces_);
    const NodeMotion motion{scratch_, scratch_, trial_v_, h};
    for_each_attachment([&](Attachment& attachment) {
      attachment.linearise(motion, part);
      attachment.add_forces(motion, forces_);
    });
    const double slowed = 1 / (1 + h * options_.damping.mass);
    for (const int node : mesh_.free().nodes()) {
      trial_v_.row(node) += h / mesh_.node_mass()[node] * forces_.row(node);
      trial_v_.row(node) *= slowed;
      end_.row(node) += h * trial_v_.row(node);
    }
  }
  const bool stvk = options_.method == FullMethod::stvk;
  if (!end_.allFinite() || (stvk && !(smallest_volume_ratio(mesh_.tets(), end_).ratio > 0))) {
    throw Error("a tet has turned inside out", "explicit step to time " + std::to_string(span.t1),
                "use a smaller step, smaller loads or the corotational method",
                Error::Kind::work_failed);
  }
  keep_state(span);
}

}  // namespace limber
