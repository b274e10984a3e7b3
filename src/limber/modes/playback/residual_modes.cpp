#include "limber/modes/playback/residual_modes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace limber {

namespace {

/// Calls visit(pair, distance) for all pairs of two nodes.
template <class Visit>
void for_each_pair(const ResidualModes& modes, const Eigen::Ref<const Positions>& X,
                   const Visit& visit) {
  for (std::size_t i = 0; i < modes.contact_nodes.size(); ++i) {
    for (auto pair = modes.offsets[i]; pair < modes.offsets[i + 1]; ++pair) {
      const auto j = static_cast<std::size_t>(modes.columns[static_cast<std::size_t>(pair)]);
      if (j != i)
        visit(pair, (X.row(modes.contact_nodes[i]) - X.row(modes.contact_nodes[j])).norm());
    }
  }
}

}  // namespace

double taper(double distance, double reach) {
  const double z = 2 * distance / reach;
  if (!(z < 2)) return 0;
  const double z2 = z * z, z3 = z2 * z;
  if (z <= 1) return 1 - 5 * z2 / 3 + 5 * z3 / 8 + z2 * z2 / 2 - z2 * z3 / 4;
  return 4 - 5 * z + 5 * z2 / 3 + 5 * z3 / 8 - z2 * z2 / 2 + z2 * z3 / 12 - 2 / (3 * z);
}

void taper_pairs(ResidualModes& modes, const Eigen::Ref<const Positions>& rest_positions,
                 double reach) {
  modes.reach = SharedArray<double>(std::vector<double>{reach});
  if (reach == 0) return;
  std::vector<double> K(modes.K_blocks.begin(), modes.K_blocks.end());
  std::vector<double> M(modes.M_blocks.begin(), modes.M_blocks.end());
  for_each_pair(modes, rest_positions, [&](std::ptrdiff_t pair, double distance) {
    const double share = taper(distance, reach);
    for (std::ptrdiff_t k = 9 * pair; k < 9 * pair + 9; ++k) {
      K[static_cast<std::size_t>(k)] *= share;
      M[static_cast<std::size_t>(k)] *= share;
    }
  });
  modes.K_blocks = SharedArray<double>(std::move(K));
  modes.M_blocks = SharedArray<double>(std::move(M));
}

void taper_pairs(ResidualModes& modes, const Eigen::Ref<const Positions>& rest_positions) {
  const std::size_t count = modes.contact_nodes.size();
  double reach = 0;
  if (modes.columns.size() < count * (count + 1) / 2) {
    for_each_pair(modes, rest_positions,
                  [&](std::ptrdiff_t, double distance) { reach = std::max(reach, distance); });
  }
  taper_pairs(modes, rest_positions, reach);
}

std::ptrdiff_t ResidualModes::find(int i, int j) const {
  const auto first = columns.begin() + offsets[static_cast<std::size_t>(i)];
  const auto last = columns.begin() + offsets[static_cast<std::size_t>(i) + 1];
  const auto found = std::lower_bound(first, last, j);
  return found != last && *found == j ? found - columns.begin() : -1;
}

}  // namespace limber
