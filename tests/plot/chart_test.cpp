#include "limber/plot/chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "export/test_folder.h"

namespace limber {
namespace {

bool near(const std::uint8_t* pixel, const Colour& c) {
  return std::abs(pixel[0] - 255 * c.red) + std::abs(pixel[1] - 255 * c.green) +
             std::abs(pixel[2] - 255 * c.blue) <
         12;
}

/// Pixels of a colour, with their mean place.
struct Blot {
  int count = 0;
  double x = 0, y = 0;
};
Blot blot_of(const Image& image, const Colour& c) {
  Blot blot;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (!near(image.pixel(x, y), c)) continue;
      ++blot.count;
      blot.x += x;
      blot.y += y;
    }
  }
  blot.x /= blot.count;
  blot.y /= blot.count;
  return blot;
}

TEST(Chart, TicksAreRoundAndInside) {
  for (const double size : {1e-6, 0.37, 1.0, 42.0, 9.9e5}) {
    for (const double low : {-0.3 * size, 0.0, 12.3 * size}) {
      const std::vector<double> ticks = nice_ticks(low, low + size, 6);
      ASSERT_GE(ticks.size(), 3u);
      ASSERT_LE(ticks.size(), 12u);
      const double step = ticks[1] - ticks[0];
      const double lead = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
      EXPECT_LT(std::min({std::abs(lead - 1), std::abs(lead - 2), std::abs(lead - 5)}), 1e-6);
      EXPECT_GE(ticks.front(), low - 1e-9 * size);
      EXPECT_LE(ticks.back(), low + size * (1 + 1e-9));
    }
  }
  EXPECT_EQ(nice_ticks(3, 3, 5).size(), 1u);
}

TEST(Chart, ASeriesThatStopsEndsInACross) {
  const Colour ink = colour(0xD55E00);
  const auto drawn = [&](bool stops) {
    LineChart chart;
    chart.series = {{"one", ink, {}, {0, 1, 2}, {1, 2, NAN}, stops}};
    Canvas canvas = Canvas::pixels(chart.width, chart.height, 1);
    draw(chart, canvas);
    return blot_of(canvas.image(), ink).count;
  };
  // Two arms of 13 by 2.4 points; half of it in pixels of the pure colour.
  EXPECT_GT(drawn(true), drawn(false) + 15);
}

TEST(Chart, HigherValuesAreDrawnHigher) {
  LineChart chart;
  const Colour low = colour(0xD55E00), high = colour(0x0072B2);
  chart.series = {{"low", low, {}, {0, 1}, {1, 1}}, {"high", high, {}, {0, 1}, {5, 5}}};
  Canvas canvas = Canvas::pixels(chart.width, chart.height, 1);
  draw(chart, canvas);
  const Image image = canvas.image();
  EXPECT_GT(blot_of(image, low).count, 300);
  EXPECT_GT(blot_of(image, low).y, blot_of(image, high).y + 150);
}

TEST(Chart, ValuesThatAreNotFiniteLeaveAGap) {
  LineChart whole;
  const Colour ink = colour(0x009E73);
  std::vector<double> x, y;
  for (int k = 0; k <= 100; ++k) {
    x.push_back(k);
    y.push_back(2);
  }
  whole.series = {{"a", ink, {}, x, y}};
  LineChart gap = whole;
  for (int k = 30; k < 80; ++k) gap.series[0].y[k] = NAN;
  const auto count = [&](const LineChart& chart) {
    Canvas canvas = Canvas::pixels(chart.width, chart.height, 1);
    draw(chart, canvas);
    return blot_of(canvas.image(), ink).count;
  };
  EXPECT_LT(count(gap), 0.7 * count(whole));
  EXPECT_GT(count(gap), 0.3 * count(whole));
}

TEST(Chart, BarsGrowWithTheirValuesToBothSides) {
  BarChart chart;
  const Colour a = colour(0xD55E00), b = colour(0x0072B2), c = colour(0x009E73);
  chart.bars = {{"a", a, 10, ""}, {"b", b, 20, ""}, {"c", c, -5, ""}};
  Canvas canvas = Canvas::pixels(chart.width, chart_height(chart), 1);
  draw(chart, canvas);
  const Image image = canvas.image();
  const Blot first = blot_of(image, a), second = blot_of(image, b), third = blot_of(image, c);
  EXPECT_NEAR(second.count, 2 * first.count, 60);  // a column of pixels at each end
  EXPECT_LT(third.x, first.x);
  EXPECT_LT(first.y, second.y);
}

TEST(Chart, BothFilesAreWritten) {
  const testing_support::TestFolder folder;
  LineChart chart;
  chart.series = {{"a", colour(0xD55E00), {}, {0, 1}, {0, 1}}};
  write_chart(chart, folder.path() / "one");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "one.svg"));
  EXPECT_GT(std::filesystem::file_size(folder.path() / "one.png"), 1000u);
}

}  // namespace
}  // namespace limber
