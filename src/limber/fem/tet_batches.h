// Tets in groups of eight, one a SIMD lane: what the element kernels run over.
//
// Symbols: X rest and x deformed positions, g_k = ∇N_k shape gradients, V volume, F = Σ x_k g_kᵀ
// deformation gradient, λ μ Lamé's constants.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "limber/core/types.h"
#include "limber/fem/operators.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

inline constexpr int kTetLanes = 8;

template <class T>
using TetLanes = std::array<T, kTetLanes>;

/// One 3×3 matrix for each tet of a batch, entry (i, j) at 3i+j.
struct alignas(64) BatchMatrices {
  std::array<TetLanes<double>, 9> entry;
};

struct alignas(64) TetBatch {
  /// g_1 g_2 g_3; g_0 = −g_1−g_2−g_3. Component c of g_k at 3(k−1)+c, 1/m.
  std::array<TetLanes<double>, 9> gradients;
  TetLanes<double> lambda;  ///< V λ, N·m
  TetLanes<double> mu;      ///< V μ, N·m
  std::array<TetLanes<std::int32_t>, 4> nodes;
};

/// The last batch is filled up with copies of the last tet that have no stiffness.
class TetBatches {
 public:
  TetBatches() = default;
  /// `tets`: which tets of the mesh, ascending; the k-th of them is lane k % 8 of batch k / 8.
  TetBatches(const TetMesh& mesh, const Materials& materials, const ElementGeometry& geometry,
             std::span<const int> tets);
  /// All tets of the mesh.
  TetBatches(const TetMesh& mesh, const Materials& materials, const ElementGeometry& geometry);

  [[nodiscard]] int tet_count() const { return tet_count_; }
  [[nodiscard]] int batch_count() const { return static_cast<int>(batches_.size()); }
  [[nodiscard]] const TetBatch& operator[](int batch) const { return batches_[batch]; }
  [[nodiscard]] int node(int tet, int corner) const {
    return batches_[tet / kTetLanes].nodes[corner][tet % kTetLanes];
  }

 private:
  int tet_count_ = 0;
  std::vector<TetBatch> batches_;
};

/// One matrix a tet, in batches.
using TetMatrices = std::vector<BatchMatrices>;

[[nodiscard]] Mat3 matrix_of(const TetMatrices& matrices, int tet);

}  // namespace limber
