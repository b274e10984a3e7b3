// CHOLMOD's supernodal Cholesky: dense blocks through BLAS. Its supernodal part is GPL, so it is a
// build option (LIMBER_CHOLMOD).
#include "limber/core/solvers/cholesky_backend.h"

#ifdef LIMBER_WITH_CHOLMOD

#include <cholmod.h>

#include <new>
#include <optional>

#include "limber/core/error.h"
#include "limber/core/solvers/blas_threads.h"

// Of the OpenMP library that CHOLMOD brings along; absent where it was built without.
extern "C" __attribute__((weak)) int omp_get_max_active_levels();
extern "C" __attribute__((weak)) void omp_set_max_active_levels(int levels);

namespace limber {

namespace {

/// CHOLMOD copies blocks with four OpenMP threads, however few processors there are: waking them
/// costs more than the copying, up to half of a factorisation on two busy cores. While this lives
/// they stay asleep; BLAS has threads of its own.
class WithoutOpenMp {
 public:
  WithoutOpenMp() {
    if (omp_set_max_active_levels == nullptr || omp_get_max_active_levels == nullptr) return;
    levels_ = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
  }
  ~WithoutOpenMp() {
    if (levels_ >= 0) omp_set_max_active_levels(levels_);
  }
  WithoutOpenMp(const WithoutOpenMp&) = delete;
  WithoutOpenMp& operator=(const WithoutOpenMp&) = delete;

 private:
  int levels_ = -1;
};

/// Smaller factors have no block large enough for two threads.
constexpr int kUnknownsForThreads = 100'000;

/// Eigen's arrays seen as CHOLMOD's symmetric matrix; only the lower triangle is read.
cholmod_sparse symmetric_view(const SparseMatrix& A) {
  cholmod_sparse view{};
  view.nrow = A.rows();
  view.ncol = A.cols();
  view.nzmax = A.nonZeros();
  view.p = const_cast<int*>(A.outerIndexPtr());
  view.i = const_cast<int*>(A.innerIndexPtr());
  view.x = const_cast<double*>(A.valuePtr());
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = 1;
  view.packed = 1;
  return view;
}

cholmod_dense dense_view(Eigen::Ref<Eigen::MatrixXd> B) {
  cholmod_dense view{};
  view.nrow = B.rows();
  view.ncol = B.cols();
  view.nzmax = B.size();
  view.d = B.outerStride();
  view.x = B.data();
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  return view;
}

class Supernodal final : public Cholesky::Implementation {
 public:
  Supernodal(const SparseMatrix& A, std::vector<int> order) {
    check_blas_memory();
    cholmod_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    cholmod_sparse view = symmetric_view(A);
    factor_ = cholmod_analyze_p(&view, order.data(), nullptr, 0, &common_);
    if (factor_ == nullptr) {
      const bool too_large = common_.status == CHOLMOD_TOO_LARGE;
      cholmod_finish(&common_);
      if (too_large) {
        throw Error("the factor is too large to address", std::to_string(A.rows()) + " unknowns",
                    "use a coarser mesh", Error::Kind::work_failed);
      }
      throw std::bad_alloc();
    }
  }

  ~Supernodal() override {
    cholmod_free_dense(&solution_, &common_);
    cholmod_free_dense(&work_, &common_);
    cholmod_free_dense(&more_work_, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  Supernodal(const Supernodal&) = delete;
  Supernodal& operator=(const Supernodal&) = delete;

  bool factor(const SparseMatrix& A) override {
    const WithoutOpenMp quiet;
    std::optional<SingleThreadedBlas> alone;
    std::optional<ManyThreadedBlas> together;
    if (A.rows() < kUnknownsForThreads) {
      alone.emplace();
    } else {
      together.emplace();
    }
    cholmod_sparse view = symmetric_view(A);
    cholmod_factorize(&view, factor_, &common_);
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
    return common_.status == CHOLMOD_OK;
  }

  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) override {
    const WithoutOpenMp quiet;
    const SingleThreadedBlas alone;  // memory is the limit of a solve
    cholmod_dense view = dense_view(B);
    const int solved = cholmod_solve2(CHOLMOD_A, factor_, &view, nullptr, &solution_, nullptr,
                                      &work_, &more_work_, &common_);
    if (solved == 0) throw std::bad_alloc();
    B = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>(
        static_cast<const double*>(solution_->x), B.rows(), B.cols(),
        Eigen::OuterStride<>(static_cast<Eigen::Index>(solution_->d)));
  }

  double factor_nonzeros() const override { return static_cast<double>(factor_->xsize); }
  std::string name() const override { return "cholmod-supernodal"; }

  std::vector<int> order() const override {
    const int* const permutation = static_cast<const int*>(factor_->Perm);
    return {permutation, permutation + factor_->n};
  }

  void visit(const std::function<void(const Supernode&)>& visitor) const override {
    const int* const first = static_cast<const int*>(factor_->super);
    const int* const row_begin = static_cast<const int*>(factor_->pi);
    const int* const value_begin = static_cast<const int*>(factor_->px);
    for (std::size_t s = 0; s < factor_->nsuper; ++s) {
      Supernode node;
      node.first_column = first[s];
      node.columns = first[s + 1] - first[s];
      node.rows = row_begin[s + 1] - row_begin[s];
      node.row_indices = static_cast<const int*>(factor_->s) + row_begin[s];
      node.values = static_cast<const double*>(factor_->x) + value_begin[s];
      node.stride = node.rows;
      visitor(node);
    }
  }

 private:
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* solution_ = nullptr;
  cholmod_dense* work_ = nullptr;
  cholmod_dense* more_work_ = nullptr;
};

}  // namespace

std::unique_ptr<Cholesky::Implementation> make_supernodal(const SparseMatrix& A,
                                                          std::vector<int> order) {
  return std::make_unique<Supernodal>(A, std::move(order));
}

}  // namespace limber

#else

namespace limber {

std::unique_ptr<Cholesky::Implementation> make_supernodal(const SparseMatrix&, std::vector<int>) {
  return nullptr;
}

}  // namespace limber

#endif
