// Forward dynamics with rotation-strain shapes: against modal warping, supports, handles, velocity.
#include "limber/interpolate/rotation_strain_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "support/baked_bar.h"
#include "support/poses.h"
#include "support/stepping.h"

namespace limber {
namespace {

Loads gravity(double g) {
  Loads loads;
  loads.gravity.push_back({{0, -g, 0}});
  return loads;
}

Positions positions_of(const DynamicBody& body) {
  Positions positions(body.node_count(), 3);
  body.node_positions(positions);
  return positions;
}

TEST(RotationStrainBody, MovesAsModalWarpingWhileRotationsAreSmall) {
  const ModalModel body = baked_bar(12);
  RotationStrainBody mine(body);
  ModalBody warped(body);
  Vector q = Vector::LinSpaced(12, 1, -1);
  // Both are u + O(q²): halving q quarters the difference.
  double last = 0;
  for (const double size : {4e-3, 2e-3, 1e-3}) {
    mine.set_state(size * q, Vector::Zero(12));
    warped.set_state(size * q, Vector::Zero(12));
    const double difference = farthest(positions_of(mine), positions_of(warped));
    if (last > 0) {
      EXPECT_NEAR(last / difference, 4, 0.4);
    }
    last = difference;
  }
}

TEST(RotationStrainBody, OscillatorsAreThoseOfModalWarping) {
  const ModalModel body = baked_bar(12);
  RotationStrainBody mine(body, {}, gravity(9.8));
  ModalBodyOptions options;
  options.loads = LoadLaw::rotated;
  ModalBody warped(body, options, gravity(9.8));
  for (int k = 0; k < 20; ++k) {
    step(mine, 0.02);
    step(warped, 0.02);
  }
  EXPECT_EQ(mine.q(), warped.q());
  EXPECT_EQ(mine.kinetic_energy(), warped.kinetic_energy());
  EXPECT_NEAR(mine.time(), 0.4, 1e-12);
}

TEST(RotationStrainBody, SettlesUnderItsWeightWithItsVolumeKept) {
  const ModalModel body = baked_bar(8);
  RotationStrainBody mine(body, {}, gravity(9.8));
  EXPECT_TRUE(mine.settle().converged);
  const double rest = volume(body.rest_positions(), body.tets());
  // Modal warping loses 1.5 % here.
  EXPECT_NEAR(volume(positions_of(mine), body.tets()), rest, 0.02 * rest);
}

TEST(RotationStrainBody, FixedNodesStandInTheirSupportAndHeldNodesAtTheirTargets) {
  const ModalModel body = baked_bar(12);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1, Vec3::UnitY()));
  const SupportMotion support({{0, {0, 0, 0}}, {0.5, {1, 0, 0}, turn}});
  const int tip = bar_node(body, {1, 0.1, 0.1});
  const Path path({0, 0.5}, {Vec3(1, 0.1, 0.1), Vec3(0.9, 0.4, 0.1)});
  RotationStrainBody mine(body, {}, gravity(9.8), support, {{tip, path}});
  for (int k = 0; k < 25; ++k) {
    step(mine, 0.02);
    const Positions positions = positions_of(mine);
    const FrameState& frame = mine.frame();
    for (const int node : body.fixed_nodes) {
      const Vec3 expected = frame.to_world(body.rest_positions().row(node).transpose());
      EXPECT_LT((positions.row(node).transpose() - expected).norm(), 1e-12);
    }
    const Vec3 target = frame.to_world(path.at(mine.time()).value);
    EXPECT_LT((positions.row(tip).transpose() - target).norm(), 1e-12);
  }
}

TEST(RotationStrainBody, VelocitiesAreTheDerivativeOfPositions) {
  const ModalModel body = baked_bar(12);
  const TetMesh free_mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  const ModalModel free_body = bake(free_mesh, Material{2e5, 0.3, 1000}, {}, {12});
  for (const ModalModel& one : {body, free_body}) {
    RotationStrainBody mine(one);
    const Vector q = Vector::LinSpaced(12, 0.5, -0.8);
    const Vector v = Vector::LinSpaced(12, -2, 1);
    const double h = 1e-5;
    const auto at = [&](double t) {
      mine.set_state(q + t * v, v);
      return positions_of(mine);
    };
    const Positions slope = (at(h) - at(-h)) / (2 * h);
    mine.set_state(q, v);
    Positions velocities(mine.node_count(), 3);
    mine.node_velocities(velocities);
    EXPECT_GT(velocities.norm(), 0.1);
    // A free body's frame turns against its modes, so that the whole has no angular momentum.
    if (mine.is_free()) {
      const Positions shape = positions_of(mine);
      const Vec3 centre = mine.rigid_frame()->mass_centre();
      const Vec3 spin = mine.frame().angular_velocity;
      for (int node = 0; node < mine.node_count(); ++node) {
        velocities.row(node) -= spin.cross(shape.row(node).transpose() - centre).transpose();
      }
    }
    // h² x‴/6 with amplitudes of size 1, and ε/h.
    EXPECT_LT(farthest(slope, velocities), 1e-7);
  }
}

TEST(RotationStrainBody, AFreeBodyFallsOnItsParabolaWhileItVibrates) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  const ModalModel body = bake(mesh, Material{2e5, 0.3, 1000}, {}, {12});
  RotationStrainBody mine(body, {}, gravity(9.8));
  mine.set_state(Vector::LinSpaced(12, 1, 0), Vector::Zero(12));
  const auto centre = [&] {
    const Positions positions = positions_of(mine);
    Vec3 sum = Vec3::Zero();
    double total = 0;
    for (int node = 0; node < body.node_count(); ++node) {
      sum += body.mass.row_sums[node] * positions.row(node).transpose();
      total += body.mass.row_sums[node];
    }
    return Vec3(sum / total);
  };
  const Vec3 start = centre();
  for (int k = 0; k < 50; ++k) step(mine, 0.01);
  EXPECT_LT((centre() - start - Vec3(0, -0.5 * 9.8 * 0.25, 0)).norm(), 1e-9);
}

TEST(RotationStrainBody, RefusesHeldNodesThatAreFixedOrDoNotExist) {
  const ModalModel body = baked_bar(5);
  const Path path({0}, {Vec3::Zero()});
  EXPECT_THROW(RotationStrainBody(body, {}, {}, {}, {{9999, path}}), Error);
  EXPECT_THROW(RotationStrainBody(body, {}, {}, {}, {{body.fixed_nodes[0], path}}), Error);
}

}  // namespace
}  // namespace limber
