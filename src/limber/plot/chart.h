// Charts that can stand on a slide: lines over an axis, and bars beside names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "limber/plot/canvas.h"

namespace limber {

struct Series {
  std::string name;
  Colour colour;
  std::vector<double> dashes;
  std::vector<double> x;
  std::vector<double> y;  // values that are not finite leave a gap
  bool stops = false;     // a cross at its last point: it ends before its time
};

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  bool equal_scales = false;  // a metre is as long across as up: for paths
  double width = 640;         // points
  double height = 400;
};

struct Bar {
  std::string name;
  Colour colour;
  double value = 0;
  std::string text;  // at the bar's end
};

struct BarChart {
  std::string title;
  std::vector<Bar> bars;
  bool logarithmic = false;  // for values of several magnitudes; they must be positive
  double width = 640;
};

void draw(const LineChart& chart, Canvas& canvas);
void draw(const BarChart& chart, Canvas& canvas);
[[nodiscard]] double chart_height(const BarChart& chart);

/// Both NAME.svg and NAME.png, `path` being without ending.
void write_chart(const LineChart& chart, const std::filesystem::path& path);
void write_chart(const BarChart& chart, const std::filesystem::path& path);

/// Round numbers 1, 2 or 5 times a power of ten apart, about `count` of them inside [low, high].
[[nodiscard]] std::vector<double> nice_ticks(double low, double high, int count);

}  // namespace limber
