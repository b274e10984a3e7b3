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
    : compliance_(size, kMostNodes), weights_(kMostColumns), loads_(size) {
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

/// False where there is no room for its nodes.
bool AttachedPreconditioner::find_slots(const AttachedBlock& block, Column& column) {
  column.count = block.count;
  column.rows = block.rows;
  for (int attempt = 0; attempt < 2; ++attempt) {
    bool found = true;
    for (int k = 0; k < block.count; ++k) {
      column.slots[k] = compliance_.slot_of(block.rows[k], *base_);
      found &= column.slots[k] >= 0;
    }
    if (found || !columns_.empty()) return found;
    compliance_.forget();  // full, with nodes of long ago: those of now are learnt afresh
  }
  return false;
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
  Column column;
  if (!find_slots(block, column)) return;
  double trace = 0;
  for (int k = 0; k < block.count; ++k) {
    trace += block.weights[k] * block.weights[k] * compliance_.trace(column.slots[k]);
  }
  if (largest * trace > kHardest) return;
  for (int c = 0; c < 3; ++c) {
    if (!(own.eigenvalues()[c] > kNothing * largest)) continue;
    const Vec3 direction = std::sqrt(own.eigenvalues()[c]) * own.eigenvectors().col(c);
    for (int k = 0; k < block.count; ++k) {
      const Vec3 present = block.weights[k] * direction;
      column.present[k] = present;
      column.rest[k] =
          rotations != nullptr ? Vec3((*rotations)[block.rows[k]].transpose() * present) : present;
    }
    columns_.push_back(column);
  }
}

/// aᵀ P b.
double AttachedPreconditioner::compliance(const Column& a, const Column& b) const {
  double sum = 0;
  for (int k = 0; k < a.count; ++k) {
    for (int l = 0; l < b.count; ++l) {
      const Mat3 P = compliance_(a.slots[k], b.slots[l]);
      sum += a.rest[k].dot(P * b.rest[l]);
    }
  }
  return sum;
}

/// L Lᵀ = I + Bᵀ P B, row by row. No pivot is below 1 unless by rounding.
void AttachedPreconditioner::factor() {
  for (int i = 0; i < static_cast<int>(columns_.size()); ++i) {
    for (int j = 0; j <= i; ++j) {
      small_(j, i) =
          compliance(columns_[i], columns_[j]) - small_.col(i).head(j).dot(small_.col(j).head(j));
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
    double sum = a.present[0].dot(z.segment<3>(3 * a.rows[0]));
    for (int k = 1; k < a.count; ++k) sum += a.present[k].dot(z.segment<3>(3 * a.rows[k]));
    weights_[i] = (sum - small_.col(i).head(i).dot(weights_.head(i))) / small_(i, i);
  }
  loads_ = r;
  for (int i = count - 1; i >= 0; --i) {
    const Column& a = columns_[i];
    weights_[i] /= small_(i, i);
    weights_.head(i) -= weights_[i] * small_.col(i).head(i);
    for (int k = 0; k < a.count; ++k) {
      loads_.segment<3>(3 * a.rows[k]) -= weights_[i] * a.present[k];
    }
  }
  // Solved again rather than taken from Pr: what is left of the loads is small beside them.
  base_->apply(loads_, z);
}

}  // namespace limber
