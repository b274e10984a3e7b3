// How good in-betweens are: lengths of edges and volume of a surface's frames, beside what
// positions blended in straight lines would give.
//
// Symbols: l an edge's length, l̂ at rest; between two keys a and b its range is [min(l_a, l_b),
// max(l_a, l_b)] and the volume's that of the two volumes. What leaves its range comes from the way
// of interpolating, not from the poses.
#pragma once

#include <vector>

#include "limber/mesh/tri_mesh.h"

namespace limber {

/// Ratios are 1 where nothing leaves its range.
struct FrameQuality {
  double longest = 1;    ///< the largest l/l̂
  double shortest = 1;   ///< the smallest l/l̂
  double straying = 1;   ///< the largest max(l/max(l_a, l_b), min(l_a, l_b)/l)
  double volume = 0;     ///< enclosed by the surface, m³
  double swelling = 1;   ///< volume over the larger of the two keys'
  double shrinking = 1;  ///< volume over the smaller of the two keys'
};

class MotionQuality {
 public:
  /// `poses` (v×3 each) of `surface` at `times`, ascending, at least two.
  MotionQuality(const TriMesh& surface, std::vector<double> times, std::vector<Positions> poses);

  [[nodiscard]] FrameQuality measure(double t, const Positions& positions) const;
  /// Of the positions that lie on straight lines between the poses around t.
  [[nodiscard]] FrameQuality measure_blend(double t) const;
  /// The volume of each pose over that at rest.
  [[nodiscard]] std::vector<double> volumes_of_poses() const;
  [[nodiscard]] double rest_volume() const { return rest_volume_; }
  /// Volume means something for closed surfaces alone.
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  struct Interval {
    int key = 0;       // the first of the two
    double share = 0;  // of the second
  };
  [[nodiscard]] Interval interval(double t) const;

  Triangles F_;
  std::vector<double> times_;
  std::vector<Positions> poses_;
  std::vector<std::pair<int, int>> edges_;
  Vector rest_lengths_;
  std::vector<Vector> lengths_;  // at the keys
  std::vector<double> volumes_;
  double rest_volume_ = 0;
  bool closed_ = false;
};

/// The worse of two, number by number.
[[nodiscard]] FrameQuality worse(const FrameQuality& a, const FrameQuality& b);

}  // namespace limber
