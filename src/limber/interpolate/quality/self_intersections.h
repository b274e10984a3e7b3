// Where the frames of a motion go through themselves (Huang et al. 2011 leave it to the eye, and
// mend it by an inserted key: section 3).
#pragma once

#include <vector>

#include "limber/mesh/tri_mesh.h"

namespace limber {

struct FrameIntersections {
  int pairs = 0;               ///< of triangles that cross
  std::vector<int> triangles;  ///< ascending; those of pairs with no corner in common
};

class FrameIntersectionFinder {
 public:
  /// Vertices at one place in `surface` are one.
  explicit FrameIntersectionFinder(const TriMesh& surface);

  /// `positions` v×3.
  [[nodiscard]] FrameIntersections find(const Positions& positions) const;

 private:
  Triangles F_;  // over the first of coincident vertices
};

}  // namespace limber
