// A mesh and all that halving its tets makes of it: a binary tree for each tet, so that any choice
// of leaves without hanging nodes is a mesh that is nested in all finer ones.
//
// Marked tets (Arnold, Mukherjee & Pouly 2000, Locally adapted tetrahedral meshes using bisection,
// SIAM J. Sci. Comput. 22): each tet has an edge to be cut, each of its faces a marked edge, equal
// for both tets at the face. Three generations cut every edge of a tet exactly once, so a level of
// detail is eight tets in the place of one, without hanging nodes; their shapes fall in finitely
// many classes.
// Symbols: generation g has tets 0 … n·2^g−1, of which 2i and 2i+1 are the halves of tet i before.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Corners of a tet's edges, in the order of TetTree::middles().
inline constexpr std::array<std::array<int, 2>, 6> kEdgesOfTet{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

class TetTree {
 public:
  static constexpr int kMostLevels = 4;
  static constexpr int kMostTets = 4'000'000;  ///< of the finest mesh
  static constexpr int kGenerations = 3;       ///< a level

  /// Edges are halved `levels` times. Throws Error for a bad mesh and beyond the limits above.
  TetTree(const TetMesh& coarse, int levels);

  [[nodiscard]] int levels() const { return levels_; }
  [[nodiscard]] int generations() const { return kGenerations * levels_; }
  [[nodiscard]] int coarse_nodes() const { return coarse_nodes_; }
  [[nodiscard]] int coarse_tets() const { return tet_count(0); }
  [[nodiscard]] int tet_count(int generation) const {
    return static_cast<int>(trees_[static_cast<std::size_t>(generation)].size());
  }
  /// Nodes of the coarse mesh keep their numbers; those of each level come after those before.
  [[nodiscard]] const TetMesh& finest() const { return finest_; }

  /// Of positive volume.
  [[nodiscard]] const std::array<std::int32_t, 4>& nodes(int generation, int tet) const {
    return at(generation, tet).nodes;
  }
  /// The nodes in the middle of its edges; −1 where the finest mesh has none.
  [[nodiscard]] const std::array<std::int32_t, 6>& middles(int generation, int tet) const {
    return at(generation, tet).middles;
  }
  /// The node that its halves share; it has halves.
  [[nodiscard]] int middle(int generation, int tet) const {
    const Tet& whole = at(generation, tet);
    return whole.middles[whole.cut];
  }
  [[nodiscard]] int region(int generation, int tet) const {
    return regions_.empty() ? 0 : regions_[static_cast<std::size_t>(tet >> generation)];
  }
  /// Which nodes a node beyond the coarse ones lies between, both with smaller numbers.
  [[nodiscard]] const std::array<std::int32_t, 2>& ends(int node) const {
    return ends_[static_cast<std::size_t>(node - coarse_nodes_)];
  }

 private:
  struct Tet {
    std::array<std::int32_t, 4> nodes{};
    std::array<std::int32_t, 6> middles{-1, -1, -1, -1, -1, -1};
    std::array<std::int8_t, 4> marks{};  // the marked edge of the face opposite to each corner
    std::int8_t cut = 0;                 // the edge to be cut
    bool flagged = false;
  };
  class Middles;

  [[nodiscard]] const Tet& at(int generation, int tet) const {
    return trees_[static_cast<std::size_t>(generation)][static_cast<std::size_t>(tet)];
  }
  [[nodiscard]] static Tet half(const Tet& whole, int kept, int lost, int node);
  void mark_coarse(const TetMesh& coarse);

  int levels_;
  int coarse_nodes_;
  std::vector<int> regions_;             // of the coarse tets
  std::vector<std::vector<Tet>> trees_;  // by generation
  std::vector<std::array<std::int32_t, 2>> ends_;
  TetMesh finest_;
};

}  // namespace limber
