// Rotation-strain coordinates: rigid motions, polar factors, unwrapping, shells.
#include "limber/interpolate/coordinates/rotation_strain.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/coordinates/unwrap.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/interpolate/reconstruction/reconstruction.h"
#include "support/poses.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

Positions shaken(const Positions& positions, double amount, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-amount, amount);
  Positions result = positions;
  for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] += shift(random);
  return result;
}

/// The largest difference of neighbours' w, and of their rotations as angles.
struct Jumps {
  double in_w = 0;
  double in_rotation = 0;
};
Jumps largest_jumps(const Elements& elements, const RotationStrain& coordinates) {
  Jumps largest;
  std::vector<Mat3> rotations;
  for (int element = 0; element < elements.element_count(); ++element) {
    rotations.push_back(polar_rotation(deformation_gradient(coordinates, element)));
  }
  for (int element = 0; element < elements.element_count(); ++element) {
    for (const int other : elements.neighbours(element)) {
      const double jump = (coordinates.w.row(element) - coordinates.w.row(other)).norm();
      const double turn = rotation_log(rotations[element].transpose() * rotations[other]).norm();
      largest.in_w = std::max(largest.in_w, jump);
      largest.in_rotation = std::max(largest.in_rotation, turn);
    }
  }
  return largest;
}

/// How far exp(w)(I + S) is from the pose's deformation gradients, the largest entry.
double gradient_error(const Elements& elements, const Positions& pose,
                      const RotationStrain& coordinates) {
  double error = 0;
  for (int element = 0; element < elements.element_count(); ++element) {
    const Mat3 difference =
        deformation_gradient(coordinates, element) - elements.deformation_gradient(pose, element);
    error = std::max(error, difference.cwiseAbs().maxCoeff());
  }
  return error;
}

double largest_skewness(const RotationStrain& coordinates) {
  double skewness = 0;
  for (const Mat3& S : coordinates.S) skewness = std::max(skewness, (S - S.transpose()).norm());
  return skewness;
}

TEST(RotationStrain, RestHasNoCoordinates) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  const RotationStrain coordinates = rotation_strain(mesh, mesh.V);
  EXPECT_LT(coordinates.w.cwiseAbs().maxCoeff(), 1e-13);
  for (const Mat3& S : coordinates.S) EXPECT_LT(S.cwiseAbs().maxCoeff(), 1e-13);
}

TEST(RotationStrain, RigidMotionHasOneRotationAndNoStrain) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  for (const double angle : {1e-9, 0.5, 3.0, kPi - 1e-7}) {
    const Vec3 w = angle * Vec3(1, -2, 0.5).normalized();
    const RotationStrain coordinates = rotation_strain(mesh, moved(mesh.V, w, {3, -1, 2}));
    // Positions of size 4 over edges of 0.02 round the gradient by 4/0.02·ε ≈ 4e-14.
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      EXPECT_LT((coordinates.w.row(tet).transpose() - w).norm(), 1e-11);
      EXPECT_LT(coordinates.S[tet].norm(), 1e-11);
    }
  }
}

TEST(RotationStrain, CoordinatesGiveTheDeformationGradientBack) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  const Elements elements = elements_of(mesh);
  for (unsigned seed = 0; seed < 5; ++seed) {
    // A third of a cell: tets of every kind, some inverted.
    const Positions pose = shaken(moved(mesh.V, Vec3(0.4, 1, -2), {0, 0, 0}), 0.04, seed);
    PoseNotes notes;
    const RotationStrain coordinates = rotation_strain(elements, pose, {}, &notes);
    EXPECT_LT(gradient_error(elements, pose, coordinates), 1e-12);
    int inverted = 0;
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      inverted += elements.deformation_gradient(pose, tet).determinant() < 0;
    }
    EXPECT_GT(inverted, 0);
    EXPECT_EQ(notes.inverted, inverted);
  }
}

TEST(RotationStrain, NoiseAndSmallOppositeRotationsStaySmall) {
  // The printed test of the paper adds whole turns here: axes point anywhere.
  const TetMesh mesh = bar({1, 0.2, 0.2}, {16, 3, 3});
  const RotationStrain noise = rotation_strain(mesh, shaken(mesh.V, 1e-9, 3));
  EXPECT_LT(noise.w.cwiseAbs().maxCoeff(), 1e-6);
  Positions wavy = mesh.V;
  for (int node = 0; node < mesh.node_count(); ++node) {
    wavy(node, 1) += 0.4 / 12 * std::sin(12 * mesh.V(node, 0));
  }
  // A simple shear of slope 0.4 turns by atan(0.2).
  const RotationStrain small = rotation_strain(mesh, wavy);
  EXPECT_GT(small.w.maxCoeff(), 0.15);
  EXPECT_LT(small.w.minCoeff(), -0.15);
  EXPECT_LT(small.w.cwiseAbs().maxCoeff(), std::atan(0.2));
}

TEST(Unwrapping, ABarBentByOneAndAHalfTurnsRunsSmoothlyWithSymmetricStrain) {
  const TetMesh mesh = bar({1, 0.05, 0.05}, {60, 3, 3});
  const Elements elements = elements_of(mesh);
  Bend options;
  options.angle = 3 * kPi;
  const Positions pose = bend(mesh.V, options);
  PoseNotes notes;
  UnwrapOptions unwrapping;
  unwrapping.seed = 0;
  const RotationStrain coordinates = rotation_strain(elements, pose, unwrapping, &notes);
  EXPECT_EQ(notes.singular, 0);
  EXPECT_LT(largest_skewness(coordinates), 1e-11);
  // Rotations about one axis: neighbours' vectors differ as much as their rotations.
  const Jumps jumps = largest_jumps(elements, coordinates);
  EXPECT_LT(jumps.in_w, jumps.in_rotation + 1e-9);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    double s = 0;
    for (int k = 0; k < 4; ++k) s += mesh.V(mesh.T(tet, k), 0) / 4;
    EXPECT_NEAR(coordinates.w(tet, 2), 3 * kPi * s, 3 * kPi / 60);
  }
}

TEST(Unwrapping, ABarTwistedByThreeTurnsHasNoJumpBeyondTheTwistsOwn) {
  for (const int cells : {3, 4}) {
    const TetMesh mesh = bar({1, 0.1, 0.1}, {10 * cells, cells, cells});
    const Elements elements = elements_of(mesh);
    Twist options;
    options.origin = {0, 0.05, 0.05};
    options.angle = 6 * kPi;
    const Positions pose = twist(mesh.V, options);
    UnwrapOptions unwrapping;
    unwrapping.seed = 0;
    const RotationStrain coordinates = rotation_strain(elements, pose, unwrapping);
    EXPECT_LT(gradient_error(elements, pose, coordinates), 1e-12);
    // Up to π the logarithm stretches differences by at most π/2 (unwrap.h); beyond, w is smoother.
    const Jumps jumps = largest_jumps(elements, coordinates);
    EXPECT_LT(jumps.in_w, kPi / 2 * jumps.in_rotation * 1.01);
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      double s = 0;
      for (int k = 0; k < 4; ++k) s += mesh.V(mesh.T(tet, k), 0) / 4;
      // Shear tilts rotations by up to atan(γ/2) = 0.5 rad, γ = 6π·0.07/1.
      EXPECT_NEAR(coordinates.w(tet, 0), 6 * kPi * s, 0.5);
    }
  }
}

TEST(Unwrapping, HalfWayToThreeTurnsIsATwistOfHalfTheTurns) {
  const TetMesh mesh = bar({1, 0.1, 0.1}, {30, 3, 3});
  const auto elements = std::make_shared<const Elements>(elements_of(mesh));
  Twist options;
  options.origin = {0, 0.05, 0.05};
  options.angle = 6 * kPi;
  UnwrapOptions unwrapping;
  unwrapping.seed = 0;
  RotationStrain half = rotation_strain(*elements, twist(mesh.V, options), unwrapping);
  half.w *= 0.5;
  for (Mat3& S : half.S) S *= 0.5;
  const Positions middle = reconstruct(elements, half, Vec3(0.5, 0.05, 0.05));
  options.angle = 3 * kPi;
  // The strain of half a twist is not half the strain, so they agree to a fifth of the width only;
  // logarithms taken for each tet alone turn the bar inside out.
  EXPECT_LT((middle - twist(mesh.V, options)).rowwise().norm().maxCoeff(), 0.02);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    EXPECT_GT(elements->deformation_gradient(middle, tet).determinant(), 0);
  }
}

TEST(Unwrapping, TheSeedSaysWhichEndStandsStill) {
  const TetMesh mesh = bar({1, 0.1, 0.1}, {30, 3, 3});
  Twist options;
  options.origin = {0, 0.05, 0.05};
  options.angle = 2 * kPi;
  const Positions pose = twist(mesh.V, options);
  for (const int seed : {0, mesh.tet_count() - 1}) {
    UnwrapOptions unwrapping;
    unwrapping.seed = seed;
    PoseNotes notes;
    const Positions w = rotation_strain(elements_of(mesh), pose, unwrapping, &notes).w;
    EXPECT_EQ(notes.seed, seed);
    const double near = w.row(seed).norm();
    const double far = w.row(mesh.tet_count() - 1 - seed).norm();
    EXPECT_LT(near, 0.5);
    EXPECT_NEAR(far, 2 * kPi, 0.6);
  }
}

TEST(Unwrapping, AnEarlierPoseChoosesAmongWholeTurns) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  RotationStrain before = rotation_strain(mesh, mesh.V);
  before.w.col(2).setConstant(6);
  UnwrapOptions unwrapping;
  unwrapping.near = &before;
  const RotationStrain coordinates =
      rotation_strain(mesh, moved(mesh.V, {0, 0, 0.3}, {0, 0, 0}), unwrapping);
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    EXPECT_NEAR(coordinates.w(tet, 2), 0.3 + 2 * kPi, 1e-11);
  }
}

TEST(Unwrapping, ASequenceFollowsThreeTurnsOfTheWholeBody) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {6, 2, 2});
  const Elements elements = elements_of(mesh);
  RotationStrain coordinates = rotation_strain(elements, mesh.V);
  const Vec3 axis = Vec3(1, 2, -1).normalized();
  for (int frame = 1; frame <= 30; ++frame) {
    const Positions pose = moved(mesh.V, frame * 6 * kPi / 30 * axis, {0, 0, 0});
    coordinates = rotation_strain_after(elements, pose, coordinates);
    EXPECT_LT(gradient_error(elements, pose, coordinates), 1e-12);
  }
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    EXPECT_LT((coordinates.w.row(tet).transpose() - 6 * kPi * axis).norm(), 1e-9);
  }
}

TEST(Unwrapping, TetsThatMeetInACornerOnlyAreUnwrappedTogether) {
  // Two bars that share one corner node; together they turn by 1.5 turns along x.
  const TetMesh one = bar({0.5, 0.05, 0.05}, {30, 2, 2});
  TetMesh mesh;
  const int nodes = one.node_count();
  const int corner = nodes - 1;  // the high end's last grid point
  mesh.V.resize(2 * nodes - 1, 3);
  mesh.V << one.V, (one.V.bottomRows(nodes - 1).rowwise() + one.V.row(corner));
  mesh.T.resize(2 * one.tet_count(), 4);
  mesh.T.topRows(one.tet_count()) = one.T;
  for (int tet = 0; tet < one.tet_count(); ++tet) {
    for (int k = 0; k < 4; ++k) {
      const int node = one.T(tet, k);
      mesh.T(one.tet_count() + tet, k) = node == 0 ? corner : nodes + node - 1;
    }
  }
  const Elements elements = elements_of(mesh);
  EXPECT_EQ(elements.part_count, 1);
  Bend options;
  options.angle = 3 * kPi;
  UnwrapOptions unwrapping;
  unwrapping.seed = 0;
  const RotationStrain coordinates = rotation_strain(elements, bend(mesh.V, options), unwrapping);
  EXPECT_NEAR(coordinates.w(mesh.tet_count() - 1, 2), 3 * kPi, 0.3);
}

TEST(ShellElements, RigidMotionHasOneRotationAndNoStrain) {
  TriMesh sheet;
  sheet.V.resize(9, 3);
  sheet.F.resize(8, 3);
  for (int i = 0; i < 9; ++i) sheet.V.row(i) << i % 3, i / 3, 0.3 * ((7 * i) % 5);
  for (int q = 0; q < 4; ++q) {
    const int a = q % 2 + 3 * (q / 2);
    sheet.F.row(2 * q) << a, a + 1, a + 4;
    sheet.F.row(2 * q + 1) << a, a + 4, a + 3;
  }
  const Elements elements = elements_of(sheet);
  const Vec3 w(0.3, -2, 1);
  const RotationStrain coordinates = rotation_strain(elements, moved(sheet.V, w, {1, 2, 3}));
  for (int f = 0; f < 8; ++f) {
    EXPECT_LT((coordinates.w.row(f).transpose() - w).norm(), 1e-12);
    EXPECT_LT(coordinates.S[f].norm(), 1e-12);
  }
  // The linearisation against central differences: error h² f‴/6 ≈ 1e-8, rounding ε/h ≈ 1e-12.
  const Positions u = shaken(Positions::Zero(9, 3), 1, 5);
  const double h = 1e-4;
  for (int f = 0; f < 8; ++f) {
    const Mat3 slope = (elements.deformation_gradient(sheet.V + h * u, f) -
                        elements.deformation_gradient(sheet.V - h * u, f)) /
                       (2 * h);
    EXPECT_LT((slope - elements.gradient_change(u, f)).norm(), 1e-6);
  }
}

TEST(RotationStrain, BadPosesAreRefused) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {4, 1, 1});
  Positions pose = mesh.V;
  EXPECT_THROW((void)rotation_strain(mesh, pose.topRows(3)), Error);
  pose(2, 1) = std::nan("");
  EXPECT_THROW((void)rotation_strain(mesh, pose), Error);
  pose(2, 1) = 1e200;
  EXPECT_THROW((void)rotation_strain(mesh, pose), Error);
  UnwrapOptions options;
  options.seed = mesh.tet_count();
  EXPECT_THROW((void)rotation_strain(mesh, mesh.V, options), Error);
  TetMesh inverted = mesh;
  std::swap(inverted.T(0, 0), inverted.T(0, 1));
  EXPECT_THROW((void)rotation_strain(inverted, mesh.V), Error);
  // All nodes in one place: no gradient, but no blow-up either.
  const RotationStrain flat = rotation_strain(mesh, Positions::Zero(mesh.node_count(), 3));
  EXPECT_TRUE(flat.w.allFinite());
}

}  // namespace
}  // namespace limber
