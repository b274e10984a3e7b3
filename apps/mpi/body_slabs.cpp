#include "body_slabs.h"

#include <algorithm>
#include <utility>

#include "file_order.h"

namespace limber {

namespace {

/// Rows of owned nodes with columns as the file counts them, ascending.
NodalMass mass_slabs(const Ranks& ranks, const DistributedMesh& mesh, const SparseMatrix& m,
                     const FileOrder& nodes) {
  std::vector<std::vector<std::int32_t>> columns(mesh.owned);
  std::vector<std::vector<double>> values(mesh.owned);
  std::vector<double> sums(mesh.owned, 0.0);
  std::vector<std::int32_t> lengths(mesh.owned);
  std::vector<std::pair<std::int32_t, double>> row;
  for (int node = 0; node < mesh.owned; ++node) {
    row.clear();
    for (SparseMatrix::InnerIterator entry(m, node); entry; ++entry) {  // m is symmetric
      row.emplace_back(mesh.node_numbers[entry.row()], entry.value());
    }
    std::sort(row.begin(), row.end());
    for (const auto& [column, value] : row) {
      columns[node].push_back(column);
      values[node].push_back(value);
      sums[node] += value;
    }
    lengths[node] = static_cast<std::int32_t>(row.size());
  }
  std::vector<std::int32_t> ends = nodes.rows(lengths.data(), 1);
  std::int64_t total = 0;
  for (const std::int32_t length : ends) total += length;
  std::int64_t end = ranks.sum_before(total);
  for (std::int32_t& length : ends) length = static_cast<std::int32_t>(end += length);
  if (ranks.first()) ends.insert(ends.begin(), 0);

  NodalMass mass;
  mass.offsets = SharedArray<std::int32_t>(std::move(ends));
  mass.columns = SharedArray<std::int32_t>(nodes.lists(columns));
  mass.values = SharedArray<double>(nodes.lists(values));
  mass.row_sums = SharedArray<double>(nodes.rows(sums.data(), 1));
  return mass;
}

void add_tets(const Ranks& ranks, const DistributedMesh& mesh, ModalModel& body) {
  std::vector<int> numbers;
  std::vector<std::int32_t> corners;
  std::vector<std::int32_t> regions;
  for (int t = 0; t < mesh.local.tet_count(); ++t) {
    if (!mesh.owns_tet(t)) continue;
    numbers.push_back(mesh.tet_numbers[t]);
    for (int c = 0; c < 4; ++c) corners.push_back(mesh.node_numbers[mesh.local.T(t, c)]);
    regions.push_back(mesh.local.region(t));
  }
  const FileOrder tets(ranks, mesh.tet_blocks, numbers);
  body.tets_data = SharedArray<std::int32_t>(tets.rows(corners.data(), 4));
  const std::vector<std::int32_t> in_order = tets.rows(regions.data(), 1);
  if (mesh.has_regions) body.regions = SharedArray<std::int32_t>(in_order);
}

std::vector<std::int32_t> fixed_nodes(const Ranks& ranks, const DistributedMesh& mesh,
                                      const Supports& supports, const FileOrder& nodes) {
  const std::vector<char> fixed = nodes.rows(supports.fixed.data(), 1);
  std::vector<std::int32_t> numbers;
  const auto first = static_cast<std::int32_t>(mesh.node_blocks.begin(ranks.rank()));
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i] != 0) numbers.push_back(first + static_cast<std::int32_t>(i));
  }
  return numbers;
}

}  // namespace

ModalModel body_slabs(const Ranks& ranks, const DistributedMesh& mesh, const Supports& supports,
                      const Vector& eigenvalues, const ModalRows& rows, const SparseMatrix& m) {
  const FileOrder nodes(ranks, mesh.node_blocks,
                        {mesh.node_numbers.begin(), mesh.node_numbers.begin() + mesh.owned});
  const auto width = static_cast<int>(3 * rows.Phi.cols());
  ModalModel body;
  body.rest_positions_data = SharedArray<double>(nodes.rows(mesh.local.V.data(), 3));
  add_tets(ranks, mesh, body);
  body.fixed_nodes = SharedArray<std::int32_t>(fixed_nodes(ranks, mesh, supports, nodes));
  if (ranks.first()) body.eigenvalues_data = SharedArray<double>(eigenvalues);
  body.Phi_data = SharedArray<double>(nodes.rows(rows.Phi.data(), width));
  body.Psi_data = SharedArray<double>(nodes.rows(rows.Psi.data(), width));
  body.mass = mass_slabs(ranks, mesh, m, nodes);
  return body;
}

}  // namespace limber
