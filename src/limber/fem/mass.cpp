#include "limber/fem/mass.h"

#include <vector>

#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"

namespace limber {

namespace {

/// Share of a tet's mass that a pair of its nodes gets: the same node twice, and two nodes.
struct MassShares {
  double same;
  double other;
};

MassShares shares(MassKind kind) {
  switch (kind) {
    case MassKind::consistent:
      return {1.0 / 10, 1.0 / 20};  // ∫ N_a N_b over a tet of unit volume
    case MassKind::one_point:
      return {1.0 / 16, 1.0 / 16};  // N_a = 1/4 at the barycentre
    case MassKind::lumped:
      break;
  }
  return {1.0 / 4, 0};
}

Vector tet_masses(const TetMesh& mesh, const Materials& materials, const Vector& volumes) {
  Vector masses(mesh.tet_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    masses[tet] = materials.of(mesh.region(tet)).density * volumes[tet];
  }
  return masses;
}

SparseMatrix lumped_mass(const TetMesh& mesh, const Vector& tet_mass) {
  Vector nodal = Vector::Zero(mesh.node_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    for (int k = 0; k < 4; ++k) nodal[mesh.T(tet, k)] += tet_mass[tet] / 4;
  }
  SparseMatrix m(mesh.node_count(), mesh.node_count());
  m.resizeNonZeros(mesh.node_count());
  for (int node = 0; node < mesh.node_count(); ++node) {
    m.outerIndexPtr()[node + 1] = node + 1;
    m.innerIndexPtr()[node] = node;
    m.valuePtr()[node] = nodal[node];
  }
  return m;
}

}  // namespace

SparseMatrix scalar_mass(const TetMesh& mesh, const Materials& materials, MassKind kind) {
  return scalar_mass(mesh, materials, kind, element_geometry(mesh), NodeGraph(mesh));
}

SparseMatrix scalar_mass(const TetMesh& mesh, const Materials& materials, MassKind kind,
                         const ElementGeometry& geometry, const NodeGraph& graph) {
  const Vector tet_mass = tet_masses(mesh, materials, geometry.volumes);
  if (kind == MassKind::lumped) return lumped_mass(mesh, tet_mass);
  const auto [same, other] = shares(kind);
  SparseMatrix m(graph.node_count(), graph.node_count());
  m.resizeNonZeros(graph.entry_count());
  std::fill_n(m.valuePtr(), graph.entry_count(), 0.0);
  RowSlots slots(graph);
  for (int node = 0; node < graph.node_count(); ++node) {
    slots.select(node);
    const auto neighbours = graph.neighbours(node);
    m.outerIndexPtr()[node + 1] = graph.offset(node + 1);
    std::copy(neighbours.begin(), neighbours.end(), m.innerIndexPtr() + graph.offset(node));
    double* const column = m.valuePtr() + graph.offset(node);
    for (const int corner : graph.corners(node)) {
      const int tet = corner / 4;
      for (int k = 0; k < 4; ++k) {
        column[slots[mesh.T(tet, k)]] += tet_mass[tet] * (k == corner % 4 ? same : other);
      }
    }
  }
  return m;
}

SparseMatrix mass(const TetMesh& mesh, const Materials& materials, MassKind kind) {
  return expand(scalar_mass(mesh, materials, kind));
}

SparseMatrix expand(const SparseMatrix& scalar) {
  SparseMatrix expanded(3 * scalar.rows(), 3 * scalar.cols());
  expanded.resizeNonZeros(3 * scalar.nonZeros());
  int next = 0;
  for (int column = 0; column < scalar.cols(); ++column) {
    for (int c = 0; c < 3; ++c) {
      for (SparseMatrix::InnerIterator entry(scalar, column); entry; ++entry) {
        expanded.innerIndexPtr()[next] = 3 * static_cast<int>(entry.row()) + c;
        expanded.valuePtr()[next++] = entry.value();
      }
      expanded.outerIndexPtr()[3 * column + c + 1] = next;
    }
  }
  return expanded;
}

}  // namespace limber
