#include "limber/mesh/spatial/winding_number.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

namespace {
constexpr double kPerTurn = 1 / (4 * std::numbers::pi);
/// Barill et al. 2018, section 5.
constexpr double kBeta = 2;
}  // namespace

// Van Oosterom & Strackee 1983.
double solid_angle(const Triangle& t, const Vec3& p) {
  const Vec3 a = t[0] - p;
  const Vec3 b = t[1] - p;
  const Vec3 c = t[2] - p;
  const double la = a.norm();
  const double lb = b.norm();
  const double lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(numerator, denominator);
}

WindingNumber::WindingNumber(const Positions& V, const Triangles& F) : triangles_(V, F) {
  const auto& nodes = triangles_.tree().nodes();
  balls_.resize(nodes.size());
  moments_.resize(nodes.size());
  areas_.assign(nodes.size(), 0);
  std::vector<int> first(nodes.size());
  std::vector<int> end(nodes.size());
  // Children come after their parents, so a sweep from the back sees children first.
  for (int n = static_cast<int>(nodes.size()) - 1; n >= 0; --n) {
    const BoxTree::Node& node = nodes[n];
    first[n] = node.leaf() ? node.first : first[node.first];
    end[n] = node.leaf() ? node.first + node.count : end[node.first + 1];
    sum_moments(n);
    find_reach(n, first[n], end[n]);
  }
  areas_.clear();
}

void WindingNumber::sum_moments(int n) {
  const BoxTree::Node& node = triangles_.tree().nodes()[n];
  Moments& m = moments_[n];
  Vec3& centre = balls_[n].centre;
  centre.setZero();
  m.dipole.setZero();
  m.spread.setZero();
  // Spreads about the origin, moved to the centre at the end.
  const auto add = [&](double area, const Vec3& at, const Vec3& dipole) {
    areas_[n] += area;
    centre += area * at;
    m.dipole += dipole;
    m.spread += at * dipole.transpose();
  };
  if (node.leaf()) {
    for (int i = node.first; i < node.first + node.count; ++i) {
      const Triangle& t = triangles_[triangles_.tree().items()[i]];
      const Vec3 dipole = 0.5 * kPerTurn * area_vector(t);
      add(dipole.norm(), (t[0] + t[1] + t[2]) / 3, dipole);
    }
  } else {
    for (const int child : {node.first, node.first + 1}) {
      add(areas_[child], balls_[child].centre, moments_[child].dipole);
      m.spread += moments_[child].spread;
    }
  }
  centre = areas_[n] > 0 ? Vec3(centre / areas_[n]) : node.box.centre();
  m.spread -= centre * m.dipole.transpose();
}

/// From the corners themselves: a box's corners are up to √3 farther.
void WindingNumber::find_reach(int n, int first, int end) {
  double radius2 = 0;
  for (int i = first; i < end; ++i) {
    for (const Vec3& corner : triangles_[triangles_.tree().items()[i]]) {
      radius2 = std::max(radius2, (corner - balls_[n].centre).squaredNorm());
    }
  }
  balls_[n].reach2 = kBeta * kBeta * radius2;
}

double WindingNumber::operator()(const Vec3& p) const {
  if (triangles_.empty()) return 0;
  const auto& nodes = triangles_.tree().nodes();
  const auto& items = triangles_.tree().items();
  double dipole_sum = 0;
  double angle_sum = 0;
  int stack[80];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int n = stack[--top];
    const Vec3 r = balls_[n].centre - p;
    const double r2 = r.squaredNorm();
    if (r2 > balls_[n].reach2) {
      // Barill et al. 2018, eqs. 12-16: N·r/|r|³ and the trace of spread·∇(r/|r|³).
      const Moments& m = moments_[n];
      const double inverse2 = 1 / r2;
      const double second = m.spread.trace() - 3 * inverse2 * r.dot(m.spread * r);
      dipole_sum += inverse2 * std::sqrt(inverse2) * (m.dipole.dot(r) + second);
    } else if (nodes[n].leaf()) {
      for (int i = nodes[n].first; i < nodes[n].first + nodes[n].count; ++i) {
        angle_sum += solid_angle(triangles_[items[i]], p);
      }
    } else {
      stack[top++] = nodes[n].first;
      stack[top++] = nodes[n].first + 1;
    }
  }
  return dipole_sum + kPerTurn * angle_sum;
}

double WindingNumber::exact(const Vec3& p) const {
  double sum = 0;
  for (int f = 0; f < triangles_.size(); ++f) sum += solid_angle(triangles_[f], p);
  return kPerTurn * sum;
}

}  // namespace limber
