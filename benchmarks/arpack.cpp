#include "arpack.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "limber/core/solvers/cholesky.h"
#include "limber/modes/eigen_solver.h"

extern "C" {
void dsaupd_(int* ido, const char* bmat, const int* n, const char* which, const int* nev,
             const double* tol, double* resid, const int* ncv, double* v, const int* ldv,
             int* iparam, int* ipntr, double* workd, double* workl, const int* lworkl, int* info);
void dseupd_(const int* rvec, const char* howmny, int* select, double* d, double* z, const int* ldz,
             const double* sigma, const char* bmat, const int* n, const char* which, const int* nev,
             const double* tol, double* resid, const int* ncv, double* v, const int* ldv,
             int* iparam, int* ipntr, double* workd, double* workl, const int* lworkl, int* info);
}

namespace limber {

Vector arpack_eigenvalues(const Cholesky& factor, const SparseMatrix& m, int count) {
  const int n = factor.size();
  const int ncv = 2 * count;
  const int lworkl = ncv * (ncv + 8);
  const double tolerance = 1e-10;
  const double sigma = 0;
  Vector residual = Vector::Zero(n);
  Eigen::MatrixXd basis(n, ncv);
  Vector workd(3 * n);
  Vector workl(lworkl);
  int iparam[11] = {1, 0, 300, 1, 0, 0, 3, 0, 0, 0, 0};
  int ipntr[11] = {};
  int ido = 0;
  int info = 0;
  Vector product(n);
  while (true) {
    dsaupd_(&ido, "G", &n, "LM", &count, &tolerance, residual.data(), &ncv, basis.data(), &n,
            iparam, ipntr, workd.data(), workl.data(), &lworkl, &info);
    const Eigen::Map<Vector> x(workd.data() + ipntr[0] - 1, n);
    Eigen::Map<Vector> y(workd.data() + ipntr[1] - 1, n);
    if (ido == -1) {
      multiply_mass(m, x, product);
      factor.solve_in_place(product);
      y = product;
    } else if (ido == 1) {
      product = Eigen::Map<Vector>(workd.data() + ipntr[2] - 1, n);
      factor.solve_in_place(product);
      y = product;
    } else if (ido == 2) {
      multiply_mass(m, x, product);
      y = product;
    } else {
      break;
    }
  }
  if (info != 0) throw std::runtime_error("ARPACK did not converge");
  const int vectors = 1;
  std::vector<int> select(ncv);
  Vector eigenvalues(count);
  dseupd_(&vectors, "A", select.data(), eigenvalues.data(), basis.data(), &n, &sigma, "G", &n, "LM",
          &count, &tolerance, residual.data(), &ncv, basis.data(), &n, iparam, ipntr, workd.data(),
          workl.data(), &lworkl, &info);
  std::sort(eigenvalues.begin(), eigenvalues.end());
  return eigenvalues;
}

}  // namespace limber
