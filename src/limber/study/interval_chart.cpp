#include "limber/study/interval_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/file.h"
#include "limber/plot/canvas.h"
#include "limber/plot/chart.h"

namespace limber::study {

namespace {

constexpr double kRow = 22, kTop = 44, kBottom = 40, kPlot = 300, kGap = 12, kEdge = 16;
constexpr Colour kInk = colour(0x332288), kFaint = colour(0xdddddd), kText = colour(0x333333);

struct Layout {
  double left = 0, width = 0, height = 0, low = 0, high = 1;

  [[nodiscard]] double x(double value) const {
    return left + kPlot * (std::clamp(value, low, high) - low) / (high - low);
  }
};

Layout layout_of(const Analysis& analysis, const Canvas& measure) {
  const TextStyle style;
  double names = 0, texts = 0;
  for (const IntervalRow& row : analysis.intervals) {
    names = std::max(names, measure.text_width(row.name, style));
    texts = std::max(texts, measure.text_width(row.text, style));
  }
  Layout layout;
  layout.left = kEdge + names + kGap;
  layout.width =
      std::max(layout.left + kPlot + kGap + texts + kEdge,
               2 * kEdge + measure.text_width(analysis.chart_title, {.size = 13, .bold = true}));
  layout.height = kTop + kRow * static_cast<double>(analysis.intervals.size()) + kBottom;
  layout.low = analysis.chart_low;
  layout.high = std::max(analysis.chart_high, analysis.chart_low + 1e-6);
  return layout;
}

void draw_intervals(const Analysis& analysis, const Layout& layout, Canvas& canvas) {
  const double end = kTop + kRow * static_cast<double>(analysis.intervals.size());
  canvas.text({kEdge, 22}, analysis.chart_title, {.size = 13, .bold = true});
  for (const double tick : nice_ticks(layout.low, layout.high, 5)) {
    canvas.line({{layout.x(tick), kTop - 6}, {layout.x(tick), end}}, kFaint, 1);
    canvas.text({layout.x(tick), end + 16}, fmt::format("{:g}", tick + 0.0),
                {.align = Align::centre});
  }
  const double reference = layout.x(analysis.chart_reference);
  canvas.line({{reference, kTop - 6}, {reference, end}}, kText, 1, {4, 3});
  double y = kTop + kRow / 2;
  for (const IntervalRow& row : analysis.intervals) {
    canvas.text({layout.left - kGap, y + 4}, row.name, {.align = Align::right});
    if (std::isfinite(row.low)) {
      canvas.line({{layout.x(row.low), y}, {layout.x(row.high), y}}, kInk, 2);
    }
    if (std::isfinite(row.value)) canvas.disc({layout.x(row.value), y}, 4, kInk);
    canvas.text({layout.left + kPlot + kGap, y + 4}, row.text, {});
    y += kRow;
  }
}

}  // namespace

void write_interval_chart(const Analysis& analysis, const std::filesystem::path& path) {
  const Layout layout = layout_of(analysis, Canvas::svg(10, 10));
  Canvas vectors = Canvas::svg(layout.width, layout.height);
  draw_intervals(analysis, layout, vectors);
  write_file(path.string() + ".svg", vectors.finish());
  Canvas pixels = Canvas::pixels(layout.width, layout.height, 2);
  draw_intervals(analysis, layout, pixels);
  write_file(path.string() + ".png", pixels.finish());
}

}  // namespace limber::study
