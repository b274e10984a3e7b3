// Which tet holds a point, and which is nearest to a point outside all.
#pragma once

#include <functional>
#include <vector>

#include "limber/mesh/spatial/triangle_tree.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

using Weights = Eigen::Vector4d;

/// Barycentric coordinates of p in tet t: they sum to one and give p back, inside and out.
Weights barycentric(const TetMesh& mesh, int t, const Vec3& p);

class TetLocator {
 public:
  /// `mesh` must outlive this and have a tet, none flat.
  explicit TetLocator(const TetMesh& mesh);

  struct Found {
    int tet = -1;
    Weights weights = Weights::Zero();
    double outside = 0;  ///< distance from the mesh, 0 inside
  };

  /// The tet around p, of several the one it lies deepest in; outside all, the tet at the nearest
  /// boundary face, of several the one that reaches out least.
  [[nodiscard]] Found locate(const Vec3& p) const;

  /// Every tet that holds p: more than one where tets overlap.
  [[nodiscard]] std::vector<int> all_around(const Vec3& p) const;

  /// The tet at the nearest boundary face, of those that `allowed` holds for, all without it.
  [[nodiscard]] Found nearest(const Vec3& p, const std::function<bool(int)>& allowed = {}) const;

 private:
  const TetMesh& mesh_;
  BoxTree tets_;
  TriangleTree faces_;
  std::vector<std::int32_t> tet_of_face_;
  double size_ = 0;
};

}  // namespace limber
