#include "limber/mesh/split_seams.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace limber {

SeamSplit split_seams(const TriMesh& surface) {
  SeamSplit split;
  if (surface.corner_uv.rows() == 0) {
    split.vertices.resize(surface.vertex_count());
    std::iota(split.vertices.begin(), split.vertices.end(), 0);
    split.triangles = surface.F;
    split.uv = surface.uv;
    return split;
  }

  const auto key = [&](int corner) {
    return std::tuple(surface.F.data()[corner], surface.corner_uv(corner, 0),
                      surface.corner_uv(corner, 1));
  };
  std::vector<int> corners(surface.F.size());
  std::iota(corners.begin(), corners.end(), 0);
  std::sort(corners.begin(), corners.end(), [&](int a, int b) { return key(a) < key(b); });

  split.triangles.resize(surface.F.rows(), 3);
  std::vector<int> uv_corner;  // the corner that each split vertex takes its uv from, -1 for none
  auto next = corners.begin();
  for (int vertex = 0; vertex < surface.vertex_count(); ++vertex) {
    if (next == corners.end() || surface.F.data()[*next] != vertex) {  // of no triangle
      split.vertices.push_back(vertex);
      uv_corner.push_back(-1);
    }
    for (; next != corners.end() && surface.F.data()[*next] == vertex; ++next) {
      const bool same =
          !uv_corner.empty() && uv_corner.back() >= 0 && key(uv_corner.back()) == key(*next);
      if (!same) {
        split.vertices.push_back(vertex);
        uv_corner.push_back(*next);
      }
      split.triangles.data()[*next] = static_cast<int>(split.vertices.size()) - 1;
    }
  }
  split.uv.setZero(static_cast<Eigen::Index>(uv_corner.size()), 2);
  for (std::size_t i = 0; i < uv_corner.size(); ++i) {
    if (uv_corner[i] >= 0) split.uv.row(i) = surface.corner_uv.row(uv_corner[i]);
  }
  return split;
}

}  // namespace limber
