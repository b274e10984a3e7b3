// The tets of a played body, or of one that is still thought about, as a cage to look at.
#include <set>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

Cage cage_of(const TetMesh& mesh) {
  Cage cage;
  cage.nodes = mesh.node_count();
  cage.tets = mesh.tet_count();
  const TriMesh surface = boundary_surface(mesh).surface;
  cage.positions.assign(surface.V.data(), surface.V.data() + surface.V.size());
  std::set<std::pair<int, int>> edges;
  for (Eigen::Index f = 0; f < surface.F.rows(); ++f) {
    for (int k = 0; k < 3; ++k)
      edges.insert(std::minmax(surface.F(f, k), surface.F(f, (k + 1) % 3)));
  }
  for (const auto& [a, b] : edges) {
    cage.edges.push_back(a);
    cage.edges.push_back(b);
  }
  return cage;
}

/// All pieces of a body as one mesh to look at.
TetMesh joined(const std::vector<BodySource>& pieces) {
  if (pieces.front().whole) return *pieces.front().whole->mesh;
  return pieces.front().mesh;
}

}  // namespace

Simulation::CageJob WorldSimulation::cage(int body, int cells) const {
  const StudioBody& of = body_at(body);
  if (cells > 0 && !is_filled(of)) {
    throw Error("the body has tetrahedra of its own", of.description.name,
                "open its surface instead");
  }
  return [of, body, cells](const Progress& progress) {
    Cage cage;
    if (cells == 0) {
      cage = cage_of(of.source->mesh);
    } else {
      BodyDescription finer = of.description;
      finer.fill.cells = cells;
      finer.fill.tets = 0;
      finer.fixed.clear();  // of nodes that are not there yet
      finer.named_regions.clear();
      finer.painted_young.reset();
      cage = cage_of(joined(load_bodies(finer, false, progress)));
    }
    cage.body = body;
    cage.cells = cells;
    return cage;
  };
}

}  // namespace limber::studio
