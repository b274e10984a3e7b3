// The sparse matrix type that crosses folder borders. Kept apart from types.h: Eigen's sparse
// headers are slow to compile.
#pragma once

#include <Eigen/SparseCore>

namespace limber {

/// Compressed by columns; symmetric matrices are stored whole.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
/// Compressed by rows, for products with row-major fields.
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

}  // namespace limber
