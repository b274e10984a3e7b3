// What one step may cost: contacts cut it into parts and substeps, and a body may need as many
// explicit steps in each as it may in a step of its own.
#include <gtest/gtest.h>

#include "contact/contact_scene.h"
#include "limber/core/error.h"
#include "limber/modes/bake.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

constexpr double kH = 0.01;            // s
constexpr long kMostPasses = 100'000;  // in a step, as documented

const TetMesh& cube() {
  static const TetMesh mesh = bar_five_tets(Vec3::Constant(0.1), {1, 1, 1});
  return mesh;
}

Collider::Shared cube_surface() {
  static const Collider::Shared shape = Collider::soft(bake(cube(), kRubber, {}, {1}));
  return shape;
}

/// Waves take 0.1 m / √(E/ρ) through it, and an explicit part may take so small a share of that,
/// its circles being wide: 5e-10 s at 1e18 Pa.
std::unique_ptr<DynamicBody> explicit_body(double young) {
  FullBodyOptions options = with(Method::stvk);
  options.integrator = TimeIntegrator::symplectic_euler;
  return std::make_unique<FullBody>(cube(), Materials(Material{young, 0.3, 1000}),
                                    std::vector<int>{}, options);
}

/// An explicit body, and a ball that falls far from it. `shots`: another one flies through it in
/// the middle of a step, hundreds of sizes fast, which cuts the step into 256 parts.
struct Range {
  explicit Range(double young, bool shots) {
    const Collider::Shared ball = Collider::sphere(0.05);
    id = world.add("body", explicit_body(young), {cube_surface(), {}, {}});
    far = world.add("far",
                    std::make_unique<RigidBody>(filled_evenly(*ball, 1), test::placed({1e6, 0, 0}),
                                                test::falling()),
                    {ball, {}, {}});
    if (!shots) return;
    const std::vector<SupportKey> keys{{0, Vec3(-50, 0.05, 0.05)}, {kH, Vec3(50, 0.05, 0.05)}};
    world.add_obstacle("shot", {ball, {}, {}}, SupportMotion(keys, Interpolation::linear));
  }

  [[nodiscard]] const WorldBody& body() const { return world.body(id); }

  World world;
  BodyId id, far;
};

TEST(StepCost, ABodyStopsWhenThePartsOfAStepCostTooMuchAndTheRestGoesOn) {
  // 2e7 parts, some 80,000 in each of the 256.
  Range range(1e18, true);
  ASSERT_FALSE(range.world.step(kH));
  ASSERT_TRUE(range.body().stopped());
  EXPECT_EQ(range.body().fault.kind, Fault::Kind::costly);
  EXPECT_EQ(std::string(error_of(range.body().fault, "body").what()),
            "the parts of one step take more than 1e+05 passes over its elements (body): use a "
            "smaller step, slower motion or softer materials");
  // What goes beyond is still finished, and is not more than a step of its own may be.
  EXPECT_GT(range.body().passes, kMostPasses);
  EXPECT_LE(range.body().passes, 2 * kMostPasses);
  EXPECT_FALSE(range.world.body(range.far).stopped());
  EXPECT_NEAR(range.world.body(range.far).dynamics->time(), kH, 1e-12);
  EXPECT_LT(range.world.body(range.far).dynamics->momentum().linear.y(), 0);
}

TEST(StepCost, WhereItStopsIsCounted) {
  Range range(1e18, true);
  const WorldSnapshot before = range.world.snapshot();
  ASSERT_FALSE(range.world.step(kH));
  const double stopped_at = range.body().stopped_at;
  const WorldSnapshot after = range.world.snapshot();
  EXPECT_GT(stopped_at, 0);
  range.world.restore(before);
  ASSERT_FALSE(range.world.step(kH));
  EXPECT_EQ(range.body().stopped_at, stopped_at);
  EXPECT_TRUE(range.world.snapshot() == after);
}

TEST(StepCost, AStepInOnePartMayCostWhatItsIntegratorAllows) {
  Range range(1e13, false);  // some 6e4 parts
  for (int k = 0; k < 3; ++k) {
    ASSERT_FALSE(range.world.step(kH));
    ASSERT_FALSE(range.body().stopped());
  }
  EXPECT_GT(range.body().passes, 1000);
}

TEST(StepCost, SoftBodiesBearTheSameParts) {
  // Until the ball meets them, half a step and 128 parts later; no body of elements survives that.
  Range range(1e6, true);
  ASSERT_FALSE(range.world.step(kH));
  EXPECT_NE(range.body().fault.kind, Fault::Kind::costly);
  EXPECT_GE(range.body().dynamics->time(), kH * 127 / 256);
  EXPECT_GE(range.body().passes, 127);
}

TEST(StepCost, ComingToRestEndsWithALineAndLeavesTheWorldInUse) {
  // 20,000 steps of 1/120 s would be 1e9 parts.
  Range range(1e13, false);
  DynamicBody& body = *range.world.body(range.id).dynamics;
  body.set_velocity({0.01, 0, 0}, {0, 1, 0});
  try {
    range.world.settle();
    FAIL() << "it came to rest";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::work_failed);
    EXPECT_EQ(std::string(error.what()),
              "no rest within 1000000 passes over the elements (body): use the implicit "
              "integrator, softer materials or fewer elements");
  }
  EXPECT_EQ(range.world.time(), 0);
  EXPECT_EQ(body.time(), 0);
  EXPECT_TRUE(range.world.contacts().options().sleeping);
}

}  // namespace
}  // namespace limber
