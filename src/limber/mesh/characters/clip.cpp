#include "limber/mesh/characters/clip.h"

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace limber {

namespace {

/// Cuts triangles one by one; a cut edge gives both its triangles the same new vertex.
class Cutter {
 public:
  Cutter(const TriMesh& mesh, const Distance& clip, double cell,
         const std::function<Vec3(const Vec3&)>& project)
      : clip_(clip), cell_(cell), project_(project) {
    const double near = cell / 3;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      Vec3 p = mesh.V.row(v);
      double level = clip(p);
      if (std::abs(level) < near) {
        p = onto_cut(p);
        level = 0;
      }
      points_.push_back(p);
      levels_.push_back(level);
    }
    for (int f = 0; f < mesh.triangle_count(); ++f) cut({mesh.F(f, 0), mesh.F(f, 1), mesh.F(f, 2)});
  }

  [[nodiscard]] TriMesh result() const {
    TriMesh mesh;
    mesh.V.resize(std::ssize(points_), 3);
    for (int v = 0; v < std::ssize(points_); ++v) mesh.V.row(v) = points_[v];
    mesh.F.resize(std::ssize(triangles_), 3);
    for (int f = 0; f < std::ssize(triangles_); ++f) {
      mesh.F.row(f) << triangles_[f][0], triangles_[f][1], triangles_[f][2];
    }
    return kept_part(mesh, [](int) { return true; });
  }

 private:
  /// By turns onto the level set and back to the surface; both are nearly at right angles.
  Vec3 onto_cut(Vec3 p) const {
    constexpr int kTurns = 4;
    const double step = 0.02 * cell_;
    for (int turn = 0; turn < kTurns; ++turn) {
      Vec3 g;
      for (int c = 0; c < 3; ++c) {
        const Vec3 d = step * Vec3::Unit(c);
        g[c] = (clip_(p + d) - clip_(p - d)) / (2 * step);
      }
      p = project_(p - clip_(p) * g / std::max(g.squaredNorm(), 0.0625));
    }
    return p;
  }

  int on_edge(int a, int b) {
    const auto [place, isnew] = cuts_.try_emplace(std::minmax(a, b), std::ssize(points_));
    if (isnew) {
      const double t = levels_[a] / (levels_[a] - levels_[b]);
      points_.push_back(onto_cut(points_[a] + t * (points_[b] - points_[a])));
      levels_.push_back(0);
    }
    return place->second;
  }

  void cut(const std::array<int, 3>& triangle) {
    std::vector<int> polygon;
    bool any_inside = false;
    for (int i = 0; i < 3; ++i) {
      const int a = triangle[i];
      const int b = triangle[(i + 1) % 3];
      any_inside |= levels_[a] < 0;
      if (levels_[a] <= 0) polygon.push_back(a);
      if (levels_[a] * levels_[b] < 0) polygon.push_back(on_edge(a, b));
    }
    if (!any_inside) return;
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
      triangles_.push_back({polygon[0], polygon[i], polygon[i + 1]});
    }
  }

  const Distance& clip_;
  double cell_;
  const std::function<Vec3(const Vec3&)>& project_;
  std::vector<Vec3> points_;
  std::vector<double> levels_;
  std::vector<std::array<int, 3>> triangles_;
  std::map<std::pair<int, int>, int> cuts_;
};

}  // namespace

TriMesh kept_part(const TriMesh& mesh, const std::function<bool(int)>& keep) {
  std::vector<int> number(mesh.vertex_count(), -1);
  std::vector<int> triangles;
  for (int f = 0; f < mesh.triangle_count(); ++f) {
    if (!keep(mesh.F(f, 0)) || !keep(mesh.F(f, 1)) || !keep(mesh.F(f, 2))) continue;
    triangles.push_back(f);
    for (int i = 0; i < 3; ++i) number[mesh.F(f, i)] = 0;
  }
  int count = 0;
  for (int& n : number)
    if (n == 0) n = count++;
  TriMesh result;
  result.V.resize(count, 3);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (number[v] >= 0) result.V.row(number[v]) = mesh.V.row(v);
  result.F.resize(std::ssize(triangles), 3);
  for (int f = 0; f < std::ssize(triangles); ++f)
    for (int i = 0; i < 3; ++i) result.F(f, i) = number[mesh.F(triangles[f], i)];
  return result;
}

TriMesh clipped(const TriMesh& mesh, const Distance& clip, double cell,
                const std::function<Vec3(const Vec3&)>& project) {
  return Cutter(mesh, clip, cell, project).result();
}

}  // namespace limber
