// K and M of a whole body by rows of nodes, for regions that are cut out of them: K_ij (3×3, N/m)
// and m_ij (kg, M_ij = m_ij I₃) for each node i and neighbour j.
#pragma once

#include <span>
#include <vector>

#include "limber/core/types.h"
#include "limber/fem/mass.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

class NodalRows {
 public:
  NodalRows(const TetMesh& mesh, const Materials& materials, MassKind mass);

  [[nodiscard]] int node_count() const { return static_cast<int>(offsets_.size()) - 1; }
  /// Entries offset(i) to offset(i+1) are those of node i, its neighbours ascending, itself among
  /// them.
  [[nodiscard]] int offset(int node) const { return offsets_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] int neighbour(int entry) const {
    return neighbours_[static_cast<std::size_t>(entry)];
  }
  [[nodiscard]] std::span<const int> neighbours(int node) const {
    return std::span(neighbours_).subspan(static_cast<std::size_t>(offset(node)),
                                          static_cast<std::size_t>(offset(node + 1) - offset(node)));
  }
  [[nodiscard]] const Mat3& K(int entry) const { return K_[static_cast<std::size_t>(entry)]; }
  [[nodiscard]] double m(int entry) const { return m_[static_cast<std::size_t>(entry)]; }

 private:
  std::vector<int> offsets_, neighbours_;
  std::vector<Mat3> K_;
  std::vector<double> m_;
};

}  // namespace limber
