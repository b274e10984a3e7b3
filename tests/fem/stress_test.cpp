// Von Mises' stress of the tets: tensile and shear tests, turns, and the energies' own derivatives.
#include "limber/fem/stress.h"

#include <gtest/gtest.h>

#include <numeric>

#include "limber/core/rotation.h"
#include "limber/fem/neo_hookean.h"
#include "limber/fem/stiffness.h"
#include "limber/fem/stvk.h"
#include "support/random_mesh.h"

namespace limber {
namespace {

const Material kStuff{2e5, 0.3, 1000};
constexpr StressLaw kLaws[] = {StressLaw::linear, StressLaw::corotational, StressLaw::stvk,
                               StressLaw::neo_hookean};

TetMesh bar() { return shaken_bar({1, 0.3, 0.2}, {3, 1, 1}); }

Positions mapped(const TetMesh& mesh, const Mat3& F) { return mesh.V * F.transpose(); }

TEST(Stress, OfATensileTestIsYoungsModulusTimesTheStretch) {
  const TetMesh mesh = bar();
  constexpr double e = 1e-5;
  const Vec3 stretch(1 + e, 1 - kStuff.poisson * e, 1 - kStuff.poisson * e);
  const Positions pulled = mapped(mesh, stretch.asDiagonal());
  for (const StressLaw law : kLaws) {
    const Vector stress = von_mises_stress(mesh, kStuff, law, pulled);
    ASSERT_EQ(stress.size(), mesh.tet_count());
    // Laws differ by the square of the strain: some e of the stress; rounding is 1e-16/e.
    EXPECT_LT((stress.array() / (kStuff.young * e) - 1).abs().maxCoeff(), 10 * e);
  }
}

TEST(Stress, OfAShearIsItsModulusTimesTheAngleTimesTheRootOfThree) {
  const TetMesh mesh = bar();
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = 1e-5;
  const Vector stress = von_mises_stress(mesh, kStuff, StressLaw::linear, mapped(mesh, shear));
  // τ = μ γ, σ_vM = √3 τ: exact for the linear law but for rounding, 1e-16/γ.
  const double expected = std::sqrt(3.0) * kStuff.mu() * shear(0, 1);
  EXPECT_LT((stress.array() / expected - 1).abs().maxCoeff(), 1e-9);
}

TEST(Stress, HasItsRegionsModuli) {
  TetMesh mesh = bar();
  mesh.regions.assign(static_cast<std::size_t>(mesh.tet_count()), 0);
  mesh.regions[2] = 7;
  Materials materials(kStuff);
  materials.by_region[7] = {10 * kStuff.young, kStuff.poisson, 1000};
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = 0.01;
  const Vector stress = von_mises_stress(mesh, materials, StressLaw::linear, mapped(mesh, shear));
  EXPECT_NEAR(stress[2] / stress[0], 10, 1e-9);
}

TEST(Stress, IsNoneWherePressureIsTheSameAllRoundAndNoneOfTurns) {
  const TetMesh mesh = bar();
  const Mat3 turn = rotation_exp(Vec3(0.4, -0.9, 1.3));
  for (const StressLaw law : kLaws) {
    // Rounding of F, some 1e-15 of the moduli.
    const Vector pressed =
        von_mises_stress(mesh, kStuff, law, mapped(mesh, 0.8 * Mat3(Mat3::Identity())));
    EXPECT_LT(pressed.maxCoeff(), 1e-12 * kStuff.young);
    const Vector turned = von_mises_stress(mesh, kStuff, law, mapped(mesh, turn));
    if (law == StressLaw::linear) {
      EXPECT_GT(turned.minCoeff(), 0.1 * kStuff.young);  // takes the turn for a strain
    } else {
      EXPECT_LT(turned.maxCoeff(), 1e-12 * kStuff.young);
    }
  }
}

TEST(Stress, IsThatOfTheLawsEnergies) {
  const TetMesh mesh = bar();
  Mat3 F;
  F << 1.2, 0.3, -0.1, -0.2, 0.9, 0.15, 0.05, 0.1, 1.1;
  F = rotation_exp(Vec3(0.5, 0.2, -0.7)) * F;
  const ElementGeometry geometry = element_geometry(mesh);
  const TetBatches tets(mesh, Materials(kStuff), geometry);
  const double volume = std::accumulate(geometry.volumes.begin(), geometry.volumes.end(), 0.0);
  const auto check = [&](StressLaw law, const auto& energy) {
    // P = ∂W/∂F by central differences of the whole bar's energy over its volume at rest.
    constexpr double h = 1e-5;
    Mat3 P;
    for (int i = 0; i < 9; ++i) {
      Mat3 more = F, less = F;
      more.data()[i] += h;
      less.data()[i] -= h;
      P.data()[i] = (energy(mapped(mesh, more)) - energy(mapped(mesh, less))) / (2 * h * volume);
    }
    Mat3 deviator = P * F.transpose() / F.determinant();
    deviator.diagonal().array() -= deviator.trace() / 3;
    const double expected = std::sqrt(1.5) * deviator.norm();
    const Vector stress = von_mises_stress(mesh, kStuff, law, mapped(mesh, F));
    // Differences err by h² and by rounding, 1e-16/h: 1e-10 and 1e-11, times a few.
    EXPECT_LT((stress.array() / expected - 1).abs().maxCoeff(), 1e-8);
  };
  check(StressLaw::stvk, [&](const Positions& x) { return stvk_energy(tets, x); });
  check(StressLaw::neo_hookean,
        [&](const Positions& x) { return neo_hookean_energy(tets, NeoHookean{}, x); });
}

TEST(Stress, OfFlatAndInvertedTetsIsFinite) {
  const TetMesh mesh = bar();
  for (const StressLaw law : kLaws) {
    for (const double part : {0.0, -0.5}) {
      const Vec3 squeeze(1, part, 1);
      EXPECT_TRUE(
          von_mises_stress(mesh, kStuff, law, mapped(mesh, squeeze.asDiagonal())).allFinite());
    }
  }
}

}  // namespace
}  // namespace limber
