#include "limber/scene/methods.h"

#include <fmt/format.h>

#include <array>

#include "limber/core/error.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/interpolate/rotation_strain_body.h"
#include "limber/scene/full_bodies.h"
#include "limber/scene/handle_paths.h"

namespace limber {

namespace {

Loads loads_of(const BodyDescription& description, const SceneDescription& scene,
               const TetMesh& mesh) {
  Loads loads;
  loads.gravity = scene.gravity;
  for (std::size_t k = 0; k < description.forces.size(); ++k) {
    const ForceDescription& force = description.forces[k];
    const std::string where = fmt::format("{}, forces[{}]", description.name, k);
    loads.forces.push_back(
        {find_nodes(mesh, force.nodes, where), force.force, force.from, force.to});
  }
  return loads;
}

SupportMotion support_of(const BodyDescription& description) {
  if (description.support.empty()) return {};
  return SupportMotion(description.support, description.support_interpolation,
                       fmt::format("{}, support", description.name));
}

void add_constraint(const ConstraintDescription& constraint, const TetMesh& mesh,
                    const std::string& where, ConstraintSet& set) {
  const HandlePoint point = HandlePoint::at_node(find_node(mesh, constraint.node, where));
  const Path path = path_of(constraint, where);
  if (constraint.kind == HandleKind::position && constraint.soft) {
    set.add(SoftHandle{point, path, constraint.stiffness, constraint.damping});
    return;
  }
  Handle handle{constraint.kind, point, path, constraint.treatment, {}};
  for (const NodeChoice& node : constraint.exercised) {
    handle.exercised.push_back(HandlePoint::at_node(find_node(mesh, node, where)));
  }
  set.add(handle);
}

ModalBodyOptions modal_options(const BodyDescription& description) {
  ModalBodyOptions options;
  options.method =
      description.method == "linear-modal" ? Method::linear_modal : Method::modal_warping;
  options.integrator = description.integrator;
  options.damping = description.damping;
  options.coriolis = description.coriolis;
  options.fast = description.fast;
  return options;
}

std::shared_ptr<ConstraintSet> constraints_of(const BodyDescription& description,
                                              Method method, const BodySource& source) {
  const auto priority = description.orientation_first ? ConstraintSet::Priority::orientation
                                                      : ConstraintSet::Priority::position;
  auto constraints = std::make_shared<ConstraintSet>(source.modes, method, priority);
  for (std::size_t k = 0; k < description.constraints.size(); ++k) {
    add_constraint(description.constraints[k], source.mesh,
                   fmt::format("{}, constraints[{}]", description.name, k), *constraints);
  }
  return constraints;
}

MovingBody make_modal(const BodyDescription& description, Loads loads, const BodySource& source) {
  const ModalBodyOptions options = modal_options(description);
  auto body =
      std::make_unique<ModalBody>(source.modes, options, std::move(loads), support_of(description));
  auto constraints = constraints_of(description, options.method, source);
  body->set_correction(constraints);
  return {std::move(body), std::move(constraints), nullptr};
}

/// The nodes of the hard position handles: the reconstruction puts them where they should be.
std::vector<HeldNode> held_nodes(const BodyDescription& description, const TetMesh& mesh) {
  std::vector<HeldNode> held;
  for (std::size_t k = 0; k < description.constraints.size(); ++k) {
    const ConstraintDescription& constraint = description.constraints[k];
    if (constraint.kind != HandleKind::position || constraint.soft) continue;
    const std::string where = fmt::format("{}, constraints[{}]", description.name, k);
    held.push_back({find_node(mesh, constraint.node, where), path_of(constraint, where)});
  }
  return held;
}

MovingBody make_rotation_strain(const BodyDescription& description, Loads loads,
                                const BodySource& source) {
  // Handles first: they say more about a node that cannot be held.
  auto constraints = constraints_of(description, Method::modal_warping, source);
  auto body = std::make_unique<RotationStrainBody>(source.modes, modal_options(description),
                                                   std::move(loads), support_of(description),
                                                   held_nodes(description, source.mesh));
  body->modal_body().set_correction(constraints);
  return {std::move(body), std::move(constraints), nullptr};
}

}  // namespace

bool needs_modes(const std::string& method) {
  constexpr std::array kModal{"linear-modal", "modal-warping", "rotation-strain"};
  return std::find(kModal.begin(), kModal.end(), method) != kModal.end();
}

MovingBody make_dynamics(const BodyDescription& description, const SceneDescription& scene,
                         const BodySource& source) {
  if (scene.ground && !is_full_space(description.method)) {
    throw Error(fmt::format("method \"{}\" does not meet the ground", description.method),
                description.name, "use corotational, stiffness-warping, stvk or linear");
  }
  if (description.method == "rotation-strain") {
    return make_rotation_strain(description, loads_of(description, scene, source.mesh), source);
  }
  if (needs_modes(description.method)) {
    return make_modal(description, loads_of(description, scene, source.mesh), source);
  }
  if (is_full_space(description.method)) {
    auto body = make_full_body(description, scene, source,
                               loads_of(description, scene, source.mesh), support_of(description));
    FullBody* const full = body.get();
    return {std::move(body), nullptr, full};
  }
  throw Error(fmt::format("method \"{}\" is not part of this version", description.method),
              description.name, "use modal-warping, corotational or stvk");
}

}  // namespace limber
