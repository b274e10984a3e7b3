// How often a surface winds round a point: 1 inside and 0 outside a closed surface that faces
// outward, in between near holes, summed over overlapping parts. Barill et al. 2018, "Fast winding
// numbers for soups and clouds": far clusters of triangles act as one dipole each, so a question
// costs O(log n).
//
// Symbols: solid angle Ω of a triangle; w(p) = Σ Ω / 4π; a cluster's dipole N = Σ area·normal at
// its area centroid c, radius r, used when |c − p| > β r.
#pragma once

#include <vector>

#include "limber/mesh/spatial/triangle_tree.h"

namespace limber {

class WindingNumber {
 public:
  WindingNumber() = default;
  /// Triangles counter-clockwise seen from outside.
  WindingNumber(const Positions& V, const Triangles& F);

  /// Within about 0.05 of the exact sum, far below the 0.5 that decides; exact for near triangles.
  [[nodiscard]] double operator()(const Vec3& p) const;
  /// The exact sum, O(n).
  [[nodiscard]] double exact(const Vec3& p) const;

 private:
  /// Whether a cluster is far enough is asked twice as often as its moments: kept apart.
  struct Ball {
    Vec3 centre;
    double reach2 = 0;  ///< (β r)²
  };
  struct Moments {
    Vec3 dipole;  ///< Σ area·normal / 4π
    Mat3 spread;  ///< Σ area (x − c) normalᵀ / 4π, the next term of the expansion
  };

  void sum_moments(int node);
  void find_reach(int node, int first, int end);

  TriangleTree triangles_;
  std::vector<Ball> balls_;  ///< one a tree node
  std::vector<Moments> moments_;
  std::vector<double> areas_;  ///< while building
};

/// Signed solid angle of t seen from p, in (−2π, 2π); positive from behind, where the normal points
/// away from p.
double solid_angle(const Triangle& t, const Vec3& p);

}  // namespace limber
