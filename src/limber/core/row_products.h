// Products with many short rows, for every instruction set and without allocation.
#pragma once

#include <Eigen/Core>

#include "limber/core/types.h"

namespace limber {

using ConstRows = Eigen::Ref<const ModeMatrix, 0, Eigen::OuterStride<>>;
using ColumnMajor = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// C(i, j) = a_i · b_j for the rows of A (m×k) and B (n×k); C is m×n already.
void row_products(const ConstRows& A, const ConstRows& B, ColumnMajor C);

/// y = Σ x_i a_i over the rows of A (m×k); y has k numbers.
void combine_rows(const ModeMatrix& A, const Vector& x, double* y);
/// x_i += a_i · y.
void add_row_dots(const ModeMatrix& A, const double* y, Vector& x);

}  // namespace limber
