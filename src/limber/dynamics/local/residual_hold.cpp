#include "limber/dynamics/local/residual_hold.h"

#include <vector>

#include "limber/core/rotation.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

void ResidualHold::hold(std::span<const BodyPoint> points) {
  std::vector<std::int32_t> nodes;
  for (const BodyPoint& point : points) {
    for (std::size_t k = 0; k < 4; ++k) {
      if (point.weights[k] != 0) nodes.push_back(point.nodes[k]);
    }
  }
  detail_.hold(nodes);
}

Mat3 ResidualHold::warp(int node, const Vector& q) const {
  return mean_rotation(node_Psi(model_, node) * q);
}

void ResidualHold::point_rows(const BodyPoint& point, const Vector& q,
                              Eigen::Ref<ModeMatrix> rows) const noexcept {
  const Eigen::Index length = detail_.length();
  if (length == 0) return;
  std::array<Mat3, 4> turns;
  for (std::size_t k = 0; k < 4; ++k) {
    turns[k].setZero();
    if (point.weights[k] != 0) turns[k] = point.weights[k] * warp(point.nodes[k], q);
  }
  for (int axis = 0; axis < 3; ++axis) {
    DetailRow row;
    row.nodes = point.nodes;
    for (std::size_t k = 0; k < 4; ++k) row.gradients[k] = turns[k].row(axis).transpose();
    detail_.write_row(row, row_.head(length));
    rows.row(axis) = row_.head(length).transpose();
  }
}

Vec3 ResidualHold::displacement(const BodyPoint& point, const Vector& q) const noexcept {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    sum += point.weights[k] * (warp(point.nodes[k], q) * detail_.displacement(point.nodes[k]));
  }
  return sum;
}

Mat3 ResidualHold::flexibility(const BodyPoint& at, const BodyPoint& from, const Vector& q) const {
  Mat3 sum = Mat3::Zero();
  for (std::size_t a = 0; a < 4; ++a) {
    if (at.weights[a] == 0) continue;
    for (std::size_t b = 0; b < 4; ++b) {
      if (from.weights[b] == 0) continue;
      sum += at.weights[a] * from.weights[b] * warp(at.nodes[a], q) *
             detail_.flexibility(at.nodes[a], from.nodes[b]) * warp(from.nodes[b], q).transpose();
    }
  }
  return sum;
}

void ResidualHold::rest_under(std::span<const BodyPoint> points, const Vector& forces,
                              const Vector& q) {
  std::vector<std::int32_t> nodes;
  std::vector<Vec3> shares;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      if (points[i].weights[k] == 0) continue;
      nodes.push_back(points[i].nodes[k]);
      shares.push_back(points[i].weights[k] *
                       (warp(points[i].nodes[k], q).transpose() *
                        forces.segment<3>(static_cast<Eigen::Index>(3 * i))));
    }
  }
  detail_.rest_under(nodes, shares);
}

}  // namespace limber
