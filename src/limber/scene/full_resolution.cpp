#include "limber/scene/full_resolution.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/scene/build_contact.h"
#include "limber/scene/core_motion.h"

namespace limber {

namespace {

FullBodyOptions options_of(const BodyDescription& description) {
  FullBodyOptions options = description.full_space;
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

}  // namespace

std::unique_ptr<DynamicBody> make_full_resolution(const BodyDescription& description,
                                                  const SceneDescription& scene,
                                                  const BodySource& source, Loads loads,
                                                  SupportMotion support) {
  Materials materials = source.baked ? Materials(source.modes.material) : description.materials;
  materials.by_region.insert(source.materials.by_region.begin(), source.materials.by_region.end());
  const bool has_core = description.core && !source.fixed_nodes.empty();
  if (has_core && (description.core->hand || description.core->axis)) {
    if (!description.support.empty() || description.place) {
      throw Error("a core on a hand or an axis has no support besides", description.name,
                  "leave \"support\", \"position\" and \"rotation\" out");
    }
    support = core_motion(*description.core, source.mesh, materials, scene,
                          fmt::format("{}, core", description.name));
  }
  auto body =
      std::make_unique<FullBody>(source.mesh, materials, source.fixed_nodes,
                                 options_of(description), std::move(loads), std::move(support));
  body->set_ground(ground_plane(description, scene));
  refuse_buried(*body, description.name);
  return body;
}

}  // namespace limber
