// Thin shells: the hinge's derivative, beam theory, motions of a sheet and of a hat.
#include "limber/interpolate/shell_modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/motion/shape_interpolation.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "support/poses.h"

namespace limber {
namespace {

/// A grid of right triangles, cut by turns so that no diagonal is preferred.
TriMesh grid(double length, double width, int along, int across) {
  TriMesh sheet;
  const int row = along + 1;
  sheet.V.resize(row * (across + 1), 3);
  for (int i = 0; i < sheet.V.rows(); ++i) {
    sheet.V.row(i) << length * (i % row) / along, width * (i / row) / across, 0;
  }
  sheet.F.resize(2 * along * across, 3);
  for (int q = 0; q < along * across; ++q) {
    const int a = q % along + row * (q / along);
    const bool turned = (q % along + q / along) % 2 == 1;
    if (turned) {
      sheet.F.row(2 * q) << a, a + 1, a + row;
      sheet.F.row(2 * q + 1) << a + 1, a + row + 1, a + row;
    } else {
      sheet.F.row(2 * q) << a, a + 1, a + row + 1;
      sheet.F.row(2 * q + 1) << a, a + row + 1, a + row;
    }
  }
  return sheet;
}

/// A dome with a brim: curved, open, with a boundary.
TriMesh hat() {
  TriMesh shape = grid(1, 1, 12, 12);
  for (int v = 0; v < shape.vertex_count(); ++v) {
    const double x = shape.V(v, 0) - 0.5;
    const double y = shape.V(v, 1) - 0.5;
    const double r2 = x * x + y * y;
    shape.V(v, 2) = 0.4 * std::exp(-r2 / 0.04);
  }
  return shape;
}

TEST(Hinge, GradientIsTheDerivativeOfTheAngle) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> value(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    std::array<Vec3, 4> p{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.4, 1, 0), Vec3(0.6, -1, 0)};
    for (Vec3& point : p) point += 0.3 * Vec3(value(random), value(random), value(random));
    const Hinge here = hinge(p[0], p[1], p[2], p[3]);
    for (int k = 0; k < 4; ++k) {
      for (int c = 0; c < 3; ++c) {
        const double h = 1e-6;
        std::array<Vec3, 4> low = p;
        std::array<Vec3, 4> high = p;
        low[k][c] -= h;
        high[k][c] += h;
        const double slope = (hinge(high[0], high[1], high[2], high[3]).angle -
                              hinge(low[0], low[1], low[2], low[3]).angle) /
                             (2 * h);
        // Central differences: h² f‴/6 ≈ 1e-11, rounding ε/h ≈ 1e-10.
        EXPECT_NEAR(slope, here.gradient(c, k), 1e-8);
      }
    }
  }
}

TEST(Hinge, IsFlatAtZeroAndTurnsWithTheFold) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0.5, 1, 0);
  EXPECT_NEAR(hinge(a, b, c, {0.5, -1, 0}).angle, 0, 1e-15);
  for (const double fold : {0.3, 1.2, -2.0}) {
    const Vec3 d(0.5, -std::cos(fold), std::sin(fold));
    EXPECT_NEAR(std::abs(hinge(a, b, c, d).angle), std::abs(fold), 1e-12);
  }
}

TEST(ShellStiffness, KillsRigidMotionsAndNothingElse) {
  const TriMesh shape = hat();
  const SparseMatrix K = shell_stiffness(shape, {{1e6, 0.3, 1000}, 0.01});
  EXPECT_LT((SparseMatrix(K.transpose()) - K).norm(), 1e-9 * K.norm());
  for (int axis = 0; axis < 3; ++axis) {
    Vector shift(3 * shape.vertex_count());
    Vector turn(3 * shape.vertex_count());
    for (int v = 0; v < shape.vertex_count(); ++v) {
      shift.segment<3>(3 * v) = Vec3::Unit(axis);
      turn.segment<3>(3 * v) = skew(Vec3::Unit(axis)) * shape.V.row(v).transpose();
    }
    EXPECT_LT((K * shift).norm(), 1e-9 * K.norm());
    EXPECT_LT((K * turn).norm(), 1e-9 * K.norm());
  }
}

TEST(ShellModes, ACantileverStripVibratesAsABeam) {
  // ω = 1.8751² √(D/(ρ h L⁴)), D = E h³/(12(1−ν²)), ν = 0. The weight of a hinge is exact for
  // cylinders on this grid, but the strip may also saddle over its diagonals, which an isotropic
  // plate with ν = 0 does not gain by: discrete shells come out softer, here by a tenth in
  // frequency.
  const double h = 0.002;
  const Material steel{2e11, 0.0, 7800};
  const TriMesh strip = grid(1, 0.1, 40, 4);
  ShellModesOptions options;
  options.modes = 3;
  options.material = {steel, h};
  for (int v = 0; v < strip.vertex_count(); ++v) {
    if (strip.V(v, 0) <= 0.026) options.fixed_nodes.push_back(v);  // two columns: a clamp
  }
  const auto modes = shell_modes(strip, options);
  const double length = 1 - 0.0125;  // the hinge at the clamp's inner column turns half
  const double D = steel.young * h * h * h / 12;
  const double omega = std::pow(1.8751040687 / length, 2) * std::sqrt(D / (steel.density * h));
  EXPECT_NEAR(std::sqrt(modes->eigenvalues()[0]), omega, 0.15 * omega);
  // Bending frequencies grow with the thickness: K with its cube, mass with itself.
  options.material.thickness = 2 * h;
  EXPECT_NEAR(std::sqrt(shell_modes(strip, options)->eigenvalues()[0] / modes->eigenvalues()[0]), 2,
              1e-3);
  EXPECT_FALSE(modes->rigid_rotations());
}

TEST(ShellModes, AFreeShellHasRigidRotationsBesideItsModes) {
  const auto modes = shell_modes(hat(), {20, {}, {}});
  EXPECT_EQ(modes->mode_count(), 20);
  EXPECT_TRUE(modes->rigid_rotations());
  EXPECT_GT(modes->eigenvalues()[0], 0);
}

TEST(ShellModes, SheetsAndHatsMoveBetweenPosesAndMeetThem) {
  const TriMesh sheet = grid(1, 0.6, 12, 8);
  Bend rolling;
  rolling.towards = {0, 0, 1};
  rolling.angle = 1.6 * kPi;
  const TriMesh dome = hat();
  Bend folding;
  folding.origin = {0.5, 0.5, 0};
  folding.from = -0.5;
  folding.to = 0.5;
  folding.towards = {0, 0, 1};
  folding.angle = 1.5;
  for (const auto& [shape, pose] :
       {std::pair{sheet, bend(sheet.V, rolling)}, std::pair{dome, bend(dome.V, folding)}}) {
    for (const int count : {3, 40}) {
      const auto modes = shell_modes(shape, {count, {}, {}});
      ShapeInterpolation motion(modes, {{0, shape.V, {}}, {1, pose, {}}});
      EXPECT_LT(farthest(motion.evaluate(0), shape.V), 1e-9);
      EXPECT_LT(farthest(motion.evaluate(1), pose), 1e-9);
    }
    // Vibration-free in-betweens keep the area, where blending positions loses it.
    InterpolationOptions direct;
    direct.controls.frequency = -1.0;
    direct.controls.damping_ratio = -1.0;
    ShapeInterpolation motion(shell_modes(shape, {40, {}, {}}), {{0, shape.V, {}}, {1, pose, {}}},
                              direct);
    const auto area = [&, &faces = shape.F](const Positions& V) {
      TriMesh now;
      now.V = V;
      now.F = faces;
      return elements_of(now).weights.sum();
    };
    const double rest = area(shape.V);
    const double posed = area(pose);
    const double middle = area(motion.evaluate(0.5));
    EXPECT_NEAR(middle, (rest + posed) / 2, 0.03 * rest);
    EXPECT_LT(area(0.5 * (shape.V + pose)), 0.9 * rest);
  }
}

TEST(ShellModes, RefuseBadSurfacesAndMaterials) {
  TriMesh flat = grid(1, 1, 2, 2);
  flat.V.row(4) = flat.V.row(0);
  flat.V.row(1) = flat.V.row(0);
  EXPECT_THROW((void)shell_modes(flat), Error);
  ShellModesOptions options;
  options.material.thickness = -1;
  EXPECT_THROW((void)shell_modes(grid(1, 1, 2, 2), options), Error);
  options.material = {{1e6, 0.5, 1000}, 0.01};
  EXPECT_THROW((void)shell_modes(grid(1, 1, 2, 2), options), Error);
  options.material = {};
  options.modes = 0;
  EXPECT_THROW((void)shell_modes(grid(1, 1, 2, 2), options), Error);
}

}  // namespace
}  // namespace limber
