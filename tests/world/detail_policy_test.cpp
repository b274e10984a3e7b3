// Who gets how much detail: pure functions.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "limber/core/error.h"
#include "limber/world/detail_policy.h"

namespace limber::detail_policy_tests {
namespace {

DetailRequest request(double seen, bool touching = false) {
  DetailRequest body;
  body.seen = seen;
  body.work.size = {300, {20, 16, 32, 0}};
  body.work.nodes = 300;
  body.work.touching = touching;
  body.work.contacts = touching ? 6 : 0;
  body.choice = {true, true, true};
  return body;
}

std::vector<DetailRequest> crowd(int count) {
  std::mt19937 random(5);
  std::vector<DetailRequest> bodies;
  for (int k = 0; k < count; ++k) {
    const double seen = 1e-3 * (1 + static_cast<double>(random() % 1000));
    bodies.push_back(request(seen, k % 7 == 0));
  }
  return bodies;
}

double cost_of(const std::vector<DetailRequest>& bodies, const DetailCosts& costs) {
  double sum = 0;
  for (const DetailRequest& body : bodies) {
    DetailLevel level = level_of(body, body.rung);
    level.local_nodes = std::min(level.local_nodes, body.work.touching ? 4 : 0);
    sum += step_cost(costs, body.work, level);
  }
  return sum;
}

TEST(DetailPolicy, WithoutNeedEverybodyHasAll) {
  std::vector<DetailRequest> bodies = crowd(50);
  const DetailShares shares = share_budget(bodies, {}, 1e9);
  EXPECT_TRUE(shares.held);
  for (const DetailRequest& body : bodies) EXPECT_EQ(body.rung, 0);
}

TEST(DetailPolicy, WhoIsSeenLessNeverStandsHigher) {
  for (const double budget : {100.0, 500.0, 1500.0, 4000.0}) {
    std::vector<DetailRequest> bodies = crowd(100);
    share_budget(bodies, {}, budget);
    for (const DetailRequest& a : bodies) {
      for (const DetailRequest& b : bodies) {
        if (a.seen < b.seen) EXPECT_GE(a.rung, b.rung);
      }
    }
  }
}

TEST(DetailPolicy, TheBudgetIsHeldAndSpent) {
  // Between the least and the most that they cost; a step of the search is a quarter of an octave,
  // by which at most a quarter of the bodies of one rung move on by one.
  std::vector<DetailRequest> bodies = crowd(100);
  const double all = share_budget(bodies, {}, 1e9).cost;
  const double least = share_budget(bodies, {}, 1e-3).cost;
  for (const double part : {0.1, 0.3, 0.5, 0.8}) {
    const double budget = least + part * (all - least);
    const DetailShares shares = share_budget(bodies, {}, budget);
    EXPECT_TRUE(shares.held);
    EXPECT_LE(shares.cost, budget);
    EXPECT_GT(shares.cost, 0.5 * budget);
    EXPECT_NEAR(shares.cost, cost_of(bodies, {}), 1e-9 * budget);
  }
}

TEST(DetailPolicy, ABudgetThatCannotBeHeldIsSaid) {
  std::vector<DetailRequest> bodies = crowd(100);
  const DetailShares shares = share_budget(bodies, {}, 1);
  EXPECT_FALSE(shares.held);
  EXPECT_GT(shares.cost, 1);
  for (const DetailRequest& body : bodies) EXPECT_EQ(body.rung, kDetailRungs - 1);
}

TEST(DetailPolicy, WhoHasNoChoiceIsLeftAsItIs) {
  std::vector<DetailRequest> bodies = crowd(10);
  bodies[3].choice = {};
  bodies[4].choice = {true, false, false};
  share_budget(bodies, {}, 1);
  EXPECT_EQ(bodies[3].rung, 0);
  const DetailLevel level = level_of(bodies[4], bodies[4].rung);
  EXPECT_EQ(level.interval, 1);
  EXPECT_EQ(level.local_nodes, 16);
  EXPECT_LT(level.modes, 20);
}

TEST(DetailPolicy, ModesThatHaveYetToStopAreStillPaidFor) {
  std::vector<DetailRequest> one{request(1, true)};
  const double stopped = share_budget(one, {}, 1).cost;
  one[0].now.modes = 20;
  EXPECT_GT(share_budget(one, {}, 1).cost, stopped);
}

TEST(DetailPolicy, EachRungIsCheaperThanTheOneAboveUntilThereIsNothingLeftToTake) {
  for (const bool touching : {false, true}) {
    const DetailRequest body = request(1, touching);
    for (int rung = 1; rung < kDetailRungs - 1; ++rung) {  // the last takes local nodes alone
      const DetailLevel lower = level_of(body, rung), upper = level_of(body, rung - 1);
      EXPECT_LT(step_cost({}, body.work, lower), step_cost({}, body.work, upper));
    }
  }
  EXPECT_EQ(level_at(0, {20, 16, 32, 0}), (DetailLevel{20, 16, 1, 0}));
  EXPECT_EQ(level_at(2, {20, 16, 32, 0}), (DetailLevel{10, 4, 4, 0}));
  EXPECT_EQ(level_at(kDetailRungs - 1, {20, 16, 32, 0}), (DetailLevel{4, 0, 32, 0}));
  EXPECT_EQ(level_at(kDetailRungs - 1, {3, 0, 32, 0}).modes, 3);
}

TEST(DetailPolicy, WhatIsSeenIsTheAngleTimesWhatMakesOneLook) {
  DetailView view;
  view.given = true;
  view.towards = {0, 0, -1};
  SeenBody body;
  body.centre = {0, 0, -10};
  body.radius = 0.5;
  EXPECT_NEAR(seen_size(view, body), 0.1, 1e-15);
  body.centre.z() = -20;
  EXPECT_NEAR(seen_size(view, body), 0.05, 1e-15);
  body.touching = true;
  EXPECT_NEAR(seen_size(view, body), 0.1, 1e-15);
  body.speed = 100;
  EXPECT_NEAR(seen_size(view, body), 0.2, 1e-15);
  body.importance = 3;
  EXPECT_NEAR(seen_size(view, body), 0.6, 1e-15);
  body.centre.z() = 20;  // behind
  EXPECT_NEAR(seen_size(view, body), 0.075, 1e-15);
  body = {};
  body.radius = 0.5;  // the eye is inside
  EXPECT_NEAR(seen_size(view, body), 2, 1e-15);
}

TEST(DetailPolicy, NumbersOutOfRangeAreRefused) {
  DetailCosts costs;
  costs.contact = 0;
  EXPECT_THROW(check(costs), Error);
  DetailView view;
  view.half_angle = 4;
  EXPECT_THROW(check(view), Error);
}

}  // namespace
}  // namespace limber::detail_policy_tests
