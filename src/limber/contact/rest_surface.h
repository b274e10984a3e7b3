// A triangle surface at rest that answers how far a point is from it, and on which side.
//
// Healing: triangles that are flat or twice there are dropped, neighbours that disagree about the
// outside are turned, a closed surface that is inside out is turned as a whole. A surface that has
// no inside (open, or more than two triangles at an edge) has no sign: distances are ≥ 0.
//
// Distances: each node of a regular grid knows its nearest triangle. A query takes the best of its
// cell's eight corners and walks over neighbours while they are nearer, so that the answer is the
// exact distance to a triangle, not an interpolated one. The sign is that of the angle-weighted
// normal (Bærentzen & Aanæs 2005).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "limber/contact/triangle_distance.h"

namespace limber {

/// What healing did.
struct SurfaceHealing {
  int dropped = 0;  ///< triangles: flat, or there before
  int turned = 0;   ///< triangles that disagreed with their neighbours
  bool inside_out = false;
  bool closed = false;

  /// For people; empty where nothing was wrong.
  [[nodiscard]] std::string text() const;
};

struct SurfaceHit {
  int triangle = -1;
  TrianglePoint nearest;
  double distance = 0;  ///< m, negative inside
};

class RestSurface {
 public:
  /// Throws Error when a vertex is not finite or not there, or no triangle is left.
  RestSurface(const Positions& vertices, const Triangles& triangles);

  [[nodiscard]] const SurfaceHealing& healing() const { return healing_; }
  [[nodiscard]] bool closed() const { return healing_.closed; }
  [[nodiscard]] int vertex_count() const { return static_cast<int>(vertices_.size()); }
  [[nodiscard]] int triangle_count() const { return static_cast<int>(triangles_.size()); }
  [[nodiscard]] const Vec3& vertex(int v) const { return vertices_[v]; }
  [[nodiscard]] const std::array<int, 3>& triangle(int t) const { return triangles_[t]; }
  /// The triangle behind edge k (from corner k to k+1) of t, or -1.
  [[nodiscard]] int neighbour(int t, int k) const { return neighbours_[t][k]; }
  [[nodiscard]] const Vec3& face_normal(int t) const { return normals_[t]; }
  /// Angle-weighted, of any length.
  [[nodiscard]] const Vec3& vertex_normal(int v) const { return vertex_normals_[v]; }
  /// Axes of a triangle: along its first edge, across it, and its normal.
  [[nodiscard]] const Mat3& face_frame(int t) const { return frames_[t]; }
  [[nodiscard]] const Vec3& low() const { return low_; }
  [[nodiscard]] const Vec3& high() const { return high_; }

  /// No triangle when the surface is farther than `reach` for sure; otherwise the nearest found.
  [[nodiscard]] SurfaceHit query(const Vec3& x, double reach) const;
  /// From a triangle nearby over neighbours as long as they are nearer.
  [[nodiscard]] SurfaceHit walk(const Vec3& x, int triangle) const;
  /// At most eight different triangles near x; returns how many.
  int triangles_near(const Vec3& x, std::array<int, 8>& near) const;

  struct SharpEdge {
    int from, to;          // vertices
    int triangle, edge;    // where it is
    int opposite, beyond;  // the third vertices of that triangle and of the one behind it, or -1
  };
  /// Edges where the surface turns outward by more than 30 degrees, longest first.
  [[nodiscard]] std::vector<SharpEdge> sharp_edges() const;
  /// Closed, and all its edges are sharp or hardly seen: what else touches it meets a corner, an
  /// edge or a face.
  [[nodiscard]] bool faceted() const;

 private:
  void keep_sound_triangles(const Positions& vertices, const Triangles& triangles);
  void join_neighbours();
  void turn_alike();
  void find_normals();
  void fill_grid();
  void offer(std::size_t node, const Vec3& place, int triangle, std::vector<double>& squared);
  [[nodiscard]] TrianglePoint nearest(const Vec3& x, int t) const;
  bool try_triangle(const Vec3& x, int t, SurfaceHit& hit) const;
  void walk_on(const Vec3& x, SurfaceHit& hit) const;
  int triangles_of(const std::array<int, 3>& cell, std::array<int, 8>& near) const;
  [[nodiscard]] double signed_distance(const Vec3& x, int t, const TrianglePoint& nearest) const;
  [[nodiscard]] Vec3 feature_normal(int t, TriangleFeature feature) const;
  [[nodiscard]] std::size_t node_number(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(nodes_[0]) *
               (static_cast<std::size_t>(j) +
                static_cast<std::size_t>(nodes_[1]) * static_cast<std::size_t>(k));
  }
  [[nodiscard]] std::array<int, 3> cell_of(const Vec3& x) const;

  std::vector<Vec3> vertices_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<std::array<int, 3>> neighbours_;
  std::vector<TriangleSpan> spans_;   // of triangles
  std::vector<Vec3> normals_;         // of triangles
  std::vector<Mat3> frames_;          // of triangles
  std::vector<Vec3> vertex_normals_;  // angle-weighted
  SurfaceHealing healing_;
  Vec3 low_, high_;

  std::array<int, 3> nodes_{};  // of the grid, each way
  Vec3 origin_;
  double cell_ = 1;
  std::vector<int> nearest_;     // triangle of each grid node
  std::vector<float> distance_;  // to it, ≥ 0
};

}  // namespace limber
