#include "limber/scene/build_body.h"

#include <fmt/format.h>

#include "limber/constraint/modal_handles.h"
#include "limber/core/error.h"
#include "limber/dynamics/local/global_local_body.h"
#include "limber/dynamics/local/residual_detail.h"
#include "limber/dynamics/rings/corotational_detail.h"
#include "limber/dynamics/rings/rings_detail.h"
#include "limber/interpolate/rotation_strain_body.h"
#include "limber/interpolate/rotation_strain_shape.h"
#include "limber/scene/full_resolution.h"
#include "limber/scene/handle_paths.h"
#include "limber/scene/skeleton_handles.h"

namespace limber {

namespace {

bool starts_deformed(const BodyDescription& description) {
  return !description.initial_displacement.empty() || !description.initial_velocity.empty();
}

/// Refuses by name what the method cannot honour.
void check_keys(const BodyDescription& description) {
  const MethodTraits& method = traits(description.method);
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw Error(fmt::format("method \"{}\" {}", method.name, what), description.name, remedy);
  };
  if (!method.built) refuse("is not part of this version", "choose another method");
  if (description.has_local && description.method != Method::global_local) {
    refuse("has no \"local\" settings", "leave them out, or use global-local");
  }
  if (description.local_excluded && description.local.mode != LocalMode::rings &&
      description.local.mode != LocalMode::corotational) {
    refuse("excludes nodes in modes with rings alone", "leave \"excluded\" out, or use rings");
  }
  if (description.local.handles.value_or(false) && description.local.mode != LocalMode::residual) {
    refuse("has handles that make dents with residual modes alone",
           "leave \"handles\" out, or use \"mode\": \"auto\"");
  }
  const auto has_not = [&](bool given, const char* key, const char* others) {
    if (given)
      refuse(fmt::format("has no \"{}\"", key), fmt::format("leave it out, or {}", others));
  };
  if (description.method == Method::reduced) {
    const char* const others = "use modal-warping";
    has_not(description.integrator != Integrator::exact, "integrator", others);
    has_not(description.fast, "fast", "use modal-warping: a reduced body is always fast");
    has_not(description.coriolis, "coriolis", others);
    has_not(description.loads != LoadLaw::work, "loads", others);
  } else {
    has_not(description.fields != kReducedFields, "fields", "use reduced");
    has_not(description.elasticity != ElasticLaw::corotational, "elasticity", "use reduced");
  }
  if (method.modal) {
    has_not(description.adaptive.has_value(), "adaptive", "use a full-resolution method");
    if (description.core && (description.core->moves_by_itself() || description.core->axis)) {
      refuse("moves a core by its support alone",
             "give \"support\" keys, or use a full-resolution method");
    }
    if (description.has_full_space) {
      refuse("has no \"full_space\" settings", "leave them out, or use a full-resolution method");
    }
    return;
  }
  const char* const modal = "use a modal method";
  has_not(description.integrator != Integrator::exact, "integrator", modal);
  has_not(description.fast, "fast", modal);
  has_not(description.coriolis, "coriolis", modal);
  has_not(description.loads != LoadLaw::work, "loads", modal);
  has_not(starts_deformed(description), "initial_modes", modal);
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
  options.theta = description.theta;
  options.damping = description.damping;
  options.loads = description.loads;
  options.coriolis = description.coriolis;
  options.fast = description.fast;
  options.law = description.elasticity;
  return options;
}

/// Rotation-strain shapes by work; other methods have their own.
ShapeMaker shape_maker(Method method) {
  if (method != Method::rotation_strain) return {};
  return [](const ModalModel& model, const ModalBodyOptions& options) {
    return std::make_unique<RotationStrainShape>(model, options.fast);
  };
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

// Other methods may have been meant when the body was loaded.
ResidualModes residual_of(const BodyDescription& description, const BodySource& source) {
  return source.residual.empty() ? find_residual_modes(description, source) : source.residual;
}

/// Where the modes leave nothing out they move alone.
std::unique_ptr<LocalDetail> make_residual_detail(const BodyDescription& description,
                                                  const BodySource& source) {
  ResidualModes modes = residual_of(description, source);
  if (modes.empty()) return nullptr;
  const Eigen::Map<const Positions> X = source.modes.rest_positions();
  const double size = (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
  return std::make_unique<ResidualDetail>(std::move(modes), description.local, size);
}

std::unique_ptr<LocalDetail> make_rings(const BodyDescription& description,
                                        const BodySource& source) {
  if (source.baked) {
    throw Error("a baked body has no elements for rings", description.name,
                "give its \"mesh\", or use \"mode\": \"auto\"");
  }
  std::vector<int> excluded;
  if (description.local_excluded) {
    excluded =
        find_nodes(source, *description.local_excluded, description.name + ", local excluded");
  }
  const MassKind mass = description.mass.value_or(MassKind::consistent);
  if (description.local.mode == LocalMode::rings) {
    return std::make_unique<RingsDetail>(source.mesh, source.materials, source.modes,
                                         description.local, excluded, mass);
  }
  ResidualModes modes = residual_of(description, source);
  if (modes.empty()) return nullptr;
  return std::make_unique<CorotationalDetail>(source.mesh, source.materials, source.modes,
                                              std::move(modes), description.local, excluded, mass);
}

std::unique_ptr<LocalDetail> make_detail(const BodyDescription& description,
                                         const BodySource& source) {
  switch (description.local.mode) {
    case LocalMode::residual:
      return make_residual_detail(description, source);
    case LocalMode::rings:
    case LocalMode::corotational:
      return make_rings(description, source);
    case LocalMode::off:
      break;
  }
  return nullptr;
}

std::unique_ptr<DynamicBody> make_global_local(const BodyDescription& description, Loads loads,
                                               const BodySource& source) {
  auto body = std::make_unique<GlobalLocalBody>(source.modes, make_detail(description, source),
                                                modal_options(description), std::move(loads),
                                                support_of(description));
  body->set_correction(std::make_unique<ModalHandles>(source.modes, priority_of(description)));
  return body;
}

std::unique_ptr<DynamicBody> make_modal(const BodyDescription& description, Loads loads,
                                        const BodySource& source) {
  if (description.method == Method::global_local)
    return make_global_local(description, std::move(loads), source);
  if (description.method != Method::rotation_strain || description.loads == LoadLaw::work) {
    return make_modal_body(source.modes, modal_options(description), std::move(loads),
                           support_of(description), priority_of(description),
                           shape_maker(description.method));
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

void set_initial_modes(const BodyDescription& description, DynamicBody& body) {
  if (!starts_deformed(description)) return;
  const std::size_t modes = body.modal().size();
  const auto filled = [&](std::vector<double> amplitudes) {
    if (amplitudes.size() > modes) {
      throw Error(fmt::format("{} initial amplitudes for {} modes", amplitudes.size(), modes),
                  fmt::format("{}, initial_modes", description.name),
                  "list fewer of them, or ask for more \"modes\"");
    }
    amplitudes.resize(modes, 0);
    return amplitudes;
  };
  body.set_modal(filled(description.initial_displacement), filled(description.initial_velocity));
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
  set_initial_modes(description, *body);
  return body;
}

}  // namespace limber
