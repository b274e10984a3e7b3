// Poisson reconstruction: the inverse of the coordinates, optimality, constraints, the factor.
#include "limber/interpolate/reconstruction/reconstruction.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>
#include <random>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "support/poses.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

Positions random_positions(Eigen::Index rows, double amount, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-amount, amount);
  Positions result(rows, 3);
  for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] = value(random);
  return result;
}

/// Poses of every kind: shaken beyond inversion, turned and moved, bent and twisted, at rest.
std::vector<Positions> many_poses(const TetMesh& mesh) {
  Bend bending;
  bending.angle = 1.5 * std::numbers::pi;
  Twist twisting;
  twisting.angle = 5 * std::numbers::pi;
  Positions moved = mesh.V * rotation_exp({2, -1, 1.5}).transpose();
  moved.rowwise() += Eigen::RowVector3d(4, -3, 1);
  return {mesh.V, moved, moved + random_positions(mesh.node_count(), 0.05, 1),
          bend(twist(mesh.V, twisting), bending)};
}

TEST(Reconstruction, InvertsTheCoordinatesOfEveryPose) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {10, 3, 3});
  const auto elements = shared_elements(mesh);
  for (const Positions& pose : many_poses(mesh)) {
    const Vec3 barycentre = barycentres(*elements, pose).row(0);
    const Positions back = reconstruct(mesh, rotation_strain(mesh, pose), barycentre);
    EXPECT_LT((back - pose).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(Reconstruction, PutsTheBarycentreWhereItIsToldAndElseAtRest) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {6, 2, 2});
  const Elements elements = elements_of(mesh);
  const RotationStrain coordinates = rotation_strain(mesh, many_poses(mesh)[2]);
  const Vec3 goal(3, 1, -4);
  EXPECT_LT((barycentres(elements, reconstruct(mesh, coordinates, goal)).row(0).transpose() - goal)
                .norm(),
            1e-12);
  EXPECT_LT((barycentres(elements, reconstruct(mesh, coordinates)) - barycentres(elements, mesh.V))
                .norm(),
            1e-12);
}

TEST(Reconstruction, MinimisesTheDistanceOfGradients) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {5, 2, 2});
  const auto elements = shared_elements(mesh);
  RotationStrain coordinates;  // no pose has these
  coordinates.w = random_positions(mesh.tet_count(), 1, 2);
  coordinates.S.assign(mesh.tet_count(), Mat3::Zero());
  const auto distance = [&](const Positions& positions) {
    double sum = 0;
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      sum += elements->weights[tet] * (elements->deformation_gradient(positions, tet) -
                                       deformation_gradient(coordinates, tet))
                                          .squaredNorm();
    }
    return sum;
  };
  const Positions best = reconstruct(mesh, coordinates);
  // A quadratic is even around its minimum: f(x+d) = f(x−d), to rounding of f ≈ 1e-2.
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Positions d = random_positions(mesh.node_count(), 0.1, seed);
    EXPECT_NEAR(distance(best + d), distance(best - d), 1e-12);
    EXPECT_GT(distance(best + d), distance(best));
  }
}

TEST(Reconstruction, HeldNodesStandExactlyAndPosesComeBack) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  ReconstructionConstraints constraints;
  constraints.held_nodes = {7, 0, 30};
  Reconstruction reconstruction(shared_elements(mesh), constraints);
  for (const Positions& pose : many_poses(mesh)) {
    const RotationStrain coordinates = rotation_strain(mesh, pose);
    ReconstructionTargets targets = reconstruction.targets_at(pose);
    EXPECT_LT((reconstruction.solve(coordinates, targets) - pose).cwiseAbs().maxCoeff(), 1e-11);
    targets.held.row(1) << 5, 5, 5;
    const Positions pulled = reconstruction.solve(coordinates, targets);
    EXPECT_EQ(pulled.row(0), targets.held.row(1));
    EXPECT_EQ(pulled.row(7), pose.row(7));
  }
}

TEST(Reconstruction, SpringsPullTheirPointAsFarAsTheyAreStiff) {
  const TetMesh mesh = shaken_bar({1, 0.2, 0.2}, {8, 2, 2});
  const auto elements = shared_elements(mesh);
  const ReconstructionSpring point{
      {mesh.T(40, 0), mesh.T(40, 1), mesh.T(40, 2), mesh.T(40, 3)}, {0.1, 0.2, 0.3, 0.4}, 1};
  const ReconstructionSpring other{{0, 0, 0, 0}, {1, 0, 0, 0}, 1};
  double last = 1e300;
  for (const double stiffness : {1e-3, 1.0, 1e3, 1e6}) {
    ReconstructionConstraints constraints;
    constraints.springs = {point, other};
    for (ReconstructionSpring& spring : constraints.springs) spring.stiffness = stiffness;
    Reconstruction reconstruction(elements, constraints);
    ReconstructionTargets targets = reconstruction.targets_at(mesh.V);
    const RotationStrain rest = rotation_strain(mesh, mesh.V);
    // A spring of 1e6 beside elements of 0.02 m has condition 1e8: rounding grows to 1e-8.
    EXPECT_LT((reconstruction.solve(rest, targets) - mesh.V).cwiseAbs().maxCoeff(), 1e-8);
    targets.springs.row(0) += Eigen::RowVector3d(0, 0.3, 0);
    const Positions result = reconstruction.solve(rest, targets);
    const double gap =
        (reconstruction.targets_at(result).springs - targets.springs).cwiseAbs().maxCoeff();
    EXPECT_LT(gap, last);
    last = gap;
  }
  EXPECT_LT(last, 1e-6);
}

TEST(Reconstruction, PartsAreKeptInPlaceAndUnusedNodesAtRest) {
  const TetMesh one = bar({1, 0.2, 0.2}, {4, 1, 1});
  TetMesh mesh;
  mesh.V.resize(2 * one.V.rows() + 1, 3);
  mesh.V << one.V, one.V.rowwise() + Eigen::RowVector3d(0, 1, 0), Eigen::RowVector3d(9, 9, 9);
  mesh.T.resize(2 * one.T.rows(), 4);
  mesh.T << one.T, (one.T.array() + one.node_count()).matrix();
  const auto elements = shared_elements(mesh);
  EXPECT_EQ(elements->part_count, 2);
  Reconstruction reconstruction(elements);
  Positions pose = mesh.V + random_positions(mesh.node_count(), 0.02, 4);
  pose.row(mesh.node_count() - 1) = mesh.V.row(mesh.node_count() - 1);
  const Positions back =
      reconstruction.solve(rotation_strain(mesh, pose), reconstruction.targets_at(pose));
  EXPECT_LT((back - pose).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Reconstruction, HeavyElementsKeepTheirShape) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {8, 2, 2});
  ReconstructionConstraints constraints;
  constraints.element_factors = Vector::Ones(mesh.tet_count());
  constraints.element_factors[20] = 1e6;
  Reconstruction reconstruction(shared_elements(mesh), constraints);
  RotationStrain coordinates = rotation_strain(mesh, mesh.V);
  coordinates.w.row(20) << 0, 0, 1;  // its neighbours stay
  const Positions result = reconstruction.solve(coordinates, reconstruction.targets_at(mesh.V));
  const Mat3 F = reconstruction.elements().deformation_gradient(result, 20);
  // Some 50 neighbours of factor 1 pull against 1e6.
  EXPECT_LT((F - rotation_exp({0, 0, 1})).norm(), 50e-6);
}

TEST(Reconstruction, EveryNodeMayBeHeld) {
  const TetMesh mesh = bar({1, 1, 1}, {1, 1, 1});
  ReconstructionConstraints constraints;
  for (int node = 0; node < mesh.node_count(); ++node) constraints.held_nodes.push_back(node);
  Reconstruction reconstruction(shared_elements(mesh), constraints);
  EXPECT_EQ(reconstruction.solve(rotation_strain(mesh, mesh.V), reconstruction.targets_at(mesh.V)),
            mesh.V);
}

TEST(Reconstruction, BadConstraintsAndCoordinatesAreRefused) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {4, 1, 1});
  const auto elements = shared_elements(mesh);
  ReconstructionConstraints constraints;
  constraints.held_nodes = {0, 0};
  EXPECT_THROW(Reconstruction(elements, constraints), Error);
  constraints.held_nodes = {mesh.node_count()};
  EXPECT_THROW(Reconstruction(elements, constraints), Error);
  constraints = {};
  constraints.springs = {{{0, 0, 0, 0}, {1, 0, 0, 0}, 0}};
  EXPECT_THROW(Reconstruction(elements, constraints), Error);
  RotationStrain coordinates = rotation_strain(mesh, mesh.V);
  coordinates.S.pop_back();
  EXPECT_THROW((void)reconstruct(mesh, coordinates), Error);
}

TEST(NodalFactor, SolvesThreeRightHandSidesAsADenseSolverDoes) {
  for (const int cells : {1, 3, 6}) {
    const TetMesh mesh = shaken_bar({1, 1, 1}, {2 * cells, cells, cells});
    const Elements elements = elements_of(mesh);
    std::vector<Eigen::Triplet<double>> entries;
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          entries.emplace_back(
              mesh.T(tet, i), mesh.T(tet, j),
              elements.weights[tet] * elements.gradient(tet, i).dot(elements.gradient(tet, j)));
        }
      }
    }
    for (int node = 0; node < mesh.node_count(); ++node) entries.emplace_back(node, node, 0.01);
    SparseMatrix A(mesh.node_count(), mesh.node_count());
    A.setFromTriplets(entries.begin(), entries.end());
    const NodalFactor factor(A);
    const Positions B = random_positions(mesh.node_count(), 1, 7);
    const Eigen::MatrixXd expected = Eigen::MatrixXd(A).llt().solve(Eigen::MatrixXd(B));
    std::vector<double> rows(NodalFactor::kRowSize * mesh.node_count());
    for (int k = 0; k < factor.size(); ++k) {
      for (int c = 0; c < 3; ++c) rows[NodalFactor::kRowSize * k + c] = B(factor.order()[k], c);
    }
    factor.solve_in_place(rows.data());
    for (int k = 0; k < factor.size(); ++k) {
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(rows[NodalFactor::kRowSize * k + c], expected(factor.order()[k], c), 1e-9);
      }
    }
  }
}

TEST(NodalFactor, LargeSystemsTakeTheLibrarysFactor) {
  const int n = 31'000;  // a chain, held at its first node
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < n; ++k) {
    entries.emplace_back(k, k, k + 1 < n ? 2 : 1);
    if (k > 0) entries.emplace_back(k, k - 1, -1);
    if (k + 1 < n) entries.emplace_back(k, k + 1, -1);
  }
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  const NodalFactor factor(A);
  std::vector<double> rows(NodalFactor::kRowSize * n, 0.0);
  rows[NodalFactor::kRowSize * (n - 1) + 1] = 1;  // a unit pull at the end: node k moves by k+1
  factor.solve_in_place(rows.data());
  for (const int k : {0, 1000, n - 1}) {
    EXPECT_NEAR(rows[NodalFactor::kRowSize * k + 1], k + 1, 1e-7 * n);
    EXPECT_EQ(rows[NodalFactor::kRowSize * k], 0);
  }
}

TEST(NodalFactor, AnIndefiniteMatrixIsRefused) {
  SparseMatrix A(2, 2);
  A.insert(0, 0) = 1;
  A.insert(1, 1) = -1;
  EXPECT_THROW(NodalFactor{A}, Error);
}

}  // namespace
}  // namespace limber
