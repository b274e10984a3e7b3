// Which nodes stand for all the others in gravity's modal force under warping.
//
// What has to be approximated is the part of f = Φᵀ R(Ψq)ᵀ (s ⊗ a) behind its linear one,
//   Σ_i s_i Φ_iᵀ ρ(w_i) a,   ρ(w) = R(w)ᵀ − I + [w]×,   w_i = Ψ_i q,
// by a sum over few nodes c of G_c ρ(w_c) a. The nodes are found greedily with non-negative weights
// times Φ_c (An, Kim & James 2008, "Optimizing cubature"), which spreads them well.
// Deviates: the 3×m outputs G_c are then fitted freely by least squares, for the same cost at run
// time: 5 to 8 times less error than the weights alone.
#pragma once

#include <array>
#include <vector>

#include "limber/modes/playback/modal_model.h"

namespace limber {

struct CubatureOptions {
  int nodes = 80;
  double largest_rotation = 1.5;  ///< rad; states are trained up to it
};

struct CubatureRule {
  std::vector<int> nodes;
  ModeMatrix outputs;  // 3c×m, the rows of G_c for node after node
};

/// Always the same rule for the same body. Takes some 0.3 s for 1000 nodes × 20 modes.
[[nodiscard]] CubatureRule train_cubature(const ModalModel& body,
                                          const CubatureOptions& options = {});

/// States as they are trained and may be tested on: random amplitudes that fall with a power of the
/// eigenvalue between that of equal energies (−½) and that of equal forces (−1), scaled so that
/// the largest rotation of a node is spread evenly up to `largest_rotation`. One a column, m×count.
[[nodiscard]] Eigen::MatrixXd random_states(const ModalModel& body, int count,
                                            double largest_rotation, unsigned seed);

/// Nodes that can move, a random part of them where there are many.
[[nodiscard]] std::vector<int> candidate_nodes(const ModalModel& body);

/// The part of gravity's modal force that is linear in q: f = B a + Σ_k a_k L_k q.
struct LinearGravity {
  Eigen::Matrix<double, Eigen::Dynamic, 3> B;  // m×3
  std::array<Eigen::MatrixXd, 3> L;            // m×m
};
[[nodiscard]] LinearGravity linear_gravity(const ModalModel& body);

}  // namespace limber
