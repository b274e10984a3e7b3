#include "limber/dynamics/full_space/attached_preconditioner.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr int kMostNodes = 384;
constexpr int kMostColumns = 384;  // of B; what is beyond is left to the iterations

}  // namespace

AttachedPreconditioner::AttachedPreconditioner(int size)
    : slots_(size / 3, -1),
      weights_(kMostColumns),
      loads_(size),
      unit_(Vector::Zero(size)),
      moved_(size) {
  const int most = std::min(kMostNodes, size / 3);
  known_.reserve(most);
  compliance_.resize(3 * most, 3 * most);
  columns_.reserve(kMostColumns);
  small_.resize(kMostColumns, kMostColumns);
}

void AttachedPreconditioner::set(RestPreconditioner& base, const NodeRotations* rotations,
                                 const std::vector<AttachedBlock>& blocks) {
  base_ = &base;
  columns_.clear();
  base.set_rotations(nullptr);
  for (const AttachedBlock& block : blocks) add_columns(block, rotations);
  base.set_rotations(rotations);
  factor();
}

/// block = Σ λ e eᵀ: a column √λ e for each of its own directions.
void AttachedPreconditioner::add_columns(const AttachedBlock& block,
                                         const NodeRotations* rotations) {
  // Beside harder ones the rounding of P, 1e-6, would not be small; there are few of them.
  constexpr double kHardest = 1e4;
  constexpr double kNothing = 1e-9;  // of the largest: ground without friction has one direction
  Eigen::SelfAdjointEigenSolver<Mat3> own;
  own.computeDirect(block.matrix);
  const double largest = own.eigenvalues()[2];
  if (!(largest > 0) || static_cast<int>(columns_.size()) + 3 > kMostColumns) return;
  const int slot = slot_of(block.row);
  if (slot < 0 || largest * compliance_.block<3, 3>(3 * slot, 3 * slot).trace() > kHardest) return;
  for (int c = 0; c < 3; ++c) {
    if (!(own.eigenvalues()[c] > kNothing * largest)) continue;
    const Vec3 present = std::sqrt(own.eigenvalues()[c]) * own.eigenvectors().col(c);
    const Vec3 rest =
        rotations != nullptr ? Vec3((*rotations)[block.row].transpose() * present) : present;
    columns_.push_back({block.row, slot, present, rest});
  }
}

int AttachedPreconditioner::slot_of(int row) {
  if (slots_[row] < 0 && 3 * known_.size() < static_cast<std::size_t>(compliance_.rows())) {
    learn(row);
  }
  if (slots_[row] >= 0 || !columns_.empty()) return slots_[row];
  // Full, with nodes of long ago: those of now are learnt afresh.
  for (const int old : known_) slots_[old] = -1;
  known_.clear();
  learn(row);
  return slots_[row];
}

void AttachedPreconditioner::learn(int row) {
  const int slot = static_cast<int>(known_.size());
  slots_[row] = slot;
  known_.push_back(row);
  for (int c = 0; c < 3; ++c) {
    unit_[3 * row + c] = 1;
    base_->apply(unit_, moved_);
    unit_[3 * row + c] = 0;
    for (int other = 0; other <= slot; ++other) {
      const Eigen::Vector3f part = moved_.segment<3>(3 * known_[other]).cast<float>();
      compliance_.block<3, 1>(3 * other, 3 * slot + c) = part;
      compliance_.block<1, 3>(3 * slot + c, 3 * other) = part.transpose();
    }
  }
}

/// L Lᵀ = I + Bᵀ P B, row by row. No pivot is below 1 unless by rounding.
void AttachedPreconditioner::factor() {
  for (int i = 0; i < static_cast<int>(columns_.size()); ++i) {
    const Column& a = columns_[i];
    for (int j = 0; j <= i; ++j) {
      const Column& b = columns_[j];
      const Mat3 P = compliance_.block<3, 3>(3 * a.slot, 3 * b.slot).cast<double>();
      small_(j, i) = a.rest.dot(P * b.rest) - small_.col(i).head(j).dot(small_.col(j).head(j));
      if (j < i) small_(j, i) /= small_(j, j);
    }
    small_(i, i) = std::sqrt(std::max(1.0, 1 + small_(i, i)));
  }
}

void AttachedPreconditioner::apply(const Vector& r, Vector& z) const {
  base_->apply(r, z);
  const int count = static_cast<int>(columns_.size());
  if (count == 0) return;
  for (int i = 0; i < count; ++i) {
    const Column& a = columns_[i];
    const double sum = a.present.dot(z.segment<3>(3 * a.row));
    weights_[i] = (sum - small_.col(i).head(i).dot(weights_.head(i))) / small_(i, i);
  }
  loads_ = r;
  for (int i = count - 1; i >= 0; --i) {
    const Column& a = columns_[i];
    weights_[i] /= small_(i, i);
    weights_.head(i) -= weights_[i] * small_.col(i).head(i);
    loads_.segment<3>(3 * a.row) -= weights_[i] * a.present;
  }
  // Solved again rather than taken from Pr: what is left of the loads is small beside them.
  base_->apply(loads_, z);
}

}  // namespace limber
