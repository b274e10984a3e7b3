#include "limber/interpolate/quality/self_intersections.h"

#include <algorithm>

#include "limber/mesh/coincident.h"
#include "limber/mesh/tetrahedralize/self_intersections.h"

namespace limber {

FrameIntersectionFinder::FrameIntersectionFinder(const TriMesh& surface) : F_(surface.F) {
  const std::vector<int> first = first_coincident(surface.V);
  for (Eigen::Index f = 0; f < F_.rows(); ++f) {
    for (int k = 0; k < 3; ++k) F_(f, k) = first[F_(f, k)];
  }
}

FrameIntersections FrameIntersectionFinder::find(const Positions& positions) const {
  Soup soup;
  soup.V = positions;
  soup.F = F_;
  soup.size = (positions.colwise().maxCoeff() - positions.colwise().minCoeff()).norm();
  const TriangleTree tree(positions, F_);
  const std::vector<int> one_part(F_.rows(), 0);
  const SelfIntersections found = find_self_intersections(soup, tree, one_part);
  FrameIntersections result;
  result.pairs = found.crossing_pairs;
  for (const auto& [f, g] : found.touching) {
    result.triangles.push_back(f);
    result.triangles.push_back(g);
  }
  std::sort(result.triangles.begin(), result.triangles.end());
  result.triangles.erase(std::unique(result.triangles.begin(), result.triangles.end()),
                         result.triangles.end());
  return result;
}

}  // namespace limber
