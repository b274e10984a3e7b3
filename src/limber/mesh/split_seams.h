// A surface as graphics hardware wants it: one texture coordinate a vertex.
#pragma once

#include <vector>

#include "limber/mesh/tri_mesh.h"

namespace limber {

/// Vertices on texture seams are there several times, side by side, in the surface's order.
struct SeamSplit {
  std::vector<int> vertices;  ///< the surface's vertex of each split one
  Triangles triangles;        ///< of split vertices
  Eigen::Matrix<float, Eigen::Dynamic, 2, Eigen::RowMajor> uv;  ///< one each, or empty
};

/// Without seams the vertices are 0, 1, 2, … and the triangles the surface's own.
SeamSplit split_seams(const TriMesh& surface);

}  // namespace limber
