#include "limber/mesh/embedding/overlap.h"

#include <algorithm>
#include <queue>

#include "limber/mesh/coincident.h"
#include "limber/mesh/tetrahedralize/pieces.h"

namespace limber {

namespace {
/// How well tet t goes on from tet s: in the same piece, by the number of common nodes.
int continuation(const TetMesh& mesh, const Pieces& pieces, int s, int t) {
  int common = pieces.of_tet[s] == pieces.of_tet[t] ? 1 : 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) common += mesh.T(s, i) == mesh.T(t, j) ? 1 : 0;
  }
  return common;
}

struct Sides {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> neighbours;
};

Sides sides_of(const TriMesh& surface, const std::vector<int>& place) {
  Sides sides;
  sides.first.assign(surface.vertex_count() + 1, 0);
  const auto for_each_side = [&](const auto& visit) {
    for (int f = 0; f < surface.triangle_count(); ++f) {
      for (int c = 0; c < 3; ++c) {
        const int u = place[surface.F(f, c)];
        const int v = place[surface.F(f, (c + 1) % 3)];
        visit(u, v);
        visit(v, u);
      }
    }
  };
  for_each_side([&](int u, int) { ++sides.first[u + 1]; });
  for (int v = 0; v < surface.vertex_count(); ++v) sides.first[v + 1] += sides.first[v];
  sides.neighbours.resize(sides.first.back());
  std::vector<std::int32_t> next(sides.first.begin(), sides.first.end() - 1);
  for_each_side([&](int u, int v) { sides.neighbours[next[u]++] = v; });
  return sides;
}
}  // namespace

std::vector<std::int32_t> tets_along_surface(const TetMesh& mesh, const TriMesh& surface,
                                             const TetLocator& locator) {
  const int count = surface.vertex_count();
  const std::vector<int> place = first_coincident(surface.V);
  std::vector<std::vector<int>> candidates(count);
  std::vector<std::int32_t> tet(count, -1);
  std::queue<std::int32_t> settled;
  bool doubt = false;
  for (int v = 0; v < count; ++v) {
    if (place[v] != v) continue;
    candidates[v] = locator.all_around(surface.V.row(v));
    // On a face or node of a mesh without overlaps any of the neighbours will do.
    const bool sure = candidates[v].size() == 1;
    if (sure) tet[v] = candidates[v][0];
    if (sure || candidates[v].empty()) continue;
    doubt = true;
  }
  std::vector<std::int32_t> chosen(count, -1);
  if (!doubt) return chosen;

  const Sides sides = sides_of(surface, place);
  const Pieces pieces = face_connected_pieces(mesh.T, mesh.node_count());
  for (int v = 0; v < count; ++v) {
    if (tet[v] >= 0) settled.push(v);
  }
  const auto settle_neighbours = [&](int u) {
    for (int k = sides.first[u]; k < sides.first[u + 1]; ++k) {
      const int v = sides.neighbours[k];
      if (tet[v] >= 0 || candidates[v].empty()) continue;
      tet[v] = *std::max_element(candidates[v].begin(), candidates[v].end(), [&](int a, int b) {
        return continuation(mesh, pieces, tet[u], a) < continuation(mesh, pieces, tet[u], b);
      });
      settled.push(v);
    }
  };
  for (int seed = 0; seed <= count; ++seed) {
    while (!settled.empty()) {
      const int u = settled.front();
      settled.pop();
      settle_neighbours(u);
    }
    // A patch in doubt all over starts anywhere.
    if (seed < count && place[seed] == seed && tet[seed] < 0 && !candidates[seed].empty()) {
      tet[seed] = candidates[seed][0];
      settled.push(seed);
    }
  }
  for (int v = 0; v < count; ++v) {
    if (candidates[place[v]].size() > 1) chosen[v] = tet[place[v]];
  }
  return chosen;
}

}  // namespace limber
