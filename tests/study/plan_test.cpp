// Plans, what follows from them for each participant, shots, clicks, and answers on disk.
#include "limber/study/plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/study/answers.h"
#include "limber/study/ledger.h"
#include "limber/study/schedule.h"
#include "limber/study/stimulus.h"

namespace limber::study {
namespace {

const std::filesystem::path kPlans =
    std::filesystem::path(LIMBER_SOURCE_DIR) / "examples" / "study";

Plan passive() { return read_plan(kPlans / "garcia-2-passive.json"); }

TEST(Schedule, HasEveryConditionAsOftenAsThePlanSays) {
  const Plan plan = read_plan(kPlans / "garcia-4-collisions.json");
  std::map<std::vector<int>, int> times;
  for (const Trial& trial : schedule_of(plan, 3)) ++times[trial.condition];
  EXPECT_EQ(times.size(), 24U);  // 2 models × 3 stiffnesses × 2 qualities × 2 cameras
  for (const auto& [condition, count] : times) EXPECT_EQ(count, 2);
}

TEST(Schedule, IsTheSameAgainAndAnotherForOthers) {
  const Plan plan = passive();
  const auto order = [&](int participant) {
    std::vector<std::vector<int>> all;
    for (const Trial& trial : schedule_of(plan, participant)) {
      all.push_back({trial.condition[0], trial.repeat, trial.shown[0][0]});
    }
    return all;
  };
  EXPECT_EQ(order(1), order(1));
  std::set<std::vector<std::vector<int>>> different;
  for (int participant = 1; participant <= 40; ++participant) different.insert(order(participant));
  EXPECT_GE(different.size(), 38U);  // of 6! · 2³ = 5760: two pairs alike among 40 are 1 in 100
}

TEST(Schedule, ShowsEachModelFirstAsOftenInEveryCondition) {
  const Plan plan = passive();
  int first = 0;
  for (int participant = 1; participant <= 100; ++participant) {
    std::map<int, int> balance;
    for (const Trial& trial : schedule_of(plan, participant)) {
      balance[trial.condition[0]] += trial.shown[0][0] == 1 ? 1 : -1;
      if (trial.repeat == 0) first += trial.shown[0][0];
    }
    for (const auto& [condition, sum] : balance) EXPECT_EQ(sum, 0);  // two repeats, both ways
  }
  EXPECT_NEAR(first, 150, 35);  // a coin 300 times: 8.7 is a deviation, this is four
}

TEST(Shots, AreTheSameWhateverIsComparedAndDifferByRepeat) {
  const Plan plan = passive();
  const Experiment& experiment = plan.experiments[0];
  const Stimulus global = make_stimulus(plan, experiment, {{0}, {0}, 0});
  const Stimulus local = make_stimulus(plan, experiment, {{0}, {1}, 0});
  const Stimulus stiff = make_stimulus(plan, experiment, {{1}, {1}, 0});
  const Stimulus again = make_stimulus(plan, experiment, {{0}, {1}, 1});
  ASSERT_EQ(global.shots.size(), 14U);
  for (std::size_t k = 0; k < global.shots.size(); ++k) {
    EXPECT_EQ(global.shots[k].muzzle, local.shots[k].muzzle);
    EXPECT_EQ(global.shots[k].velocity, stiff.shots[k].velocity);
  }
  EXPECT_NE(global.shots[0].muzzle, again.shots[0].muzzle);
  EXPECT_EQ(global.scene.bodies[0].method, Method::modal_warping);
  EXPECT_EQ(local.scene.bodies[0].method, Method::global_local);
  EXPECT_EQ(stiff.scene.bodies[0].materials.base.young, 80000);
  EXPECT_NE(global.identity, local.identity);
}

TEST(Shots, PassTheMuzzleWhenTheyAreShotAndReachTheAim) {
  Cannon cannon;
  cannon.balls = 50;
  cannon.aim_low = {-0.1, 0.2, 0};
  cannon.aim_high = {0.1, 0.5, 0};
  const std::vector<Shot> shots = shots_of(cannon, 7);
  const nlohmann::json balls = ball_obstacles(cannon, shots);
  for (std::size_t k = 0; k < shots.size(); ++k) {
    const Shot& shot = shots[k];
    const auto at = balls[k]["position"].get<std::vector<double>>();
    const Vec3 then = Vec3(at[0], at[1], at[2]) + shot.time * shot.velocity;
    EXPECT_LT((then - shot.muzzle).norm(), 1e-12);
    const Vec3 hit = shot.muzzle + cannon.distance / shot.velocity.norm() * shot.velocity;
    EXPECT_LE(std::abs(hit[0]), 0.1 + 1e-12);
    EXPECT_NEAR(hit[1], 0.35, 0.15 + 1e-12);
    EXPECT_GT(shot.muzzle[2], 0.49);  // within 60 degrees of the front
    if (k > 0) {
      EXPECT_GE(shot.time - shots[k - 1].time, 0.3);
    }
  }
}

TEST(Clicks, ExplainOneContactEach) {
  const std::vector<double> contacts{1.0, 1.3, 5.0, 9.0};
  // Too early for the first; then both; one nobody knows why; one too late for the last.
  const ClickScore score = score_clicks(contacts, {1.05, 1.2, 1.5, 3.0, 10.2}, {0.1, 1.0});
  ASSERT_EQ(score.reactions.size(), 4U);
  EXPECT_NEAR(score.reactions[0], 0.2, 1e-12);
  EXPECT_NEAR(score.reactions[1], 0.2, 1e-12);
  EXPECT_LT(score.reactions[2], 0);
  EXPECT_LT(score.reactions[3], 0);
  EXPECT_EQ(score.seen(), 2);
  EXPECT_EQ(score.false_alarms, (std::vector<double>{1.05, 3.0, 10.2}));
}

TEST(Plan, OfMoreTrialsThanAnybodyAnswersIsRefusedBeforeTheyAreListed) {
  nlohmann::json plan = nlohmann::json::parse(FileBytes(kPlans / "garcia-2-passive.json").text());
  nlohmann::json& conditions = plan["experiments"][0]["conditions"];
  for (int k = 0; k < 60; ++k) {  // 2⁶⁰ trials
    nlohmann::json levels = nlohmann::json::array();
    for (const char* name : {"low", "high"})
      levels.push_back({{"name", name}, {"set", {{"key" + std::to_string(k), name}}}});
    conditions.push_back({{"name", "factor" + std::to_string(k)}, {"levels", levels}});
  }
  EXPECT_THROW((void)parse_plan(plan.dump(), kPlans, "plan.json"), Error);
}

class LedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / "limber-ledger-test";
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(LedgerTest, KeepsAnswersAcrossARestart) {
  const Plan plan = passive();
  const nlohmann::json person{{"age", 33}, {"gender", "woman"}, {"games", "never"}};
  {
    Ledger ledger(plan, folder_);
    ledger.begin("secret");
    EXPECT_FALSE(ledger.asked("secret"));
    EXPECT_THROW(ledger.answer_questions("secret", {{"age", 7}}), Error);
    EXPECT_THROW(ledger.answer_questions("secret", {{"age", 33}}), Error);
    ledger.answer_questions("secret", person);
    EXPECT_THROW(ledger.answer("secret", {{"choice", 3}, {"seconds", 1}}, {}, {}), Error);
    ledger.answer("secret", {{"choice", 2}, {"seconds", 1.5}}, {}, nlohmann::json::object());
    EXPECT_EQ(ledger.next_trial("secret"), 1);
    EXPECT_THROW(Ledger(plan, folder_), Error);  // one server a folder
  }
  Ledger ledger(plan, folder_);
  EXPECT_TRUE(ledger.asked("secret"));
  EXPECT_EQ(ledger.next_trial("secret"), 1);
  EXPECT_FALSE(ledger.knows("other"));
  const auto experiments = read_answers({folder_});
  ASSERT_EQ(experiments.size(), 1U);
  ASSERT_EQ(experiments[0].answers.size(), 1U);
  const Trial trial = schedule_of(plan, 1)[0];
  EXPECT_EQ(experiments[0].answers[0].choice, 1);
  EXPECT_EQ(experiments[0].answers[0].shown, trial.shown);
  std::ifstream table(folder_ / "passive.csv");
  std::string header, row;
  std::getline(table, header);
  std::getline(table, row);
  EXPECT_TRUE(header.starts_with("participant,age,gender,games,remarks,trial,scenario,repeat"));
  EXPECT_TRUE(row.starts_with("1,33")) << row;
}

TEST_F(LedgerTest, RefusesTheAnswersOfAnotherPlan) {
  {
    const Plan plan = passive();
    Ledger(plan, folder_).begin("a");
  }
  const Plan other = read_plan(kPlans / "garcia-3-material.json");
  EXPECT_THROW(Ledger(other, folder_), Error);
}

}  // namespace
}  // namespace limber::study
