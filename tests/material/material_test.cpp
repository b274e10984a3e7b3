// Materials in and out of range, and Lamé's constants.
#include "limber/material/material.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/error.h"

namespace limber {
namespace {

TEST(Material, LameConstantsGiveYoungAndPoissonBack) {
  const Material material{3e5, 0.27, 900};
  const double lambda = material.lambda();
  const double mu = material.mu();
  EXPECT_NEAR(mu * (3 * lambda + 2 * mu) / (lambda + mu), 3e5, 1e-9);
  EXPECT_NEAR(lambda / (2 * (lambda + mu)), 0.27, 1e-14);
}

TEST(Material, NumbersOutOfRangeAreRefused) {
  const double nan = std::nan("");
  for (const Material& wrong : {Material{0, 0.3, 1},
                                {-1, 0.3, 1},
                                {nan, 0.3, 1},
                                {1, 0.5, 1},
                                {1, -1, 1},
                                {1, nan, 1},
                                {1, 0.3, 0},
                                {1, 0.3, INFINITY},
                                {INFINITY, 0.3, 1}}) {
    EXPECT_THROW(check(wrong, "test"), Error);
  }
  EXPECT_NO_THROW(check(Material{1, 0.4999, 1}, "test"));
}

TEST(Material, RegionsNotNamedHaveTheBase) {
  Materials materials(Material{1, 0.1, 2});
  materials.by_region[4] = {5, 0.2, 3};
  EXPECT_EQ(materials.of(4).young, 5);
  EXPECT_EQ(materials.of(0).young, 1);
  materials.by_region[7] = {-5, 0.2, 3};
  EXPECT_THROW(check(materials), Error);
}

}  // namespace
}  // namespace limber
