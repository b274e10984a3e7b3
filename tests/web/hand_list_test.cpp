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

TEST(Hands, ThatWereLetGoLeaveNothingToUndo) {
  HandList list;
  list.place(1, hand(5, false));
  list.move(5, {1, 0, 0}, Vec3::Zero(), true);
  list.release(5);
  EXPECT_TRUE(list.hands().empty());
  EXPECT_FALSE(list.can_undo());
}

TEST(Hands, AreUndoneAndRedoneOneByOne) {
  HandList list;
  list.place(1, hand(1, true));
  list.place(1, hand(2, true));
  list.release(1);
  ASSERT_EQ(list.hands().size(), 1U);
  list.undo();
  EXPECT_EQ(list.hands().size(), 2U);
  list.undo();
  ASSERT_EQ(list.hands().size(), 1U);
  EXPECT_EQ(list.hands().front().id, 1);
  list.undo();
  EXPECT_TRUE(list.hands().empty());
  EXPECT_FALSE(list.can_undo());
  list.redo();
  list.redo();
  list.redo();
  ASSERT_EQ(list.hands().size(), 1U);
  EXPECT_EQ(list.hands().front().id, 2);
  EXPECT_FALSE(list.can_redo());
}

TEST(Hands, MovedInOneGoAreUndoneInOneGo) {
  HandList list;
  list.place(1, hand(1, true));
  for (int i = 1; i <= 10; ++i) list.move(1, Vec3(i, 0, 0), Vec3::Zero(), false);
  for (int i = 1; i <= 5; ++i) list.move(1, Vec3(50 + i, 0, 0), Vec3::Zero(), i == 1);
  list.undo();
  EXPECT_EQ(list.hands().front().target, Vec3(10, 0, 0));
  list.undo();
  EXPECT_TRUE(list.hands().empty()) << "the drag that placed it is part of the placing";
  list.redo();
  EXPECT_EQ(list.hands().front().target, Vec3(10, 0, 0));
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
