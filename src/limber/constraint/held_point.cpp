#include "limber/constraint/held_point.h"

#include <algorithm>
#include <set>
#include <string>

#include "limber/core/error.h"

namespace limber {

namespace {

bool is_fixed(const ModalModel& model, int node) {
  return std::binary_search(model.fixed_nodes.begin(), model.fixed_nodes.end(), node);
}

bool carries(const BodyPoint& point, int node) {
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.nodes[k] == node && point.weights[k] != 0) return true;
  }
  return false;
}

}  // namespace

std::vector<BodyPoint> neighbourhood(const ModalModel& model, const BodyPoint& point) {
  std::set<int> nodes;
  for (int tet = 0; tet < model.tet_count(); ++tet) {
    const Eigen::Matrix<std::int32_t, 1, 4> corners = model.tets().row(tet);
    if (std::none_of(corners.begin(), corners.end(),
                     [&](int corner) { return carries(point, corner); })) {
      continue;
    }
    nodes.insert(corners.begin(), corners.end());
  }
  std::vector<BodyPoint> points;
  for (const int node : nodes) {
    if (!is_fixed(model, node)) points.push_back(BodyPoint::at_node(node));
  }
  return points;
}

void check_held(const ModalModel& model, const BodyPoint& point) {
  check(point, model.node_count(), "handle");
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] != 0 && !is_fixed(model, point.nodes[k])) return;
  }
  throw Error("node " + std::to_string(point.nodes[0]) + " is fixed", "handle",
              "choose a node that can move, or move the support");
}

}  // namespace limber
