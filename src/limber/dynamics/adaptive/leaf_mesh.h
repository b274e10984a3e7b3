// The mesh that an adaptive body moves by for now: leaves of a TetTree, chosen so that no node
// hangs, and how the nodes of the finest mesh hang on its nodes.
//
// A node of the finest mesh that is none of the leaves' lies in the middle of two others, and so
// down to the corners of the one leaf that it is in: x = Σ w_k x_k with at most four weights, the
// same linear field that the leaf's element has. Fine fields are thus n×3 over the finest mesh,
// leaf fields over the leaves' nodes.
#pragma once

#include <memory>
#include <vector>

#include "limber/dynamics/body_point.h"
#include "limber/mesh/bisection.h"

namespace limber {

/// Whether each tet at the top of a level is cut into eight: [level][tet of generation 3·level].
using LevelMarks = std::vector<std::vector<char>>;

class LeafMesh {
 public:
  /// Nothing is cut. `tree` must outlive this.
  explicit LeafMesh(const TetTree& tree);

  [[nodiscard]] LevelMarks no_marks() const;
  /// Cuts the marked tets, whose ancestors are marked too, and as many beside them as leave no node
  /// hanging. Says whether the leaves have changed.
  bool cut(const LevelMarks& marks);

  /// Its nodes and tets in the order of the finest mesh.
  [[nodiscard]] const TetMesh& mesh() const { return mesh_; }
  [[nodiscard]] int fine_count() const { return tree_.finest().node_count(); }
  /// Numbers of its nodes in the finest mesh.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }
  /// Of a node of the finest mesh, among its nodes, or −1.
  [[nodiscard]] int own(int node) const { return own_[static_cast<std::size_t>(node)]; }
  /// A node of the finest mesh as a point of the leaves.
  [[nodiscard]] const BodyPoint& at(int node) const { return at_[static_cast<std::size_t>(node)]; }
  /// A point of the finest mesh as one of the leaves: exactly within one of its tets; of a point
  /// that hangs on several the four heaviest nodes are taken.
  [[nodiscard]] BodyPoint point(const BodyPoint& fine) const;
  /// A node of the leaves in the finest mesh, and a point made of such.
  [[nodiscard]] BodyPoint back(const BodyPoint& leaf) const;

  /// All nodes of the finest mesh from the leaves'.
  void spread(const Positions& leaf, Eigen::Ref<Positions> fine) const;
  /// Those that the leaves have.
  void pick(const Positions& fine, Positions& leaf) const;

 private:
  [[nodiscard]] bool is_cut(int generation, int tet) const {
    return cut_[static_cast<std::size_t>(generation)][static_cast<std::size_t>(tet)] != 0;
  }
  void cut_tet(int generation, int tet);
  bool close(int generation, int tet);
  void collect(int generation, int tet, std::vector<std::array<std::int32_t, 4>>& tets);
  void number();

  const TetTree& tree_;
  std::vector<std::vector<char>> cut_, before_;  // [generation][tet]
  std::vector<char> present_;                    // of the nodes of the finest mesh
  std::vector<int> own_;
  std::vector<int> nodes_;
  std::vector<BodyPoint> at_;
  TetMesh mesh_;
};

}  // namespace limber
