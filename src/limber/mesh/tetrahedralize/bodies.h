// Which parts of a surface are one body: those that touch, cross or lie inside each other. Parts
// apart from each other stay apart, however near.
#pragma once

#include <vector>

#include "limber/mesh/spatial/triangle_tree.h"
#include "limber/mesh/tetrahedralize/self_intersections.h"
#include "limber/mesh/tetrahedralize/surface_topology.h"

namespace limber {

struct Bodies {
  std::vector<int> body_of;  ///< for each triangle
  int count = 0;
};

Bodies find_bodies(const Soup& soup, const SoupTopology& topology, const TriangleTree& tree,
                   const SelfIntersections& intersections);

/// All triangles together: what near parts are that are to grow together.
Bodies one_body(const Soup& soup);

/// The triangles of one body, with vertices of their own.
struct BodySoup {
  Soup soup;                   ///< `vertex_of` is empty
  std::vector<int> vertices;   ///< for each vertex its number in the whole soup
  std::vector<int> triangles;  ///< for each triangle its number in the whole soup, ascending
};
/// One for each body.
std::vector<BodySoup> split_bodies(const Soup& soup, const Bodies& bodies);

}  // namespace limber
