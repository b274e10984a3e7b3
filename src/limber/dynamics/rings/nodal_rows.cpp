#include "limber/dynamics/rings/nodal_rows.h"

#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"

namespace limber {

NodalRows::NodalRows(const TetMesh& mesh, const Materials& materials, MassKind mass) {
  const NodeGraph graph(mesh);
  const SparseMatrix K = stiffness(mesh, materials);
  const SparseMatrix m = scalar_mass(mesh, materials, mass);
  const int nodes = mesh.node_count();
  offsets_.push_back(0);
  K_.assign(static_cast<std::size_t>(graph.entry_count()), Mat3::Zero());
  m_.assign(K_.size(), 0);
  neighbours_.reserve(K_.size());
  RowSlots slots(graph);
  for (int i = 0; i < nodes; ++i) {
    slots.select(i);
    const std::span<const int> around = graph.neighbours(i);
    neighbours_.insert(neighbours_.end(), around.begin(), around.end());
    const int first = offsets_.back();
    offsets_.push_back(first + static_cast<int>(around.size()));
    // Both are symmetric: column i is row i.
    for (int c = 0; c < 3; ++c) {
      for (SparseMatrix::InnerIterator entry(K, 3 * i + c); entry; ++entry) {
        const auto at = static_cast<std::size_t>(first + slots[static_cast<int>(entry.row() / 3)]);
        K_[at](c, entry.row() % 3) = entry.value();
      }
    }
    for (SparseMatrix::InnerIterator entry(m, i); entry; ++entry)
      m_[static_cast<std::size_t>(first + slots[static_cast<int>(entry.row())])] = entry.value();
  }
}

}  // namespace limber
