// The text of .usda; another program's reader opens it in tests/python/test_export_usda.py.
#include <gtest/gtest.h>

#include "limber/core/file.h"
#include "limber/export/usda_text.h"
#include "moving_bodies.h"
#include "test_folder.h"

namespace limber {
namespace {

using testing_support::lone_triangle;
using testing_support::TestFolder;

std::string written(const std::filesystem::path& path, const std::vector<AnimatedBody>& bodies,
                    const std::vector<double>& times, double fps) {
  const auto writer = open_animation(path, bodies, fps);
  for (const double time : times) {
    std::vector<BodyFrame> frame;
    for (const AnimatedBody& body : bodies)
      frame.push_back({body.surface.V.array() + time, {}, {}});
    writer->add_frame(time, frame);
  }
  writer->finish();
  return std::string(FileBytes(path).text());
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(UsdaText, ArraysAreBracketedTuplesOfFewDigits) {
  TextWriter text;
  write_tuples(text, std::vector<float>{0.1F, 2, 3, 4.5F, -5, 1e-30F}, 3);
  EXPECT_EQ(text.take(), "[(0.1, 2, 3), (4.5, -5, 1e-30)]");
  write_integers(text, std::vector<std::int32_t>{1, -2});
  write_integers(text, std::vector<std::int32_t>{});
  EXPECT_EQ(text.take(), "[1, -2][]");
}

TEST(UsdaWriter, TimeCodesAreWholeFramesDespiteRounding) {
  const TestFolder folder;
  // 0.1 · 3 · 30 is 9.000000000000002 in binary.
  const std::string text =
      written(folder / "a.usda", {lone_triangle("leaf")}, {0, 0.1 * 3, 0.35}, 30);
  EXPECT_TRUE(holds(text, "\n            9: [("));
  EXPECT_TRUE(holds(text, "\n            10.5: [("));
  EXPECT_TRUE(holds(text, "endTimeCode = 10.5\n"));
}

TEST(UsdaWriter, DefaultIsTheRestShape) {
  const TestFolder folder;
  const std::string text = written(folder / "a.usda", {lone_triangle("leaf")}, {2}, 1);
  EXPECT_TRUE(holds(text, "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"));
  EXPECT_TRUE(holds(text, "2: [(2, 2, 2), (3, 2, 2), (2, 3, 2)],\n"));
  EXPECT_TRUE(holds(text, "float3[] extent = [(0, 0, 0), (1, 1, 0)]\n"));
}

TEST(UsdaWriter, OddNamesBecomeIdentifiersOfTheirOwn) {
  const TestFolder folder;
  const std::string text =
      written(folder / "2 \"leaves\".usda",
              {lone_triangle("Looks"), lone_triangle("a\"b"), lone_triangle("a b")}, {0}, 30);
  EXPECT_TRUE(holds(text, "defaultPrim = \"_2__leaves_\"\n"));
  EXPECT_TRUE(holds(text, "def Mesh \"Looks_2\""));
  EXPECT_TRUE(holds(text, "def Mesh \"a_b\""));
  EXPECT_TRUE(holds(text, "def Mesh \"a_b_2\""));
}

TEST(UsdaWriter, OpenSurfacesShowBothSides) {
  const TestFolder folder;
  EXPECT_TRUE(holds(written(folder / "a.usda", {lone_triangle("leaf")}, {0}, 30),
                    "uniform bool doubleSided = 1"));
}

TEST(UsdaText, DecimalsAreLeftOutWithinTheError) {
  const std::vector<float> values = {0.123456789F, -2.00000001F, 31.41592653F};
  EXPECT_EQ(rounded(values, 0), values);
  for (const double error : {0.3, 1e-3, 2e-5}) {
    const std::vector<float> few = rounded(values, error);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(few[i], values[i], error + 2e-6);
  }
  TextWriter text;
  write_tuples(text, rounded(values, 5e-4), 3);
  EXPECT_EQ(text.take(), "[(0.123, -2, 31.416)]");
}

}  // namespace
}  // namespace limber
