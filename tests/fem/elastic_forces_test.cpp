// Corotational, StVK and neo-Hookean element forces: energy's gradient, forces' gradient, rigid
// motions, and the SIMD polar decomposition behind them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>
#include <numeric>
#include <type_traits>

#include "limber/core/rotation.h"
#include "limber/fem/corotational.h"
#include "limber/fem/neo_hookean.h"
#include "limber/fem/stiffness.h"
#include "limber/fem/stvk.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

const Material kRubber{2e5, 0.3, 1000};

/// A shaken bar with two materials, everything free, and a number of tets that is no multiple of
/// the lanes.
struct Sample {
  TetMesh mesh = shaken_bar({1, 0.3, 0.2}, {3, 1, 1});
  Materials materials{kRubber};
  ElementGeometry geometry;
  NodeGraph graph;
  FreeDofs free;
  std::shared_ptr<const BlockPattern> pattern;
  TetBatches tets;
  TetSlots slots;
  TetMatrices rotations;

  explicit Sample(const std::vector<int>& fixed = {})
      : geometry(element_geometry(with_regions(mesh))),
        graph(mesh),
        free(mesh.node_count(), fixed),
        pattern(std::make_shared<BlockPattern>(block_pattern(graph, free))) {
    materials.by_region[5] = {3e6, 0.1, 500};
    std::vector<int> all(mesh.tet_count());
    std::iota(all.begin(), all.end(), 0);
    tets = TetBatches(mesh, materials, geometry);
    slots = tet_slots(*pattern, free, mesh, all);
    rotations.resize(tets.batch_count());
  }

  static const TetMesh& with_regions(TetMesh& mesh) {
    mesh.regions.assign(mesh.tet_count(), 0);
    for (int tet = 0; tet < mesh.tet_count(); tet += 3) mesh.regions[tet] = 5;
    return mesh;
  }

  /// Bent, stretched and turned well away from rest, no tet inverted.
  [[nodiscard]] Positions deformed() const {
    Positions x = mesh.V;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> shift(-0.02, 0.02);
    const Mat3 turn = rotation_exp(Vec3(0.4, -0.9, 1.3));
    for (int node = 0; node < x.rows(); ++node) {
      Vec3 p = mesh.V.row(node).transpose();
      p = rotation_exp(Vec3(0, 0, 1.2 * p.x())) * Vec3(0.1, p.y() * 1.2, p.z() * 0.8) +
          Vec3(p.x(), 0, 0);
      for (int c = 0; c < 3; ++c) p[c] += shift(random);
      x.row(node) = (turn * p).transpose();
    }
    return x;
  }
};

struct CorotationalForces {
  static double energy(Sample& sample, const Positions& x) {
    tet_rotations(sample.tets, x, sample.rotations);
    return corotational_energy(sample.tets, sample.rotations, x);
  }
  static Positions forces(Sample& sample, const Positions& x) {
    tet_rotations(sample.tets, x, sample.rotations);
    Positions f = Positions::Zero(x.rows(), 3);
    add_corotational_forces(sample.tets, sample.rotations, x, f);
    return f;
  }
  static void tangent(Sample& sample, const Positions& x, BlockMatrix& A) {
    tet_rotations(sample.tets, x, sample.rotations);
    add_exact_corotational_tangent(sample.tets, sample.rotations, x, 1, sample.slots, A);
  }
};

struct StvkForces {
  static double energy(Sample& sample, const Positions& x) { return stvk_energy(sample.tets, x); }
  static Positions forces(Sample& sample, const Positions& x) {
    Positions f = Positions::Zero(x.rows(), 3);
    add_stvk_forces(sample.tets, x, f);
    return f;
  }
  static void tangent(Sample& sample, const Positions& x, BlockMatrix& A) {
    add_stvk_tangent(sample.tets, x, 1, 1, sample.slots, A);
  }
};

/// With and without its origin barrier.
template <int barrier>
struct NeoHookeanForces {
  static constexpr NeoHookean kLaw{barrier};
  static double energy(Sample& sample, const Positions& x) {
    return neo_hookean_energy(sample.tets, kLaw, x);
  }
  static Positions forces(Sample& sample, const Positions& x) {
    Positions f = Positions::Zero(x.rows(), 3);
    add_neo_hookean_forces(sample.tets, kLaw, x, f);
    return f;
  }
  static void tangent(Sample& sample, const Positions& x, BlockMatrix& A) {
    add_exact_neo_hookean_tangent(sample.tets, kLaw, x, 1, sample.slots, A);
  }
  static void safe_tangent(Sample& sample, const Positions& x, BlockMatrix& A) {
    tet_rotations(sample.tets, x, sample.rotations);
    add_safe_neo_hookean_tangent(sample.tets, kLaw, sample.rotations, x, 1, sample.slots, A);
  }
};

template <class Model>
class ElasticForces : public testing::Test {};
using Models =
    testing::Types<CorotationalForces, StvkForces, NeoHookeanForces<0>, NeoHookeanForces<1>>;
TYPED_TEST_SUITE(ElasticForces, Models);

TYPED_TEST(ElasticForces, AreTheEnergysGradient) {
  Sample sample;
  const Positions x = sample.deformed();
  const Positions f = TypeParam::forces(sample, x);
  // Central differences: error h²|W'''| + eps W/h; with h = 1e-6 m both are below 1e-7 of |f|.
  const double h = 1e-6;
  for (int k = 0; k < x.size(); ++k) {
    Positions plus = x;
    Positions minus = x;
    plus.data()[k] += h;
    minus.data()[k] -= h;
    const double slope =
        (TypeParam::energy(sample, plus) - TypeParam::energy(sample, minus)) / (2 * h);
    EXPECT_NEAR(-f.data()[k], slope, 1e-7 * f.norm()) << k;
  }
}

TYPED_TEST(ElasticForces, TangentIsTheForcesGradient) {
  Sample sample;
  const Positions x = sample.deformed();
  BlockMatrix A(sample.pattern);
  TypeParam::tangent(sample, x, A);
  const Eigen::MatrixXd K = A.to_sparse();
  const double h = 1e-6;
  for (int k = 0; k < x.size(); ++k) {
    Positions plus = x;
    Positions minus = x;
    plus.data()[k] += h;
    minus.data()[k] -= h;
    const Positions slope =
        (TypeParam::forces(sample, plus) - TypeParam::forces(sample, minus)) / (2 * h);
    EXPECT_LT((K.col(k) + stacked(slope)).norm(), 1e-7 * K.norm()) << k;
  }
}

TYPED_TEST(ElasticForces, RigidMotionsGiveNoForceAtAnyAngle) {
  Sample sample;
  // A unit strain gives forces of about |K| · size.
  const double scale = stiffness(sample.mesh, sample.materials).norm();
  for (const double angle : {0.0, 0.1, 1.0, 2.5, std::numbers::pi, 5.0}) {
    const Mat3 turn = rotation_exp(angle * Vec3(1, 2, -3).normalized());
    Positions x = sample.mesh.V * turn.transpose();
    x.rowwise() += Eigen::RowVector3d(4, -5, 6);
    EXPECT_LT(TypeParam::forces(sample, x).norm(), 1e-13 * scale) << angle;
    // Neo-Hookean terms that are linear in the strain cancel to rounding only.
    const bool quadratic =
        std::is_same_v<TypeParam, CorotationalForces> || std::is_same_v<TypeParam, StvkForces>;
    EXPECT_LT(TypeParam::energy(sample, x), (quadratic ? 1e-20 : 1e-17) * scale) << angle;
  }
}

TYPED_TEST(ElasticForces, AreThoseOfLinearElasticityForSmallDisplacements) {
  Sample sample;
  Positions u = Positions::Random(sample.mesh.node_count(), 3);
  u *= 1e-6;
  const Vector expected = -(stiffness(sample.mesh, sample.materials) * stacked(u));
  const Positions x = sample.mesh.V + u;
  const Positions f = TypeParam::forces(sample, x);
  // Strains are about 1e-5, and the next order is as much smaller than the first.
  EXPECT_LT((stacked(f) - expected).norm(), 1e-4 * expected.norm());
}

TYPED_TEST(ElasticForces, TurnWithTheBody) {
  Sample sample;
  const Positions x = sample.deformed();
  const Mat3 turn = rotation_exp(Vec3(-1, 0.7, 2));
  const Positions turned = x * turn.transpose();
  const Positions f = TypeParam::forces(sample, x);
  EXPECT_LT((TypeParam::forces(sample, turned) - f * turn.transpose()).norm(), 1e-12 * f.norm());
}

TYPED_TEST(ElasticForces, HaveNeitherSumNorTorque) {
  Sample sample;
  const Positions x = sample.deformed();
  const Positions f = TypeParam::forces(sample, x);
  Vec3 torque = Vec3::Zero();
  for (int node = 0; node < x.rows(); ++node) {
    const Vec3 arm = x.row(node).transpose();
    torque += skew(arm) * f.row(node).transpose();
  }
  EXPECT_LT(f.colwise().sum().norm(), 1e-12 * f.norm());
  EXPECT_LT(torque.norm(), 1e-12 * f.norm());
}

TEST(CorotationalTangent, WithRotationsHeldIsTheTurnedStiffness) {
  Sample sample;
  tet_rotations(sample.tets, sample.deformed(), sample.rotations);
  BlockMatrix A(sample.pattern);
  add_corotational_tangent(sample.tets, sample.rotations, 2, sample.slots, A);
  const int n = sample.mesh.node_count();
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int tet = 0; tet < sample.mesh.tet_count(); ++tet) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> gradients(
        sample.geometry.gradients.row(tet).data());
    const Eigen::Matrix<double, 12, 12> K = element_stiffness(
        gradients, sample.geometry.volumes[tet], sample.materials.of(sample.mesh.region(tet)));
    const Mat3 R = matrix_of(sample.rotations, tet);
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        expected.block<3, 3>(3 * sample.mesh.T(tet, a), 3 * sample.mesh.T(tet, b)) +=
            2 * R * K.block<3, 3>(3 * a, 3 * b) * R.transpose();
      }
    }
  }
  EXPECT_LT((Eigen::MatrixXd(A.to_sparse()) - expected).norm(), 1e-13 * expected.norm());
}

TEST(CorotationalTangent, LeavesFixedNodesOut) {
  const std::vector<int> fixed{0, 3, 9};
  Sample whole;
  Sample held(fixed);
  const Positions x = whole.deformed();
  BlockMatrix A(whole.pattern);
  BlockMatrix B(held.pattern);
  CorotationalForces::tangent(whole, x, A);
  CorotationalForces::tangent(held, x, B);
  const SparseMatrix expected = held.free.reduce(A.to_sparse(), 3);
  EXPECT_LT((B.to_sparse() - expected).norm(), 1e-14 * expected.norm());
}

TEST(CorotationalTangent, OfCollapsedTetsIsFinite) {
  Sample sample;
  for (const double scale : {0.0, -1.0, 1e-200}) {
    const Positions x = scale * sample.mesh.V;
    BlockMatrix A(sample.pattern);
    CorotationalForces::tangent(sample, x, A);
    EXPECT_TRUE(std::isfinite(A.to_sparse().norm())) << scale;
    EXPECT_TRUE(CorotationalForces::forces(sample, x).allFinite()) << scale;
  }
}

template <class Model>
class NeoHookeanTangent : public testing::Test {};
using NeoHookeanLaws = testing::Types<NeoHookeanForces<0>, NeoHookeanForces<1>>;
TYPED_TEST_SUITE(NeoHookeanTangent, NeoHookeanLaws);

/// ∂²W/∂x² of each tet (12×12), its negative eigenvalues set to zero, added up. Within a tet
/// curvature in x and in F have the same null space, but not the same eigenvalues: so the clamping
/// is done in F, through a basis of the 9 ways to deform.
template <class Model>
Eigen::MatrixXd clamped_tangent(Sample& sample, const Positions& x) {
  const int n = sample.mesh.node_count();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int tet = 0; tet < sample.mesh.tet_count(); ++tet) {
    const std::vector<int> one{tet};
    const TetBatches batch(sample.mesh, sample.materials, sample.geometry, one);
    const TetSlots slots = tet_slots(*sample.pattern, sample.free, sample.mesh, one);
    BlockMatrix A(sample.pattern);
    add_exact_neo_hookean_tangent(batch, Model::kLaw, x, 1, slots, A);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(9, 3 * n);  // F's entries from x
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 g = sample.geometry.gradient(tet, corner);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) G(3 * i + j, 3 * sample.mesh.T(tet, corner) + i) = g[j];
      }
    }
    const Eigen::MatrixXd inverse = G.completeOrthogonalDecomposition().pseudoInverse();
    const Eigen::MatrixXd H = inverse.transpose() * Eigen::MatrixXd(A.to_sparse()) * inverse;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (H + H.transpose()));
    const Eigen::MatrixXd clamped = eigen.eigenvectors() *
                                    eigen.eigenvalues().cwiseMax(0).asDiagonal() *
                                    eigen.eigenvectors().transpose();
    sum += G.transpose() * clamped * G;
  }
  return sum;
}

/// Some tets squeezed flat, some inside out.
Positions mangled(const Sample& sample) {
  Positions x = sample.deformed();
  std::mt19937 random(8);
  std::uniform_real_distribution<double> shift(-0.3, 0.3);
  for (int k = 0; k < x.size(); ++k) x.data()[k] += shift(random);
  return x;
}

TYPED_TEST(NeoHookeanTangent, SafeOneHasEachTetsNegativeCurvaturesRemoved) {
  Sample sample;
  for (const Positions& x : {sample.mesh.V, sample.deformed(), mangled(sample)}) {
    BlockMatrix A(sample.pattern);
    TypeParam::safe_tangent(sample, x, A);
    const Eigen::MatrixXd expected = clamped_tangent<TypeParam>(sample, x);
    // The pseudo-inverse and the eigenvalues cost five digits on the smallest tets.
    EXPECT_LT((Eigen::MatrixXd(A.to_sparse()) - expected).norm(), 1e-10 * expected.norm());
  }
}

TYPED_TEST(NeoHookeanTangent, SafeOneIsTheExactOneAtRest) {
  Sample sample;
  BlockMatrix exact(sample.pattern), safe(sample.pattern);
  TypeParam::tangent(sample, sample.mesh.V, exact);
  TypeParam::safe_tangent(sample, sample.mesh.V, safe);
  EXPECT_LT((exact.to_sparse() - safe.to_sparse()).norm(), 1e-13 * exact.to_sparse().norm());
}

TYPED_TEST(NeoHookeanTangent, IsTheForcesGradientForInvertedTetsToo) {
  Sample sample;
  const Positions x = mangled(sample);
  ASSERT_LT(smallest_volume_ratio(sample.tets, x).ratio, -0.5);
  BlockMatrix A(sample.pattern);
  TypeParam::tangent(sample, x, A);
  const Positions direction = Positions::Random(x.rows(), 3);
  const double h = 1e-6;
  const Positions plus = x + h * direction;
  const Positions minus = x - h * direction;
  const Positions slope =
      (TypeParam::forces(sample, plus) - TypeParam::forces(sample, minus)) / (2 * h);
  const Vector expected = A.to_sparse() * stacked(direction);
  EXPECT_LT((expected + stacked(slope)).norm(), 1e-7 * expected.norm());
}

TYPED_TEST(NeoHookeanTangent, IsFiniteHoweverTetsCollapse) {
  Sample sample;
  for (const double scale : {0.0, -1.0, 1e-200}) {
    const Positions x = scale * sample.mesh.V;
    BlockMatrix exact(sample.pattern), safe(sample.pattern);
    TypeParam::tangent(sample, x, exact);
    TypeParam::safe_tangent(sample, x, safe);
    EXPECT_TRUE(std::isfinite(exact.to_sparse().norm())) << scale;
    EXPECT_TRUE(std::isfinite(safe.to_sparse().norm())) << scale;
    EXPECT_TRUE(TypeParam::forces(sample, x).allFinite()) << scale;
    EXPECT_TRUE(std::isfinite(TypeParam::energy(sample, x))) << scale;
  }
}

TEST(NeoHookeanLaw, ResistsTheShearOfASquareAsWrittenDown) {
  // Simple shear γ keeps the volume: I − 3 = γ², so W = V μ/2 γ² without the barrier and
  // V (2/3) μ (γ² − ln(1 + γ²/4)) with it.
  Sample sample;
  const double gamma = 0.7;
  Positions x = sample.mesh.V;
  x.col(0) += gamma * x.col(1);
  double V_mu = 0;
  for (int tet = 0; tet < sample.mesh.tet_count(); ++tet) {
    V_mu += sample.geometry.volumes[tet] * sample.materials.of(sample.mesh.region(tet)).mu();
  }
  EXPECT_NEAR(NeoHookeanForces<0>::energy(sample, x), V_mu * gamma * gamma / 2, 1e-12 * V_mu);
  EXPECT_NEAR(NeoHookeanForces<1>::energy(sample, x),
              V_mu * 2 / 3 * (gamma * gamma - std::log1p(gamma * gamma / 4)), 1e-12 * V_mu);
}

TEST(BlockMatrix, MultipliesLikeItsScalarForm) {
  Sample sample({1});
  BlockMatrix A(sample.pattern);
  StvkForces::tangent(sample, sample.deformed(), A);
  A.block(1)(0, 2) += 1e5;  // no longer symmetric
  const Vector x = Vector::Random(A.size());
  Vector y(A.size());
  A.multiply(x, y);
  const Vector expected = A.to_sparse() * x;
  EXPECT_LT((y - expected).norm(), 1e-14 * A.to_sparse().norm() * x.norm());
}

TEST(VolumeRatio, FindsTheTetThatShrankMost) {
  Sample sample;
  Positions x = 2 * sample.mesh.V;
  EXPECT_NEAR(smallest_volume_ratio(sample.tets, x).ratio, 8, 1e-12);
  const int tet = 11;
  const Vec3 centre = x(sample.mesh.T.row(tet), Eigen::all).colwise().mean().transpose();
  x.row(sample.mesh.T(tet, 0)) = (1.5 * centre).transpose();
  const VolumeRatio found = smallest_volume_ratio(sample.tets, x);
  double least = 1e9;
  int expected = -1;
  const std::vector<Mat3> F = deformation_gradients(sample.mesh, sample.geometry, x);
  for (int t = 0; t < sample.mesh.tet_count(); ++t) {
    if (F[t].determinant() < least) least = F[expected = t].determinant();
  }
  EXPECT_EQ(found.tet, expected);
  EXPECT_NEAR(found.ratio, least, 1e-12);
}

class Polar : public testing::Test {
 protected:
  /// U diag(stretches) Vᵀ with random rotations U and V.
  static Mat3 matrix_with(const Vec3& stretches, std::mt19937& random) {
    std::uniform_real_distribution<double> any(-3, 3);
    const auto turn = [&] { return rotation_exp(Vec3(any(random), any(random), any(random))); };
    return turn() * stretches.asDiagonal() * turn().transpose();
  }
  static void set(TetMatrices& batch, int lane, const Mat3& matrix) {
    for (int k = 0; k < 9; ++k) batch[0].entry[k][lane] = matrix(k / 3, k % 3);
  }
  static void expect_nearest(const Vec3& stretches, double tolerance) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 50; ++trial) {
      TetMatrices batch(1);
      std::vector<Mat3> inputs;
      for (int lane = 0; lane < kTetLanes; ++lane) {
        inputs.push_back(matrix_with(stretches, random));
        set(batch, lane, inputs.back());
      }
      nearest_rotations(batch);
      for (int lane = 0; lane < kTetLanes; ++lane) {
        const Mat3 R = matrix_of(batch, lane);
        EXPECT_LT((R - polar_rotation(inputs[lane])).norm(), tolerance) << stretches.transpose();
        EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), tolerance);
        EXPECT_GT(R.determinant(), 0.5);
      }
    }
  }
};

TEST_F(Polar, IsExactForOrdinaryStretches) {
  for (const Vec3& stretches : {Vec3(1, 1, 1), Vec3(1.2, 1, 0.9), Vec3(3, 1, 0.3), Vec3(2, 2, 0.1),
                                Vec3(1e-8, 2e-8, 1.5e-8), Vec3(1e30, 2e30, 1e30)}) {
    expect_nearest(stretches, 1e-13);
  }
}

TEST_F(Polar, StaysARotationForInvertedAndFlatTets) {
  // The nearest rotation is known to eps/(gap²) or better: gap = (s₂+s₃)/|s| is at least 0.05 here.
  for (const Vec3& stretches :
       {Vec3(1, 1, -0.5), Vec3(2, 1, -0.9), Vec3(1, 1, 0), Vec3(1, 0.1, 0), Vec3(10, 0.3, 0.2)}) {
    expect_nearest(stretches, 1e-11);
  }
}

TEST_F(Polar, NeverGivesAnythingButARotation) {
  TetMatrices batch(1);
  const double inf = std::numeric_limits<double>::infinity();
  const std::array<Mat3, 8> inputs{Mat3::Zero(),
                                   -Mat3::Identity(),
                                   Vec3(1, -1e-9, 0).asDiagonal(),
                                   Mat3::Constant(1),
                                   Mat3::Constant(inf),
                                   Mat3::Constant(std::nan("")),
                                   1e-300 * Mat3::Identity(),
                                   1e200 * Mat3::Identity()};
  for (int lane = 0; lane < kTetLanes; ++lane) set(batch, lane, inputs[lane]);
  nearest_rotations(batch);
  for (int lane = 0; lane < kTetLanes; ++lane) {
    const Mat3 R = matrix_of(batch, lane);
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-10) << lane;
    EXPECT_GT(R.determinant(), 0.5) << lane;
  }
}

}  // namespace
}  // namespace limber
