#include "limber/scene/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/glue.h"
#include "limber/modes/bake.h"
#include "limber/modes/embedded_surface.h"

namespace limber {

namespace {

/// The body of one piece, all but its surface.
BodySource body_of(const BodySource& whole, std::shared_ptr<const TetMesh> whole_mesh,
                   LoosePiece piece) {
  BodySource body;
  body.name = whole.name;
  body.mesh = std::move(piece.mesh);
  body.materials = whole.materials;
  const auto of_piece = [&](const std::vector<int>& of_whole) {
    std::vector<int> nodes;
    for (const int node : of_whole) {
      if (piece.node_of[node] >= 0) nodes.push_back(piece.node_of[node]);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  };
  body.fixed_nodes = of_piece(whole.fixed_nodes);
  body.core_nodes = of_piece(whole.core_nodes);
  body.whole = WholeMesh{std::move(whole_mesh), std::move(piece.node_of)};
  return body;
}

/// `own` without triangles: the body's boundary.
void show(BodySource& body, const TriMesh& own) {
  const bool has_own = own.triangle_count() > 0;
  const BodySurface bound =
      has_own ? embedded_surface(body.mesh, own) : boundary_as_surface(body.mesh);
  body.surface = has_own ? own : surface_mesh(bound);
  body.binding = bound.binding;
  body.modes.surface = bound;
}

/// The piece that each vertex of the surface hangs on most.
std::vector<int> pieces_of_vertices(const SurfaceBinding& binding,
                                    const std::vector<LoosePiece>& pieces) {
  std::vector<int> piece_of_node(pieces.front().node_of.size(), -1);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    for (std::size_t i = 0; i < piece_of_node.size(); ++i) {
      if (pieces[k].node_of[i] >= 0) piece_of_node[i] = static_cast<int>(k);
    }
  }
  std::vector<int> piece_of_vertex;
  for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
    const double* const weights = binding.weights.data() + 4 * static_cast<std::size_t>(vertex);
    const auto heaviest = std::max_element(weights, weights + 4) - weights;
    piece_of_vertex.push_back(piece_of_node[binding.nodes[4 * vertex + heaviest]]);
  }
  return piece_of_vertex;
}

std::vector<BodySource> taken_apart(const BodySource& whole, bool own_surface) {
  std::vector<LoosePiece> pieces = loose_pieces(whole.mesh);
  std::vector<int> piece_of_vertex;
  if (own_surface) piece_of_vertex = pieces_of_vertices(whole.binding, pieces);
  const auto mesh = std::make_shared<const TetMesh>(whole.mesh);
  std::vector<BodySource> bodies;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    BodySource& body = bodies.emplace_back(body_of(whole, mesh, std::move(pieces[k])));
    body.is_loose_piece = true;
    if (k > 0) body.name = fmt::format("{}.{}", whole.name, k + 1);
    TriMesh part;
    if (own_surface) {
      part = surface_of_piece(whole.surface, piece_of_vertex, static_cast<int>(k));
    }
    show(body, part);
  }
  bodies.front().warnings = whole.warnings;
  return bodies;
}

BodySource joined(const BodySource& whole, bool own_surface) {
  try {
    BodySource body =
        body_of(whole, std::make_shared<const TetMesh>(whole.mesh), glued(whole.mesh));
    body.warnings = whole.warnings;
    show(body, own_surface ? whole.surface : TriMesh());
    return body;
  } catch (const Error& error) {
    throw error.in(whole.name);
  }
}

}  // namespace

std::vector<BodySource> in_pieces(BodySource whole, LoosePieces pieces, bool own_surface) {
  std::vector<BodySource> bodies;
  if (connected_part_count(whole.mesh) < 2) {
    bodies.push_back(std::move(whole));
  } else if (pieces == LoosePieces::glue) {
    bodies.push_back(joined(whole, own_surface));
  } else {
    bodies = taken_apart(whole, own_surface);
  }
  return bodies;
}

}  // namespace limber
