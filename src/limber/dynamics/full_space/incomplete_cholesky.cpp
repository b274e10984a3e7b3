#include "limber/dynamics/full_space/incomplete_cholesky.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "limber/core/error.h"

namespace limber {

namespace {

using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Block = Eigen::Map<RowMajor3>;

}  // namespace

IncompleteCholesky::IncompleteCholesky(const BlockMatrix& A) {
  const BlockPattern& pattern = A.pattern();
  offsets_.assign(1, 0);
  for (int i = 0; i < pattern.row_count(); ++i) {
    columns_.insert(columns_.end(), pattern.columns.begin() + pattern.offsets[i],
                    pattern.columns.begin() + pattern.diagonal[i]);
    offsets_.push_back(static_cast<int>(columns_.size()));
  }
  lower_.resize(9 * columns_.size());
  inverse_.resize(9 * static_cast<std::size_t>(pattern.row_count()));
  constexpr double kLargestShift = 1e6;
  for (shift_ = 0; !factor(A, shift_); shift_ = std::max(1e-3, 4 * shift_)) {
    if (shift_ > kLargestShift) {
      throw Error("the matrix has no positive diagonal", "incomplete Cholesky",
                  "check the material and the time step", Error::Kind::work_failed);
    }
  }
  lower_float_.assign(lower_.begin(), lower_.end());
  inverse_float_.assign(inverse_.begin(), inverse_.end());
  lower_ = {};
  inverse_ = {};
}

// Row by row: L_ij = (A_ij − Σ_k L_ik L_jkᵀ) L_jj⁻ᵀ over the k that both rows have.
bool IncompleteCholesky::factor(const BlockMatrix& A, double shift) {
  const BlockPattern& pattern = A.pattern();
  const auto lower = [&](int k) { return Block(lower_.data() + 9 * static_cast<std::size_t>(k)); };
  const auto inverse = [&](int i) {
    return Block(inverse_.data() + 9 * static_cast<std::size_t>(i));
  };
  for (int i = 0; i < pattern.row_count(); ++i) {
    RowMajor3 diagonal = A.block(pattern.diagonal[i]);
    diagonal.diagonal() *= 1 + shift;
    for (int p = offsets_[i]; p < offsets_[i + 1]; ++p) {
      const int j = columns_[p];
      RowMajor3 sum = A.block(pattern.offsets[i] + p - offsets_[i]);
      for (int a = offsets_[i], b = offsets_[j]; a < p && b < offsets_[j + 1];) {
        if (columns_[a] < columns_[b]) {
          ++a;
        } else if (columns_[a] > columns_[b]) {
          ++b;
        } else {
          sum.noalias() -= lower(a++) * lower(b++).transpose();
        }
      }
      lower(p) = sum * inverse(j).transpose();
      diagonal.noalias() -= lower(p) * lower(p).transpose();
    }
    const Eigen::LLT<Mat3> llt{Mat3(diagonal)};
    if (llt.info() != Eigen::Success || !diagonal.allFinite()) return false;
    inverse(i) = llt.matrixL().solve(Mat3::Identity());
  }
  return true;
}

void IncompleteCholesky::solve_in_place(std::vector<float>& x) const {
  const int rows = static_cast<int>(offsets_.size()) - 1;
  for (int i = 0; i < rows; ++i) {
    float* const own = x.data() + 3 * static_cast<std::size_t>(i);
    float s0 = own[0];
    float s1 = own[1];
    float s2 = own[2];
    for (int p = offsets_[i]; p < offsets_[i + 1]; ++p) {
      const float* const L = lower_float_.data() + 9 * static_cast<std::size_t>(p);
      const float* const other = x.data() + 3 * static_cast<std::size_t>(columns_[p]);
      s0 -= L[0] * other[0] + L[1] * other[1] + L[2] * other[2];
      s1 -= L[3] * other[0] + L[4] * other[1] + L[5] * other[2];
      s2 -= L[6] * other[0] + L[7] * other[1] + L[8] * other[2];
    }
    const float* const D = inverse_float_.data() + 9 * static_cast<std::size_t>(i);
    own[0] = D[0] * s0;
    own[1] = D[3] * s0 + D[4] * s1;
    own[2] = D[6] * s0 + D[7] * s1 + D[8] * s2;
  }
  for (int i = rows - 1; i >= 0; --i) {
    float* const own = x.data() + 3 * static_cast<std::size_t>(i);
    const float* const D = inverse_float_.data() + 9 * static_cast<std::size_t>(i);
    own[0] = D[0] * own[0] + D[3] * own[1] + D[6] * own[2];
    own[1] = D[4] * own[1] + D[7] * own[2];
    own[2] = D[8] * own[2];
    for (int p = offsets_[i]; p < offsets_[i + 1]; ++p) {
      const float* const L = lower_float_.data() + 9 * static_cast<std::size_t>(p);
      float* const other = x.data() + 3 * static_cast<std::size_t>(columns_[p]);
      for (int c = 0; c < 3; ++c) {
        other[c] -= L[c] * own[0] + L[3 + c] * own[1] + L[6 + c] * own[2];
      }
    }
  }
}

}  // namespace limber
