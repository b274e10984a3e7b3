// A point of a body: what hands hold, surfaces hang on, probes watch and contacts push.
#pragma once

#include <array>
#include <cstdint>

#include "limber/core/types.h"

namespace limber {

/// x = Σ weight_k · node_k, the weights summing to one. A node is itself with weight 1.
struct BodyPoint {
  std::array<std::int32_t, 4> nodes{};
  std::array<double, 4> weights{1, 0, 0, 0};

  static BodyPoint at_node(int node) { return {{node, node, node, node}, {1, 0, 0, 0}}; }

  /// Σ weight_k · field's row of node_k, the field n×3.
  template <class Field>
  [[nodiscard]] Vec3 sum(const Field& field) const {
    Vec3 result = weights[0] * field.row(nodes[0]).transpose();
    for (std::size_t k = 1; k < 4; ++k) {
      if (weights[k] != 0) result += weights[k] * field.row(nodes[k]).transpose();
    }
    return result;
  }
};

/// Throws Error when a node is not in a body of so many nodes or the weights do not sum to one;
/// `where` names the point.
void check(const BodyPoint& point, int node_count, const char* where);

}  // namespace limber
