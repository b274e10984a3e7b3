// Held nodes that hang together move as a rigid body.
#include "limber/interpolate/motion/held_groups.h"

#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/interpolate/motion/shape_interpolation.h"
#include "limber/mesh/checks.h"
#include "support/poses.h"

namespace limber {
namespace {

Positions twisted_bar(const Positions& positions, double angle) {
  Twist options;
  options.angle = angle;
  options.origin = {0, 0.06, 0.06};
  return twist(positions, options);
}

std::vector<int> nodes_where(const TetMesh& mesh, double x) {
  std::vector<int> nodes;
  for (int node = 0; node < mesh.node_count(); ++node) {
    if (std::abs(mesh.V(node, 0) - x) < 1e-9) nodes.push_back(node);
  }
  return nodes;
}

/// The ends of the bar held.
InterpolationOptions ends_held(const TetMesh& mesh) {
  InterpolationOptions options;
  for (const double x : {0.0, 1.0}) {
    for (const int node : nodes_where(mesh, x)) options.positions.push_back({node, {}});
  }
  return options;
}

double largest_change_of_distances(const std::vector<int>& nodes, const Positions& a,
                                   const Positions& b) {
  double largest = 0;
  for (const int i : nodes) {
    for (const int j : nodes) {
      largest =
          std::max(largest, std::abs((a.row(i) - a.row(j)).norm() - (b.row(i) - b.row(j)).norm()));
    }
  }
  return largest;
}

TEST(HeldGroups, AFaceThatTurnsKeepsItsSizeAndTheBodyItsVolume) {
  const TetMesh mesh = slender_bar();
  const Positions pose = twisted_bar(mesh.V, 2.6);
  ShapeInterpolation motion(pose_modes(mesh, {20, {}, {}}), {{0, mesh.V, {}}, {1, pose, {}}},
                            ends_held(mesh));
  const std::vector<int> face = nodes_where(mesh, 1);
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const Positions frame = motion.evaluate(t);
    EXPECT_LT(largest_change_of_distances(face, frame, mesh.V), 1e-12);
    EXPECT_GT(volume(frame, mesh.T), 0.97 * volume(mesh.V, mesh.T));
  }
  EXPECT_LT(farthest(motion.evaluate(0), mesh.V), 1e-9);
  EXPECT_LT(farthest(motion.evaluate(1), pose), 1e-9);
  // On straight lines the face shrinks to cos 1.3 = 0.27 half way.
  const Positions blend = 0.5 * (mesh.V + pose);
  EXPECT_GT(largest_change_of_distances(face, blend, mesh.V), 0.1);
}

TEST(HeldGroups, TurnAsOftenAsTheBodyDoes) {
  const TetMesh mesh = slender_bar();
  const Positions pose = twisted_bar(mesh.V, 3 * kPi);
  ShapeInterpolation motion(pose_modes(mesh, {20, {}, {}}), {{0, mesh.V, {}}, {3, pose, {}}},
                            ends_held(mesh));
  // The end of the bar turns by half a turn in a third of the time, seen from its beginning; past
  // π about the mean axis of the elements beside it, which is the bar's to a few degrees. The short
  // way round would be 60 degrees, a sum of length 1.7.
  const Positions frame = motion.evaluate(1);
  const std::vector<int> first = nodes_where(mesh, 0);
  const std::vector<int> last = nodes_where(mesh, 1);
  const Vec3 before = (frame.row(first.back()) - frame.row(first.front())).normalized();
  const Vec3 behind = (frame.row(last.back()) - frame.row(last.front())).normalized();
  EXPECT_LT((before + behind).norm(), 0.1);
}

TEST(HeldGroups, TheEndOfABendingBarGoesRoundABow) {
  const TetMesh mesh = slender_bar();
  const Positions pose = bent(mesh.V, 0.5 * kPi);
  ShapeInterpolation motion(pose_modes(mesh, {20, {}, {}}), {{0, mesh.V, {}}, {1, pose, {}}},
                            ends_held(mesh));
  const Positions frame = motion.evaluate(0.5);
  const auto centre = [&](double x) {
    Vec3 sum = Vec3::Zero();
    const std::vector<int> nodes = nodes_where(mesh, x);
    for (const int node : nodes) sum += frame.row(node).transpose();
    return Vec3(sum / static_cast<double>(nodes.size()));
  };
  // A bar of length 1 bent by a quarter pi has a chord of sin(pi/8)/(pi/8) = 0.974; straight lines
  // would leave 0.88, the screw 1.03.
  EXPECT_NEAR((centre(1) - centre(0)).norm(), 0.974, 0.06);
}

TEST(HeldGroups, NodesApartAreGroupsApart) {
  const TetMesh mesh = slender_bar();
  const Elements elements = elements_of(mesh);
  std::vector<int> nodes = nodes_where(mesh, 0);
  EXPECT_EQ(HeldGroups(elements, nodes, {0, 1}, {mesh.V, mesh.V}).group_count(), 1);
  for (const int node : nodes_where(mesh, 1)) nodes.push_back(node);
  EXPECT_EQ(HeldGroups(elements, nodes, {0, 1}, {mesh.V, mesh.V}).group_count(), 2);
}

TEST(HeldGroups, ANodeHeldTwiceIsRefused) {
  const TetMesh mesh = slender_bar();
  InterpolationOptions options;
  options.positions = {{3, {}}, {3, Path({0, 1}, {Vec3(1, 0, 0), Vec3(1, 1, 0)})}};
  EXPECT_THROW(ShapeInterpolation(pose_modes(mesh, {5, {}, {}}),
                                  {{0, mesh.V, {}}, {1, bent(mesh.V, 1), {}}}, options),
               Error);
}

}  // namespace
}  // namespace limber
