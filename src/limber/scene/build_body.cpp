#include "limber/scene/build_body.h"

#include <fmt/format.h>

#include "limber/constraint/modal_handles.h"
#include "limber/core/error.h"
#include "limber/interpolate/rotation_strain_body.h"
#include "limber/scene/full_resolution.h"
#include "limber/scene/handle_paths.h"
#include "limber/scene/skeleton_handles.h"

namespace limber {

namespace {

/// Refuses by name what the method cannot honour.
void check_keys(const BodyDescription& description) {
  const MethodTraits& method = traits(description.method);
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw Error(fmt::format("method \"{}\" {}", method.name, what), description.name, remedy);
  };
  if (!method.built) refuse("is not part of this version", "choose another method");
  if (method.modal) {
    if (description.core && (description.core->hand || description.core->axis)) {
      refuse("moves a core by its support alone",
             "give \"support\" keys, or use a full-resolution method");
    }
    if (description.has_full_space) {
      refuse("has no \"full_space\" settings", "leave them out, or use a full-resolution method");
    }
    return;
  }
  const auto modal_only = [&](bool given, const char* key) {
    if (given) {
      refuse(fmt::format("has no \"{}\"", key), "leave it out, or use a modal method");
    }
  };
  modal_only(description.integrator != Integrator::exact, "integrator");
  modal_only(description.fast, "fast");
  modal_only(description.coriolis, "coriolis");
  modal_only(description.loads != LoadLaw::work, "loads");
}

/// X = support(t) ∘ place: both where both are given.
SupportMotion support_of(const BodyDescription& description) {
  const std::string where = fmt::format("{}, support", description.name);
  std::vector<SupportKey> keys = description.support;
  if (description.place) {
    const SupportKey& place = *description.place;
    if (keys.empty()) keys.push_back({});
    for (SupportKey& key : keys) {
      const Eigen::Quaterniond turn = key.rotation.normalized();
      key.position += turn * place.position;
      key.rotation = turn * place.rotation;
    }
  }
  if (keys.empty()) return {};
  return SupportMotion(keys, description.support_interpolation, where);
}

ModalBodyOptions modal_options(const BodyDescription& description) {
  ModalBodyOptions options;
  options.method = description.method;
  options.integrator = description.integrator;
  options.damping = description.damping;
  options.loads = description.loads;
  options.coriolis = description.coriolis;
  options.fast = description.fast;
  return options;
}

ModalHandles::Priority priority_of(const BodyDescription& description) {
  return description.orientation_first ? ModalHandles::Priority::orientation
                                       : ModalHandles::Priority::position;
}

/// The nodes of the hard position handles: the reconstruction puts them where they should be.
std::vector<HeldNode> held_nodes(const BodyDescription& description, const BodySource& source) {
  std::vector<HeldNode> held;
  for (std::size_t k = 0; k < description.constraints.size(); ++k) {
    const ConstraintDescription& constraint = description.constraints[k];
    if (constraint.kind != HandleKind::position) continue;
    const std::string where = fmt::format("{}, constraints[{}]", description.name, k);
    if (const std::optional<int> node = find_node(source, constraint.node, where)) {
      held.push_back({*node, path_of(constraint, where)});
    }
  }
  return held;
}

std::unique_ptr<DynamicBody> make_modal(const BodyDescription& description, Loads loads,
                                        const BodySource& source) {
  if (description.method != Method::rotation_strain) {
    return make_modal_body(source.modes, modal_options(description), std::move(loads),
                           support_of(description), priority_of(description));
  }
  // Handles first: they say more about a node that cannot be held.
  auto handles = std::make_unique<ModalHandles>(source.modes, priority_of(description));
  auto body = std::make_unique<RotationStrainBody>(source.modes, modal_options(description),
                                                   std::move(loads), support_of(description),
                                                   held_nodes(description, source));
  body->set_correction(std::move(handles));
  return body;
}

void add_handles(const BodyDescription& description, const BodySource& source, DynamicBody& body) {
  for (std::size_t k = 0; k < description.constraints.size(); ++k) {
    const ConstraintDescription& constraint = description.constraints[k];
    const std::string where = fmt::format("{}, constraints[{}]", description.name, k);
    const std::optional<BodyPoint> point = find_point(source, constraint.node, where);
    if (!point) continue;  // it holds another piece
    Handle handle;
    handle.kind = constraint.kind;
    handle.treatment = constraint.treatment;
    handle.stiffness = constraint.stiffness;
    handle.damping = constraint.damping;
    handle.target = path_of(constraint, where);
    handle.point = *point;
    for (const NodeChoice& choice : constraint.exercised) {
      const std::optional<int> node = find_node(source, choice, where);
      if (!node) {
        throw Error("a handle exercises a node of another piece", where,
                    "choose nodes of the piece it holds, or glue the pieces");
      }
      handle.exercised.push_back(BodyPoint::at_node(*node));
    }
    try {
      body.handles().add(handle);
    } catch (const Error& error) {
      throw error.in(where);
    }
  }
}

void throw_body(const BodyDescription& description, const BodySource& source, DynamicBody& body) {
  if (!description.velocity && !description.angular_velocity) return;
  if (!body.is_free()) {
    if (source.whole) return;  // the loose pieces are thrown
    throw Error("only a free body can be thrown", description.name,
                "leave \"velocity\" and \"angular_velocity\" out, or fix no nodes");
  }
  body.set_velocity(description.velocity.value_or(Vec3::Zero()),
                    description.angular_velocity.value_or(Vec3::Zero()));
}

}  // namespace

Loads loads_of(const BodyDescription& description, const SceneDescription& scene,
               const BodySource& source) {
  Loads loads;
  loads.gravity = scene.gravity;
  for (std::size_t k = 0; k < description.forces.size(); ++k) {
    const ForceDescription& force = description.forces[k];
    const std::string where = fmt::format("{}, forces[{}]", description.name, k);
    loads.forces.push_back(
        {find_nodes(source, force.nodes, where), force.force, force.from, force.to});
  }
  return loads;
}

std::unique_ptr<DynamicBody> make_dynamics(const BodyDescription& asked,
                                           const SceneDescription& scene,
                                           const BodySource& source) {
  check_keys(asked);
  const BodyDescription description = with_skeleton_handles(asked, source);
  Loads loads = loads_of(description, scene, source);
  std::unique_ptr<DynamicBody> body =
      traits(description.method).modal
          ? make_modal(description, std::move(loads), source)
          : make_full_resolution(description, scene, source, std::move(loads),
                                 support_of(description));
  add_handles(description, source, *body);
  throw_body(description, source, *body);
  return body;
}

}  // namespace limber
