// Regions of a tet mesh from what its surface shows: groups of triangles, painted colours.
//
// Each tet takes after the triangle nearest to its centre (Hauser et al. 2003 paint stiff legs and
// a soft body this way).
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// For each tet the triangle of the surface nearest to its centre.
[[nodiscard]] std::vector<int> nearest_triangles(const TetMesh& mesh, const TriMesh& surface);

/// Which tets a region's name means:
///   legs               tets nearest to triangles of the material (group) "legs"
///   colour:#ff8000     … to triangles painted so, within a tenth of the colour cube's side (sRGB)
///   vertices:0,4,17    … to triangles with two or three corners among these vertices
///   any SELECT         tets with at least three nodes selected
/// Throws Error when there is no such group or colour, and when no tet is meant. `surface` may be
/// empty.
[[nodiscard]] std::vector<int> tets_of_region(const TetMesh& mesh, const TriMesh& surface,
                                              const std::string& name);

/// For each tet how bright the triangle nearest to its centre is painted: 0 black, 1 white, as
/// displayed. Throws Error when the surface has no colours.
[[nodiscard]] std::vector<float> painted_brightness(const TetMesh& mesh, const TriMesh& surface);

/// Gives the tets a region number of their own, one for each region they were in, so that parts
/// that were told apart by region stay so. Returns the new numbers.
std::vector<int> set_apart(TetMesh& mesh, const std::vector<int>& tets);

}  // namespace limber
