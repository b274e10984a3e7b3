#include "partition.h"

#include <algorithm>

#include "petsc.h"

namespace limber {

namespace {

/// Fewer nodes a rank make borders of everything and parts without nodes.
constexpr std::int64_t kLeastNodes = 16;

void refuse_too_many_ranks(const Ranks& ranks, std::int64_t nodes) {
  throw Error(
      std::to_string(ranks.size()) + " ranks are too many for " + std::to_string(nodes) + " nodes",
      "mpirun -n", "use at most " + std::to_string(std::max<std::int64_t>(1, nodes / kLeastNodes)));
}

/// Neighbours of the block's nodes, ascending, without the node itself.
struct BlockGraph {
  std::vector<PetscInt> offsets;
  std::vector<PetscInt> neighbours;
};

BlockGraph block_graph(const Blocks& blocks, int rank, const std::vector<TetRecord>& tets) {
  const std::int64_t first = blocks.begin(rank);
  const auto count = static_cast<std::size_t>(blocks.end(rank) - first);
  std::vector<std::vector<PetscInt>> rows(count);
  for (const TetRecord& tet : tets) {
    for (const int node : tet.nodes) {
      if (blocks.owner(node) != rank) continue;
      for (const int other : tet.nodes) {
        if (other != node) rows[node - first].push_back(other);
      }
    }
  }
  BlockGraph graph;
  graph.offsets.push_back(0);
  for (std::vector<PetscInt>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    graph.neighbours.insert(graph.neighbours.end(), row.begin(), row.end());
    graph.offsets.push_back(static_cast<PetscInt>(graph.neighbours.size()));
    std::vector<PetscInt>().swap(row);
  }
  return graph;
}

/// PETSc frees what it is given.
PetscInt* petsc_copy(const std::vector<PetscInt>& values) {
  PetscInt* copy = nullptr;
  petsc(PetscMalloc1(values.size() + 1, &copy));
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

}  // namespace

std::vector<TetRecord> tets_around_block(const Ranks& ranks, const MeshPieces& pieces) {
  if (ranks.size() == 1) return pieces.tets;
  std::vector<std::vector<TetRecord>> outgoing(ranks.size());
  for (const TetRecord& tet : pieces.tets) {
    std::array<int, 4> owners;
    std::transform(tet.nodes.begin(), tet.nodes.end(), owners.begin(),
                   [&](int node) { return pieces.node_blocks.owner(node); });
    std::sort(owners.begin(), owners.end());
    const auto end = std::unique(owners.begin(), owners.end());
    std::for_each(owners.begin(), end, [&](int owner) { outgoing[owner].push_back(tet); });
  }
  return ranks.exchange(outgoing).items;
}

std::vector<int> partition_nodes(const Ranks& ranks, const Blocks& node_blocks,
                                 const std::vector<TetRecord>& tets_around) {
  const auto count =
      static_cast<PetscInt>(node_blocks.end(ranks.rank()) - node_blocks.begin(ranks.rank()));
  if (ranks.size() == 1) return std::vector<int>(count, 0);
  if (node_blocks.count < kLeastNodes * ranks.size()) {
    refuse_too_many_ranks(ranks, node_blocks.count);
  }
  const BlockGraph graph = block_graph(node_blocks, ranks.rank(), tets_around);
  OwnedMat adjacency;
  petsc(MatCreateMPIAdj(ranks.comm(), count, static_cast<PetscInt>(node_blocks.count),
                        petsc_copy(graph.offsets), petsc_copy(graph.neighbours), nullptr,
                        adjacency.put()));
  Owned<MatPartitioning, MatPartitioningDestroy> partitioning;
  petsc(MatPartitioningCreate(ranks.comm(), partitioning.put()));
  petsc(MatPartitioningSetAdjacency(partitioning.get(), adjacency.get()));
  petsc(MatPartitioningSetType(partitioning.get(), MATPARTITIONINGPTSCOTCH));
  Owned<IS, ISDestroy> owners;
  petsc(MatPartitioningApply(partitioning.get(), owners.put()));
  const PetscInt* values = nullptr;
  petsc(ISGetIndices(owners.get(), &values));
  std::vector<int> result(values, values + count);
  petsc(ISRestoreIndices(owners.get(), &values));

  std::vector<double> shares(ranks.size(), 0.0);
  for (const int owner : result) ++shares[owner];
  ranks.sum(shares.data(), ranks.size());
  if (*std::min_element(shares.begin(), shares.end()) == 0) {
    refuse_too_many_ranks(ranks, node_blocks.count);
  }
  return result;
}

}  // namespace limber
