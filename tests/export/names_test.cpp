#include "limber/export/names.h"

#include <gtest/gtest.h>

namespace limber {
namespace {

using Names = std::vector<std::string>;

TEST(Names, FilesKeepWhatEverySystemAllows) {
  EXPECT_EQ(file_names({"bar", "Bär 2", "..", "a/b\\c:d", "\x01\x7F", ""}),
            (Names{"bar", "Bär 2", "..", "a_b_c_d", "__", "body"}));
}

TEST(Names, BytesThatAreNotTextBecomeUnderscores) {
  // A lone continuation, an overlong slash, a surrogate, a cut sequence.
  EXPECT_EQ(file_names({"a\x80", "\xC0\xAF", "\xED\xA0\x80", "b\xE2\x82"}),
            (Names{"a_", "__", "___", "b__"}));
}

TEST(Names, RepeatedNamesAreCounted) {
  EXPECT_EQ(file_names({"a", "a", "a_2", "a"}), (Names{"a", "a_2", "a_2_2", "a_3"}));
}

TEST(Names, IdentifiersAreAsciiAndDoNotStartWithADigit) {
  EXPECT_EQ(identifiers({"bar", "2 bars", "Bär", "", "a-b", "a.b"}),
            (Names{"bar", "_2_bars", "B_r", "body", "a_b", "a_b_2"}));
}

TEST(Names, CodePointsOfAllLengths) {
  EXPECT_EQ(code_points("aä€😀"), U"aä€😀");
  EXPECT_EQ(code_points("\xFF"), U"\uFFFD");
}

}  // namespace
}  // namespace limber
