#include "supports.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "limber/fem/fixed_dofs.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/select.h"
#include "limber/mesh/union_find.h"
#include "limber/modes/refusals.h"
#include "limber/modes/rigid_motions.h"

namespace limber {

namespace {

void hold_selection(const Ranks& ranks, const DistributedMesh& mesh, const std::string& selection,
                    std::vector<char>& fixed) {
  PartialPicks picks;
  ranks.together([&] {
    picks = pick_nodes({mesh.local, mesh.node_numbers, mesh.node_count()}, selection);
  });
  bool any = false;
  for (int node = 0; node < mesh.owned; ++node) {
    any = any || picks.picked[node] != 0;
    fixed[node] |= picks.picked[node];
  }
  for (char& found : picks.found) found = ranks.any(found != 0) ? 1 : 0;
  refuse_empty_picks(selection, picks.found, ranks.any(any));
}

/// The smallest number of a node's part, for every local node: labels sink until all agree.
std::vector<int> smallest_of_part(const Ranks& ranks, const DistributedMesh& mesh) {
  UnionFind joined(mesh.local.node_count());
  for (int t = 0; t < mesh.local.tet_count(); ++t) {
    for (int c = 1; c < 4; ++c) joined.join(mesh.local.T(t, 0), mesh.local.T(t, c));
  }
  std::vector<int> label = mesh.node_numbers;
  for (bool changed = true; ranks.any(changed);) {
    changed = false;
    for (int node = 0; node < mesh.local.node_count(); ++node) {
      int& of_root = label[joined.root(node)];
      of_root = std::min(of_root, label[node]);
    }
    for (int node = 0; node < mesh.local.node_count(); ++node) {
      const int lowest = label[joined.root(node)];
      changed = changed || lowest != label[node];
      label[node] = lowest;
    }
    mesh.halo.update(ranks, label.data(), 1);
  }
  return label;
}

/// Whether no region has tets in two parts.
bool parts_have_own_regions(const Ranks& ranks, const DistributedMesh& mesh, const Parts& parts) {
  struct Pair {
    int region;
    int part;
  };
  std::map<int, int> part_of_region;
  std::vector<Pair> pairs;
  bool own = true;
  for (int t = 0; t < mesh.local.tet_count(); ++t) {
    const int region = mesh.local.region(t);
    const int part = parts.of_node[mesh.local.T(t, 0)];
    const auto [entry, is_new] = part_of_region.emplace(region, part);
    if (is_new) pairs.push_back({region, part});
    own = own && entry->second == part;
  }
  part_of_region.clear();
  for (const Pair& pair : ranks.gather(pairs)) {
    own = own && part_of_region.emplace(pair.region, pair.part).first->second == pair.part;
  }
  return !ranks.any(!own);
}

/// Sums over the nodes of each part.
struct PartFrames {
  Eigen::Matrix3Xd centres;
  Vector sizes;
};

PartFrames part_frames(const Ranks& ranks, const DistributedMesh& mesh, const Parts& parts) {
  Eigen::Matrix4Xd sums = Eigen::Matrix4Xd::Zero(4, parts.count);
  for (int node = 0; node < mesh.owned; ++node) {
    const int part = parts.of_node[node];
    if (part >= 0) sums.col(part) += mesh.local.V.row(node).transpose().homogeneous();
  }
  ranks.sum(sums.data(), static_cast<int>(sums.size()));
  PartFrames frames;
  frames.centres = sums.colwise().hnormalized();
  frames.sizes = Vector::Zero(parts.count);
  for (int node = 0; node < mesh.owned; ++node) {
    const int part = parts.of_node[node];
    if (part < 0) continue;
    const Vec3 from_centre = mesh.local.V.row(node).transpose() - frames.centres.col(part);
    frames.sizes[part] = std::max(frames.sizes[part], from_centre.norm());
  }
  ranks.largest(frames.sizes.data(), parts.count);
  return frames;
}

}  // namespace

Supports hold_nodes(const Ranks& ranks, const DistributedMesh& mesh,
                    const std::vector<std::string>& selections) {
  Supports supports;
  supports.fixed.assign(mesh.local.node_count(), 0);
  for (const std::string& selection : selections) {
    hold_selection(ranks, mesh, selection, supports.fixed);
  }
  for (const int node : unused_nodes(mesh.local)) supports.fixed[node] = 1;
  mesh.halo.update(ranks, supports.fixed.data(), 1);

  for (int node = 0; node < mesh.owned; ++node) supports.owned_free += supports.fixed[node] == 0;
  int next = static_cast<int>(ranks.sum_before(std::int64_t{supports.owned_free}));
  supports.free_index.assign(mesh.local.node_count(), -1);
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] == 0) supports.free_index[node] = next++;
  }
  mesh.halo.update(ranks, supports.free_index.data(), 1);
  supports.free_count = static_cast<int>(ranks.sum(std::int64_t{supports.owned_free}));
  supports.fixed_count = mesh.node_count() - supports.free_count;
  if (supports.free_count == 0) refuse_all_fixed(mesh.node_count());
  return supports;
}

Parts find_parts(const Ranks& ranks, const DistributedMesh& mesh) {
  const std::vector<int> smallest = smallest_of_part(ranks, mesh);
  std::vector<char> used(mesh.local.node_count(), 0);
  for (const std::int32_t node : mesh.local.T.reshaped()) used[node] = 1;
  std::vector<int> firsts;
  for (int node = 0; node < mesh.owned; ++node) {
    if (used[node] != 0 && smallest[node] == mesh.node_numbers[node]) {
      firsts.push_back(smallest[node]);
    }
  }
  firsts = ranks.gather(firsts);
  std::sort(firsts.begin(), firsts.end());
  Parts parts;
  parts.count = static_cast<int>(firsts.size());
  parts.of_node.assign(mesh.local.node_count(), -1);
  for (int node = 0; node < mesh.local.node_count(); ++node) {
    if (used[node] == 0) continue;
    const auto found = std::lower_bound(firsts.begin(), firsts.end(), smallest[node]);
    parts.of_node[node] = static_cast<int>(found - firsts.begin());
  }
  refuse_accidental_gaps(parts.count, parts_have_own_regions(ranks, mesh, parts), mesh.tet_count());
  return parts;
}

Eigen::MatrixXd free_rigid_motions(const Ranks& ranks, const DistributedMesh& mesh,
                                   const Parts& parts, const Supports& supports) {
  const PartFrames frames = part_frames(ranks, mesh, parts);
  const auto motions_of = [&](int node) {
    const int part = parts.of_node[node];
    const Vec3 from_centre = mesh.local.V.row(node).transpose() - frames.centres.col(part);
    return unit_motions(from_centre / frames.sizes[part]);
  };
  Eigen::MatrixXd grams = Eigen::MatrixXd::Zero(6, 6 * parts.count);
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] == 0 || parts.of_node[node] < 0) continue;
    const RigidBlock block = motions_of(node);
    grams.middleCols<6>(6 * parts.of_node[node]) += block.transpose() * block;
  }
  ranks.sum(grams.data(), static_cast<int>(grams.size()));

  std::vector<Eigen::MatrixXd> kept;
  std::vector<Eigen::Index> first_column{0};
  for (int part = 0; part < parts.count; ++part) {
    kept.push_back(motions_that_keep(grams.middleCols<6>(6 * part)));
    first_column.push_back(first_column.back() + kept.back().cols());
  }
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(3 * supports.owned_free, first_column.back());
  int row = 0;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    const int part = parts.of_node[node];
    N.block(3 * row++, first_column[part], 3, kept[part].cols()) = motions_of(node) * kept[part];
  }
  return N;
}

}  // namespace limber
