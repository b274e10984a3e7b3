#include "server/history.h"

#include <gtest/gtest.h>

namespace limber::studio {
namespace {

using namespace std::chrono_literals;

/// A version that is told by its truth's lane.
ProjectVersion version(int number) {
  ProjectVersion result;
  result.session.truth = number;
  return result;
}

using Names = std::vector<std::string>;

TEST(History, GoesBackAndOnByNames) {
  History history;
  const History::Clock::time_point now{};
  history.remember({"one", ""}, version(0), now);
  history.remember({"two", ""}, version(1), now);
  EXPECT_EQ(history.done(), (Names{"two", "one"}));
  EXPECT_EQ(history.back(version(2))->session.truth, 1);
  EXPECT_EQ(history.back(version(1))->session.truth, 0);
  EXPECT_FALSE(history.back(version(0)));
  EXPECT_EQ(history.undone(), (Names{"one", "two"}));
  EXPECT_EQ(history.on(version(0))->session.truth, 1);
  EXPECT_EQ(history.on(version(1))->session.truth, 2);
  EXPECT_FALSE(history.on(version(2)));
  EXPECT_EQ(history.done(), (Names{"two", "one"}));
}

TEST(History, ForgetsWhatWasUndoneOnceSomethingElseIsDone) {
  History history;
  history.remember({"one", ""}, version(0), {});
  (void)history.back(version(1));
  history.remember({"other", ""}, version(0), {});
  EXPECT_TRUE(history.undone().empty());
  EXPECT_EQ(history.done(), Names{"other"});
}

TEST(History, TakesASliderAsOneUntilItRests) {
  History history;
  History::Clock::time_point now{};
  for (int i = 0; i < 10; ++i) history.remember({"slide", "a"}, version(i), now += 100ms);
  EXPECT_EQ(history.done().size(), 1U);
  EXPECT_FALSE(history.begins({"slide", "a"}, now + 100ms));
  history.remember({"slide", "b"}, version(10), now += 100ms);
  history.remember({"slide", "b"}, version(11), now += 5s);
  EXPECT_EQ(history.done().size(), 3U);
  EXPECT_EQ(history.back(version(12))->session.truth, 11);
  EXPECT_EQ(history.back(version(11))->session.truth, 10);
  EXPECT_EQ(history.back(version(10))->session.truth, 0) << "the value before the slide";
  // What is done after going back is never a part of what was done before.
  (void)history.on(version(0));
  history.remember({"slide", "a"}, version(10), now);
  EXPECT_EQ(history.done().size(), 2U);
}

TEST(History, HasAnEnd) {
  History history;
  for (int i = 0; i < 1000; ++i) history.remember({"thing", ""}, version(i), {});
  EXPECT_EQ(history.done().size(), 200U);
  EXPECT_EQ(history.back(version(1000))->session.truth, 999);
}

}  // namespace
}  // namespace limber::studio
