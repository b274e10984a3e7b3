// Forces and products tet by tet against the kernels that assemble, on every instruction set.
#include "limber/fem/rotated_elements.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <numeric>

#include "limber/core/rotation.h"
#include "limber/fem/corotational.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

/// 30 tets, no multiple of the lanes, all nodes free, turned and shaken out of the rest shape.
struct TurnedSample {
  TetMesh mesh = shaken_bar({1, 0.3, 0.2}, {5, 1, 1});
  TetBatches tets{mesh, Materials{Material{2e5, 0.3, 1000}}, element_geometry(mesh)};
  Positions x = mesh.V * rotation_exp(Vec3(0.4, -0.9, 1.3)).transpose() +
                0.02 * Positions::Random(mesh.node_count(), 3);
  RotatedElements elements{tets};
  TetMatrices rotations = TetMatrices(tets.batch_count());

  TurnedSample() { tet_rotations(tets, x, rotations); }

  /// Σ R K Rᵀ field by an assembled matrix.
  [[nodiscard]] Positions assembled_product(const Positions& field) const {
    const FreeDofs free(mesh.node_count(), {});
    BlockMatrix A(std::make_shared<BlockPattern>(block_pattern(NodeGraph(mesh), free)));
    std::vector<int> all(mesh.tet_count());
    std::iota(all.begin(), all.end(), 0);
    add_corotational_tangent(tets, rotations, 1, tet_slots(A.pattern(), free, mesh, all), A);
    const Vector in = Eigen::Map<const Vector>(field.data(), field.size());
    Vector out(field.size());
    A.multiply(in, out);
    return Eigen::Map<const Positions>(out.data(), field.rows(), 3);
  }
};

// Sums of a few dozen terms in another order: some hundred roundings of 1e-16.
constexpr double kRounding = 1e-13;

TEST(RotatedElements, ForcesAndProductsAreThoseOfTheAssembledKernels) {
  TurnedSample s;
  Positions expected_forces = Positions::Zero(s.x.rows(), 3);
  add_corotational_forces(s.tets, s.rotations, s.x, expected_forces);
  const Positions field = Positions::Random(s.x.rows(), 3);
  const Positions expected_product = s.assembled_product(field);
  // A force is a small difference of the products with the positions and with the rest shape.
  const double size = s.assembled_product(s.x).norm();
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    hwy::SetSupportedTargetsForTest(target);
    rotate_elements(s.tets, s.x, s.elements);
    Positions forces = Positions::Zero(s.x.rows(), 3);
    add_rotated_forces(s.elements, s.x, forces);
    EXPECT_LT((forces - expected_forces).norm(), kRounding * size) << hwy::TargetName(target);
    Positions product = Positions::Ones(s.x.rows(), 3);
    add_rotated_product(s.elements, 3, field, product);
    EXPECT_LT((product - Positions::Ones(s.x.rows(), 3) - 3 * expected_product).norm(),
              kRounding * expected_product.norm())
        << hwy::TargetName(target);
    for (int tet = 0; tet < s.tets.tet_count(); ++tet) {
      const Mat3 R = matrix_of(s.elements.rotations, tet);
      EXPECT_LT((R - matrix_of(s.rotations, tet)).norm(), kRounding) << hwy::TargetName(target);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(RotatedElements, RigidMotionsGiveNoForce) {
  TurnedSample s;
  const double size = s.assembled_product(s.x).norm();
  for (const double angle : {0.0, 0.5, 1.7, 3.1}) {
    Positions x = s.mesh.V * rotation_exp(angle * Vec3(0.6, 0, 0.8)).transpose();
    x.rowwise() += Eigen::RowVector3d(3, -2, 5);
    rotate_elements(s.tets, x, s.elements);
    Positions forces = Positions::Zero(x.rows(), 3);
    add_rotated_forces(s.elements, x, forces);
    // Positions up to 6 where edges are 0.2: 30 times the rounding.
    EXPECT_LT(forces.norm(), 30 * kRounding * size) << angle;
  }
}

TEST(RotatedElements, AreAtRestBeforeTheyAreTurned) {
  TurnedSample s;
  Positions forces = Positions::Zero(s.x.rows(), 3);
  add_rotated_forces(s.elements, s.mesh.V, forces);
  EXPECT_LT(forces.norm(), kRounding * s.assembled_product(s.x).norm());
}

}  // namespace
}  // namespace limber
