// Text from files never drives the terminal.
#include "limber/core/printable.h"

#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/core/finite.h"

namespace limber {
namespace {

TEST(Printable, OrdinaryTextStays) { EXPECT_EQ(printable("Größe 3 µm, 猫 🐘"), "Größe 3 µm, 猫 🐘"); }

TEST(Printable, ControlsAreShown) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable(std::string("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\xc2\\x9b31m")
      << "CSI as one character";
}

TEST(Printable, OverridesOfTheReadingOrderAreShown) {
  EXPECT_EQ(printable("a\u202Egnp.exe"), "a\\xe2\\x80\\xaegnp.exe");
  EXPECT_EQ(printable("\u2066x\u2069"), "\\xe2\\x81\\xa6x\\xe2\\x81\\xa9");
  EXPECT_EQ(printable("a\u2028b"), "a\\xe2\\x80\\xa8b") << "a line's end";
  EXPECT_EQ(printable("שלום\u200F!"), "שלום\u200F!") << "text from right to left, and its marks";
}

TEST(Printable, LinesBecomeOne) { EXPECT_EQ(printable("a\nb\r\n\tc"), "a b   c"); }

TEST(Printable, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(printable("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xF0\x9F"), "\\xf0\\x9f") << "cut short";
}

TEST(Printable, ErrorsAreOnePrintableLine) {
  const Error error("bad\nname \x1b]0;x\a", "file\r", "look");
  EXPECT_STREQ(error.what(), "bad name \\x1b]0;x\\x07 (file ): look");
}

TEST(Finite, InfinitiesAndNaNsAreFound) {
  std::vector<double> values(1000, 1e308);
  EXPECT_TRUE(all_finite<double>(values));
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    values[777] = bad;
    EXPECT_FALSE(all_finite<double>(values));
  }
}

}  // namespace
}  // namespace limber
