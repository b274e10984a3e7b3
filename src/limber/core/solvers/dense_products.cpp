#include "limber/core/solvers/dense_products.h"

#ifdef LIMBER_WITH_CHOLMOD
extern "C" void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
                       const int* k, const double* alpha, const double* A, const int* lda,
                       const double* B, const int* ldb, const double* beta, double* C,
                       const int* ldc);
#endif

namespace limber {

#ifdef LIMBER_WITH_CHOLMOD

namespace {
/// C = alpha op(A) B + beta C.
void gemm(char transpose_a, double alpha, ConstBlock A, ConstBlock B, double beta,
          Eigen::Ref<Eigen::MatrixXd> C) {
  if (A.size() == 0 || B.size() == 0) {
    C *= beta;
    return;
  }
  const int rows = static_cast<int>(C.rows());
  const int columns = static_cast<int>(C.cols());
  const int inner = static_cast<int>(B.rows());
  const int lda = static_cast<int>(A.outerStride());
  const int ldb = static_cast<int>(B.outerStride());
  const int ldc = static_cast<int>(C.outerStride());
  dgemm_(&transpose_a, "N", &rows, &columns, &inner, &alpha, A.data(), &lda, B.data(), &ldb, &beta,
         C.data(), &ldc);
}
}  // namespace

void multiply_transposed(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C) {
  gemm('T', 1, A, B, 0, C);
}
void multiply(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C) {
  gemm('N', 1, A, B, 0, C);
}
void subtract_product(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C) {
  gemm('N', -1, A, B, 1, C);
}

#else

void multiply_transposed(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C) {
  C.noalias() = A.transpose() * B;
}
void multiply(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C) { C.noalias() = A * B; }
void subtract_product(ConstBlock A, ConstBlock B, Eigen::Ref<Eigen::MatrixXd> C) {
  C.noalias() -= A * B;
}

#endif

}  // namespace limber
