// Products of tall dense matrices through BLAS where it is linked, through Eigen elsewhere.
#pragma once

#include "limber/core/types.h"

namespace limber {

using ConstBlock = const Eigen::Ref<const Eigen::MatrixXd>&;

/// C = Aᵀ B.
void multiply_transposed(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C);
/// C = A B.
void multiply(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C);
/// C −= A B.
void subtract_product(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C);

}  // namespace limber
