#include "limber/mesh/tetrahedralize/bodies.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "limber/mesh/spatial/winding_number.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {
/// Three directions without a common plane or a rational slope, so that rays seldom meet edges.
const std::array<Vec3, 3> kRays = {Vec3(0.8017, 0.4931, 0.3379), Vec3(-0.3779, 0.8529, 0.3603),
                                   Vec3(0.2843, -0.4127, 0.8653)};

/// Lazily made winding numbers of single parts.
class PartWinding {
 public:
  PartWinding(const Soup& soup, const SoupTopology& topology)
      : soup_(soup), rows_(static_cast<std::size_t>(topology.parts)) {
    for (int f = 0; f < soup.F.rows(); ++f) rows_[topology.part_of[f]].push_back(f);
  }

  double operator()(int part, const Vec3& p) {
    auto found = made_.find(part);
    if (found == made_.end()) {
      found = made_.emplace(part, WindingNumber(soup_.V, soup_.F(rows_[part], Eigen::all))).first;
    }
    return found->second(p);
  }

 private:
  const Soup& soup_;
  std::vector<std::vector<int>> rows_;  // the triangles of each part
  std::map<int, WindingNumber> made_;
};

/// Parts that the rays from p cross an odd number of times, each with the number of such rays.
std::map<int, int> odd_parts(const Vec3& p, double reach, int own, const SoupTopology& topology,
                             const TriangleTree& tree) {
  std::map<int, int> votes;
  for (const Vec3& ray : kRays) {
    std::map<int, int> hits;
    for (const Crossing& c : tree.crossings(p, p + reach * ray)) {
      if (topology.part_of[c.triangle] != own) ++hits[topology.part_of[c.triangle]];
    }
    for (const auto& [part, count] : hits) votes[part] += count % 2;
  }
  return votes;
}
}  // namespace

Bodies find_bodies(const Soup& soup, const SoupTopology& topology, const TriangleTree& tree,
                   const SelfIntersections& intersections) {
  UnionFind sets(topology.parts);
  for (const auto& [f, g] : intersections.touching) {
    sets.join(topology.part_of[f], topology.part_of[g]);
  }

  PartWinding winding(soup, topology);
  std::vector<bool> seen(topology.parts, false);
  for (int f = 0; f < soup.F.rows() && topology.parts > 1; ++f) {
    const int part = topology.part_of[f];
    if (seen[part]) continue;
    seen[part] = true;
    const Vec3 p = soup.V.row(soup.F(f, 0));
    for (const auto& [other, votes] : odd_parts(p, 3 * soup.size, part, topology, tree)) {
      if (votes == 0 || sets.same(part, other)) continue;
      const bool inside =
          topology.part_open[other] ? std::abs(winding(other, p)) > 0.5 : votes >= 2;
      if (inside) sets.join(part, other);
    }
  }

  const auto [body_of_part, count] = sets.numbered();
  Bodies bodies;
  bodies.count = count;
  for (const int part : topology.part_of) bodies.body_of.push_back(body_of_part[part]);
  return bodies;
}

Bodies one_body(const Soup& soup) {
  return {std::vector<int>(static_cast<std::size_t>(soup.F.rows()), 0), 1};
}

std::vector<BodySoup> split_bodies(const Soup& soup, const Bodies& bodies) {
  std::vector<std::vector<int>> triangles(bodies.count);
  for (int f = 0; f < soup.F.rows(); ++f) triangles[bodies.body_of[f]].push_back(f);
  std::vector<BodySoup> split(bodies.count);
  // A vertex belongs to one part and so to one body.
  std::vector<int> local(soup.V.rows(), -1);
  for (int b = 0; b < bodies.count; ++b) {
    BodySoup& own = split[b];
    own.triangles = triangles[b];
    own.soup.F = soup.F(triangles[b], Eigen::all);
    for (std::int32_t& v : own.soup.F.reshaped<Eigen::RowMajor>()) {
      if (local[v] < 0) {
        local[v] = static_cast<int>(own.vertices.size());
        own.vertices.push_back(v);
      }
      v = local[v];
    }
    own.soup.V = soup.V(own.vertices, Eigen::all);
    own.soup.box = bounds(own.soup.V);
    own.soup.size = own.soup.box.size().norm();
  }
  return split;
}

}  // namespace limber
