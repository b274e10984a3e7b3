// Which nodes are local: those within some rings of elements around the touched ones (García et al.
// 2010, section "Local Model"), but for fixed and excluded nodes.
#pragma once

#include <span>
#include <vector>

#include "limber/dynamics/rings/nodal_rows.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// The fixed nodes and the excluded ones. Throws Error when an excluded one does not exist or the
/// model is of another mesh.
[[nodiscard]] std::vector<int> never_local(const TetMesh& mesh, const ModalModel& model,
                                           std::span<const int> excluded);
/// The diagonal of its box, m.
[[nodiscard]] double size_of(const TetMesh& mesh);

class RingRegion {
 public:
  /// `rows` must outlive this. `never`: nodes that are border at most, in any order.
  RingRegion(const NodalRows& rows, std::span<const int> never);

  [[nodiscard]] bool may_be_local(int node) const {
    return !never_[static_cast<std::size_t>(node)];
  }
  /// The nodes within so many rings of the seeds, seeds included, ascending. Fixed and excluded
  /// nodes do not stop the count. Valid until the next call.
  [[nodiscard]] std::span<const int> around(std::span<const int> seeds, int rings);

 private:
  const NodalRows& rows_;
  std::vector<char> never_;
  std::vector<char> seen_;  // zero but inside around()
  std::vector<int> found_, reached_;
};

}  // namespace limber
