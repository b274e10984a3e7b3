#include "limber/plot/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "limber/core/file.h"
#include "limber/core/output_unit.h"

namespace limber {

namespace {

const Colour kInk = colour(0x2B2F36);
const Colour kFaint = colour(0x5A616B);
const Colour kGrid = colour(0xE3E6EA);
constexpr double kPixelsAPoint = 2;

struct Range {
  double low = INFINITY;
  double high = -INFINITY;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Never empty, and with a little air at both ends.
  void settle(double air) {
    if (low > high) low = high = 0;
    const double size = high - low;
    const double more = size > 0 ? air * size : std::max(1e-12, 0.5 * std::abs(low));
    low -= more;
    high += more;
  }
  [[nodiscard]] double size() const { return high - low; }
};

/// Where the values go on the sheet.
struct Plane {
  Range x, y;
  double left, top, width, height;

  [[nodiscard]] Point at(double vx, double vy) const {
    return {left + width * (vx - x.low) / x.size(), top + height * (y.high - vy) / y.size()};
  }
};

std::string tick_text(double value, double spacing) {
  const double biggest = std::max(std::abs(value), spacing);
  if (biggest >= 1e5 || spacing < 1e-4) return fmt::format("{:.3g}", value);
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(spacing) - 1e-9)));
  const std::string text = fmt::format("{:.{}f}", value, digits);
  return text.find_first_not_of("-0.") == std::string::npos ? "0" : text;
}

void draw_axes(const LineChart& chart, const Plane& plane, Canvas& canvas) {
  const double bottom = plane.top + plane.height, right = plane.left + plane.width;
  const std::vector<double> ys = nice_ticks(plane.y.low, plane.y.high, 6);
  for (const double y : ys) {
    const double at = plane.at(plane.x.low, y).y;
    canvas.line({{plane.left, at}, {right, at}}, kGrid, 0.8);
    canvas.text({plane.left - 7, at + 3.6}, tick_text(y, ys.size() > 1 ? ys[1] - ys[0] : 1),
                {.size = 10.5, .align = Align::right, .colour = kFaint});
  }
  const std::vector<double> xs =
      nice_ticks(plane.x.low, plane.x.high, std::max(3, static_cast<int>(plane.width / 80)));
  for (const double x : xs) {
    const double at = plane.at(x, plane.y.low).x;
    canvas.line({{at, bottom}, {at, bottom + 4}}, kFaint, 0.8);
    canvas.text({at, bottom + 17}, tick_text(x, xs.size() > 1 ? xs[1] - xs[0] : 1),
                {.size = 10.5, .align = Align::centre, .colour = kFaint});
  }
  canvas.line({{plane.left, bottom}, {right, bottom}}, kFaint, 1);
  canvas.text({plane.left + plane.width / 2, bottom + 35}, chart.x_label,
              {.size = 12, .align = Align::centre, .colour = kInk});
  canvas.text({18, plane.top + plane.height / 2}, chart.y_label,
              {.size = 12, .align = Align::centre, .colour = kInk, .upwards = true});
}

/// The names in rows under the title; returns how far down they reach.
double draw_names(const LineChart& chart, double left, double top, Canvas& canvas) {
  const TextStyle style{.size = 11.5, .colour = kInk};
  double x = left, y = top;
  for (const Series& series : chart.series) {
    const double width = 28 + canvas.text_width(series.name, style) + 18;
    if (x > left && x + width > canvas.width()) {
      x = left;
      y += 18;
    }
    canvas.line({{x, y - 4}, {x + 22, y - 4}}, series.colour, 2.4, series.dashes);
    canvas.text({x + 28, y}, series.name, style);
    x += width;
  }
  return y;
}

void draw_series(const Series& series, const Plane& plane, Canvas& canvas) {
  std::vector<Point> run;
  std::optional<Point> last;
  const auto end_run = [&] {
    if (run.size() == 1) canvas.disc(run[0], 2.4, series.colour);
    if (run.size() > 1) canvas.line(run, series.colour, 2.2, series.dashes);
    run.clear();
  };
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (std::isfinite(series.x[k]) && std::isfinite(series.y[k])) {
      run.push_back(plane.at(series.x[k], series.y[k]));
      last = run.back();
    } else {
      end_run();
    }
  }
  end_run();
  if (!series.stops || !last) return;
  constexpr double kArm = 4.5;
  for (const double side : {-kArm, kArm}) {
    canvas.line({{last->x - kArm, last->y - side}, {last->x + kArm, last->y + side}}, series.colour,
                2.4);
  }
}

/// Widens the range that is too narrow for equal scales, on both sides.
void equalise(Plane& plane) {
  const double scale = std::max(plane.x.size() / plane.width, plane.y.size() / plane.height);
  const auto widen = [](Range& range, double size) {
    const double more = (size - range.size()) / 2;
    range.low -= more;
    range.high += more;
  };
  widen(plane.x, scale * plane.width);
  widen(plane.y, scale * plane.height);
}

template <class Chart>
void write_both(const Chart& chart, const std::filesystem::path& path, double width,
                double height) {
  Canvas vectors = Canvas::svg(width, height);
  draw(chart, vectors);
  Canvas pixels = Canvas::pixels(width, height, kPixelsAPoint);
  draw(chart, pixels);
  OutputUnit both;
  write_file(path.string() + ".svg", vectors.finish());
  write_file(path.string() + ".png", pixels.finish());
  both.commit();
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  const double rough = (high - low) / std::max(1, count);
  if (!(rough > 0) || !std::isfinite(rough)) return {low};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double lead = rough / power;
  const double step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    ticks.push_back(k * step);
  }
  return ticks;
}

void draw(const LineChart& chart, Canvas& canvas) {
  constexpr double kLeft = 76, kRight = 22, kBottom = 50;
  canvas.text({kLeft, 28}, chart.title, {.size = 15, .colour = kInk, .bold = true});
  const double names = draw_names(chart, kLeft, 50, canvas);
  Plane plane{{}, {}, kLeft, names + 16, canvas.width() - kLeft - kRight, 0};
  plane.height = canvas.height() - kBottom - plane.top;
  for (const Series& series : chart.series) {
    for (const double x : series.x) plane.x.add(x);
    for (const double y : series.y) plane.y.add(y);
  }
  plane.x.settle(chart.equal_scales ? 0.06 : 0);
  plane.y.settle(0.06);
  if (chart.equal_scales) equalise(plane);
  draw_axes(chart, plane, canvas);
  canvas.clip({plane.left - 6, plane.top - 6}, plane.width + 12, plane.height + 12);
  for (const Series& series : chart.series) draw_series(series, plane, canvas);
  canvas.unclip();
}

double chart_height(const BarChart& chart) {
  return 56 + 30 * static_cast<double>(chart.bars.size());
}

void draw(const BarChart& chart, Canvas& canvas) {
  canvas.text({22, 28}, chart.title, {.size = 15, .colour = kInk, .bold = true});
  const TextStyle name_style{.size = 12, .align = Align::right, .colour = kInk};
  double names = 0;
  Range range;
  for (const Bar& bar : chart.bars) {
    names = std::max(names, canvas.text_width(bar.name, name_style));
    if (!chart.logarithmic || bar.value > 0) {
      range.add(chart.logarithmic ? std::log10(bar.value) : bar.value);
    }
  }
  // Bars of magnitudes start a decade below the least, others at zero.
  if (chart.logarithmic) {
    range.low = std::floor(range.low - 0.3);
  } else {
    range.add(0);
  }
  if (!(range.size() > 0)) range.high = range.low + 1;
  constexpr double kTextRoom = 90;
  const double left = 22 + names + 12 + (range.low < 0 && !chart.logarithmic ? kTextRoom : 0);
  const double width = canvas.width() - left - kTextRoom;
  const auto place = [&](double value) {
    return left + width * (value - range.low) / range.size();
  };
  const double start = place(chart.logarithmic ? range.low : 0);
  double y = 48;
  for (const Bar& bar : chart.bars) {
    const double value = chart.logarithmic ? std::log10(bar.value) : bar.value;
    const double end = std::isfinite(value) ? place(value) : start;
    canvas.text({22 + names, y + 14}, bar.name, name_style);
    canvas.rectangle({std::min(start, end), y}, std::max(1.0, std::abs(end - start)), 20,
                     bar.colour, 0);
    const bool leftwards = end < start;
    canvas.text({leftwards ? end - 7 : end + 7, y + 14}, bar.text,
                {.size = 11.5, .align = leftwards ? Align::right : Align::left, .colour = kInk});
    y += 30;
  }
}

void write_chart(const LineChart& chart, const std::filesystem::path& path) {
  write_both(chart, path, chart.width, chart.height);
}

void write_chart(const BarChart& chart, const std::filesystem::path& path) {
  write_both(chart, path, chart.width, chart_height(chart));
}

}  // namespace limber
