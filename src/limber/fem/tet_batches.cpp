#include "limber/fem/tet_batches.h"

#include <numeric>

namespace limber {

namespace {

std::vector<int> all_tets(const TetMesh& mesh) {
  std::vector<int> tets(mesh.tet_count());
  std::iota(tets.begin(), tets.end(), 0);
  return tets;
}

}  // namespace

TetBatches::TetBatches(const TetMesh& mesh, const Materials& materials,
                       const ElementGeometry& geometry)
    : TetBatches(mesh, materials, geometry, all_tets(mesh)) {}

TetBatches::TetBatches(const TetMesh& mesh, const Materials& materials,
                       const ElementGeometry& geometry, std::span<const int> tets)
    : tet_count_(static_cast<int>(tets.size())),
      batches_((tets.size() + kTetLanes - 1) / kTetLanes) {
  for (int k = 0; k < batch_count() * kTetLanes; ++k) {
    const bool filler = k >= tet_count_;
    const int tet = filler ? tets.back() : tets[k];
    const int lane = k % kTetLanes;
    TetBatch& batch = batches_[k / kTetLanes];
    const Material& material = materials.of(mesh.region(tet));
    batch.lambda[lane] = filler ? 0 : material.lambda() * geometry.volumes[tet];
    batch.mu[lane] = filler ? 0 : material.mu() * geometry.volumes[tet];
    for (int c = 0; c < 9; ++c) batch.gradients[c][lane] = geometry.gradients(tet, 3 + c);
    for (int corner = 0; corner < 4; ++corner) batch.nodes[corner][lane] = mesh.T(tet, corner);
  }
}

Mat3 matrix_of(const TetMatrices& matrices, int tet) {
  Mat3 matrix;
  for (int c = 0; c < 9; ++c) {
    matrix(c / 3, c % 3) = matrices[tet / kTetLanes].entry[c][tet % kTetLanes];
  }
  return matrix;
}

}  // namespace limber
