#include "limber/scene/full_bodies.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "limber/core/error.h"
#include "limber/scene/handle_paths.h"

namespace limber {

namespace {

const std::map<std::string, FullMethod>& full_methods() {
  static const std::map<std::string, FullMethod> methods{
      {"linear", FullMethod::linear},
      {"stiffness-warping", FullMethod::stiffness_warping},
      {"corotational", FullMethod::corotational},
      {"stvk", FullMethod::stvk}};
  return methods;
}

FullBodyOptions options_of(const BodyDescription& description) {
  FullBodyOptions options;
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
  spring.stiffness = constraint.soft ? constraint.stiffness : holding_stiffness(body, spring.node);
  spring.damping = constraint.damping;
  body.springs().add(spring);
}

}  // namespace

bool is_full_space(const std::string& method) { return full_methods().contains(method); }

double holding_stiffness(const FullBody& body, int node) {
  constexpr double kHard = 1e6;  // so the node misses by a millionth of what it would give way
  const SimulatedMesh& mesh = body.simulated_mesh();
  double own = 0;
  if (node < 0 || node >= mesh.node_count()) return own;
  for (const int corner : mesh.graph().corners(node)) {
    const int tet = corner / 4;
    own += mesh.materials().of(mesh.mesh().region(tet)).young *
           std::cbrt(mesh.geometry().volumes[tet]);
  }
  return kHard * own;
}

std::unique_ptr<FullBody> make_full_body(const BodyDescription& description,
                                         const BodySource& source, Loads loads,
                                         SupportMotion support) {
  Materials materials = source.baked ? Materials(source.modes.material) : description.materials;
  materials.by_region.insert(source.materials.by_region.begin(), source.materials.by_region.end());
  auto body =
      std::make_unique<FullBody>(source.mesh, materials, source.fixed_nodes,
                                 options_of(description), std::move(loads), std::move(support));
  for (std::size_t k = 0; k < description.constraints.size(); ++k) {
    add_handle(description.constraints[k], source.mesh,
               fmt::format("{}, constraints[{}]", description.name, k), *body);
  }
  return body;
}

}  // namespace limber
