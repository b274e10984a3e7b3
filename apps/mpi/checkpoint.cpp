#include "checkpoint.h"

#include <array>
#include <fstream>

#include "file_order.h"
#include "limber/core/error.h"
#include "limber/core/output_unit.h"
#include "limber/modes/playback/section_file.h"
#include "slab_file.h"

namespace limber {

namespace {

constexpr int kMostColumns = 1 << 20;

/// What stands in the file before the vectors.
using Counts = std::array<std::int32_t, 3>;  // nodes, tets, vectors

FileOrder order_of_nodes(const Ranks& ranks, const DistributedMesh& mesh) {
  return {
      ranks, mesh.node_blocks, {mesh.node_numbers.begin(), mesh.node_numbers.begin() + mesh.owned}};
}

/// Slabs of one rank; `vectors` are the rows of its block of nodes. Both must outlive the writer.
SectionWriter sections(const Ranks& ranks, const Counts& counts,
                       const std::vector<double>& vectors) {
  SectionWriter writer;
  writer.add("checkpoint.counts",
             std::span<const std::int32_t>(counts).first(ranks.first() ? counts.size() : 0));
  writer.add("checkpoint.vectors", std::span<const double>(vectors));
  return writer;
}

/// How many vectors the file says it has.
int column_count(const std::filesystem::path& path, const DistributedMesh& mesh) {
  const SectionLayout layout(std::vector<Section>(2, {"", NumberKind::int32, 0, {}}));
  Counts counts{};
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(layout.offset(0)));
  file.read(reinterpret_cast<char*>(counts.data()), sizeof counts);
  if (!file || counts[0] != mesh.node_count() || counts[1] != mesh.tet_count() || counts[2] < 0 ||
      counts[2] > kMostColumns) {
    throw Error("no checkpoint of this mesh", path.string(), "remove it or name another file");
  }
  return counts[2];
}

}  // namespace

void write_checkpoint(const Ranks& ranks, const std::filesystem::path& path,
                      const DistributedMesh& mesh, const Supports& supports,
                      const Eigen::MatrixXd& vectors) {
  ModeMatrix rows = ModeMatrix::Zero(3 * mesh.owned, vectors.cols());
  int row = 0;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    rows.middleRows<3>(3 * node) = vectors.middleRows<3>(3 * row++);
  }
  const std::vector<double> slab =
      order_of_nodes(ranks, mesh).rows(rows.data(), static_cast<int>(3 * rows.cols()));
  const Counts counts{mesh.node_count(), mesh.tet_count(),
                      static_cast<std::int32_t>(vectors.cols())};
  const OutsideUnits at_once;
  write_slabs(ranks, path, sections(ranks, counts, slab).sections());
}

std::optional<Eigen::MatrixXd> read_checkpoint(const Ranks& ranks,
                                               const std::filesystem::path& path,
                                               const DistributedMesh& mesh,
                                               const Supports& supports) {
  if (!ranks.any(ranks.first() && std::filesystem::exists(path))) return {};
  int columns = 0;
  ranks.together([&] { columns = column_count(path, mesh); });
  Counts counts{};
  std::vector<double> block(static_cast<std::size_t>(mesh.node_blocks.size(ranks.rank())) * 3 *
                            static_cast<std::size_t>(columns));
  read_slabs(ranks, path, sections(ranks, counts, block).sections(),
             {std::as_writable_bytes(std::span(counts)), std::as_writable_bytes(std::span(block))});
  const std::vector<double> rows = order_of_nodes(ranks, mesh).from_blocks(block, 3 * columns);
  const Eigen::Map<const ModeMatrix> values(rows.data(), 3 * mesh.owned, columns);
  Eigen::MatrixXd vectors(3 * supports.owned_free, columns);
  int row = 0;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    vectors.middleRows<3>(3 * row++) = values.middleRows<3>(3 * node);
  }
  return vectors;
}

}  // namespace limber
