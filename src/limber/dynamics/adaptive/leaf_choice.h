// Where an adaptive body needs its finer levels (Debunne et al. 2001, Dynamic real-time
// deformations using space and time adaptive sampling; used by Müller et al. 2002, section 1.1).
//
// The paper refines where h²|Δu| is large, which is how far a linear element of size h misses the
// displacement. Here the same is asked edge by edge, in metres:
//   a cut edge      |x_m − (x_a + x_b)/2|, what is lost when its middle m goes;
//   one that is not |(F_b − F_a)(X_b − X_a)|/8, the same by Taylor, F the mean deformation
//                   gradients at its ends.
// A tet is cut into eight where the largest of its six edges is beyond `refine`; the eight go when
// all were below `coarsen` for `calm` seconds, since a node that swings passes through the middle.
// New leaves cost a factor: where one tet must be cut all beyond half of `refine` are cut with it,
// and tets go together with such a change, or when a tenth of the leaves would go.
// Held nodes, and nodes that were touched in the last `calm` seconds, have all levels around them.
#pragma once

#include <span>
#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/adaptive/leaf_mesh.h"

namespace limber {

struct AdaptiveOptions {
  double refine = 1e-3;     ///< of the body's largest extent
  double coarsen = 2.5e-4;  ///< the same, smaller
  double calm = 0.5;        ///< s
};

/// Throws Error where numbers are out of range; `where` names the body.
void check(const AdaptiveOptions& options, const char* where);

class LeafChoice {
 public:
  /// `tree` must outlive this. `lasting` nodes have all levels around them, always.
  LeafChoice(const TetTree& tree, const AdaptiveOptions& options,
               const std::vector<int>& lasting);

  /// Which tets to cut at this time, the finest mesh's nodes being at x as `leaves` spread them.
  /// Allocates nothing.
  const LevelMarks& choose(double time, const LeafMesh& leaves, const Positions& x);
  [[nodiscard]] const LevelMarks& marks() const { return marks_; }
  /// These instead, as if they had been chosen at this time.
  void take(const LevelMarks& marks, double time);

  /// Nodes of a point that is touched now.
  void touch(const BodyPoint& fine, double time);
  /// All points that are held from now on.
  void hold(std::span<const BodyPoint> fine);

  void archive(StateArchive& state);

 private:
  void find_gradients(const LeafMesh& leaves, const Positions& x);
  void force_around(int node);
  void force_around(const BodyPoint& fine);
  /// Of a tet at the top of a level, all above it being cut; and of those below it.
  void measure(int level, int tet, double time, const LeafMesh& leaves, const Positions& x);
  bool visit(int level, int tet, double time);
  [[nodiscard]] double missed(int generation, int tet, const LeafMesh& leaves,
                              const Positions& x) const;

  const TetTree& tree_;
  AdaptiveOptions options_;
  double size_;                      // m
  std::vector<int> first_, around_;  // tets of the finest mesh around its nodes
  std::vector<int> lasting_;
  std::vector<BodyPoint> held_;
  std::vector<double> touched_;  // when, of the nodes of the finest mesh
  LevelMarks marks_, next_, forced_;
  std::vector<std::vector<double>> misses_;  // m, of the tets measured
  std::vector<std::vector<double>> lively_;  // when each marked tet last missed too much
  bool must_cut_ = false;                    // of choose()
  int going_ = 0;
  std::vector<Mat3> F_;         // Σ V F at the leaves' nodes, in the finest mesh's numbers
  std::vector<double> volume_;  // Σ V
};

}  // namespace limber
