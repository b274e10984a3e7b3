// Sparse Cholesky factorisation A = L Lᵀ of a symmetric positive definite matrix, factored once
// and solved many times. Which library does it stays behind this header.
#pragma once

#include <memory>
#include <string>

#include "limber/core/sparse.h"
#include "limber/core/types.h"

namespace limber {

/// Factor of A. Several right-hand sides at once cost far less than one after the other.
class Cholesky {
 public:
  enum class Backend {
    automatic,   ///< supernodal where it is linked, else simplicial
    supernodal,  ///< CHOLMOD with BLAS (GPL; build option LIMBER_CHOLMOD)
    simplicial   ///< Eigen; always there
  };
  struct Options {
    Backend backend = Backend::automatic;
    /// Unknowns come in groups of this many with the same neighbours (3 for nodal displacements):
    /// the fill-reducing order is then found on the smaller graph of the groups.
    int block_size = 1;
  };

  /// Throws Error (work_failed) when A is not positive definite.
  explicit Cholesky(const SparseMatrix& A) : Cholesky(A, Options{}) {}
  Cholesky(const SparseMatrix& A, const Options& options);
  ~Cholesky();
  Cholesky(Cholesky&&) noexcept;
  Cholesky& operator=(Cholesky&&) noexcept;

  /// Factors another matrix of the same pattern, keeping the fill-reducing order.
  void refactor(const SparseMatrix& A);

  /// Overwrites B (n×k) with A⁻¹ B. Nothing is allocated after the first call with this k.
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) const;
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::Ref<const Eigen::MatrixXd>& B) const;

  [[nodiscard]] int size() const;
  /// Nonzeros of L.
  [[nodiscard]] double factor_nonzeros() const;
  /// "cholmod-supernodal" or "eigen-simplicial".
  [[nodiscard]] std::string backend_name() const;

  struct Implementation;

 private:
  friend class PackedFactor;
  std::unique_ptr<Implementation> implementation_;
};

/// A⁻¹ b, factoring for this one solve.
[[nodiscard]] Vector solve(const SparseMatrix& A, const Eigen::Ref<const Vector>& b);

}  // namespace limber
