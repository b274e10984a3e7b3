// Picking nodes by a short expression.
//
//   x<=0.001            a coordinate compared: x y z, < <= > >=
//   nodes:0,4,17        by number, from 0 in the file's order
//   region:2            nodes of the tets of a region
//   box:x0,y0,z0,x1,y1,z1   sphere:cx,cy,cz,r      faces included
//
// Several are joined by &&; spaces are allowed anywhere between numbers and signs.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "limber/mesh/tet_mesh.h"

namespace limber {

/// The nodes picked, ascending. Throws Error that names the piece it cannot read, and when nothing
/// is picked.
std::vector<int> select_nodes(const TetMesh& mesh, std::string_view expression);

/// "vertices:0,4,17": numbers of a surface's vertices, from 0 in the file's order; nothing when the
/// expression is of another kind. Throws Error for a number that there is not.
std::optional<std::vector<int>> select_vertices(std::string_view expression, int vertex_count);

/// A part of a mesh whose nodes have other numbers in the whole: local node i is node numbers[i] of
/// node_count. All tets around the nodes that one asks about must be in it.
struct MeshPart {
  const TetMesh& mesh;
  const std::vector<int>& numbers;
  int node_count;
};

/// What an expression picks of a part, where picking nothing is no mistake.
struct PartialPicks {
  std::vector<char> picked;  ///< one a node of the part
  std::vector<char> found;   ///< one a piece of the expression: whether its region is in this part
};
PartialPicks pick_nodes(const MeshPart& part, std::string_view expression);
/// Throws Error when a piece found nothing in any part or no node is picked. `found` and
/// `any_picked` are what all parts say together.
void refuse_empty_picks(std::string_view expression, const std::vector<char>& found,
                        bool any_picked);

using PointTest = std::function<bool(const Vec3&)>;

/// The same expression as a question about places, where there are no nodes yet: `nodes:` and
/// `region:` are refused.
PointTest select_points(std::string_view expression);

/// The node nearest to `point`, the first one of several; among a mesh's nodes only those in use.
int nearest_node(const TetMesh& mesh, const Vec3& point);
int nearest_node(const Positions& positions, const Vec3& point);

}  // namespace limber
