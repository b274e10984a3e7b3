#include "limber/compare/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/compare/percent.h"
#include "limber/compare/write_comparison.h"
#include "limber/core/error.h"

namespace limber {
namespace {

SceneDescription bar_scene(double gravity = 1, const std::string& more = "") {
  return parse_scene(
      R"({"limber": 1, "gravity": [0, -)" + std::to_string(gravity) +
          R"(, 0], "time_step": 0.02, "duration": 0.2, "bodies": [{"name": "bar", "shape": "bar",
        "size": [1, 0.2, 0.2], "cells": [10, 2, 2],
        "material": {"young": 2e5, "poisson": 0.3, "density": 1000},
        "fixed": ["x<=0.001"], "modes": 8, "probes": {"tip": [1, 0.1, 0.1]})" +
          more + "}]}",
      ".", "bar");
}

CompareOptions rest_only() { return {true, false, 0}; }
CompareOptions motion_only() { return {false, true, 0}; }

ComparisonPage page_of(const SceneDescription& scene, const std::vector<std::string>& methods,
                       const std::string& truth, const CompareOptions& options) {
  ComparisonPage page;
  page.scene = "bar";
  page.truth = truth;
  const MethodRun* found = nullptr;
  for (const std::string& method : methods) {
    page.runs.push_back(run_method(scene, method, options));
  }
  for (const MethodRun& run : page.runs) {
    if (run.method == truth) found = &run;
  }
  page.summaries = summarise(page.runs, found);
  return page;
}

TEST(Comparison, NodeVolumesAddUpToTheBody) {
  const SceneWorld world(bar_scene());
  const Vector volumes = node_volumes(world.bodies().front().mesh());
  EXPECT_GT(volumes.minCoeff(), 0);
  EXPECT_NEAR(volumes.sum(), 0.04, 1e-15);
}

TEST(Comparison, NormOfAUniformShiftIsTheRootOfTheVolumeTimesTheShift) {
  const SceneWorld world(bar_scene());
  Snapshot state = snapshot(world);
  EXPECT_EQ(displacement_norm(world, state), 0);
  const Snapshot rest = state;
  state.displacements[0].rowwise() += Eigen::RowVector3d(0.3, 0, -0.4);
  EXPECT_NEAR(displacement_norm(world, state), std::sqrt(0.04) * 0.5, 1e-12);
  EXPECT_NEAR(displacement_distance(world, state, rest), std::sqrt(0.04) * 0.5, 1e-12);
}

TEST(Comparison, TheFirstSwingIsThePeriodOfAnOscillator) {
  const double period = 0.77;
  std::vector<double> times, swinging, creeping;
  for (int k = 0; k < 100; ++k) {
    const double t = 0.01 * k;
    const double ripple = 0.002 * std::sin(200 * t);  // must not count
    times.push_back(t);
    swinging.push_back(1 - std::cos(2 * std::acos(-1.0) * t / period));
    creeping.push_back(1 - std::exp(-t) + ripple);
  }
  // The parabola's error goes with the fourth derivative: (2π h/T)² / 12 of a frame.
  EXPECT_NEAR(first_swing(times, swinging), period, 1e-4);
  EXPECT_TRUE(std::isnan(first_swing(times, creeping)));
  EXPECT_TRUE(std::isnan(first_swing({}, {})));
}

TEST(Comparison, TheTruthHasNoErrorAgainstItself) {
  const ComparisonPage page =
      page_of(bar_scene(), {"linear-modal", "modal-warping"}, "modal-warping", CompareOptions{});
  EXPECT_EQ(page.summaries[1].rest_error, 0);
  EXPECT_EQ(page.summaries[1].motion_error, 0);
  EXPECT_GT(page.summaries[0].rest_error, 0);
  EXPECT_GT(page.summaries[0].motion_error, 0);
  EXPECT_EQ(page.summaries[0].error.size(), page.runs[0].frames.size());
}

// Choi & Ko's bar: linear and warped modes against nonlinear FEM under three gravities. The numbers
// come from an independent program and are printed to three digits: half a unit of the last.
TEST(Comparison, ErrorsOfTheBarUnderGravityAreThoseOfTheReference) {
  struct Case {
    double gravity, linear, warped, linear_volume, warped_volume;
  };
  constexpr double kPrinted = 0.0006;
  for (const Case& c :
       {Case{1, 0.054, 0.007, 0.011, -0.0004}, Case{5, 0.278, 0.054, 0.268, -0.011}}) {
    const ComparisonPage page =
        page_of(bar_scene(c.gravity, R"(, "loads": "rotated")"),
                {"linear-modal", "modal-warping", "stvk"}, "stvk", rest_only());
    EXPECT_NEAR(page.summaries[0].rest_error, c.linear, kPrinted);
    EXPECT_NEAR(page.summaries[1].rest_error, c.warped, kPrinted);
    EXPECT_NEAR(page.summaries[0].rest_volume, c.linear_volume, kPrinted);
    EXPECT_NEAR(page.summaries[1].rest_volume, c.warped_volume, kPrinted);
    EXPECT_EQ(page.summaries[2].rest_error, 0);
  }
}

TEST(Comparison, DisplacementsAreSeenFromTheSupport) {
  // Without gravity a support at constant speed leaves the body undeformed.
  SceneDescription scene = bar_scene(1, R"(, "support": [{"time": 0, "position": [0, 0, 0]},
      {"time": 1, "position": [2, 0, 0]}], "method": "modal-warping")");
  scene.gravity.clear();
  const MethodRun run = run_method(scene, "modal-warping", motion_only());
  EXPECT_GT(run.frames.back().nodes[0](0, 0), 0.1);
  EXPECT_NEAR(displacement_norm(*run.world, run.frames.back()), 0, 1e-9);
}

TEST(Comparison, TablesHoldARowForEachMethodAndFrame) {
  const ComparisonPage page =
      page_of(bar_scene(), {"linear-modal", "modal-warping"}, "modal-warping", CompareOptions{});
  const std::string summary = summary_csv(page), frames = frames_csv(page);
  EXPECT_EQ(std::count(summary.begin(), summary.end(), '\n'), 3);
  EXPECT_EQ(std::count(frames.begin(), frames.end(), '\n'), 1 + 2 * 11);
  EXPECT_NE(frames.find("tip.y"), std::string::npos);
  const auto json = nlohmann::json::parse(comparison_json(page));
  EXPECT_EQ(json["truth"], "modal-warping");
  EXPECT_EQ(json["methods"].size(), 2u);
  EXPECT_EQ(json["methods"][0]["motion"]["frames"].size(), 11u);
  EXPECT_NEAR(json["methods"][0]["rest"]["error"], page.summaries[0].rest_error, 1e-15);
}

TEST(Comparison, PercentagesAreReadableAtEverySize) {
  EXPECT_EQ(percent_text(0.123456), "12.3 %");
  EXPECT_EQ(percent_text(-0.00012345, Sign::always), "-0.0123 %");
  EXPECT_EQ(percent_text(33.0218, Sign::always), "+3302 %");
  EXPECT_EQ(percent_text(9.99501), "1000 %");  // where three digits would give 1e+03
  EXPECT_EQ(percent_text(0, Sign::always), "+0 %");
  EXPECT_EQ(percent_text(1e9), "1e+11 %");
}

TEST(Comparison, AFailureNamesItsBodyWhereThereAreSeveral) {
  // Without anything that holds it, a body has no equilibrium under gravity.
  SceneDescription scene = bar_scene();
  const MethodRun held = run_method(scene, "corotational", rest_only());
  EXPECT_TRUE(held.rest_failure.empty());
  scene.bodies.push_back(scene.bodies.front());
  scene.bodies.back().name = "loose";
  scene.bodies.back().fixed.clear();
  const MethodRun two = run_method(scene, "corotational", rest_only());
  EXPECT_NE(two.rest_failure.find("(loose"), std::string::npos) << two.rest_failure;
  scene.bodies.erase(scene.bodies.begin());
  const MethodRun one = run_method(scene, "corotational", rest_only());
  EXPECT_FALSE(one.rest_failure.empty());
  EXPECT_EQ(one.rest_failure.find("loose"), std::string::npos) << one.rest_failure;
}

TEST(Comparison, UnknownNumbersAreEmptyNotNan) {
  const ComparisonPage page = page_of(bar_scene(), {"linear-modal"}, "", rest_only());
  EXPECT_EQ(summary_csv(page).find("nan"), std::string::npos);
  EXPECT_EQ(summary_text(page).find("nan"), std::string::npos);
  EXPECT_TRUE(
      nlohmann::json::parse(comparison_json(page))["methods"][0]["rest"]["error"].is_null());
}

}  // namespace
}  // namespace limber
