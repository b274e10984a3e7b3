// Modes in rotation-strain space: the linear map, its projection, rigid rotations.
#include "limber/interpolate/coordinates/pose_modes.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/mesh/select.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

Vector random_vector(Eigen::Index size, double amount, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-amount, amount);
  Vector result(size);
  for (Eigen::Index i = 0; i < size; ++i) result[i] = value(random);
  return result;
}

double distance(const Elements& elements, const RotationStrain& a, const RotationStrain& b) {
  double sum = 0;
  for (int e = 0; e < elements.element_count(); ++e) {
    sum += elements.weights[e] *
           (2 * (a.w.row(e) - b.w.row(e)).squaredNorm() + (a.S[e] - b.S[e]).squaredNorm());
  }
  return std::sqrt(sum);
}

TriMesh curved_sheet() {
  TriMesh sheet;
  const int n = 7;
  sheet.V.resize(n * n, 3);
  for (int i = 0; i < n * n; ++i) {
    const double x = 0.1 * (i % n);
    const double y = 0.1 * (i / n);
    sheet.V.row(i) << x, y, 0.3 * x * x - 0.2 * x * y;
  }
  sheet.F.resize(2 * (n - 1) * (n - 1), 3);
  for (int q = 0; q < (n - 1) * (n - 1); ++q) {
    const int a = q % (n - 1) + n * (q / (n - 1));
    sheet.F.row(2 * q) << a, a + 1, a + n + 1;
    sheet.F.row(2 * q + 1) << a, a + n + 1, a + n;
  }
  return sheet;
}

/// Modes of any kind will do for the linear map: random displacements on a sheet.
PoseModes random_shell_modes() {
  auto elements = std::make_shared<const Elements>(elements_of(curved_sheet()));
  Eigen::MatrixXd W(3 * elements->node_count(), 8);
  for (int k = 0; k < 8; ++k) W.col(k) = random_vector(W.rows(), 0.1, k);
  return {elements, W, Vector::LinSpaced(8, 1, 8), true};
}

TEST(ModeStream, MultipliesAsTheDenseMatrixRoundedToFloat) {
  for (const int rows : {1, 15, 16, 17, 100}) {
    for (const int modes : {1, 7, 40}) {
      Eigen::MatrixXd W(rows, modes);
      for (int k = 0; k < modes; ++k) W.col(k) = random_vector(rows, 1, k);
      const Eigen::MatrixXd rounded = W.cast<float>().cast<double>();
      const ModeStream stream(W);
      const Vector z = random_vector(modes, 1, 99);
      Vector u(stream.padded_rows());
      stream.multiply(z.data(), u.data());
      // Sums of 40 products of size 1 in double.
      EXPECT_LT((u.head(rows) - rounded * z).cwiseAbs().maxCoeff(), 1e-13);
      const Vector f = random_vector(rows, 1, 98);
      EXPECT_LT((stream.multiply_transposed(f) - rounded.transpose() * f).cwiseAbs().maxCoeff(),
                1e-13);
      EXPECT_EQ(stream.column(modes - 1), rounded.col(modes - 1));
    }
  }
}

TEST(PoseModes, SmallAmplitudesMoveTheShapeAsTheModesDo) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  const auto modes = pose_modes(mesh, {12, {}, {}});
  const Vector direction = random_vector(12, 1, 1);
  // Coordinates are Ŵ z to first order: halving z quarters the difference.
  double last = 0;
  for (const double size : {4e-3, 2e-3, 1e-3}) {
    const ModalPose pose{size * direction, size * Vec3(0.3, -1, 2)};
    Vector u(modes->modes().padded_rows());
    modes->modes().multiply(pose.z.data(), u.data());
    Positions moved = mesh.V + Eigen::Map<const Positions>(u.data(), mesh.node_count(), 3);
    moved += size * mesh.V * skew(Vec3(0.3, -1, 2)).transpose();
    const double error =
        distance(*modes->elements(), rotation_strain(mesh, moved), modes->coordinates(pose));
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.2);
    }
    last = error;
  }
}

TEST(PoseModes, ProjectionFindsTheAmplitudesOfItsOwnCoordinates) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  for (const bool clamped : {false, true}) {
    PoseModesOptions options;
    options.modes = 60;
    if (clamped) options.fixed_nodes = select_nodes(mesh, "x<=0.02");
    const auto modes = pose_modes(mesh, options);
    EXPECT_EQ(modes->rigid_rotations(), !clamped);
    ModalPose pose{random_vector(60, 1, 3), Vec3::Zero()};
    if (!clamped) pose.rotation = {0.3, -0.2, 1};
    const ModalPose back = modes->project(modes->coordinates(pose));
    EXPECT_LT((back.z - pose.z).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((back.rotation - pose.rotation).norm(), 1e-9);
  }
}

TEST(PoseModes, ProjectionIsNearestInTheVolumeWeightedNorm) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  const auto modes = pose_modes(mesh, {15, {}, {}});
  Bend bending;
  bending.angle = 2;
  const RotationStrain coordinates = rotation_strain(mesh, bend(mesh.V, bending));
  const ModalPose best = modes->project(coordinates);
  const double least = distance(*modes->elements(), coordinates, modes->coordinates(best));
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Vector change = random_vector(18, 0.01, seed);
    const ModalPose other{best.z + change.head(15), best.rotation + change.tail<3>()};
    EXPECT_GT(distance(*modes->elements(), coordinates, modes->coordinates(other)), least);
  }
}

TEST(PoseModes, ARigidRotationNeedsNoModes) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  const auto modes = pose_modes(mesh, {10, {}, {}});
  const Vec3 w(0.4, -1.5, 1);
  const ModalPose pose =
      modes->project(rotation_strain(mesh, mesh.V * rotation_exp(w).transpose()));
  EXPECT_LT(pose.z.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((pose.rotation - w).norm(), 1e-9);
}

TEST(PoseModes, MoreModesComeNearerToAPose) {
  const TetMesh mesh = bar({1, 0.15, 0.15}, {14, 2, 2});
  Bend bending;
  bending.angle = 3;
  Twist twisting;
  twisting.angle = 2;
  const RotationStrain coordinates = rotation_strain(mesh, bend(twist(mesh.V, twisting), bending));
  double last = 1e300;
  for (const int count : {5, 20, 80}) {
    const auto modes = pose_modes(mesh, {count, {}, {}});
    const double error =
        distance(*modes->elements(), coordinates, modes->coordinates(modes->project(coordinates)));
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST(PoseModes, ShellsAreProjectedAlike) {
  const PoseModes modes = random_shell_modes();
  const ModalPose pose{random_vector(8, 1, 3), Vec3(0.3, -0.2, 1)};
  const ModalPose back = modes.project(modes.coordinates(pose));
  EXPECT_LT((back.z - pose.z).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((back.rotation - pose.rotation).norm(), 1e-10);
}

TEST(PoseModes, TheTransposeOfTheGradientIsItsAdjoint) {
  const TriMesh sheet = curved_sheet();
  const Elements elements = elements_of(sheet);
  const Vector values = random_vector(3 * elements.node_count(), 1, 5);
  const Positions u = Eigen::Map<const Positions>(values.data(), elements.node_count(), 3);
  const Vector nine = random_vector(9, 1, 6);
  const Mat3 D = Eigen::Map<const Mat3>(nine.data());
  for (int f = 0; f < elements.element_count(); ++f) {
    const Mat3 transposed = elements.gradient_change_transposed(D, f);
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      sum += u.row(elements.corners(f, k)) * transposed * elements.gradient(f, k);
    }
    EXPECT_NEAR(sum, elements.gradient_change(u, f).cwiseProduct(D).sum(), 1e-11);
  }
}

TEST(PoseModes, SmallMeshesGiveWhatTheyHave) {
  const TetMesh mesh = bar({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(pose_modes(mesh, {80, {}, {}})->mode_count(), 18);
}

TEST(PoseModes, BadModesAreRefused) {
  const auto elements = std::make_shared<const Elements>(elements_of(bar({1, 1, 1}, {1, 1, 1})));
  const Eigen::MatrixXd W = Eigen::MatrixXd::Ones(24, 2);
  EXPECT_THROW(PoseModes(elements, W, Vector::Ones(3), true), Error);
  EXPECT_THROW(PoseModes(elements, W, Vector::Zero(2), true), Error);
  EXPECT_THROW(PoseModes(elements, W.topRows(5), Vector::Ones(2), true), Error);
}

}  // namespace
}  // namespace limber
