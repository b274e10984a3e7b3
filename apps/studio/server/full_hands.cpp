#include "server/full_hands.h"

#include <algorithm>
#include <cmath>

#include "limber/core/rotation.h"

namespace limber::studio {

namespace {

/// The finger's radius, in parts of the body's size.
constexpr double kFinger = 0.035;
/// The springs beside the tets around a node: harder, yet a jerk of the pointer does not turn a tet
/// inside out.
constexpr double kGrip = 10;
/// The finger follows a pointer that leaps at this speed, in parts of the body's size a step.
constexpr double kLongestStep = 0.06;

Vec3 point_of(const SurfaceBinding& binding, int vertex, const Positions& nodes) {
  Vec3 point = Vec3::Zero();
  for (int k = 0; k < 4; ++k) {
    point += binding.weights[4 * vertex + k] * nodes.row(binding.nodes[4 * vertex + k]).transpose();
  }
  return point;
}

/// What the tets around a node resist with, N/m.
double own_stiffness(const FullBody& body, int node) {
  const SimulatedMesh& mesh = body.simulated_mesh();
  double own = 0;
  for (const int corner : mesh.graph().corners(node)) {
    const int tet = corner / 4;
    own += mesh.materials().of(mesh.mesh().region(tet)).young *
           std::cbrt(mesh.geometry().volumes[tet]);
  }
  return own;
}

}  // namespace

FullHands::Patch FullHands::take(const StudioBody& body, int vertex, FullBody& full) {
  const SurfaceBinding& binding = body.surface().binding;
  const Positions& rest = body.source->mesh.V;
  Patch patch;
  patch.vertex = vertex;
  patch.rest = point_of(binding, vertex, rest);
  patch.target = point_of(binding, vertex, full.positions());
  std::vector<int> nodes;
  for (int node = 0; node < rest.rows(); ++node) {
    if ((rest.row(node).transpose() - patch.rest).norm() < kFinger * body.size) {
      nodes.push_back(node);
    }
  }
  // At the least those that the vertex hangs on.
  for (int k = 0; k < 4; ++k) {
    if (binding.weights[4 * vertex + k] != 0) nodes.push_back(binding.nodes[4 * vertex + k]);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const auto& fixed = body.source->fixed_nodes;
  for (const int node : nodes) {
    if (std::find(fixed.begin(), fixed.end(), node) != fixed.end()) continue;
    NodeSpring spring;
    spring.node = node;
    spring.target = full.positions().row(node);
    spring.stiffness = kGrip * own_stiffness(full, node);
    patch.nodes.push_back(node);
    patch.springs.push_back(full.springs().add(spring));
  }
  return patch;
}

void FullHands::move(const StudioBody& body, const Hand& hand, Patch& patch, FullBody& full) {
  const Positions& rest = body.source->mesh.V;
  const Positions& now = full.positions();
  const Vec3 point = point_of(body.surface().binding, patch.vertex, now);
  const Vec3 missing = hand.target - patch.target;
  const double longest = kLongestStep * body.size;
  patch.target += missing.norm() <= longest ? missing : Vec3(longest * missing.normalized());
  Mat3 turn = rotation_exp(hand.rotation);
  if (hand.kind == Hand::Kind::position) {
    Mat3 moments = Mat3::Zero();
    for (const int node : patch.nodes) {
      moments += (now.row(node).transpose() - point) * (rest.row(node) - patch.rest.transpose());
    }
    // A patch of one node, or of nodes on a line, has no rotation of its own to speak of.
    turn = patch.nodes.size() < 4 ? Mat3(Mat3::Identity()) : polar_rotation(moments);
  }
  const Vec3 centre = hand.kind == Hand::Kind::orientation ? point : patch.target;
  for (std::size_t i = 0; i < patch.nodes.size(); ++i) {
    const Vec3 offset = rest.row(patch.nodes[i]).transpose() - patch.rest;
    full.springs().move(patch.springs[i], centre + turn * offset);
  }
}

void FullHands::apply(const StudioBody& body, std::span<const Hand> hands, FullBody& full) {
  std::map<int, Patch> before;
  before.swap(patches_);
  for (const Hand& hand : hands) {
    const auto known = before.find(hand.id);
    const bool same = known != before.end() && known->second.vertex == hand.vertex;
    Patch patch = same ? std::move(known->second) : take(body, hand.vertex, full);
    if (same) before.erase(known);
    move(body, hand, patch, full);
    patches_.emplace(hand.id, std::move(patch));
  }
  for (const auto& [id, patch] : before) {
    for (const int spring : patch.springs) full.springs().remove(spring);
  }
}

}  // namespace limber::studio
