#include "limber/scene/body_source.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/embedding/tet_locator.h"
#include "limber/mesh/painted_regions.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/bake_reduced.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/modes/residual_analysis.h"
#include "limber/modes/surface_source.h"
#include "limber/scene/fill_cache.h"
#include "limber/scene/pieces.h"

namespace limber {

namespace {

/// The nodes that carry these vertices of the surface: with them still, the vertices stand still.
std::vector<int> nodes_under(const SurfaceBinding& binding, const std::vector<int>& vertices) {
  std::vector<int> nodes;
  for (const int vertex : vertices) {
    const BodyPoint point = point_of(binding, vertex);
    for (std::size_t k = 0; k < 4; ++k) {
      if (point.weights[k] != 0) nodes.push_back(point.nodes[k]);
    }
  }
  return nodes;
}

std::vector<int> select_fixed(const TetMesh& mesh, const SurfaceBinding& binding,
                              const BodyDescription& description) {
  std::vector<int> nodes;
  for (const std::string& selection : description.fixed) {
    const auto vertices = select_vertices(selection, binding.vertex_count());
    const std::vector<int> picked =
        vertices ? nodes_under(binding, *vertices) : select_nodes(mesh, selection);
    nodes.insert(nodes.end(), picked.begin(), picked.end());
  }
  if (description.core && !description.core->moves_by_itself()) {
    const std::vector<int> rigid = select_nodes(mesh, description.core->nodes);
    nodes.insert(nodes.end(), rigid.begin(), rigid.end());
  }
  return nodes;
}

/// Of a core that moves by itself.
std::vector<int> select_core(const TetMesh& mesh, const BodyDescription& description) {
  if (!description.core || !description.core->moves_by_itself()) return {};
  return select_nodes(mesh, description.core->nodes);
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
  if (description.given_surface) return *description.given_surface;
  if (!description.surface.empty()) return read_surface(description.surface);
  return std::nullopt;
}

/// From soft where the surface is black to stiff where it is white, evenly in the logarithm. The
/// tets of one of kLevels shades, and of one region before, become a region of their own.
void paint_young(const std::pair<double, double>& young, const TriMesh& surface, TetMesh& mesh,
                 Materials& materials) {
  constexpr int kLevels = 16;  // a factor of 1.5 between them when stiff is 500 times soft
  const std::vector<float> brightness = painted_brightness(mesh, surface);
  std::map<std::pair<int, int>, std::vector<int>> shades;
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const auto level = static_cast<int>(std::lround(brightness[tet] * (kLevels - 1)));
    shades[{mesh.region(tet), level}].push_back(tet);
  }
  for (const auto& [key, tets] : shades) {
    Material material = materials.of(key.first);
    material.young = young.first * std::pow(young.second / young.first,
                                            static_cast<double>(key.second) / (kLevels - 1));
    for (const int number : set_apart(mesh, tets)) materials.by_region[number] = material;
  }
}

/// Those that the mesh's file gives hold where the scene gives none; a warning says whose they are.
TetMesh read_with_materials(const BodyDescription& description, BodySource& source) {
  ReadNotes notes;
  TetMesh mesh = read_tet_mesh(description.mesh, &notes);
  if (notes.materials.empty()) return mesh;
  const std::string file = description.mesh.filename().string();
  if (description.has_material) {
    source.warnings.push_back("the scene's material takes the place of those in " + file);
    return mesh;
  }
  std::map<int, Material>& by_region = source.materials.by_region;
  for (const auto& [region, given] : notes.materials) {
    by_region.try_emplace(region, Material{given.young, given.poisson, given.density});
  }
  source.materials.base = by_region.begin()->second;
  source.warnings.push_back(fmt::format("Young's modulus, {:g} Pa, and the rest are those in {}",
                                        source.materials.base.young, file));
  return mesh;
}

/// Painted and named regions get numbers of their own; the materials say what they are made of.
Materials apply_regions(const BodyDescription& description, Materials materials,
                        const TriMesh& surface, TetMesh& mesh) {
  if (description.painted_young) {
    paint_young(*description.painted_young, surface, mesh, materials);
  }
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
  if (description.pieces != LoosePieces::apart) {
    throw Error("a baked body's pieces are as they were baked", description.name,
                "leave \"pieces\" out, or give the mesh instead");
  }
  if (!description.named_regions.empty() || description.painted_young) {
    throw Error("a baked body already knows its materials", description.name,
                "leave \"regions\" and \"painted_young\" out or bake the body again");
  }
  if (description.subdivide > 0) {
    throw Error("a baked body's mesh is as it was baked", description.name,
                "leave \"subdivide\" out, or give the mesh instead");
  }
  BodySource source;
  source.name = description.name;
  source.baked = true;
  BakedBody baked =
      description.given_body ? *description.given_body : read_baked(description.baked);
  source.modes = std::move(baked.body);
  source.residual = std::move(baked.residual);
  source.mesh = mesh_of(source.modes);
  if (const std::optional<TriMesh> surface = own_surface(description)) {
    source.modes.surface = embedded_surface(source.mesh, *surface);
    source.surface = *surface;
  } else {
    source.surface = surface_mesh(source.modes.surface);
    unpack_source(baked.surface_source.span(), source.surface);
  }
  source.binding = source.modes.surface.binding;
  source.fixed_nodes.assign(source.modes.fixed_nodes.begin(), source.modes.fixed_nodes.end());
  return source;
}

/// The surface's own mesh also knows how its file had it, which a bound one does not.
void set_surface(BodySource& source, BodySurface bound, const std::optional<TriMesh>& own) {
  source.surface = own ? *own : surface_mesh(bound);
  source.binding = bound.binding;
  source.modes.surface = std::move(bound);
}

/// The tets and the surface that people see, bound to them.
void make_mesh(const BodyDescription& description, const Progress& progress, BodySource& source) {
  const std::optional<TriMesh> surface = own_surface(description);
  if (description.given_mesh || description.shape || !description.mesh.empty()) {
    source.mesh = description.given_mesh ? *description.given_mesh
                  : description.shape    ? make_shape(*description.shape, description.name)
                                         : read_with_materials(description, source);
    set_surface(
        source,
        surface ? embedded_surface(source.mesh, *surface) : boundary_as_surface(source.mesh),
        surface);
    return;
  }
  TetrahedralizeOptions options;
  options.mode = description.fill.mode;
  options.cells = description.fill.cells;
  options.target_tets = description.fill.tets;
  options.progress = progress;
  const Tetrahedralized filled = fill_with_cache(*surface, options, description.cache);
  source.mesh = filled.mesh;
  source.warnings = filled.report.warnings;
  set_surface(source, embedded_surface(source.mesh, *surface, filled.embedding), surface);
}

/// Regions are those of the coarse tets; the surface is bound to the finest ones.
void subdivide(const BodyDescription& description, bool own_surface, BodySource& source) {
  if (description.subdivide == 0) return;
  try {
    source.tree = std::make_shared<const TetTree>(source.mesh, description.subdivide);
  } catch (const Error& error) {
    throw error.in(description.name + ", subdivide");
  }
  source.mesh = source.tree->finest();
  if (own_surface) {
    const TriMesh surface = source.surface;
    set_surface(source, embedded_surface(source.mesh, surface), surface);
  } else {
    set_surface(source, boundary_as_surface(source.mesh), std::nullopt);
  }
}

void add_modes(const BodyDescription& description, const Progress& progress, BodySource& source) {
  ModalOptions options;
  options.count = description.modes;
  options.mass = description.mass.value_or(MassKind::consistent);
  BodySurface surface = source.modes.surface;
  source.modes = bake(source.mesh, source.materials, source.fixed_nodes, options, progress);
  if (description.method == Method::reduced) {
    ReducedBakeOptions reduced;
    reduced.basis.size = description.fields;
    reduced.basis.mass = options.mass;
    bake_reduced(source.mesh, source.materials, source.modes, reduced, progress);
  }
  source.modes.surface = std::move(surface);
}

}  // namespace

ResidualModes find_residual_modes(const BodyDescription& description, const BodySource& source,
                                  const Progress& progress) {
  if (source.baked) {
    throw Error("the baked body has no residual modes", source.name,
                "bake it with --local, or give \"local\": {\"mode\": \"off\"}");
  }
  ResidualOptions options;
  options.mass = description.mass.value_or(MassKind::consistent);
  return residual_modes(source.mesh, source.materials, source.modes, options, progress);
}

namespace {

void add_local_detail(const BodyDescription& description, const Progress& progress,
                      BodySource& source) {
  constexpr int kFewModes = 10;
  if (description.method != Method::global_local || description.local.mode == LocalMode::off)
    return;
  if (source.modes.mode_count() < kFewModes) {
    source.warnings.push_back(
        fmt::format("local detail helps little on {} modes: give it {} or more",
                    source.modes.mode_count(), kFewModes));
  }
  const bool wanted = description.local.mode == LocalMode::residual ||
                      (description.local.mode == LocalMode::corotational && !source.baked);
  if (wanted && source.residual.empty())
    source.residual = find_residual_modes(description, source, progress);
}

}  // namespace

std::vector<BodySource> load_bodies(const BodyDescription& description, bool with_modes,
                                    const Progress& progress) {
  if (!description.baked.empty() || description.given_body) {
    BodySource source = load_baked(description);
    source.core_nodes = select_core(source.mesh, description);
    if (with_modes) add_local_detail(description, progress, source);
    return {std::move(source)};
  }
  BodySource whole;
  whole.name = description.name;
  whole.materials = description.materials;
  make_mesh(description, progress, whole);
  whole.materials = apply_regions(description, whole.materials, whole.surface, whole.mesh);
  const bool own_surface =
      description.character || description.given_surface || !description.surface.empty();
  subdivide(description, own_surface, whole);
  whole.fixed_nodes = select_fixed(whole.mesh, whole.binding, description);
  whole.core_nodes = select_core(whole.mesh, description);
  std::vector<BodySource> bodies = in_pieces(std::move(whole), description.pieces, own_surface);
  for (BodySource& body : bodies) {
    if (!with_modes) continue;
    add_modes(description, progress, body);
    add_local_detail(description, progress, body);
  }
  return bodies;
}

namespace {

const TetMesh& named_mesh(const BodySource& source) {
  return source.whole ? *source.whole->mesh : source.mesh;
}

int find_in_whole(const TetMesh& mesh, const NodeChoice& choice, const std::string& where) {
  if (const Vec3* point = std::get_if<Vec3>(&choice)) return nearest_node(mesh, *point);
  const int node = std::get<int>(choice);
  if (node < 0 || node >= mesh.node_count()) {
    throw Error(fmt::format("node {} does not exist", node), where,
                fmt::format("the mesh has nodes 0 to {}", mesh.node_count() - 1));
  }
  return node;
}

std::optional<int> own_node(const BodySource& source, int node) {
  if (!source.whole) return node;
  const int own = source.whole->node_of[node];
  return own < 0 ? std::nullopt : std::optional(own);
}

}  // namespace

std::optional<int> find_node(const BodySource& source, const NodeChoice& choice,
                             const std::string& where) {
  return own_node(source, find_in_whole(named_mesh(source), choice, where));
}

std::optional<BodyPoint> find_point(const BodySource& source, const NodeChoice& choice,
                                    const std::string& where) {
  constexpr double kSameNode = 1e-9;  // of the mesh's size
  constexpr double kOutside = 1e-2;
  const std::optional<int> node = find_node(source, choice, where);
  if (!node) return std::nullopt;
  const BodyPoint nearest = BodyPoint::at_node(*node);
  const Vec3* point = std::get_if<Vec3>(&choice);
  if (point == nullptr) return nearest;
  const TetMesh& mesh = source.mesh;
  const double size = (mesh.V.colwise().maxCoeff() - mesh.V.colwise().minCoeff()).norm();
  const double distance = (mesh.V.row(*node).transpose() - *point).norm();
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

std::vector<int> find_nodes(const BodySource& source, const NodeSelection& selection,
                            const std::string& where) {
  std::vector<int> nodes;
  if (const auto* expression = std::get_if<std::string>(&selection)) {
    nodes = select_nodes(named_mesh(source), *expression);
  } else {
    for (const NodeChoice& choice : std::get<std::vector<NodeChoice>>(selection)) {
      nodes.push_back(find_in_whole(named_mesh(source), choice, where));
    }
  }
  std::vector<int> own;
  for (const int node : nodes) {
    if (const std::optional<int> here = own_node(source, node)) own.push_back(*here);
  }
  return own;
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

}  // namespace limber
