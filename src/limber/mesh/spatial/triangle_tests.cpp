#include "limber/mesh/spatial/triangle_tests.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace limber {

namespace {
struct Span {
  double low;
  double high;
};

template <std::size_t N>
Span project(const std::array<Vec3, N>& points, const Vec3& axis) {
  Span span{axis.dot(points[0]), axis.dot(points[0])};
  for (std::size_t i = 1; i < N; ++i) {
    const double x = axis.dot(points[i]);
    span.low = std::min(span.low, x);
    span.high = std::max(span.high, x);
  }
  return span;
}

/// A zero axis (parallel edges) separates nothing.
template <std::size_t N, std::size_t M>
bool apart(const std::array<Vec3, N>& a, const std::array<Vec3, M>& b, const Vec3& axis,
           double slack) {
  const Span s = project(a, axis);
  const Span t = project(b, axis);
  const double gap = std::max(s.low - t.high, t.low - s.high);
  return gap > 0 && gap * gap > slack * slack * axis.squaredNorm();
}

std::array<Vec3, 3> edges(const Triangle& t) { return {t[1] - t[0], t[2] - t[1], t[0] - t[2]}; }

/// Overlap of two triangles in one plane with normal n: an edge's in-plane normal would separate.
bool apart_in_plane(const Triangle& s, const Triangle& t, const Vec3& n, double slack) {
  for (const auto& side : {edges(s), edges(t)}) {
    for (const Vec3& e : side) {
      if (apart(s, t, e.cross(n), slack)) return true;
    }
  }
  return false;
}
}  // namespace

Vec3 area_vector(const Triangle& t) { return (t[1] - t[0]).cross(t[2] - t[0]); }

// Ericson, Real-Time Collision Detection, 5.1.5: the Voronoi region of p decides.
Vec3 nearest_point(const Triangle& t, const Vec3& p) {
  const auto& [a, b, c] = t;
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 ap = p - a;
  const double d1 = ab.dot(ap);
  const double d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp);
  const double d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / std::max(d1 - d3, 1e-300) * ab;
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp);
  const double d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / std::max(d2 - d6, 1e-300) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return b + (d4 - d3) / std::max((d4 - d3) + (d5 - d6), 1e-300) * (c - b);
  }
  const double sum = va + vb + vc;
  return a + (vb / sum) * ab + (vc / sum) * ac;
}

std::optional<double> crossing(const Triangle& t, const Vec3& p, const Vec3& q) {
  const Vec3 n = area_vector(t);
  const double hp = n.dot(p - t[0]);
  const double hq = n.dot(q - t[0]);
  if ((hp > 0) == (hq > 0) || hp == hq) return std::nullopt;
  // The three signed volumes of the segment against the edges agree exactly when it goes through.
  const Vec3 d = q - p;
  const std::array<Vec3, 3> r = {t[0] - p, t[1] - p, t[2] - p};
  const double u = d.dot(r[0].cross(r[1]));
  const double v = d.dot(r[1].cross(r[2]));
  const double w = d.dot(r[2].cross(r[0]));
  const bool through = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  if (!through) return std::nullopt;
  return hp / (hp - hq);
}

bool touches_box(const Triangle& t, const Box& box) {
  if (!bounds(t).overlaps(box)) return false;
  const Vec3 centre = box.centre();
  const Vec3 half = 0.5 * box.size();
  const Triangle local = {t[0] - centre, t[1] - centre, t[2] - centre};
  const auto separates = [&](const Vec3& axis) {
    const Span span = project(local, axis);
    const double reach = half.dot(axis.cwiseAbs());
    return span.low > reach || span.high < -reach;
  };
  if (separates(area_vector(local))) return false;
  for (const Vec3& e : edges(local)) {
    for (int c = 0; c < 3; ++c) {
      if (separates(Vec3::Unit(c).cross(e))) return false;
    }
  }
  return true;
}

bool within(const Triangle& s, const Triangle& t, double slack) {
  if (!bounds(s).grown(slack).overlaps(bounds(t))) return false;
  const Vec3 ns = area_vector(s);
  const Vec3 nt = area_vector(t);
  if (apart(s, t, ns, slack) || apart(s, t, nt, slack)) return false;
  const auto es = edges(s);
  const auto et = edges(t);
  for (const Vec3& a : es) {
    for (const Vec3& b : et) {
      if (apart(s, t, a.cross(b), slack)) return false;
    }
  }
  return !apart_in_plane(s, t, ns, slack) && !apart_in_plane(s, t, nt, slack);
}

bool triangles_cross(const Triangle& s, const Triangle& t) {
  const Vec3 n = area_vector(t);
  const std::array<double, 3> h = {n.dot(s[0] - t[0]), n.dot(s[1] - t[0]), n.dot(s[2] - t[0])};
  if ((h[0] > 0 && h[1] > 0 && h[2] > 0) || (h[0] < 0 && h[1] < 0 && h[2] < 0)) return false;
  // Rounding leaves about 8 eps of (edge)³ in a height that is zero: then they lie in one plane.
  const double edge2 = std::max(
      {(s[1] - s[0]).squaredNorm(), (s[2] - s[0]).squaredNorm(), (s[0] - t[0]).squaredNorm()});
  const double zero = 1e-14 * n.norm() * std::sqrt(edge2);
  if (std::abs(h[0]) <= zero && std::abs(h[1]) <= zero && std::abs(h[2]) <= zero) {
    return !apart_in_plane(s, t, n, 0);
  }
  for (int i = 0; i < 3; ++i) {
    if (crossing(t, s[i], s[(i + 1) % 3]) || crossing(s, t[i], t[(i + 1) % 3])) return true;
  }
  return false;
}

TetProbe::TetProbe(const std::array<Vec3, 4>& corners) : corners_(corners) {
  const auto& c = corners_;
  edges_ = {c[1] - c[0], c[2] - c[0], c[3] - c[0], c[2] - c[1], c[3] - c[1], c[3] - c[2]};
  normals_ = {edges_[3].cross(edges_[4]), edges_[2].cross(edges_[1]), edges_[0].cross(edges_[2]),
              edges_[1].cross(edges_[0])};
  for (int i = 0; i < 4; ++i) {
    normals_[i].normalize();
    offsets_[i] = normals_[i].dot(c[(i + 1) % 4]);
    box_.include(c[i]);
  }
}

bool TetProbe::touches(const Triangle& t, double slack) const {
  if (!box_.grown(slack).overlaps(bounds(t))) return false;
  for (int i = 0; i < 4; ++i) {
    if (project(t, normals_[i]).low > offsets_[i] + slack) return false;
  }
  if (apart(corners_, t, area_vector(t), slack)) return false;
  for (const Vec3& a : edges(t)) {
    for (const Vec3& b : edges_) {
      if (apart(corners_, t, a.cross(b), slack)) return false;
    }
  }
  return true;
}

std::optional<std::array<double, 2>> TetProbe::clip(const Vec3& p, const Vec3& q,
                                                    double slack) const {
  std::array<double, 2> range = {0, 1};
  for (int i = 0; i < 4; ++i) {
    const double hp = normals_[i].dot(p) - offsets_[i] - slack;
    const double hq = normals_[i].dot(q) - offsets_[i] - slack;
    if (hp > 0 && hq > 0) return std::nullopt;
    if (hp > 0) range[0] = std::max(range[0], hp / (hp - hq));
    if (hq > 0) range[1] = std::min(range[1], hp / (hp - hq));
  }
  if (range[0] > range[1]) return std::nullopt;
  return range;
}

std::optional<Vec3> point_inside_tet(const Triangle& t, const TetProbe& tet) {
  Vec3 sum = Vec3::Zero();
  int points = 0;
  // Corners of the clipped polygon: where the triangle's edges enter and leave the tet ...
  for (int i = 0; i < 3; ++i) {
    const Vec3& p = t[i];
    const Vec3& q = t[(i + 1) % 3];
    if (const auto range = tet.clip(p, q, 0)) {
      sum += 2 * p + ((*range)[0] + (*range)[1]) * (q - p);
      points += 2;
    }
  }
  // ... and where the tet's edges go through the triangle.
  const auto& c = tet.corners();
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      if (const auto at = crossing(t, c[i], c[j])) {
        sum += c[i] + *at * (c[j] - c[i]);
        ++points;
      }
    }
  }
  if (points == 0) return std::nullopt;
  return sum / points;
}

}  // namespace limber
