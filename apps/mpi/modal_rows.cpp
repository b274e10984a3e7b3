#include "modal_rows.h"

#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"

namespace limber {

ModeMatrix local_rows(const Ranks& ranks, const DistributedMesh& mesh, const Supports& supports,
                      const Eigen::Ref<const Eigen::MatrixXd>& vectors) {
  const auto modes = static_cast<int>(vectors.cols());
  ModeMatrix rows = ModeMatrix::Zero(3 * mesh.local.node_count(), modes);
  int row = 0;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    rows.middleRows<3>(3 * node) = vectors.middleRows<3>(3 * row++);
  }
  mesh.halo.update(ranks, rows.data(), 3 * modes);
  return rows;
}

ModalRows modal_rows(const Ranks& ranks, const DistributedMesh& mesh, const Supports& supports,
                     const EigenPairs& pairs) {
  const auto modes = static_cast<int>(pairs.eigenvalues.size());
  ModalRows rows;
  rows.Phi = local_rows(ranks, mesh, supports, pairs.vectors);
  // Rows of ghosts lack tets of their owners, who know better.
  rows.Psi =
      curl_operator(mesh.local, element_geometry(mesh.local), NodeGraph(mesh.local)) * rows.Phi;
  mesh.halo.update(ranks, rows.Psi.data(), 3 * modes);
  return rows;
}

Positions free_positions(const DistributedMesh& mesh, const Supports& supports) {
  Positions positions(supports.owned_free, 3);
  int row = 0;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] == 0) positions.row(row++) = mesh.local.V.row(node);
  }
  return positions;
}

}  // namespace limber
