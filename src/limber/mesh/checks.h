// Whether a mesh is fit for use, and how good it is.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// Throws Error unless there are tets, every index is in range, every coordinate finite and no tet
/// flat or of negative volume. A tet is flat when its volume is within rounding of zero.
/// `where` names the mesh in the error.
void check(const TetMesh& mesh, const std::string& where = "tet mesh");
/// The same for a part of a mesh, whose nodes and tets have these numbers in the whole. It may have
/// no tets.
void check_part(const TetMesh& part, const std::vector<int>& node_numbers,
                const std::vector<int>& tet_numbers, const std::string& where);
/// Throws Error unless there are triangles, indices are in range and all numbers finite.
void check(const TriMesh& surface, const std::string& where = "surface");

/// Nodes of no tet, ascending. They have no stiffness and no mass: readers keep them, so that
/// numbers are the file's, and whoever solves must treat them as fixed.
std::vector<int> unused_nodes(const TetMesh& mesh);

struct TetQuality {
  double volume = 0;
  double min_volume = 0;
  double min_dihedral_degrees = 0;
  double max_dihedral_degrees = 0;
  /// The least of 3·inradius/circumradius: 1 for a regular tet, 0 for a flat one.
  double worst_radius_ratio = 0;
  int worst_tet = -1;  ///< the tet with that ratio
};
TetQuality tet_quality(const TetMesh& mesh);

/// For each node the number of its part, counted from 0 in node order; -1 for unused nodes.
/// Nodes are connected when they share a tet.
std::vector<int> connected_parts(const TetMesh& mesh);
/// How many parts there are.
int connected_part_count(const TetMesh& mesh);

/// Faces that more than two tets have: where a cage keeps near parts apart it holds some cells
/// twice, which meet in such faces.
int crowded_face_count(const TetMesh& mesh);

/// Total signed volume of `tets` at `positions` (rest or deformed).
double volume(const Positions& positions, const Tets& tets);

struct SurfaceTopology {
  bool closed = false;    ///< no boundary edge
  bool manifold = false;  ///< at most two triangles an edge, one fan of triangles a vertex
  bool oriented = false;  ///< neighbours run through their common edge in opposite directions
  int boundary_edges = 0;
  int non_manifold_edges = 0;
  int non_manifold_vertices = 0;
  int components = 0;            ///< connected through common vertices
  int euler_characteristic = 0;  ///< V - E + F, used vertices only
  double area = 0;
  double volume = 0;  ///< signed, positive when oriented outward; meaningful when closed
};
SurfaceTopology surface_topology(const TriMesh& surface);

}  // namespace limber
