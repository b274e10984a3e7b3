#include "checkpoint.h"

#include "file_order.h"
#include "limber/core/error.h"
#include "limber/modes/playback/section_file.h"
#include "slab_file.h"

namespace limber {

void write_checkpoint(const Ranks& ranks, const std::filesystem::path& path,
                      const DistributedMesh& mesh, const Supports& supports,
                      const Eigen::MatrixXd& vectors) {
  ModeMatrix rows = ModeMatrix::Zero(3 * mesh.owned, vectors.cols());
  int row = 0;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    rows.middleRows<3>(3 * node) = vectors.middleRows<3>(3 * row++);
  }
  const FileOrder nodes(ranks, mesh.node_blocks,
                        {mesh.node_numbers.begin(), mesh.node_numbers.begin() + mesh.owned});
  const std::vector<double> slab = nodes.rows(rows.data(), static_cast<int>(3 * rows.cols()));
  const std::vector<std::int32_t> counts{mesh.node_count(), mesh.tet_count(),
                                         static_cast<std::int32_t>(vectors.cols())};
  SectionWriter writer;
  writer.add("checkpoint.counts",
             std::span<const std::int32_t>(counts).first(ranks.first() ? counts.size() : 0));
  writer.add("checkpoint.vectors", std::span<const double>(slab));
  write_slabs(ranks, path, writer.sections());
}

std::optional<Eigen::MatrixXd> read_checkpoint(const Ranks& ranks,
                                               const std::filesystem::path& path,
                                               const DistributedMesh& mesh,
                                               const Supports& supports) {
  if (!ranks.any(ranks.first() && std::filesystem::exists(path))) return {};
  Eigen::MatrixXd vectors;
  ranks.together([&] {
    const SectionReader reader(path);
    const SharedArray<std::int32_t> counts = reader.get<std::int32_t>("checkpoint.counts");
    const SharedArray<double> values = reader.get<double>("checkpoint.vectors");
    if (counts.size() != 3 || counts[0] != mesh.node_count() || counts[1] != mesh.tet_count() ||
        values.size() != 3 * static_cast<std::size_t>(counts[0]) * counts[2]) {
      throw Error("the checkpoint is of another mesh", path.string(),
                  "remove it or name another file");
    }
    const Eigen::Map<const ModeMatrix> rows(values.data(), 3 * std::int64_t{counts[0]}, counts[2]);
    vectors.resize(3 * supports.owned_free, counts[2]);
    int row = 0;
    for (int node = 0; node < mesh.owned; ++node) {
      if (supports.fixed[node] != 0) continue;
      vectors.middleRows<3>(3 * row++) =
          rows.middleRows<3>(3 * std::int64_t{mesh.node_numbers[node]});
    }
  });
  return vectors;
}

}  // namespace limber
