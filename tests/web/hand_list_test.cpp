#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "server/hand_list.h"

namespace limber::studio {
namespace {

Hand hand(int id, bool pinned) {
  Hand result;
  result.id = id;
  result.pinned = pinned;
  return result;
}

TEST(Hands, ThatWereLetGoLeaveNothingBehind) {
  HandList list;
  list.place(1, hand(5, false));
  EXPECT_TRUE(list.move(5, {1, 0, 0}, Vec3::Zero()));
  EXPECT_TRUE(list.pinned().empty());
  list.release(5);
  EXPECT_TRUE(list.hands().empty());
  EXPECT_FALSE(list.move(5, {1, 0, 0}, Vec3::Zero()));
}

TEST(Hands, ThatArePinnedAreReplacedTogether) {
  HandList list;
  list.place(1, hand(1, true));
  list.place(1, hand(2, false));
  EXPECT_TRUE(list.is_pinned(1));
  EXPECT_FALSE(list.is_pinned(2));
  list.set_pinned({hand(3, true), hand(4, true)});
  ASSERT_EQ(list.hands().size(), 3U);
  EXPECT_EQ(list.hands()[0].id, 2) << "somebody still holds it";
}

TEST(Hands, FollowTheirBodiesNumbers) {
  HandList list;
  for (int body = 0; body < 3; ++body) {
    Hand one = hand(body, true);
    one.body = body;
    list.place(1, one);
  }
  list.renumber([](int body) { return body == 1 ? -1 : 2 - body; });
  ASSERT_EQ(list.hands().size(), 2U);
  EXPECT_EQ(list.hands()[0].body, 2);
  EXPECT_EQ(list.hands()[1].body, 0);
}

TEST(Hands, OfAClientThatLeftAreReleasedUnlessPinned) {
  HandList list;
  list.place(1, hand(1, false));
  list.place(1, hand(2, true));
  list.place(2, hand(3, false));
  list.release_held_by(1);
  ASSERT_EQ(list.hands().size(), 2U);
  EXPECT_EQ(list.hands()[0].id, 2);
  EXPECT_EQ(list.hands()[1].id, 3);
}

TEST(Hands, BeyondSixtyFourAreRefused) {
  HandList list;
  for (int i = 0; i < 64; ++i) list.place(1, hand(i, true));
  EXPECT_THROW(list.place(1, hand(64, true)), Error);
  list.place(1, hand(63, false));  // known ones may still change
  EXPECT_EQ(list.hands().size(), 64U);
}

}  // namespace
}  // namespace limber::studio
