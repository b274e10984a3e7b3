// Regular bodies for tests, examples and papers' experiments: bar, cylinder, tube, sphere, sheet.
//
// Cell counts are at least 1 (around: at least 3); a mesh of more than kMostSampleNodes nodes is
// refused. All tets have positive volume and neighbours share whole faces. Nodes lie level by
// level, as each function says.
#pragma once

#include <array>

#include "limber/mesh/tet_mesh.h"

namespace limber {

inline constexpr int kMostSampleNodes = 20'000'000;

using CellCounts = std::array<int, 3>;

/// A box from the origin to `size`, cubes of 6 tets around the diagonal from low to high corner
/// (Kuhn). Node i + (nx+1)(j + (ny+1)k) is the grid point (i, j, k): x runs fastest.
/// Choi & Ko 2005: cells 10, 2, 2 give 99 nodes, 240 tets.
TetMesh bar(const Vec3& size, const CellCounts& cells);

/// The same nodes, cubes of 5 tets, mirrored by turns so that faces match.
/// Müller et al. 2002: cells 3, 3, 10 give 450 tets; 3, 3, 17 give 765.
TetMesh bar_five_tets(const Vec3& size, const CellCounts& cells);

/// A thin box as bar(), cells mirrored by turns so that no diagonal is preferred in bending.
TetMesh sheet(const Vec3& size, const CellCounts& cells);

/// Axis along y from 0 to `height`. Each level has the axis node, then `rings` rings of `around`
/// nodes outward, counted from x towards z. Every prism has 3 tets.
/// García et al. 2010: around 11, layers 10, rings 2 give 253 nodes, 990 tets; 20, 20, 2: 861,
/// 3600.
TetMesh cylinder(double radius, double height, int around, int layers, int rings);

/// Axis along y from 0 to `height`. Each level has `rings`+1 rings of `around` nodes, from the
/// inner radius outward.
TetMesh tube(double outer_radius, double inner_radius, double height, int around, int layers,
             int rings);

/// A ball around the origin: a cube of 2·`cells` cells each way, its shells pushed onto spheres.
/// Nodes as in bar(). The diagonals of each octant run from the centre outward, so that the eight
/// corners of the cube, flattened on the sphere, hold no flat tet.
TetMesh sphere(double radius, int cells);

}  // namespace limber
