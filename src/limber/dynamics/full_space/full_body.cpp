#include "limber/dynamics/full_space/full_body.h"

#include <cmath>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/attached_preconditioner.h"

namespace limber {

namespace {

FullBodyOptions checked(FullBodyOptions options) {
  const auto refuse = [](const char* what, const char* remedy) {
    throw Error(what, "full-resolution body", remedy);
  };
  const auto usable = [](double value) { return value >= 0 && std::isfinite(value); };
  if (!usable(options.damping.mass) || !usable(options.damping.stiffness)) {
    refuse("damping must be finite and not negative", "give C = mass M + stiffness K");
  }
  if (options.tolerance && !(*options.tolerance > 0 && *options.tolerance < 1)) {
    refuse("the tolerance must lie between 0 and 1", "use 1e-6");
  }
  if (options.newton_iterations < 1 || options.stvk_newton_iterations < 1 ||
      options.most_solver_iterations < 1) {
    refuse("numbers of iterations must be positive", "use 1 or more");
  }
  if (options.integrator == TimeIntegrator::symplectic_euler) options.mass = MassKind::lumped;
  if (!options.mass) {
    options.mass =
        options.method == FullMethod::stiffness_warping ? MassKind::lumped : MassKind::consistent;
  }
  return options;
}

}  // namespace

FullBody::FullBody(TetMesh mesh, Materials materials, const std::vector<int>& fixed_nodes,
                   const FullBodyOptions& options, Loads loads, SupportMotion support)
    : mesh_(std::move(mesh), std::move(materials), fixed_nodes, *checked(options).mass),
      options_(checked(options)),
      support_(std::move(support)),
      free_body_(fixed_nodes.empty()),
      elasticity_(make_elasticity(mesh_, options_)),
      springs_(mesh_),
      keeper_(mesh_),
      x_(mesh_.mesh().V),
      v_(Positions::Zero(mesh_.node_count(), 3)),
      remainder_(Vector::Zero(3 * mesh_.free_count())),
      A_(mesh_.pattern()),
      krylov_(3 * mesh_.free_count()),
      r_(3 * mesh_.free_count()),
      direction_(3 * mesh_.free_count()),
      gradient_(3 * mesh_.free_count()) {
  for (Positions* field :
       {&start_v_, &outer_, &forces_, &trial_v_, &base_v_, &end_, &scratch_, &mass_times_}) {
    field->setZero(mesh_.node_count(), 3);
  }
  frame_ = support_.at(0);
  if (free_body_) {
    for (int node = 0; node < node_count(); ++node) {
      const Vec3 arm = frame_.rotation * x_.row(node).transpose();
      const Vec3 velocity = frame_.velocity + frame_.angular_velocity.cross(arm);
      v_.row(node) = (frame_.rotation.transpose() * velocity).transpose();
    }
    const FrameState start = frame_;
    frame_ = {};
    frame_.position = start.position;
    frame_.rotation = start.rotation;
  }
  forget_history();
  set_loads(std::move(loads));
}

FullBody::~FullBody() = default;

void FullBody::set_loads(Loads loads) {
  check(loads, node_count());
  loads_ = std::move(loads);
}

void FullBody::set_support(SupportMotion support) {
  if (free_body_) return;
  support_ = std::move(support);
  frame_ = support_.at(time_);
}

void FullBody::set_ground(const std::optional<GroundPlane>& plane) {
  ground_.reset();
  if (plane) ground_.emplace(mesh_, *plane);
  h_ = 0;  // its springs depend on the step
}

void FullBody::set_state(const Positions& positions, const Positions& velocities) {
  if (positions.rows() != node_count() || velocities.rows() != node_count()) {
    throw Error("the state has " + std::to_string(positions.rows()) + " positions and " +
                    std::to_string(velocities.rows()) + " velocities",
                "full-resolution body", "give one row for each of the nodes");
  }
  if (!positions.allFinite() || !velocities.allFinite()) {
    throw Error("a position or velocity is not finite", "full-resolution body",
                "give finite numbers");
  }
  for (const int node : mesh_.free().nodes()) {
    x_.row(node) = positions.row(node);
    v_.row(node) = velocities.row(node);
  }
  forget_history();
}

void FullBody::forget_history() {
  last_v_ = v_;
  remainder_.setZero();
  energy_.known = false;
}

void FullBody::node_positions(Eigen::Ref<Positions> positions) const {
  positions = (x_ * frame_.rotation.transpose()).rowwise() + frame_.position.transpose();
}

void FullBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  for (int node = 0; node < node_count(); ++node) {
    const Vec3 arm = frame_.rotation * x_.row(node).transpose();
    const Vec3 own = frame_.rotation * v_.row(node).transpose();
    velocities.row(node) = (frame_.velocity + frame_.angular_velocity.cross(arm) + own).transpose();
  }
}

double FullBody::kinetic_energy() const { return mesh_.kinetic_energy(v_); }

double FullBody::elastic_energy() const { return elasticity_->energy(x_); }

Momentum FullBody::momentum() const { return MomentumKeeper(mesh_).momentum(x_, v_); }

}  // namespace limber
