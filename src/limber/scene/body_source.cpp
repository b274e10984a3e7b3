#include "limber/scene/body_source.h"

#include <fmt/format.h>

#include <optional>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/embedding/tet_locator.h"
#include "limber/mesh/painted_regions.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/scene/fill_cache.h"

namespace limber {

namespace {

std::vector<int> select_fixed(const TetMesh& mesh, const BodyDescription& description) {
  std::vector<int> nodes;
  for (const std::string& selection : description.fixed) {
    const std::vector<int> picked = select_nodes(mesh, selection);
    nodes.insert(nodes.end(), picked.begin(), picked.end());
  }
  if (description.core) {
    const std::vector<int> rigid = select_nodes(mesh, description.core->nodes);
    nodes.insert(nodes.end(), rigid.begin(), rigid.end());
  }
  return nodes;
}

TetMesh mesh_of(const ModalModel& body) {
  return {body.rest_positions(), body.tets(),
          std::vector<int>(body.regions.begin(), body.regions.end())};
}

/// The surface that the description names, or none.
std::optional<TriMesh> own_surface(const BodyDescription& description) {
  if (description.character) {
    const ShapeDescription& shape = *description.character;
    if (shape.size.size() > 1) {
      throw Error("size of a character is [height]", description.name, "give one number");
    }
    return character(shape.shape, shape.vertices > 0 ? shape.vertices : kDefaultCharacterVertices,
                     shape.size.empty() ? 1.0 : shape.size.front());
  }
  if (!description.surface.empty()) return read_surface(description.surface);
  return std::nullopt;
}

/// The named regions get numbers of their own; the materials say what they are made of.
Materials apply_regions(const BodyDescription& description, const TriMesh& surface, TetMesh& mesh) {
  Materials materials = description.materials;
  for (const auto& [name, material] : description.named_regions) {
    for (const int number : set_apart(mesh, tets_of_region(mesh, surface, name))) {
      materials.by_region[number] = material;
    }
  }
  return materials;
}

BodySource load_baked(const BodyDescription& description) {
  if (!description.fixed.empty()) {
    throw Error("a baked body already knows its fixed nodes", description.name,
                "leave \"fixed\" out or bake the body again");
  }
  if (!description.named_regions.empty()) {
    throw Error("a baked body already knows its materials", description.name,
                "leave \"regions\" out or bake the body again");
  }
  BodySource source;
  source.baked = true;
  source.modes = read_baked(description.baked).body;
  source.mesh = mesh_of(source.modes);
  if (const std::optional<TriMesh> surface = own_surface(description)) {
    source.modes.surface = embedded_surface(source.mesh, *surface);
  }
  source.surface = surface_mesh(source.modes.surface);
  source.binding = source.modes.surface.binding;
  source.fixed_nodes.assign(source.modes.fixed_nodes.begin(), source.modes.fixed_nodes.end());
  return source;
}

/// The tets and the surface that people see, bound to them.
BodySurface make_mesh(const BodyDescription& description, const Progress& progress, TetMesh& mesh) {
  const std::optional<TriMesh> surface = own_surface(description);
  if (description.shape || !description.mesh.empty()) {
    mesh = description.shape ? make_shape(*description.shape, description.name)
                             : read_tet_mesh(description.mesh);
    return surface ? embedded_surface(mesh, *surface) : boundary_as_surface(mesh);
  }
  TetrahedralizeOptions options;
  options.mode = description.fill.mode;
  options.cells = description.fill.cells;
  options.target_tets = description.fill.tets;
  options.progress = progress;
  const Tetrahedralized filled = fill_with_cache(*surface, options, description.cache);
  mesh = filled.mesh;
  return embedded_surface(mesh, *surface, filled.embedding);
}

}  // namespace

BodySource load_body(const BodyDescription& description, bool with_modes,
                     const Progress& progress) {
  if (!description.baked.empty()) return load_baked(description);
  BodySource source;
  const BodySurface surface = make_mesh(description, progress, source.mesh);
  source.surface = surface_mesh(surface);
  source.binding = surface.binding;
  source.materials = apply_regions(description, source.surface, source.mesh);
  source.fixed_nodes = select_fixed(source.mesh, description);
  if (with_modes) {
    ModalOptions options;
    options.count = description.modes;
    options.mass = description.mass.value_or(MassKind::consistent);
    source.modes = bake(source.mesh, source.materials, source.fixed_nodes, options, progress);
    source.modes.surface = surface;
  }
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

BodyPoint find_point(const TetMesh& mesh, const NodeChoice& choice, const std::string& where) {
  constexpr double kSameNode = 1e-9;  // of the mesh's size
  constexpr double kOutside = 1e-2;
  const BodyPoint nearest = BodyPoint::at_node(find_node(mesh, choice, where));
  const Vec3* point = std::get_if<Vec3>(&choice);
  if (point == nullptr) return nearest;
  const double size = (mesh.V.colwise().maxCoeff() - mesh.V.colwise().minCoeff()).norm();
  const double distance = (mesh.V.row(nearest.nodes[0]).transpose() - *point).norm();
  if (distance <= kSameNode * size) return nearest;
  const TetLocator::Found found = TetLocator(mesh).locate(*point);
  if (found.outside > kOutside * size) return nearest;
  BodyPoint inside;
  for (int k = 0; k < 4; ++k) {
    inside.nodes[static_cast<std::size_t>(k)] = mesh.T(found.tet, k);
    inside.weights[static_cast<std::size_t>(k)] = found.weights[k];
  }
  return inside;
}

BodyPoint point_of(const SurfaceBinding& binding, int vertex) {
  BodyPoint point;
  const auto first = 4 * static_cast<std::size_t>(vertex);
  for (std::size_t k = 0; k < 4; ++k) {
    point.nodes[k] = binding.nodes[first + k];
    point.weights[k] = binding.weights[first + k];
  }
  return point;
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
