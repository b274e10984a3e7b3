// In-betweens kept between their poses: no edge longer or shorter than in the two poses around, no
// closed part larger or smaller.
//
//   min_x Σ_e w_e |x_i − x_j − p_e|² + Σ_i a_i |x_i − x_i°|²,  w_e = 1/l̂_e²
//
// p_e the vector of edge e at the nearest length of its range, x° the frame of the last round.
// Finding p and solving for x take turns with one factor for all frames (projections and a global
// step: Bouaziz et al. 2012); between, a part's volume V goes to the nearest of its range along
// A⁻¹∇V, which changes edges least. Poses themselves and rigid motions between them stay as they
// are.
//
// Symbols: l̂ lengths at rest, [l₀, l₁] and [V₀, V₁] ranges of the two poses around, A the matrix of
// the sum, x changes by δ.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "limber/interpolate/coordinates/elements.h"
#include "limber/interpolate/reconstruction/nodal_factor.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

class PoseRanges {
 public:
  /// Edges of the surface; its closed parts keep their volumes. Vertices at one place at rest are
  /// kept together as the poses have them. `held` stay where a frame has them.
  PoseRanges(const TriMesh& surface, const std::vector<int>& held);
  /// Edges of all elements; parts of tets, and closed parts of shells, keep their volumes.
  PoseRanges(const Elements& elements, const std::vector<int>& held);

  /// In any order of times; at least two before apply().
  void add_pose(double time, const Positions& pose);
  void remove_pose(double time);
  /// Moves `positions` (n×3), a frame at time t. Allocates nothing.
  void apply(double t, Positions& positions);

 private:
  struct Lengths {
    double time;
    Vector edges;    // l
    Vector volumes;  // V, one a part
  };

  void start(const Positions& rest, const Triangles& boundary, const std::vector<int>& held);
  void find_edges(const Triangles& F);
  void find_parts(const Positions& rest, const Triangles& boundary);
  void factor(const Positions& rest, const std::vector<int>& held);
  /// One global step towards the nearest lengths; the largest factor by which an edge strayed.
  double step(const Lengths& before, const Lengths& behind, Positions& positions);
  void keep_volumes(const Lengths& before, const Lengths& behind, Positions& positions);
  void add_to_rows(int node, const Vec3& value);
  void measure_volumes(const Positions& positions, Vector& volumes) const;
  [[nodiscard]] Vec3 change(int node) const;

  int nodes_ = 0;
  std::vector<std::pair<int, int>> edges_;
  Vector weights_;            // w, one an edge
  Triangles closed_;          // triangles of closed parts
  std::vector<int> part_of_;  // of the triangles of closed_
  std::vector<int> part_at_;  // of the nodes; -1: of no closed part
  int parts_ = 0;
  std::vector<Lengths> poses_;  // ascending in time
  std::vector<int> row_of_;     // of the nodes; -1: does not move
  std::optional<NodalFactor> factor_;
  double size_ = 0;  // of the rest shape, m

  // Working memory of apply().
  std::vector<double> rows_;
  Vector volumes_;
  Vector slopes_;  // ∇V·A⁻¹∇V, then the length of the step
  Positions gradient_;
};

}  // namespace limber
