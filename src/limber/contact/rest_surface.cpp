#include "limber/contact/rest_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "limber/core/error.h"

namespace limber {

namespace {

/// Grid cells along the longest side: enough that a cell sees few triangles, few enough to stay in
/// cache.
constexpr int kFewestCells = 10;
constexpr int kMostCells = 32;
constexpr double kSharpCosine = 0.866;  // 30 degrees
constexpr double kFlatCosine = 0.996;   // 5 degrees

struct HalfEdge {
  int low, high;  // vertices
  int triangle, edge;
  bool forward;  // runs from low to high

  bool operator<(const HalfEdge& other) const {
    return std::tie(low, high, triangle, edge) <
           std::tie(other.low, other.high, other.triangle, other.edge);
  }
};

}  // namespace

std::string SurfaceHealing::text() const {
  std::string text;
  const auto say = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (dropped > 0) say(std::to_string(dropped) + " flat or double triangles left out");
  if (turned > 0) say(std::to_string(turned) + " triangles turned like their neighbours");
  if (inside_out) say("turned inside out as a whole");
  return text;
}

RestSurface::RestSurface(const Positions& vertices, const Triangles& triangles) {
  keep_sound_triangles(vertices, triangles);
  join_neighbours();
  turn_alike();
  find_normals();
  fill_grid();
}

void RestSurface::keep_sound_triangles(const Positions& vertices, const Triangles& triangles) {
  if (!vertices.allFinite())
    throw Error("a vertex of the surface is not finite", "collider", "mend the surface");
  vertices_.resize(static_cast<std::size_t>(vertices.rows()));
  low_.setConstant(std::numeric_limits<double>::infinity());
  high_ = -low_;
  for (int v = 0; v < vertices.rows(); ++v) vertices_[v] = vertices.row(v).transpose();
  for (int t = 0; t < triangles.rows(); ++t) {
    const std::array<int, 3> corners{triangles(t, 0), triangles(t, 1), triangles(t, 2)};
    for (const int v : corners) {
      if (v < 0 || v >= vertices.rows())
        throw Error("triangle " + std::to_string(t) + " has a vertex that is not there", "collider",
                    "mend the surface");
    }
    const Vec3 ab = vertices_[corners[1]] - vertices_[corners[0]];
    const Vec3 ac = vertices_[corners[2]] - vertices_[corners[0]];
    // Flat: thinner than rounding of its corners would make it.
    const double longest = std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
    if (!(ab.cross(ac).norm() > 1e-10 * longest)) {
      ++healing_.dropped;
      continue;
    }
    triangles_.push_back(corners);
  }
  std::vector<std::array<int, 3>> kept;
  std::vector<std::pair<std::array<int, 3>, int>> sorted;
  for (int t = 0; t < triangle_count(); ++t) {
    std::array<int, 3> key = triangles_[t];
    std::sort(key.begin(), key.end());
    sorted.emplace_back(key, t);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> twice(triangles_.size(), 0);
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    if (sorted[k].first == sorted[k - 1].first) twice[sorted[k].second] = 1;
  }
  for (int t = 0; t < triangle_count(); ++t) {
    if (twice[t]) {
      ++healing_.dropped;
    } else {
      kept.push_back(triangles_[t]);
    }
  }
  triangles_ = std::move(kept);
  if (triangles_.empty())
    throw Error("the surface has no triangle with an area", "collider", "give it triangles");
  for (const auto& corners : triangles_) {
    for (const int v : corners) {
      low_ = low_.cwiseMin(vertices_[v]);
      high_ = high_.cwiseMax(vertices_[v]);
    }
  }
}

void RestSurface::join_neighbours() {
  std::vector<HalfEdge> edges;
  for (int t = 0; t < triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), t, k, a < b});
    }
  }
  std::sort(edges.begin(), edges.end());
  neighbours_.assign(triangles_.size(), {-1, -1, -1});
  healing_.closed = true;
  for (std::size_t first = 0; first < edges.size();) {
    std::size_t last = first + 1;
    while (last < edges.size() && edges[last].low == edges[first].low &&
           edges[last].high == edges[first].high)
      ++last;
    if (last - first == 2) {
      neighbours_[edges[first].triangle][edges[first].edge] = edges[first + 1].triangle;
      neighbours_[edges[first + 1].triangle][edges[first + 1].edge] = edges[first].triangle;
    } else {
      healing_.closed = false;
    }
    first = last;
  }
}

/// Walks from triangle to triangle and turns those that disagree with the one it came from; where
/// most were turned, the others were the wrong ones.
void RestSurface::turn_alike() {
  std::vector<char> done(triangles_.size(), 0), turned(triangles_.size(), 0);
  std::vector<int> waiting, part;
  const auto turn = [&](int t) {
    std::swap(triangles_[t][1], triangles_[t][2]);
    std::swap(neighbours_[t][0], neighbours_[t][2]);
    turned[t] ^= 1;
  };
  for (int seed = 0; seed < triangle_count(); ++seed) {
    if (done[seed]) continue;
    done[seed] = 1;
    waiting.push_back(seed);
    part.clear();
    while (!waiting.empty()) {
      const int t = waiting.back();
      waiting.pop_back();
      part.push_back(t);
      for (int k = 0; k < 3; ++k) {
        const int other = neighbours_[t][k];
        if (other < 0) continue;
        const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
        bool same_way = false;  // the shared edge must run against ours
        for (int l = 0; l < 3; ++l) {
          same_way |= triangles_[other][l] == a && triangles_[other][(l + 1) % 3] == b;
        }
        if (!done[other]) {
          if (same_way) turn(other);
          done[other] = 1;
          waiting.push_back(other);
        } else if (same_way) {
          healing_.closed = false;  // a Möbius strip has no inside
        }
      }
    }
    const auto count = std::count_if(part.begin(), part.end(), [&](int t) { return turned[t]; });
    const bool mostly = 2 * count > static_cast<std::ptrdiff_t>(part.size());
    if (mostly) std::for_each(part.begin(), part.end(), turn);
    healing_.turned +=
        static_cast<int>(mostly ? static_cast<std::ptrdiff_t>(part.size()) - count : count);
  }
  double volume = 0;
  const Vec3 middle = (low_ + high_) / 2;
  for (const auto& t : triangles_) {
    volume +=
        (vertices_[t[0]] - middle).dot((vertices_[t[1]] - middle).cross(vertices_[t[2]] - middle)) /
        6;
  }
  if (healing_.closed && volume < 0) {
    healing_.inside_out = true;
    for (int t = 0; t < triangle_count(); ++t) turn(t);
  }
}

void RestSurface::find_normals() {
  vertex_normals_.assign(vertices_.size(), Vec3::Zero());
  normals_.resize(triangles_.size());
  frames_.resize(triangles_.size());
  spans_.clear();
  for (int t = 0; t < triangle_count(); ++t) {
    const auto& corners = triangles_[t];
    const Vec3 ab = vertices_[corners[1]] - vertices_[corners[0]];
    const Vec3 ac = vertices_[corners[2]] - vertices_[corners[0]];
    normals_[t] = ab.cross(ac).normalized();
    spans_.emplace_back(vertices_[corners[0]], vertices_[corners[1]], vertices_[corners[2]]);
    frames_[t] = frame_of(spans_[t]);
    for (int k = 0; k < 3; ++k) {
      const Vec3 to_next = vertices_[corners[(k + 1) % 3]] - vertices_[corners[k]];
      const Vec3 to_last = vertices_[corners[(k + 2) % 3]] - vertices_[corners[k]];
      const double angle = std::atan2(to_next.cross(to_last).norm(), to_next.dot(to_last));
      vertex_normals_[corners[k]] += angle * normals_[t];
    }
  }
}

Vec3 RestSurface::feature_normal(int t, TriangleFeature feature) const {
  const auto which = static_cast<int>(feature);
  if (feature == TriangleFeature::face) return normals_[t];
  if (which <= static_cast<int>(TriangleFeature::edge2)) {
    const int other = neighbours_[t][which - 1];
    return other < 0 ? normals_[t] : Vec3(normals_[t] + normals_[other]);
  }
  return vertex_normals_[triangles_[t][which - 4]];
}

TrianglePoint RestSurface::nearest(const Vec3& x, int t) const {
  return nearest_on_triangle(x, spans_[t]);
}

double RestSurface::signed_distance(const Vec3& x, int t, const TrianglePoint& point) const {
  const double distance = std::sqrt(point.squared);
  if (!healing_.closed) return distance;
  return feature_normal(t, point.feature).dot(x - point.point) < 0 ? -distance : distance;
}

std::vector<RestSurface::SharpEdge> RestSurface::sharp_edges() const {
  std::vector<SharpEdge> edges;
  for (int t = 0; t < triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int other = neighbours_[t][k];
      if (other > t || other < 0) {
        const bool sharp = other < 0 || normals_[t].dot(normals_[other]) < kSharpCosine;
        const Vec3& opposite = vertices_[triangles_[t][(k + 2) % 3]];
        const bool outward =
            other < 0 || normals_[other].dot(opposite - vertices_[triangles_[t][k]]) < 0;
        if (sharp && outward) {
          const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
          int beyond = -1;
          for (int l = 0; l < 3 && other >= 0; ++l) {
            const int v = triangles_[other][l];
            if (v != a && v != b) beyond = v;
          }
          edges.push_back({a, b, t, k, triangles_[t][(k + 2) % 3], beyond});
        }
      }
    }
  }
  const auto length = [&](const SharpEdge& e) {
    return (vertices_[e.to] - vertices_[e.from]).squaredNorm();
  };
  std::stable_sort(edges.begin(), edges.end(),
                   [&](const SharpEdge& a, const SharpEdge& b) { return length(a) > length(b); });
  return edges;
}

bool RestSurface::faceted() const {
  if (!closed()) return false;
  for (int t = 0; t < triangle_count(); ++t) {
    for (const int other : neighbours_[t]) {
      const double cosine = normals_[t].dot(normals_[other]);
      if (cosine >= kSharpCosine && cosine < kFlatCosine) return false;
    }
  }
  return true;
}

void RestSurface::offer(std::size_t node, const Vec3& place, int triangle,
                        std::vector<double>& squared) {
  if (triangle < 0 || nearest_[node] == triangle) return;
  const double distance = nearest(place, triangle).squared;
  if (distance < squared[node]) {
    squared[node] = distance;
    nearest_[node] = triangle;
  }
}

void RestSurface::fill_grid() {
  double edge_sum = 0;
  for (const auto& t : triangles_) edge_sum += (vertices_[t[1]] - vertices_[t[0]]).norm();
  const double longest = (high_ - low_).maxCoeff();
  cell_ = std::clamp(edge_sum / triangle_count(), longest / kMostCells, longest / kFewestCells);
  origin_ = low_ - Vec3::Constant(1.5 * cell_);
  std::size_t count = 1;
  for (int a = 0; a < 3; ++a) {
    nodes_[a] = static_cast<int>(std::ceil((high_[a] - low_[a]) / cell_)) + 4;
    count *= static_cast<std::size_t>(nodes_[a]);
  }
  nearest_.assign(count, -1);
  std::vector<double> squared(count, std::numeric_limits<double>::infinity());
  const auto place = [&](int i, int j, int k) { return Vec3(origin_ + cell_ * Vec3(i, j, k)); };
  for (int t = 0; t < triangle_count(); ++t) {
    std::array<int, 3> from{}, to{};
    for (int a = 0; a < 3; ++a) {
      double least = std::numeric_limits<double>::infinity(), most = -least;
      for (const int v : triangles_[t]) {
        least = std::min(least, vertices_[v][a]);
        most = std::max(most, vertices_[v][a]);
      }
      from[a] = std::max(0, static_cast<int>((least - origin_[a]) / cell_) - 1);
      to[a] = std::min(nodes_[a] - 1, static_cast<int>((most - origin_[a]) / cell_) + 2);
    }
    for (int k = from[2]; k <= to[2]; ++k)
      for (int j = from[1]; j <= to[1]; ++j)
        for (int i = from[0]; i <= to[0]; ++i)
          offer(node_number(i, j, k), place(i, j, k), t, squared);
  }
  // Elsewhere a neighbour's triangle is a good guess: sweeps in all eight directions, twice.
  for (int pass = 0; pass < 16; ++pass) {
    const std::array<int, 3> way{pass & 1 ? -1 : 1, pass & 2 ? -1 : 1, pass & 4 ? -1 : 1};
    const auto begin = [&](int a) { return way[a] > 0 ? 0 : nodes_[a] - 1; };
    const auto inside = [&](int a, int i) { return i >= 0 && i < nodes_[a]; };
    for (int k = begin(2); inside(2, k); k += way[2])
      for (int j = begin(1); inside(1, j); j += way[1])
        for (int i = begin(0); inside(0, i); i += way[0]) {
          const std::size_t node = node_number(i, j, k);
          const Vec3 x = place(i, j, k);
          if (inside(0, i - way[0]))
            offer(node, x, nearest_[node_number(i - way[0], j, k)], squared);
          if (inside(1, j - way[1]))
            offer(node, x, nearest_[node_number(i, j - way[1], k)], squared);
          if (inside(2, k - way[2]))
            offer(node, x, nearest_[node_number(i, j, k - way[2])], squared);
        }
  }
  distance_.resize(count);
  for (std::size_t n = 0; n < count; ++n) distance_[n] = static_cast<float>(std::sqrt(squared[n]));
}

std::array<int, 3> RestSurface::cell_of(const Vec3& x) const {
  std::array<int, 3> cell{};
  for (int a = 0; a < 3; ++a) {
    const double at = (x[a] - origin_[a]) / cell_;
    cell[a] = at > 0 ? std::min(static_cast<int>(std::min(at, 1e6)), nodes_[a] - 2) : 0;
  }
  return cell;
}

int RestSurface::triangles_near(const Vec3& x, std::array<int, 8>& near) const {
  return triangles_of(cell_of(x), near);
}

int RestSurface::triangles_of(const std::array<int, 3>& cell, std::array<int, 8>& near) const {
  const auto [i, j, k] = cell;
  int count = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int t =
        nearest_[node_number(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2))];
    if (std::find(near.begin(), near.begin() + count, t) == near.begin() + count) near[count++] = t;
  }
  return count;
}

bool RestSurface::try_triangle(const Vec3& x, int t, SurfaceHit& hit) const {
  // No place of the triangle is nearer than its plane.
  const double height = normals_[t].dot(x - spans_[t].a);
  if (height * height > hit.nearest.squared) return false;
  const TrianglePoint point = nearest(x, t);
  if (!(point.squared < hit.nearest.squared)) return false;
  hit.triangle = t;
  hit.nearest = point;
  return true;
}

void RestSurface::walk_on(const Vec3& x, SurfaceHit& hit) const {
  int from = -1;  // is farther
  for (bool nearer = true; nearer;) {
    nearer = false;
    const int now = hit.triangle;
    const std::array<int, 3> around = neighbours_[now];
    for (const int t : around) {
      if (t >= 0 && t != from) nearer |= try_triangle(x, t, hit);
    }
    from = now;
  }
  hit.distance = signed_distance(x, hit.triangle, hit.nearest);
}

SurfaceHit RestSurface::walk(const Vec3& x, int triangle) const {
  SurfaceHit hit;
  hit.triangle = triangle;
  hit.nearest = nearest(x, triangle);
  walk_on(x, hit);
  return hit;
}

SurfaceHit RestSurface::query(const Vec3& x, double reach) const {
  SurfaceHit hit;
  const Vec3 beyond = (low_ - x).cwiseMax(x - high_).cwiseMax(0);
  if (beyond.squaredNorm() > reach * reach) return hit;
  const std::array<int, 3> cell = cell_of(x);
  const Vec3 corner = origin_ + cell_ * Vec3(cell[0], cell[1], cell[2]);
  if (distance_[node_number(cell[0], cell[1], cell[2])] - (x - corner).norm() > reach) return hit;
  std::array<int, 8> near;
  const int count = triangles_of(cell, near);
  hit.nearest.squared = std::numeric_limits<double>::infinity();
  for (int n = 0; n < count; ++n) try_triangle(x, near[n], hit);
  if (hit.triangle < 0) return hit;  // x is not a number
  walk_on(x, hit);
  return hit;
}

}  // namespace limber
