// Approximate modes in a file, so that work goes on where a rank or a machine died: with any number
// of ranks, since rows stand in the mesh's order.
#pragma once

#include <filesystem>
#include <optional>

#include "supports.h"

namespace limber {

/// `vectors` are this rank's rows (3·owned_free × k). Whole or not at all.
void write_checkpoint(const Ranks& ranks, const std::filesystem::path& path,
                      const DistributedMesh& mesh, const Supports& supports,
                      const Eigen::MatrixXd& vectors);

/// This rank's rows, or none when there is no file. Any start is right in the end, so a checkpoint
/// made with other materials or supports only helps less. Throws Error, the same on all ranks, when
/// the file is damaged or of another mesh.
[[nodiscard]] std::optional<Eigen::MatrixXd> read_checkpoint(const Ranks& ranks,
                                                             const std::filesystem::path& path,
                                                             const DistributedMesh& mesh,
                                                             const Supports& supports);

}  // namespace limber
