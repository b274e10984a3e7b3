#include "limber/constraint/handle.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

namespace {
/// Barycentric weights come from single-precision files at worst.
constexpr double kWeightTolerance = 1e-5;

bool is_fixed(const ModalModel& body, int node) {
  return std::binary_search(body.fixed_nodes.begin(), body.fixed_nodes.end(), node);
}
}  // namespace

Vec3 PointRows::displacement(const Vector& q) const { return mean_rotation(Psi * q) * (Phi * q); }

void PointRows::displacement_derivative(const Vector& q, ThreeRows& C) const {
  const Vec3 w = Psi * q;
  const Vec3 u = Phi * q;
  C.noalias() = mean_rotation(w).lazyProduct(Phi);
  C.noalias() += mean_rotation_derivative(w, u).lazyProduct(Psi);
}

PointRows point_rows(const ModalModel& body, const HandlePoint& point) {
  PointRows rows;
  rows.Phi.setZero(3, body.mode_count());
  rows.Psi.setZero(3, body.mode_count());
  for (int k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    rows.Phi += point.weights[k] * node_Phi(body, point.nodes[k]);
    rows.Psi += point.weights[k] * node_Psi(body, point.nodes[k]);
    rows.rest_position += point.weights[k] * body.rest_positions().row(point.nodes[k]).transpose();
  }
  return rows;
}

std::vector<HandlePoint> neighbourhood(const ModalModel& body, const HandlePoint& point) {
  const auto holds = [&](int node) {
    for (int k = 0; k < 4; ++k) {
      if (point.nodes[k] == node && point.weights[k] != 0) return true;
    }
    return false;
  };
  std::set<int> nodes;
  for (int tet = 0; tet < body.tet_count(); ++tet) {
    const Eigen::Matrix<std::int32_t, 1, 4> corners = body.tets().row(tet);
    if (!holds(corners[0]) && !holds(corners[1]) && !holds(corners[2]) && !holds(corners[3])) {
      continue;
    }
    nodes.insert(corners.begin(), corners.end());
  }
  std::vector<HandlePoint> points;
  for (const int node : nodes) {
    if (!is_fixed(body, node)) points.push_back(HandlePoint::at_node(node));
  }
  return points;
}

void check(const ModalModel& body, const HandlePoint& point) {
  double sum = 0;
  bool movable = false;
  for (int k = 0; k < 4; ++k) {
    sum += point.weights[k];
    if (point.nodes[k] < 0 || point.nodes[k] >= body.node_count()) {
      throw Error("node " + std::to_string(point.nodes[k]) + " does not exist", "handle",
                  "the body has nodes 0 to " + std::to_string(body.node_count() - 1));
    }
    movable = movable || (point.weights[k] != 0 && !is_fixed(body, point.nodes[k]));
  }
  if (!(std::abs(sum - 1) < kWeightTolerance)) {
    throw Error("the weights of a handle's point sum to " + std::to_string(sum), "handle",
                "choose a point of the body: weights sum to one");
  }
  if (!movable) {
    throw Error("node " + std::to_string(point.nodes[0]) + " is fixed", "handle",
                "choose a node that can move, or move the support");
  }
}

}  // namespace limber
