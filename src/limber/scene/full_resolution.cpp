#include "limber/scene/full_resolution.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"
#include "limber/dynamics/adaptive/adaptive_body.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/scene/build_contact.h"
#include "limber/scene/core_motion.h"

namespace limber {

namespace {

FullBodyOptions options_of(const BodyDescription& description, const BodySource& source) {
  FullBodyOptions options = description.full_space;
  options.core.nodes = source.core_nodes;
  if (!source.core_nodes.empty()) options.core.axis = description.core->axis;
  options.method = description.method;
  options.damping = description.damping;
  options.mass = description.mass;
  return options;
}

/// A body deep in the ground would be thrown out of it by whatever the springs there can give.
void refuse_buried(const FullBody& body, const std::string& name) {
  constexpr double kDeep = 0.05;  // of the body's size; bodies laid on the ground sink in less
  if (!body.ground()) return;
  const GroundPlane& plane = body.ground()->plane();
  Positions nodes(body.node_count(), 3);
  body.node_positions(nodes);
  double depth = 0;
  for (const int node : body.simulated_mesh().free().nodes()) {
    depth = std::max(depth, plane.offset - nodes.row(node).dot(plane.normal));
  }
  const double size = (nodes.colwise().maxCoeff() - nodes.colwise().minCoeff()).maxCoeff();
  if (depth <= kDeep * size) return;
  throw Error(fmt::format("the body starts {:.3g} m under the ground", depth), name,
              "raise it by its support, or lower the ground's offset");
}

/// The hand's spring pulls at the place of the core where its path starts.
void hold_core(const CoreHand& hand, FullBody& body) {
  Handle handle;
  handle.kind = HandleKind::spring;
  handle.point =
      point_of_core(body.simulated_mesh().mesh().V, body.core()->nodes(), hand.path.at(0).value);
  handle.target = hand.path;
  handle.stiffness = hand.stiffness;
  handle.damping = hand.damping;
  body.handles().add(handle);
  if (hand.turn_damping > 0) body.damp_core_turning(hand.turn_damping);
}

/// Only what is free has a place; hands and axes are where the rest shape is.
void check_place(const BodyDescription& description) {
  const CoreDescription& core = *description.core;
  const auto refuse = [&](const char* what, const char* remedy) {
    throw Error(what, description.name, remedy);
  };
  if (!description.support.empty() && (core.axis || core.moves_by_itself())) {
    refuse("a core on a hand, on an axis or free has no support besides", "leave \"support\" out");
  }
  if (description.place && (core.axis || core.hand)) {
    refuse("a core on a hand or an axis is where its rest shape is",
           "leave \"position\" and \"rotation\" out");
  }
}

std::unique_ptr<DynamicBody> make_adaptive(const BodyDescription& description,
                                           const SceneDescription& scene, const BodySource& source,
                                           const Materials& materials, Loads loads,
                                           SupportMotion support) {
  const auto refuse = [&](const char* what, const char* remedy) {
    throw Error(what, fmt::format("{}, adaptive", description.name), remedy);
  };
  if (description.subdivide == 0) {
    refuse("there is no finer mesh to choose from", "give \"subdivide\": 1 or more");
  }
  if (!source.tree) {
    refuse("a mesh of several pieces has no levels of detail", "give each piece as its own mesh");
  }
  if (!source.core_nodes.empty()) {
    refuse("a core that moves by itself needs all of its nodes at all times",
           "leave \"adaptive\" out, or move the core by its support");
  }
  auto body = std::make_unique<AdaptiveBody>(source.tree, materials, source.fixed_nodes,
                                             *description.adaptive, options_of(description, source),
                                             std::move(loads), std::move(support));
  body->set_ground(ground_plane(description, scene));
  refuse_buried(body->inner(), description.name);
  return body;
}

}  // namespace

std::unique_ptr<DynamicBody> make_full_resolution(const BodyDescription& description,
                                                  const SceneDescription& scene,
                                                  const BodySource& source, Loads loads,
                                                  SupportMotion support) {
  Materials materials = source.baked ? Materials(source.modes.material) : description.materials;
  materials.by_region.insert(source.materials.by_region.begin(), source.materials.by_region.end());
  const std::string where = fmt::format("{}, core", description.name);
  if (description.core) check_place(description);
  if (description.core && description.core->speed && !source.fixed_nodes.empty()) {
    support =
        turning_core(*description.core->axis, *description.core->speed, scene.duration, where);
  }
  if (description.adaptive) {
    return make_adaptive(description, scene, source, materials, std::move(loads),
                         std::move(support));
  }
  std::unique_ptr<FullBody> body;
  try {
    body = std::make_unique<FullBody>(source.mesh, materials, source.fixed_nodes,
                                      options_of(description, source), std::move(loads),
                                      std::move(support));
    if (body->core() && description.core->hand) hold_core(*description.core->hand, *body);
  } catch (const Error& error) {
    if (source.core_nodes.empty()) throw;
    throw error.in(where);
  }
  body->set_ground(ground_plane(description, scene));
  refuse_buried(*body, description.name);
  return body;
}

}  // namespace limber
