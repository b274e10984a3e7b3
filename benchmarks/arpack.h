// ARPACK's shift-invert Lanczos on our factor, one right-hand side at a time: the reference.
#pragma once

#include "limber/core/sparse.h"
#include "limber/core/types.h"

namespace limber {

class Cholesky;

/// The lowest `count` eigenvalues of K x = λ M x given the factor of K; m (n×n) scalar mass.
[[nodiscard]] Vector arpack_eigenvalues(const Cholesky& factor, const SparseMatrix& m, int count);

}  // namespace limber
