#include "server/full_hands.h"

#include <algorithm>
#include <cmath>

#include "limber/core/rotation.h"
#include "limber/scene/body_source.h"

namespace limber::studio {

namespace {

/// The finger's radius, in parts of the body's size.
constexpr double kFinger = 0.035;
/// The springs beside the tets around a node: harder, yet a jerk of the pointer does not turn a tet
/// inside out.
constexpr double kGrip = 10;
/// The finger follows a pointer that leaps at this speed, in parts of the body's size a step.
constexpr double kLongestStep = 0.06;

/// What the tets around a node resist with, N/m.
double own_stiffness(const StudioBody& body, int node) {
  const TetMesh& mesh = body.source->mesh;
  double own = 0;
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    if ((mesh.T.row(tet).array() != node).all()) continue;
    Mat3 edges;
    for (int k = 0; k < 3; ++k)
      edges.col(k) = mesh.V.row(mesh.T(tet, k + 1)) - mesh.V.row(mesh.T(tet, 0));
    own += body.description.materials.of(mesh.region(tet)).young *
           std::cbrt(std::abs(edges.determinant()) / 6);
  }
  return own;
}

}  // namespace

FullHands::Patch FullHands::take(const StudioBody& body, int vertex, const Positions& now,
                                 Handles& handles) {
  const BodyPoint point = point_of(body.surface().binding, vertex);
  const Positions& rest = body.source->mesh.V;
  Patch patch;
  patch.vertex = vertex;
  patch.rest = point.sum(rest);
  patch.target = point.sum(now);
  std::vector<int> nodes;
  for (int node = 0; node < rest.rows(); ++node) {
    if ((rest.row(node).transpose() - patch.rest).norm() < kFinger * body.size) {
      nodes.push_back(node);
    }
  }
  // At the least those that the vertex hangs on.
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] != 0) nodes.push_back(point.nodes[k]);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const auto& fixed = body.source->fixed_nodes;
  for (const int node : nodes) {
    if (std::find(fixed.begin(), fixed.end(), node) != fixed.end()) continue;
    Handle spring;
    spring.kind = HandleKind::spring;
    spring.point = BodyPoint::at_node(node);
    spring.target = Path({0.0}, {Vec3(now.row(node).transpose())});
    spring.stiffness = kGrip * own_stiffness(body, node);
    patch.nodes.push_back(node);
    patch.springs.push_back(handles.add(spring));
  }
  return patch;
}

void FullHands::move(const StudioBody& body, const Hand& hand, const Positions& now, Patch& patch,
                     Handles& handles) {
  const Positions& rest = body.source->mesh.V;
  const Vec3 point = point_of(body.surface().binding, patch.vertex).sum(now);
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
    handles.move(patch.springs[i], centre + turn * offset);
  }
}

void FullHands::apply(const StudioBody& body, std::span<const Hand> hands, const Positions& now,
                      DynamicBody& dynamics) {
  std::map<int, Patch> before;
  before.swap(patches_);
  for (const Hand& hand : hands) {
    const auto known = before.find(hand.id);
    const bool same = known != before.end() && known->second.vertex == hand.vertex;
    Patch patch =
        same ? std::move(known->second) : take(body, hand.vertex, now, dynamics.handles());
    if (same) before.erase(known);
    move(body, hand, now, patch, dynamics.handles());
    patches_.emplace(hand.id, std::move(patch));
  }
  for (const auto& [id, patch] : before) {
    for (const int spring : patch.springs) dynamics.handles().remove(spring);
  }
}

}  // namespace limber::studio
