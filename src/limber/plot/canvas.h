// A sheet to draw on, as vectors (SVG) or pixels (PNG): the same calls give the same picture.
//
// Lengths are points from the upper left corner, x to the right, y down. Text becomes outlines in
// an SVG, so that it looks the same where the font is missing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "limber/plot/colour.h"

namespace limber {

/// Pixels, three bytes each, row by row from the top.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;

  Image() = default;
  Image(int width_, int height_);
  [[nodiscard]] const std::uint8_t* pixel(int x, int y) const {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x);
  }
  [[nodiscard]] std::uint8_t* pixel(int x, int y) {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x);
  }
};

/// The bytes of a PNG file.
[[nodiscard]] std::string encode_png(const Image& image);

struct Point {
  double x = 0;
  double y = 0;
};

enum class Align { left, centre, right };

struct TextStyle {
  double size = 11;
  Align align = Align::left;
  Colour colour{0.2, 0.2, 0.2};
  bool bold = false;
  bool upwards = false;  // turned a quarter, as beside a vertical axis
};

class Canvas {
 public:
  [[nodiscard]] static Canvas svg(double width, double height);
  /// White, with `scale` pixels a point.
  [[nodiscard]] static Canvas pixels(double width, double height, double scale);
  /// To draw over a picture; a point is a pixel divided by `scale`.
  [[nodiscard]] static Canvas over(const Image& image, double scale = 1);
  ~Canvas();
  Canvas(Canvas&&) noexcept;
  Canvas& operator=(Canvas&&) noexcept;

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }

  void rectangle(Point corner, double width, double height, const Colour& fill, double round = 0);
  void disc(Point centre, double radius, const Colour& fill);
  void line(const std::vector<Point>& points, const Colour& stroke, double thickness,
            const std::vector<double>& dashes = {});
  /// The text's baseline starts, is centred or ends at the point.
  void text(Point at, const std::string& text, const TextStyle& style);
  [[nodiscard]] double text_width(const std::string& text, const TextStyle& style) const;
  /// Nothing outside the rectangle is drawn until unclip().
  void clip(Point corner, double width, double height);
  void unclip();

  /// Ends the drawing: the bytes of an SVG or PNG file.
  [[nodiscard]] std::string finish();
  /// The pixels so far; not for SVG.
  [[nodiscard]] Image image() const;

 private:
  struct Cairo;
  Canvas(std::unique_ptr<Cairo> cairo, double width, double height);

  std::unique_ptr<Cairo> cairo_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace limber
