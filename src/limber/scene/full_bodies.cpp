#include "limber/scene/full_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "limber/core/error.h"
#include "limber/scene/core_motion.h"
#include "limber/scene/handle_paths.h"

namespace limber {

namespace {

constexpr double kHold = std::numeric_limits<double>::infinity();

const std::map<std::string, FullMethod>& full_methods() {
  static const std::map<std::string, FullMethod> methods{
      {"linear", FullMethod::linear},
      {"stiffness-warping", FullMethod::stiffness_warping},
      {"corotational", FullMethod::corotational},
      {"stvk", FullMethod::stvk}};
  return methods;
}

FullBodyOptions options_of(const BodyDescription& description) {
  FullBodyOptions options = description.full_space;
  options.method = full_methods().at(description.method);
  options.damping = description.damping;
  options.mass = description.mass;
  return options;
}

void add_handle(const ConstraintDescription& constraint, const TetMesh& mesh,
                const std::string& where, FullBody& body) {
  if (constraint.kind != HandleKind::position) {
    throw Error("a body at full resolution is held by positions alone", where,
                "use \"type\": \"position\" or \"soft\", or a modal method");
  }
  NodeSpring spring;
  spring.node = find_node(mesh, constraint.node, where);
  spring.path = path_of(constraint, where);
  spring.stiffness = constraint.soft ? constraint.stiffness : kHold;
  spring.damping = constraint.damping;
  body.springs().add(spring);
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

bool is_full_space(const std::string& method) { return full_methods().contains(method); }

std::unique_ptr<FullBody> make_full_body(const BodyDescription& description,
                                         const SceneDescription& scene, const BodySource& source,
                                         Loads loads, SupportMotion support) {
  Materials materials = source.baked ? Materials(source.modes.material) : description.materials;
  materials.by_region.insert(source.materials.by_region.begin(), source.materials.by_region.end());
  if (description.core && (description.core->hand || description.core->axis)) {
    if (!description.support.empty()) {
      throw Error("a core on a hand or an axis has no support besides", description.name,
                  "leave \"support\" out");
    }
    support = core_motion(*description.core, source.mesh, materials, scene,
                          fmt::format("{}, core", description.name));
  }
  auto body =
      std::make_unique<FullBody>(source.mesh, materials, source.fixed_nodes,
                                 options_of(description), std::move(loads), std::move(support));
  body->set_ground(scene.ground);
  refuse_buried(*body, description.name);
  for (std::size_t k = 0; k < description.constraints.size(); ++k) {
    add_handle(description.constraints[k], source.mesh,
               fmt::format("{}, constraints[{}]", description.name, k), *body);
  }
  return body;
}

}  // namespace limber
