// Rotations of nodes in single precision, one after the other.
#pragma once

#include <vector>

#include "limber/dynamics/full_space/rotation_field.h"

namespace limber {

class NodeFrames {
 public:
  explicit NodeFrames(int node_count) : R_(9 * static_cast<std::size_t>(node_count)) {}

  /// Null: nothing turns.
  void set(const NodeRotations* rotations) {
    turned_ = rotations != nullptr;
    if (!turned_) return;
    const int count = static_cast<int>(R_.size() / 9);
    for (int i = 0; i < count; ++i) {
      const BatchMatrices& batch = rotations->lanes()[i / kTetLanes];
      for (int k = 0; k < 9; ++k) {
        R_[9 * i + k] = static_cast<float>(batch.entry[k][i % kTetLanes]);
      }
    }
  }

  /// out = Rᵀ v.
  void to_frame(int i, const double* v, float* out) const {
    const auto x = static_cast<float>(v[0]);
    const auto y = static_cast<float>(v[1]);
    const auto z = static_cast<float>(v[2]);
    if (!turned_) {
      out[0] = x, out[1] = y, out[2] = z;
      return;
    }
    const float* const R = R_.data() + 9 * static_cast<std::size_t>(i);
    for (int c = 0; c < 3; ++c) out[c] = R[c] * x + R[3 + c] * y + R[6 + c] * z;
  }
  /// out = R v.
  void from_frame(int i, const float* v, double* out) const {
    if (!turned_) {
      out[0] = v[0], out[1] = v[1], out[2] = v[2];
      return;
    }
    const float* const R = R_.data() + 9 * static_cast<std::size_t>(i);
    for (int c = 0; c < 3; ++c) {
      out[c] = R[3 * c] * v[0] + R[3 * c + 1] * v[1] + R[3 * c + 2] * v[2];
    }
  }

 private:
  std::vector<float> R_;
  bool turned_ = false;
};

}  // namespace limber
