#include "limber/mesh/tetrahedralize/tet_contents.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/mesh/spatial/flat_map.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {
/// Ways are tried between this many places on surface bits at most.
constexpr int kPlaces = 12;
/// Places from which ways go to all others.
constexpr std::size_t kHubs = 8;
/// A way this flat to a triangle (cosine) cannot tell its sides.
constexpr double kGrazing = 1e-6;
}  // namespace

/// Things to be joined: first the triangles in the order of the list, then the four corners.
struct ContentsFinder::Work {
  int tet;
  std::span<const std::int32_t> listed;
  TetProbe probe;
  UnionFind sets;

  [[nodiscard]] int corner(int c) const { return static_cast<int>(listed.size()) + c; }
};

ContentsFinder::ContentsFinder(const Soup& body, const Roles& roles, const Solid& solid,
                               const BackgroundGrid& grid, const Touching& touching,
                               const std::vector<bool>& inside,
                               const std::vector<std::pair<int, int>>& touching_pairs, double slack)
    : body_(body),
      roles_(roles),
      solid_(solid),
      grid_(grid),
      touching_(touching),
      inside_(inside),
      slack_(slack),
      first_partner_(body.F.rows() + 1, 0),
      winding_behind_(body.F.rows(), std::numeric_limits<double>::quiet_NaN()) {
  const int triangles = static_cast<int>(body.F.rows());
  for (const auto& [f, g] : touching_pairs) ++first_partner_[f + 1];
  for (int f = 0; f < triangles; ++f) first_partner_[f + 1] += first_partner_[f];
  partners_.resize(touching_pairs.size());
  std::vector<std::int32_t> next(first_partner_.begin(), first_partner_.end() - 1);
  for (const auto& [f, g] : touching_pairs) partners_[next[f]++] = g;

  // Behind a sealed wall the winding number changes only where triangles cross.
  UnionFind alike(triangles);
  std::vector<bool> crosses(triangles, !solid.sealed());
  for (const auto& [f, g] : touching_pairs) crosses[f] = crosses[g] = true;
  FlatMap edges(3 * triangles);
  for (int f = 0; f < triangles; ++f) {
    for (int c = 0; c < 3 && !crosses[f]; ++c) {
      bool added = false;
      alike.join(f, edges.insert(pair_key(body.F(f, c), body.F(f, (c + 1) % 3)), f, added));
    }
  }
  for (int f = 0; f < triangles; ++f) alike_.push_back(alike.root(f));
}

double ContentsFinder::winding_behind(int f) const {
  double& w = winding_behind_[alike_[f]];
  if (std::isnan(w)) {
    const Triangle& t = solid_.triangles()[f];
    const Vec3 middle = (t[0] + t[1] + t[2]) / 3;
    w = solid_.winding(middle - 10 * slack_ * area_vector(t).normalized());
  }
  return w;
}

TetContents ContentsFinder::operator()(int tet) const {
  const auto listed = touching_.of(tet);
  Work work{tet, listed, TetProbe(grid_.corners(tet)),
            UnionFind(static_cast<int>(listed.size()) + 4)};
  join_neighbours(work);
  if (solid_.test() == InsideTest::winding_number) join_through_inside(work);

  TetContents contents;
  std::vector<int> number(listed.size() + 4, -1);
  const auto bit_of = [&](int thing) {
    int& n = number[work.sets.root(thing)];
    if (n < 0) n = contents.bits++;
    return n;
  };
  for (std::size_t i = 0; i < listed.size(); ++i) {
    contents.bit_of_triangle.push_back(bit_of(static_cast<int>(i)));
  }
  for (int c = 0; c < 4; ++c) {
    contents.bit_of_corner[c] = inside_[grid_.tets[tet][c]] ? bit_of(work.corner(c)) : -1;
  }
  return contents;
}

void ContentsFinder::join_neighbours(Work& work) const {
  FlatMap edges(3 * work.listed.size());
  FlatMap vertices(3 * work.listed.size());
  for (int i = 0; i < static_cast<int>(work.listed.size()); ++i) {
    const int f = work.listed[i];
    for (int c = 0; c < 3; ++c) {
      const int u = body_.F(f, c);
      const int v = body_.F(f, (c + 1) % 3);
      bool added = false;
      const int other = edges.insert(pair_key(u, v), i, added);
      const Vec3 p = body_.V.row(u);
      const Vec3 q = body_.V.row(v);
      if (!added && !work.sets.same(i, other) && work.probe.clip(p, q, slack_)) {
        work.sets.join(i, other);
      }
      const int at_vertex = vertices.insert(static_cast<std::uint64_t>(u), i, added);
      if (!added && !work.sets.same(i, at_vertex) && work.probe.clip(p, p, slack_)) {
        work.sets.join(i, at_vertex);
      }
    }
    for (int k = first_partner_[f]; k < first_partner_[f + 1]; ++k) {
      const auto found = std::lower_bound(work.listed.begin(), work.listed.end(), partners_[k]);
      if (found != work.listed.end() && *found == partners_[k]) {
        work.sets.join(i, static_cast<int>(found - work.listed.begin()));
      }
    }
  }
}

/// A place from which ways start: on a triangle of the list or at an inside corner.
struct ContentsFinder::Start {
  int thing;
  Vec3 place;
  Vec3 normal = Vec3::Zero();  ///< unit; zero at a corner
  double winding = 1;          ///< behind the triangle, or at the corner
  bool wall = false;
};

/// Inside corners, and places spread over the list with one at least for each bit.
std::vector<ContentsFinder::Start> ContentsFinder::starts_in(Work& work) const {
  std::vector<Start> starts;
  for (int c = 0; c < 4; ++c) {
    const int node = grid_.tets[work.tet][c];
    if (!inside_[node]) continue;
    starts.push_back(
        {work.corner(c), grid_.nodes[node], Vec3::Zero(), solid_.winding(grid_.nodes[node])});
  }
  const int triangles = static_cast<int>(work.listed.size());
  const int stride = std::max(1, triangles / kPlaces);
  std::vector<bool> has_place(triangles, false);
  for (int i = 0; i < triangles; ++i) {
    const int bit = work.sets.root(i);
    if (i % stride != 0 && has_place[bit]) continue;
    const int f = work.listed[i];
    const Triangle& t = solid_.triangles()[f];
    const auto place = point_inside_tet(t, work.probe);
    const Vec3 n = area_vector(t);
    if (!place || n.norm() <= 0) continue;
    has_place[bit] = true;
    starts.push_back({i, *place, n.normalized(), winding_behind(f), roles_.of[f] == Role::wall});
  }
  return starts;
}

void ContentsFinder::join_through_inside(Work& work) const {
  const int triangles = static_cast<int>(work.listed.size());
  bool one_surface = true;
  for (int i = 1; i < triangles; ++i) one_surface = one_surface && work.sets.same(0, i);
  if (one_surface) {
    // Every region of the tet ends at the one bit of surface, if there is any.
    for (int c = 0; c < 4; ++c) work.sets.join(0, work.corner(c));
    return;
  }
  const std::vector<Start> starts = starts_in(work);
  // All pairs of a few; of many, ways to the first ones and to those that follow in the list, which
  // lie near: as many bits as a crumpled surface has in one tet must not cost their square.
  for (std::size_t a = 0; a < starts.size(); ++a) {
    const std::size_t end = a < kHubs ? starts.size() : std::min(starts.size(), a + kHubs);
    for (std::size_t b = a + 1; b < end; ++b) {
      if (!work.sets.same(starts[a].thing, starts[b].thing)) join_along(work, starts[a], starts[b]);
    }
  }
}

/// Joins what follows each other on the straight way with inside between.
void ContentsFinder::join_along(Work& work, const Start& from, const Start& to) const {
  const int triangles = static_cast<int>(work.listed.size());
  const Vec3 way = to.place - from.place;
  const double leaning = from.normal.dot(way) / std::max(way.norm(), 1e-300);
  if (from.thing < triangles && std::abs(leaning) < kGrazing) return;
  struct Met {
    double at;
    int thing;
    double change;
  };
  std::vector<Met> met;
  for (int i = 0; i < triangles; ++i) {
    if (i == from.thing || i == to.thing) continue;
    const int f = work.listed[i];
    const auto at = crossing(solid_.triangles()[f], from.place, to.place);
    if (!at) continue;
    const bool leaves = area_vector(solid_.triangles()[f]).dot(way) > 0;
    met.push_back({*at, i, roles_.of[f] != Role::wall ? 0.0 : leaves ? -1.0 : 1.0});
  }
  std::sort(met.begin(), met.end(), [](const Met& x, const Met& y) { return x.at < y.at; });
  met.push_back({1, to.thing, 0});
  double w = from.winding - (from.wall && leaning > 0 ? 1 : 0);
  int last = from.thing;
  for (const Met& m : met) {
    if (w > 0.5) work.sets.join(last, m.thing);
    w += m.change;
    last = m.thing;
  }
}

}  // namespace limber
