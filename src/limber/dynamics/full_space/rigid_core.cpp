#include "limber/dynamics/full_space/rigid_core.h"

#include <Eigen/Dense>
#include <algorithm>
#include <string>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/rotation_field.h"

namespace limber {

namespace {

const char* const kCoreName = "core of a full-resolution body";

/// Without nodes that no tet has; ascending.
std::vector<int> moving_nodes(const SimulatedMesh& mesh, std::vector<int> nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::erase_if(nodes, [&](int node) { return mesh.graph().corners(node).empty(); });
  for (const int node : nodes) {
    if (mesh.free().free_index(node) >= 0) continue;
    throw Error("node " + std::to_string(node) + " is fixed and belongs to the core", kCoreName,
                "fix nodes of the skin only");
  }
  return nodes;
}

std::vector<int> rows_of(const SimulatedMesh& mesh, const std::vector<int>& nodes) {
  std::vector<int> rows;
  for (const int node : nodes) rows.push_back(mesh.free().free_index(node));
  return rows;
}

Vector masses_of(const SimulatedMesh& mesh, const std::vector<int>& nodes) {
  Vector masses(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) masses[i] = mesh.node_mass()[nodes[i]];
  return masses;
}

std::optional<CoreAxis> with_unit_direction(std::optional<CoreAxis> axis) {
  if (!axis) return axis;
  const double length = axis->direction.norm();
  if (!(length > 0)) throw Error("the axis has no direction", kCoreName, "give three numbers");
  axis->direction /= length;
  return axis;
}

}  // namespace

RigidFit::RigidFit(Vector weights, std::optional<CoreAxis> axis)
    : weights_(std::move(weights)),
      total_(weights_.sum()),
      axis_(std::move(axis)),
      arms_(weights_.size(), 3) {}

bool RigidFit::set(const Positions& x, const std::vector<int>& nodes) {
  origin_ = axis_ ? axis_->point : Vec3(Vec3::Zero());
  if (!axis_) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      origin_ += weights_[i] / total_ * x.row(nodes[i]).transpose();
    }
  }
  spread_.setZero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    arms_.row(i) = x.row(nodes[i]) - origin_.transpose();
    const Vec3 a = arm(static_cast<int>(i));
    spread_ += weights_[i] * (a.squaredNorm() * Mat3::Identity() - a * a.transpose());
  }
  constexpr double kThin = 1e-9;  // of the largest: rounding of positions leaves 1e-16
  if (axis_) {
    const double about = axis_->direction.dot(spread_ * axis_->direction);
    inverse_spread_ = axis_->direction * axis_->direction.transpose() / about;
    return about > kThin * spread_.trace();
  }
  inverse_spread_ = spread_.inverse();
  return spread_.determinant() > kThin * std::pow(spread_.trace(), 3);
}

RigidCore::RigidCore(const SimulatedMesh& mesh, const CoreOptions& options)
    : X_(mesh.mesh().V),
      nodes_(moving_nodes(mesh, options.nodes)),
      rows_(rows_of(mesh, nodes_)),
      axis_(with_unit_direction(options.axis)),
      rest_(Vector::Ones(nodes_.size()), axis_),
      present_(rest_),
      rest_masses_(masses_of(mesh, nodes_), axis_),
      with_masses_(rest_masses_) {
  if (nodes_.empty() || !rest_.set(X_, nodes_) || !rest_masses_.set(X_, nodes_)) {
    throw Error("the core's nodes lie on a line", kCoreName, "choose more of them");
  }
  set_place(X_);
}

void RigidCore::set_place(const Positions& x) {
  (void)present_.set(x, nodes_);
  (void)with_masses_.set(x, nodes_);
  turn_ = rotation(x);
}

Mat3 RigidCore::rotation(const Positions& x) const {
  Mat3 moment = Mat3::Zero();
  Vec3 centre = Vec3::Zero();
  for (const int node : nodes_) centre += x.row(node).transpose() / nodes_.size();
  if (axis_) centre = axis_->point;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vec3 now = x.row(nodes_[i]).transpose() - centre;
    moment += now * rest_.arm(static_cast<int>(i)).transpose();
  }
  if (!axis_) return polar_rotation(moment);
  // The angle that fits best: tan θ = d·Σ a×b / Σ (a·b − (d·a)(d·b)), a at rest and b now.
  const Vec3& d = axis_->direction;
  const Vec3 turned(moment(2, 1) - moment(1, 2), moment(0, 2) - moment(2, 0),
                    moment(1, 0) - moment(0, 1));
  return rotation_exp(std::atan2(d.dot(turned), moment.trace() - d.dot(moment * d)) * d);
}

void RigidCore::project(const RigidFit& fit, Vector& values) const {
  const auto value = [&](int i) { return Vec3(values.segment<3>(3 * rows_[i])); };
  const RigidFit::Twist twist = fit.nearest(value);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    values.segment<3>(3 * rows_[i]) =
        twist.linear + twist.angular.cross(fit.arm(static_cast<int>(i)));
  }
}

void RigidCore::make_rigid(Positions& velocities) const {
  const auto velocity = [&](int i) { return Vec3(velocities.row(nodes_[i]).transpose()); };
  const RigidFit::Twist twist = with_masses_.nearest(velocity);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vec3 arm = with_masses_.arm(static_cast<int>(i));
    velocities.row(nodes_[i]) = (twist.linear + twist.angular.cross(arm)).transpose();
  }
}

void RigidCore::put(const Vec3& origin, const Mat3& rotation, Positions& x) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    x.row(nodes_[i]) = (origin + rotation * rest_masses_.arm(static_cast<int>(i))).transpose();
  }
}

void RigidCore::restore_shape(Positions& x) const {
  RigidFit fit = with_masses_;
  (void)fit.set(x, nodes_);
  put(fit.origin(), rotation(x), x);
}

void RigidCore::finish_step(double h, Positions& x, Positions& v) const {
  const auto velocity = [&](int i) { return Vec3(v.row(nodes_[i]).transpose()); };
  const RigidFit::Twist twist = with_masses_.nearest(velocity);
  const Mat3 turn = rotation_exp(h * twist.angular);
  const Vec3 origin = with_masses_.origin() + h * twist.linear;
  // L = I ω stays, I turns: ω' = (T I Tᵀ)⁻¹ L. About an axis ω stays.
  Vec3 spin = twist.angular;
  if (!axis_) {
    const Vec3 momentum = with_masses_.spread() * twist.angular;
    spin = turn * (with_masses_.inverse_spread() * (turn.transpose() * momentum));
  }
  put(origin, turn * turn_, x);
  for (const int node : nodes_) {
    const Vec3 arm = x.row(node).transpose() - origin;
    v.row(node) = (twist.linear + spin.cross(arm)).transpose();
  }
}

void stiffen_core(const std::vector<int>& nodes, TetMesh& mesh, Materials& materials) {
  constexpr double kStiffer = 100;  // the factor then misses the core's rigidity by a hundredth
  constexpr double kBonePoisson = 0.3;
  std::vector<char> rigid(mesh.node_count(), 0);
  for (const int node : nodes) rigid[node] = 1;
  std::vector<char> bone(mesh.tet_count(), 1);
  double stiffest = 0;
  int fresh = 0;
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    for (int k = 0; k < 4; ++k) bone[tet] &= rigid[mesh.T(tet, k)];
    if (!bone[tet]) stiffest = std::max(stiffest, materials.of(mesh.region(tet)).young);
    fresh = std::max(fresh, mesh.region(tet) + 1);
  }
  if (!materials.by_region.empty())
    fresh = std::max(fresh, materials.by_region.rbegin()->first + 1);
  if (stiffest == 0) {
    throw Error("no tet is left for the skin", kCoreName, "choose fewer nodes");
  }
  if (mesh.regions.empty()) mesh.regions.assign(mesh.tet_count(), 0);
  std::map<int, int> bone_region;  // of each region that has bone
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    if (!bone[tet]) continue;
    const auto [found, is_new] = bone_region.try_emplace(mesh.regions[tet], fresh);
    if (is_new) {
      const double density = materials.of(mesh.regions[tet]).density;
      materials.by_region[fresh++] = {kStiffer * stiffest, kBonePoisson, density};
    }
    mesh.regions[tet] = found->second;
  }
}

BodyPoint point_of_core(const Positions& V, const std::vector<int>& nodes, const Vec3& place) {
  const auto at = [&](int node) { return Vec3(V.row(node).transpose()); };
  const auto farthest = [&](auto&& measure) {
    return *std::max_element(nodes.begin(), nodes.end(),
                             [&](int a, int b) { return measure(at(a)) < measure(at(b)); });
  };
  const Vec3 centre = V(nodes, Eigen::all).colwise().mean().transpose();
  BodyPoint point;
  const Vec3 a = at(point.nodes[0] = farthest([&](const Vec3& p) { return (p - centre).norm(); }));
  const Vec3 b = at(point.nodes[1] = farthest([&](const Vec3& p) { return (p - a).norm(); }));
  const Vec3 c =
      at(point.nodes[2] = farthest([&](const Vec3& p) { return (p - a).cross(b - a).norm(); }));
  const Vec3 normal = (b - a).cross(c - a);
  point.nodes[3] = farthest([&](const Vec3& p) { return std::abs((p - a).dot(normal)); });
  const Vec3 d = at(point.nodes[3]);
  constexpr double kFlat = 1e-6;  // of a cube over the longest edge
  if (!(std::abs((d - a).dot(normal)) > kFlat * std::pow((b - a).norm(), 3))) {
    throw Error("the core is flat and cannot be held", kCoreName, "choose more nodes for it");
  }
  Mat3 edges;
  edges << b - a, c - a, d - a;
  const Vec3 w = edges.inverse() * (place - a);
  point.weights = {1 - w.sum(), w[0], w[1], w[2]};
  return point;
}

}  // namespace limber
