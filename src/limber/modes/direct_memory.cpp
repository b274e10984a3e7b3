#include "limber/modes/direct_memory.h"

#include <cmath>
#include <utility>
#include <vector>

#include "limber/core/solvers/ordering.h"
#include "limber/fem/node_graph.h"

namespace limber {

namespace {

/// Block Lanczos holds this many vectors a mode, and their products with M.
constexpr double kVectorsPerMode = 4;
/// Peaks of clamped bars were 1.19, 1.07 and 1.12 times the sum of what is counted here (66k, 320k,
/// 1.08M tets, 20 modes): zeros within supernodes, copies while CHOLMOD works.
constexpr double kUncounted = 1.25;

SparseMatrix pattern(const NodeGraph& graph) {
  SparseMatrix A(graph.node_count(), graph.node_count());
  A.resizeNonZeros(graph.entry_count());
  for (int node = 0; node < graph.node_count(); ++node) {
    A.outerIndexPtr()[node + 1] = graph.offset(node + 1);
    const auto neighbours = graph.neighbours(node);
    std::copy(neighbours.begin(), neighbours.end(), A.innerIndexPtr() + graph.offset(node));
  }
  std::fill_n(A.valuePtr(), A.nonZeros(), 1.0);
  return A;
}

/// Entries of L on the graph of nodes, diagonal included. Row k of L is the part of the elimination
/// tree between the neighbours of k that come before it and k itself (Davis 2006, section 4.1).
double elimination_entries(const NodeGraph& graph, const std::vector<int>& order) {
  const int n = graph.node_count();
  std::vector<int> position(n);
  for (int k = 0; k < n; ++k) position[order[k]] = k;
  std::vector<int> parent(n, -1);
  std::vector<int> ancestor(n, -1);  // with shortcuts
  std::vector<int> last_row(n, -1);
  double entries = 0;
  for (int k = 0; k < n; ++k) {
    for (const int neighbour : graph.neighbours(order[k])) {
      for (int i = position[neighbour]; i >= 0 && i < k;) {
        const int next = std::exchange(ancestor[i], k);
        if (next < 0) parent[i] = k;
        i = next;
      }
    }
    last_row[k] = k;
    ++entries;
    for (const int neighbour : graph.neighbours(order[k])) {
      for (int i = position[neighbour]; i < k && last_row[i] != k; i = parent[i]) {
        last_row[i] = k;
        ++entries;
      }
    }
  }
  return entries;
}

}  // namespace

double factor_numbers(const TetMesh& mesh) {
  const NodeGraph graph(mesh);
  return 9 * elimination_entries(graph, nested_dissection(pattern(graph), 1));
}

double direct_bytes(const TetMesh& mesh, double factor_numbers, int count) {
  const double unknowns = 3.0 * mesh.node_count();
  const double stiffness = 12 * unknowns * 3 * 15;  // about 15 neighbours a node
  const double basis = 2 * 8 * unknowns * (kVectorsPerMode * count + 40);
  return kUncounted * (8 * factor_numbers + 3 * stiffness + basis);
}

double most_factor_numbers(int nodes) {
  // Nested dissection of a cube with n nodes fills about 7.75 n^(4/3) (George 1973, in space); tets
  // have more neighbours than a cube's grid.
  return 9 * 16 * std::pow(nodes, 4.0 / 3);
}

}  // namespace limber
