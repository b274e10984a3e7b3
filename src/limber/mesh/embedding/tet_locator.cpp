#include "limber/mesh/embedding/tet_locator.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/mesh/boundary.h"
#include "limber/mesh/tet_geometry.h"
#include "limber/mesh/tetrahedralize/pieces.h"

namespace limber {

namespace {
/// A point on a face may come out this far outside by rounding: volumes of coordinates known to
/// 1e-16 err by 1e-15 of a tet a hundred times smaller than its distance from the origin.
constexpr double kInside = -1e-10;
}  // namespace

Weights barycentric(const TetMesh& mesh, int t, const Vec3& p) {
  const Vec3 a = mesh.V.row(mesh.T(t, 0)).transpose() - p;
  const Vec3 b = mesh.V.row(mesh.T(t, 1)).transpose() - p;
  const Vec3 c = mesh.V.row(mesh.T(t, 2)).transpose() - p;
  const Vec3 d = mesh.V.row(mesh.T(t, 3)).transpose() - p;
  // Volumes opposite a, b, c, d with p in their place; their sum is the tet's own.
  const Vec3 ab = a.cross(b);
  const Vec3 cd = c.cross(d);
  const Weights w(b.dot(cd), -a.dot(cd), d.dot(ab), -c.dot(ab));
  return w / w.sum();
}

TetLocator::TetLocator(const TetMesh& mesh) : mesh_(mesh) {
  std::vector<Box> boxes(mesh.tet_count());
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int c = 0; c < 4; ++c) boxes[t].include(mesh.V.row(mesh.T(t, c)).transpose());
  }
  tets_ = BoxTree(boxes);
  if (!tets_.empty()) size_ = tets_.nodes()[0].box.size().norm();
  const auto neighbours = face_neighbours(mesh.T, mesh.node_count());
  std::vector<std::array<std::int32_t, 3>> faces;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    for (int c = 0; c < 4; ++c) {
      if (neighbours[t][c] >= 0) continue;
      faces.push_back(
          {mesh.T(t, kTetFaces[c][0]), mesh.T(t, kTetFaces[c][1]), mesh.T(t, kTetFaces[c][2])});
      tet_of_face_.push_back(t);
    }
  }
  Triangles F(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f) F.row(f) << faces[f][0], faces[f][1], faces[f][2];
  faces_ = TriangleTree(mesh.V, F);
}

TetLocator::Found TetLocator::locate(const Vec3& p) const {
  Found best;
  double depth = kInside;
  tets_.walk([&](const Box& box) { return box.contains(p); },
             [&](int t) {
               const Weights w = barycentric(mesh_, t, p);
               if (w.minCoeff() < depth || (best.tet >= 0 && w.minCoeff() == depth)) return;
               depth = w.minCoeff();
               best.tet = t;
               best.weights = w;
             });
  return best.tet >= 0 ? best : nearest(p);
}

std::vector<int> TetLocator::all_around(const Vec3& p) const {
  std::vector<int> found;
  tets_.walk([&](const Box& box) { return box.contains(p); },
             [&](int t) {
               if (barycentric(mesh_, t, p).minCoeff() >= kInside) found.push_back(t);
             });
  std::sort(found.begin(), found.end());
  return found;
}

TetLocator::Found TetLocator::nearest(const Vec3& p,
                                      const std::function<bool(int)>& allowed) const {
  // Faces around the nearest edge or node are equally near up to rounding.
  const double same = 1e-12 * size_;
  Found best;
  double distance = std::numeric_limits<double>::infinity();
  faces_.tree().walk_nearest(p, distance, [&](int f) {
    if (allowed && !allowed(tet_of_face_[f])) return (distance + same) * (distance + same);
    const double d = (nearest_point(faces_[f], p) - p).norm();
    if (d <= distance + same) {
      const int t = tet_of_face_[f];
      const Weights w = barycentric(mesh_, t, p);
      if (d < distance - same || w.minCoeff() > best.weights.minCoeff()) {
        best = {t, w, d};
      }
      distance = std::min(distance, d);
    }
    return (distance + same) * (distance + same);
  });
  return best;
}

}  // namespace limber
