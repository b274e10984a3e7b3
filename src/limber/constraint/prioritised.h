// Least-squares solutions with one task before the other (Nakamura & Hanafusa 1986; Choi & Ko
// 2005, eq. 29).
#pragma once

#include "limber/core/types.h"

namespace limber {

/// Singular directions below this share of the largest are cut. Handles that a body can follow
/// stay well above it (1e-3 for neighbouring nodes of a bar with 16 modes); what lies below could
/// only be moved by amplitudes a thousand times too large. An orientation handle with a single
/// exercised node has a direction of rounding size.
inline constexpr double kRelativeCut = 1e-4;

/// A⁺ by complete orthogonal decomposition, its small directions cut.
struct PseudoInverse {
  Eigen::MatrixXd matrix;
  Eigen::Index rank = 0;  ///< independent rows after the cut
};
/// Small is relative to `scale`, the longest column of what A was before parts of it were taken
/// out; zero means A's own.
[[nodiscard]] PseudoInverse pseudo_inverse(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                           double scale = 0);

/// The length of A's longest column.
[[nodiscard]] double column_scale(const Eigen::Ref<const Eigen::MatrixXd>& A);

/// x of least length among those that minimise first ‖A₁x − b₁‖, then ‖A₂x − b₂‖.
[[nodiscard]] Vector prioritised_solution(const Eigen::Ref<const Eigen::MatrixXd>& A1,
                                          const Eigen::Ref<const Vector>& b1,
                                          const Eigen::Ref<const Eigen::MatrixXd>& A2,
                                          const Eigen::Ref<const Vector>& b2);

}  // namespace limber
