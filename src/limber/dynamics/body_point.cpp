#include "limber/dynamics/body_point.h"

#include <cmath>
#include <string>

#include "limber/core/error.h"

namespace limber {

void check(const BodyPoint& point, int node_count, const char* where) {
  constexpr double kRounding = 1e-6;  // weights may come from files in single precision
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    sum += point.weights[k];
    if (point.nodes[k] < 0 || point.nodes[k] >= node_count) {
      throw Error("there is no node " + std::to_string(point.nodes[k]), where,
                  "name nodes from 0 to " + std::to_string(node_count - 1));
    }
  }
  if (!(std::abs(sum - 1) <= kRounding)) {
    throw Error("the weights of a point do not sum to one", where, "give barycentric weights");
  }
}

}  // namespace limber
