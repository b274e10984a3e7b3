#include "limber/scene/body_source.h"

#include <fmt/format.h>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/playback/baked_file.h"

namespace limber {

namespace {

std::vector<int> select_fixed(const TetMesh& mesh, const BodyDescription& description) {
  std::vector<int> nodes;
  for (const std::string& selection : description.fixed) {
    const std::vector<int> picked = select_nodes(mesh, selection);
    nodes.insert(nodes.end(), picked.begin(), picked.end());
  }
  return nodes;
}

TetMesh mesh_of(const Body& body) {
  return {body.rest_positions(), body.tets(),
          std::vector<int>(body.regions.begin(), body.regions.end())};
}

TriMesh surface_of(const BodySurface& surface) {
  TriMesh mesh;
  const auto vertices = surface.vertex_count();
  mesh.V = Eigen::Map<const Positions>(surface.rest_positions.data(), vertices, 3);
  mesh.F = Eigen::Map<const Triangles>(surface.triangles.data(),
                                       static_cast<Eigen::Index>(surface.triangles.size() / 3), 3);
  return mesh;
}

BodySource load_baked(const BodyDescription& description) {
  if (!description.fixed.empty()) {
    throw Error("a baked body already knows its fixed nodes", description.name,
                "leave \"fixed\" out or bake the body again");
  }
  BodySource source;
  source.baked = true;
  source.modes = read_baked(description.baked).body;
  source.mesh = mesh_of(source.modes);
  source.surface = surface_of(source.modes.surface);
  source.binding = source.modes.surface.binding;
  source.fixed_nodes.assign(source.modes.fixed_nodes.begin(), source.modes.fixed_nodes.end());
  return source;
}

}  // namespace

BodySource load_body(const BodyDescription& description, bool with_modes,
                     const Progress& progress) {
  if (!description.surface.empty()) {
    throw Error("binding a surface of its own to a body is not part of this version",
                description.surface.string(),
                "leave \"surface\" out: the mesh's boundary is shown");
  }
  if (!description.baked.empty()) return load_baked(description);
  BodySource source;
  source.mesh = description.shape ? make_shape(*description.shape, description.name)
                                  : read_tet_mesh(description.mesh);
  source.fixed_nodes = select_fixed(source.mesh, description);
  if (with_modes) {
    ModalOptions options;
    options.count = description.modes;
    options.mass = description.mass.value_or(MassKind::consistent);
    source.modes = bake(source.mesh, description.materials, source.fixed_nodes, options, progress);
  }
  const BodySurface surface = with_modes ? source.modes.surface : boundary_as_surface(source.mesh);
  source.surface = surface_of(surface);
  source.binding = surface.binding;
  return source;
}

int find_node(const TetMesh& mesh, const NodeChoice& choice, const std::string& where) {
  if (const Vec3* point = std::get_if<Vec3>(&choice)) return nearest_node(mesh, *point);
  const int node = std::get<int>(choice);
  if (node >= mesh.node_count()) {
    throw Error(fmt::format("node {} does not exist", node), where,
                fmt::format("the mesh has nodes 0 to {}", mesh.node_count() - 1));
  }
  return node;
}

std::vector<int> find_nodes(const TetMesh& mesh, const NodeSelection& selection,
                            const std::string& where) {
  if (const auto* expression = std::get_if<std::string>(&selection)) {
    return select_nodes(mesh, *expression);
  }
  std::vector<int> nodes;
  for (const NodeChoice& choice : std::get<std::vector<NodeChoice>>(selection)) {
    nodes.push_back(find_node(mesh, choice, where));
  }
  return nodes;
}

}  // namespace limber
