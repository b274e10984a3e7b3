#include "limber/dynamics/full_space/full_system.h"

#include <cmath>

#include "limber/core/error.h"
#include "limber/dynamics/frame/acceleration_field.h"

namespace limber {

namespace {

FullBodyOptions checked_options(FullBodyOptions options) {
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
  if (options.newton_iterations < 1 || options.nonlinear_iterations < 1 ||
      options.most_solver_iterations < 1) {
    refuse("numbers of iterations must be positive", "use 1 or more");
  }
  if (!options.core.nodes.empty()) {
    if (options.method != Method::stiffness_warping && options.method != Method::corotational) {
      refuse("a core that moves by itself needs rotations that are held over a step",
             "use stiffness-warping or corotational");
    }
    if (options.integrator != TimeIntegrator::implicit_euler || options.newton_iterations > 1) {
      refuse("a core that moves by itself needs implicit Euler with one linearisation a step",
             "leave \"explicit\" and \"linearisations\" out");
    }
  }
  if (options.integrator == TimeIntegrator::symplectic_euler) options.mass = MassKind::lumped;
  if (!options.mass) {
    options.mass =
        options.method == Method::stiffness_warping ? MassKind::lumped : MassKind::consistent;
  }
  return options;
}

SimulatedMesh simulated(TetMesh mesh, Materials materials, const std::vector<int>& fixed_nodes,
                        const FullBodyOptions& options) {
  if (!options.core.nodes.empty()) stiffen_core(options.core.nodes, mesh, materials);
  return {std::move(mesh), std::move(materials), fixed_nodes, *options.mass};
}

}  // namespace

FullSystem::FullSystem(TetMesh mesh_given, Materials materials, const std::vector<int>& fixed_nodes,
                       const FullBodyOptions& options_given, SupportMotion support_given)
    : options(checked_options(options_given)),
      mesh(simulated(std::move(mesh_given), std::move(materials), fixed_nodes, options)),
      support(std::move(support_given)),
      free_body(fixed_nodes.empty() && !options.core.axis),
      elasticity(make_elasticity(mesh, options)),
      springs(mesh),
      keeper(mesh) {
  if (!options.core.nodes.empty()) core.emplace(mesh, options.core);
}

void FullSystem::collect_blocks(double elastic, double damping,
                                std::vector<AttachedBlock>& blocks) {
  blocks.clear();
  for_each_attachment(
      [&](const Attachment& attachment) { attachment.add_blocks(elastic, damping, blocks); });
}

void NodeState::archive(StateArchive& state) {
  state.value(time);
  for (Vec3* part : {&frame.position, &frame.velocity, &frame.angular_velocity, &frame.acceleration,
                     &frame.angular_acceleration}) {
    state.numbers(*part);
  }
  state.numbers(frame.rotation);
  state.numbers(x);
  state.numbers(v);
  state.numbers(last_v);
  state.numbers(remainder);
}

Trial::Trial(const SimulatedMesh& mesh) : remainder(Vector::Zero(3 * mesh.free_count())) {
  for (Positions* field : {&before_v, &start_v, &outer, &forces, &x, &v}) {
    field->setZero(mesh.node_count(), 3);
  }
}

void find_outer_forces(const FullSystem& system, const TimeSpan& span, const FrameState& frame,
                       const Positions& positions, Positions& scratch, Positions& outer) {
  const AccelerationField field = inertial_field(frame, gravity_over(system.loads, span));
  if (field.gradient.isZero(0)) {
    outer.noalias() = system.mesh.node_mass() * field.uniform.transpose();
  } else {
    scratch.noalias() = -positions * field.gradient.transpose();
    scratch.rowwise() += field.uniform.transpose();
    system.mesh.multiply_mass(scratch, outer);
  }
  const Mat3 to_frame = frame.rotation.transpose();
  for (const NodeForce& load : system.loads.forces) {
    const double part = share(load.from, load.to, span);
    if (part == 0) continue;
    const Vec3 force = to_frame * (part * load.force);
    for (const int node : load.nodes) outer.row(node) += force.transpose();
  }
}

double kick_by_support(const FullSystem& system, const TimeSpan& span, bool at_start,
                       const Positions& positions, Positions& velocities) {
  if (system.free_body) return 0;
  double gained = 0;
  for (const VelocityJump& jump : system.support.jumps()) {
    if (jump.time <= span.t0 || jump.time > span.t1) continue;
    const double place = (jump.time - span.t0) / (span.t1 - span.t0);
    const double part = at_start ? 1 - place : place;
    const Mat3 to_frame = system.support.at(jump.time).rotation.transpose();
    const Vec3 velocity = part * (to_frame * jump.velocity);
    const Vec3 spin = part * (to_frame * jump.angular_velocity);
    gained -= system.mesh.kinetic_energy(velocities);
    for (const int node : system.mesh.free().nodes()) {
      const Vec3 arm = positions.row(node).transpose();
      velocities.row(node) -= (velocity + spin.cross(arm)).transpose();
    }
    gained += system.mesh.kinetic_energy(velocities);
  }
  return gained;
}

double extent(const Positions& positions) {
  return (positions.colwise().maxCoeff() - positions.colwise().minCoeff()).maxCoeff();
}

}  // namespace limber
