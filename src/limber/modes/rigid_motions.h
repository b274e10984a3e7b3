// The motions that stretch nothing: K N = 0.
#pragma once

#include <vector>

#include "limber/core/sparse.h"
#include "limber/core/types.h"
#include "limber/fem/fixed_dofs.h"

namespace limber {

/// A basis of the rigid motions that the fixed nodes leave free, on the free unknowns: six columns
/// for a free body, none for a well clamped one, one when everything fixed lies on a line, and six
/// more for every further part. `parts` gives each node's part number.
[[nodiscard]] Eigen::MatrixXd rigid_motions(const Positions& rest_positions,
                                            const std::vector<int>& parts, const FreeDofs& free);

/// Displacement (3×6) of a point under the six unit motions about a centre: three translations,
/// three rotations.
using RigidBlock = Eigen::Matrix<double, 3, 6>;
[[nodiscard]] RigidBlock unit_motions(const Vec3& from_centre);

/// Combinations (6×k, orthonormal) of the unit motions that leave some points where they are, from
/// the sum of unit_motions(p)ᵀ unit_motions(p) over the points; distances are measured in sizes of
/// the part. Without points all six, for a line of points one.
[[nodiscard]] Eigen::MatrixXd motions_that_keep(const Eigen::Matrix<double, 6, 6>& gram);

/// As many unknowns as N (rows×r) has columns, chosen so that holding them stops every motion in
/// N. Springs there make K definite and carry no force under loads in balance with N, so the
/// solution of such loads stays exact.
[[nodiscard]] std::vector<int> holding_unknowns(const Eigen::MatrixXd& N);

}  // namespace limber
