// Handles and contacts in the preconditioner, against a dense solve.
#include "limber/dynamics/full_space/attached_preconditioner.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/elasticity.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

struct TurnedSystem {
  TetMesh mesh = bar({0.6, 0.2, 0.2}, {6, 2, 2});
  SimulatedMesh simulated{mesh, kRubber, clamped_end(mesh), MassKind::lumped};
  NodeRotations rotations{simulated};
  BlockMatrix rest{simulated.pattern()};
  Eigen::MatrixXd turned;  // the rest matrix in the nodes' frames

  TurnedSystem() {
    FullBodyOptions options = with(Method::corotational);
    simulated.set_mass(1, rest);
    make_elasticity(simulated, options)->add_tangent(1e-4, 0, Tangent::safe, rest);
    // Twisted, so that every node is turned in its own way.
    Positions twisted = mesh.V;
    for (Eigen::Index i = 0; i < twisted.rows(); ++i) {
      const Vec3 x = mesh.V.row(i).transpose();
      twisted.row(i) = (rotation_exp(Vec3(2 * x.x(), 0, 0.3)) * x).transpose();
    }
    EdgeRotations(simulated, RotationField::edges_polar).find(twisted, rotations);
    Eigen::MatrixXd R = Eigen::MatrixXd::Zero(rest.size(), rest.size());
    for (int i = 0; i < rest.size() / 3; ++i) R.block<3, 3>(3 * i, 3 * i) = rotations[i];
    turned = R * Eigen::MatrixXd(rest.to_sparse()) * R.transpose();
  }
};

TEST(AttachedPreconditioner, SolvesWithHandlesAndContactsLikeADenseFactor) {
  TurnedSystem system;
  const auto base = make_preconditioner(system.rest, PreconditionerKind::rest_factor, 1 << 30);
  const double stiff = 100 * system.turned.diagonal().maxCoeff();
  const Vec3 normal = Vec3(1, 2, -1).normalized();
  const std::vector<AttachedBlock> blocks = {
      AttachedBlock::at_row(3, stiff * Mat3::Identity()),              // a handle
      AttachedBlock::at_row(11, stiff * normal * normal.transpose()),  // ground without friction
      AttachedBlock::at_row(
          20, 0.01 * stiff * normal * normal.transpose() + 0.1 * stiff * Mat3::Identity()),
      // A vertex on a triangle.
      {4, {30, 34, 41, 45}, {1, -0.2, -0.5, -0.3}, stiff * normal * normal.transpose()}};
  Eigen::MatrixXd attached = system.turned;
  for (const AttachedBlock& block : blocks) {
    for (int k = 0; k < block.count; ++k) {
      for (int l = 0; l < block.count; ++l) {
        attached.block<3, 3>(3 * block.rows[k], 3 * block.rows[l]) +=
            block.weights[k] * block.weights[l] * block.matrix;
      }
    }
  }
  AttachedPreconditioner preconditioner(system.rest.size());
  // Twice: nodes are learnt in the first call and known in the second.
  for (int call = 0; call < 2; ++call) {
    preconditioner.set(*base, &system.rotations, blocks);
    const Vector r = Vector::Random(system.rest.size());
    Vector z(r.size());
    preconditioner.apply(r, z);
    const Vector expected = attached.llt().solve(r);
    // The factor's numbers have 8 and 16 bits, which tests/core bounds by 2e-3; P is used twice.
    EXPECT_LT((z - expected).norm(), 4e-3 * expected.norm());
    const Vector without = system.turned.llt().solve(r);
    EXPECT_GT((without - expected).norm(), 0.05 * expected.norm());
  }
}

}  // namespace
}  // namespace limber
