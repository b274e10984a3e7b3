#include "limber/dynamics/full_space/explicit_step.h"

#include <algorithm>
#include <cmath>

namespace limber {

/// ω² of the fastest oscillation, at most: Gershgorin's circles of M⁻¹K at rest.
double ExplicitStep::fastest_squared() const {
  const SimulatedMesh& mesh = system_.mesh;
  double largest = 0;
  for (int row = 0; row < mesh.free_count(); ++row) {
    double sum = 0;
    for (int k = K_->pattern().offsets[row]; k < K_->pattern().offsets[row + 1]; ++k) {
      sum += K_->block(k).cwiseAbs().rowwise().sum().maxCoeff();
    }
    largest = std::max(largest, sum / mesh.node_mass()[mesh.free().nodes()[row]]);
  }
  return largest;
}

Fault ExplicitStep::prepare(double h) {
  constexpr double kSafety = 0.5;  // stretched elements are stiffer than at rest
  constexpr double kMostParts = 1e5;
  if (h == h_ && !system_.attached()) return {};
  h_ = 0;
  if (!K_) K_.emplace(system_.mesh.pattern());
  system_.elasticity->linearise(system_.mesh.mesh().V);
  K_->set_zero();
  system_.elasticity->add_tangent(1, 0, Tangent::safe, *K_);
  if (system_.ground) system_.ground->set_stiffness(*K_, 1);
  blocks_.clear();
  if (system_.springs.active()) system_.springs.add_blocks(1, 0, blocks_);
  for (const AttachedBlock& block : blocks_) add_to(block, *K_);
  double squared = fastest_squared();
  if (system_.ground) squared *= 1 + Ground::kHardness;
  const double omega = std::sqrt(squared);
  const Damping& damping = system_.options.damping;
  const double ratio = (damping.stiffness * omega + damping.mass / omega) / 2;
  const double limit = 2 / omega * (std::sqrt(1 + ratio * ratio) - ratio);
  const double parts = std::ceil(h / (kSafety * limit));
  if (const Fault fault = overflow_of(parts)) return fault;
  if (parts > kMostParts) return {Fault::Kind::parts, parts};
  h_ = h;
  parts_ = std::max(1, static_cast<int>(parts));
  return {};
}

Fault ExplicitStep::solve(const NodeState& now, Trial& trial, Guard& guard) {
  const SimulatedMesh& mesh = system_.mesh;
  const Damping& damping = system_.options.damping;
  const double h = h_ / parts_;
  trial.v = trial.start_v;
  trial.x = now.x;
  trial.status.passes = parts_;
  for (int part = 0; part < parts_; ++part) {
    start_ = trial.x;
    given_ = trial.outer;
    const NodeMotion motion{start_, start_, trial.v, h};
    system_.for_each_attachment([&](Attachment& attachment) {
      attachment.linearise(motion, part);
      attachment.add_forces(motion, given_);
    });
    trial.forces = given_;
    system_.elasticity->linearise(start_);
    system_.elasticity->add_step_forces(start_, trial.v, damping.stiffness, trial.forces);
    const double slowed = 1 / (1 + h * damping.mass);
    for (const int node : mesh.free().nodes()) {
      trial.v.row(node) += h / mesh.node_mass()[node] * trial.forces.row(node);
      trial.v.row(node) *= slowed;
      trial.x.row(node) += h * trial.v.row(node);
    }
    guard.add_work(given_, start_, trial.x);
  }
  if (!system_.elasticity->bears_inversion()) return inversion_of(mesh, trial.x, 0);
  return {};
}

}  // namespace limber
