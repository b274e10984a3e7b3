#include "distributed_mesh.h"

#include <algorithm>

#include "limber/mesh/checks.h"
#include "limber/mesh/tet_geometry.h"
#include "partition.h"

namespace limber {

namespace {

/// A node on its way to its owner, or asked about.
struct NodeRecord {
  int number;
  int owner;
  std::array<double, 3> position;
};

std::vector<NodeRecord> block_records(const Ranks& ranks, const MeshPieces& pieces,
                                      const std::vector<int>& owners) {
  std::vector<NodeRecord> records(owners.size());
  const auto first = static_cast<int>(pieces.node_blocks.begin(ranks.rank()));
  for (std::size_t i = 0; i < owners.size(); ++i) {
    records[i] = {first + static_cast<int>(i), owners[i], {}};
    std::copy_n(pieces.coordinates.data() + 3 * i, 3, records[i].position.begin());
  }
  return records;
}

std::vector<NodeRecord> to_owners(const Ranks& ranks, const std::vector<NodeRecord>& records) {
  std::vector<std::vector<NodeRecord>> outgoing(ranks.size());
  for (const NodeRecord& record : records) outgoing[record.owner].push_back(record);
  std::vector<NodeRecord> mine = ranks.exchange(outgoing).items;  // blocks ascend with their ranks
  return mine;
}

/// Each tet to every rank that owns one of its nodes: block owners send what they know of.
std::vector<TetRecord> to_owners(const Ranks& ranks, const Blocks& node_blocks,
                                 const std::vector<int>& owners, std::vector<TetRecord> around) {
  if (ranks.size() > 1) {
    const std::int64_t first = node_blocks.begin(ranks.rank());
    std::vector<std::vector<TetRecord>> outgoing(ranks.size());
    for (const TetRecord& tet : around) {
      for (const int node : tet.nodes) {
        if (node_blocks.owner(node) != ranks.rank()) continue;
        std::vector<TetRecord>& target = outgoing[owners[node - first]];
        if (target.empty() || target.back().number != tet.number) target.push_back(tet);
      }
    }
    around = ranks.exchange(outgoing).items;
  }
  const auto by_number = [](const TetRecord& a, const TetRecord& b) { return a.number < b.number; };
  std::sort(around.begin(), around.end(), by_number);
  const auto same = [](const TetRecord& a, const TetRecord& b) { return a.number == b.number; };
  around.erase(std::unique(around.begin(), around.end(), same), around.end());
  return around;
}

std::vector<int> ghosts_of(const std::vector<TetRecord>& tets,
                           const std::vector<NodeRecord>& owned) {
  const auto is_owned = [&](int number) {
    const auto at = std::lower_bound(
        owned.begin(), owned.end(), number,
        [](const NodeRecord& record, int wanted) { return record.number < wanted; });
    return at != owned.end() && at->number == number;
  };
  std::vector<int> ghosts;
  for (const TetRecord& tet : tets) {
    std::copy_if(tet.nodes.begin(), tet.nodes.end(), std::back_inserter(ghosts),
                 [&](int node) { return !is_owned(node); });
  }
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  return ghosts;
}

/// Tets by local node numbers; those of negative volume are turned round, as readers do.
void fill_tets(const std::vector<TetRecord>& tets, DistributedMesh& mesh) {
  const auto owned_end = mesh.node_numbers.begin() + mesh.owned;
  const auto local = [&](int number) {
    auto found = std::lower_bound(mesh.node_numbers.begin(), owned_end, number);
    if (found == owned_end || *found != number) {
      found = std::lower_bound(owned_end, mesh.node_numbers.end(), number);
    }
    return static_cast<int>(found - mesh.node_numbers.begin());
  };
  mesh.local.T.resize(static_cast<Eigen::Index>(tets.size()), 4);
  if (mesh.has_regions) mesh.local.regions.resize(tets.size());
  mesh.tet_numbers.resize(tets.size());
  for (int t = 0; t < mesh.local.tet_count(); ++t) {
    mesh.tet_numbers[t] = tets[t].number;
    if (mesh.has_regions) mesh.local.regions[t] = tets[t].region;
    for (int c = 0; c < 4; ++c) mesh.local.T(t, c) = local(tets[t].nodes[c]);
    turn_if_negative(mesh.local, t);
  }
}

}  // namespace

bool DistributedMesh::owns_tet(int tet) const {
  int lowest = local.T(tet, 0);
  for (int c = 1; c < 4; ++c) {
    if (node_numbers[local.T(tet, c)] < node_numbers[lowest]) lowest = local.T(tet, c);
  }
  return lowest < owned;
}

DistributedMesh read_distributed(const Ranks& ranks, const std::filesystem::path& path) {
  DistributedMesh mesh;
  std::vector<NodeRecord> owned;
  std::vector<NodeRecord> ghosts;
  std::vector<TetRecord> tets;
  {
    MeshPieces pieces = read_mesh_pieces(ranks, path);
    mesh.node_blocks = pieces.node_blocks;
    mesh.tet_blocks = pieces.tet_blocks;
    mesh.has_regions = pieces.has_regions;
    std::vector<TetRecord> around = tets_around_block(ranks, pieces);
    std::vector<TetRecord>().swap(pieces.tets);
    const std::vector<int> owners = partition_nodes(ranks, mesh.node_blocks, around);
    const std::vector<NodeRecord> block = block_records(ranks, pieces, owners);
    owned = to_owners(ranks, block);
    tets = to_owners(ranks, mesh.node_blocks, owners, std::move(around));
    ghosts = look_up(ranks, mesh.node_blocks, block, ghosts_of(tets, owned));
  }

  mesh.owned = static_cast<int>(owned.size());
  std::vector<int> ghost_owners;
  mesh.local.V.resize(static_cast<Eigen::Index>(owned.size() + ghosts.size()), 3);
  for (const std::vector<NodeRecord>* const part : {&owned, &ghosts}) {
    for (const NodeRecord& record : *part) {
      const auto row = static_cast<Eigen::Index>(mesh.node_numbers.size());
      mesh.local.V.row(row) << record.position[0], record.position[1], record.position[2];
      mesh.node_numbers.push_back(record.number);
      if (part == &ghosts) ghost_owners.push_back(record.owner);
    }
  }
  fill_tets(tets, mesh);
  ranks.together(
      [&] { check_part(mesh.local, mesh.node_numbers, mesh.tet_numbers, path.string()); });
  mesh.halo = Halo(ranks, mesh.node_numbers, mesh.owned, ghost_owners);
  return mesh;
}

}  // namespace limber
