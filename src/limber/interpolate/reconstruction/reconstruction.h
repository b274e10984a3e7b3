// Poisson reconstruction T⁻¹: the positions whose gradients are nearest to given ones (Huang et al.
// 2011, eq. 1).
//
//   min_x Σ_e weight_e ‖(G x)_e − F_e‖²,  F_e = exp(w_e) (I + S_e)
//
// The matrix Gᵀ V G acts on the three coordinates alike, so one scalar factor over the nodes serves
// them at once; it depends on the rest shape and on which nodes are constrained, not on where to.
//
// Deviates: the barycentre is met exactly, by holding one node of the part and shifting the result,
// not by a penalty.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "limber/interpolate/coordinates/elements.h"
#include "limber/interpolate/coordinates/rotation_strain.h"
#include "limber/interpolate/reconstruction/nodal_factor.h"

namespace limber {

/// A point that hangs on up to four nodes and is drawn to a target: it adds
/// stiffness · |Σ weight_k x_k − target|² to the sum. Stiffness in m: the weights of elements over
/// their size squared are what it competes with.
struct ReconstructionSpring {
  std::array<int, 4> nodes;
  std::array<double, 4> weights;
  double stiffness = 1;
};

/// What is constrained; where to is given with each solve.
struct ReconstructionConstraints {
  std::vector<int> held_nodes;                ///< stand exactly at their targets; each once
  std::vector<ReconstructionSpring> springs;  ///< are drawn to their targets
  Vector element_factors;  ///< t, multiplies the elements' weights; or empty: all one
};

/// Where the constraints of a solve are.
struct ReconstructionTargets {
  Positions barycentres;  // parts×3; used for parts without held node or spring
  Positions held;         // one row a held node
  Positions springs;      // one row a spring
};

/// Factored once for a mesh and a set of constraints. Holds working memory: one thread at a time.
class Reconstruction {
 public:
  /// Throws Error when a constraint names a node that does not exist or twice the same.
  explicit Reconstruction(std::shared_ptr<const Elements> elements,
                          ReconstructionConstraints constraints = {});

  /// Nodes of no element stay at rest. Nothing is allocated when `positions` is n×3 already.
  void solve(std::span<const Mat3> gradients, const ReconstructionTargets& targets,
             Positions& positions);
  [[nodiscard]] Positions solve(const RotationStrain& coordinates,
                                const ReconstructionTargets& targets);

  /// The multipliers y (n×3) of loads L (n×3) on the nodes: Σ L·x = Σ weight ⟨F, ∇y⟩ + what does not
  /// depend on the gradients F. One back-substitution; nothing is allocated when y has its size.
  void spread(const Positions& loads, Positions& multipliers);

  /// The targets under which `pose` comes back as it is.
  [[nodiscard]] ReconstructionTargets targets_at(const Positions& pose) const;

  [[nodiscard]] const Elements& elements() const { return *elements_; }
  [[nodiscard]] const std::shared_ptr<const Elements>& shared_elements() const { return elements_; }
  [[nodiscard]] const ReconstructionConstraints& constraints() const { return constraints_; }

  /// The parts of a solve, for kernels that sum up the right-hand side themselves: clear(), add
  /// weight·F ∇N_k to the row of every corner, finish().
  void clear();
  [[nodiscard]] double* rows() { return rows_.data(); }
  [[nodiscard]] int row_of(int node) const { return row_of_node_[node]; }
  [[nodiscard]] double element_weight(int element) const { return weights_[element]; }
  void finish(const ReconstructionTargets& targets, Positions& positions);

 private:
  void number_rows();
  void assemble();
  void apply_held(const ReconstructionTargets& targets);
  void apply_springs(const ReconstructionTargets& targets);
  void read_back(const ReconstructionTargets& targets, Positions& positions);
  void shift_to(const Positions& goal, Positions& positions);

  std::shared_ptr<const Elements> elements_;
  ReconstructionConstraints constraints_;
  Vector weights_;                // t, with the factors
  std::vector<int> pins_;         // one node of each part without constraint
  std::vector<char> anchored_;    // parts
  std::vector<int> row_of_node_;  // free rows first, then held nodes, then pins; -1: of no element
  int free_count_ = 0;
  std::optional<NodalFactor> factor_;  // none when every node is held
  SparseRows coupling_;                // free × (held and pins)
  std::vector<double> rows_;           // NodalFactor::kRowSize numbers a row
  Vector part_weights_;                // parts
  Positions shifts_;                   // parts×3, working memory
};

/// Positions (n×3) from coordinates; `barycentre` of the whole body, that of the rest shape by
/// default. Parts that do not hang together keep the places of their barycentres to each other.
[[nodiscard]] Positions reconstruct(const TetMesh& mesh, const RotationStrain& coordinates,
                                    const std::optional<Vec3>& barycentre = std::nullopt);
[[nodiscard]] Positions reconstruct(std::shared_ptr<const Elements> elements,
                                    const RotationStrain& coordinates,
                                    const std::optional<Vec3>& barycentre = std::nullopt);

}  // namespace limber
