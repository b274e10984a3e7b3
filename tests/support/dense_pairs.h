// Eigenpairs of K x = λ M x by Eigen's dense solver: a reference that is independent of ours.
#pragma once

#include "limber/core/types.h"

namespace limber {

struct DensePairs {
  Vector eigenvalues;  ///< ascending
  Eigen::MatrixXd eigenvectors;
};

[[nodiscard]] DensePairs dense_pairs(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);
[[nodiscard]] Vector dense_eigenvalues(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

}  // namespace limber
