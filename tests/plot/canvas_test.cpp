#include "limber/plot/canvas.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace limber {
namespace {

std::array<int, 3> at(const Image& image, int x, int y) {
  const std::uint8_t* const p = image.pixel(x, y);
  return {p[0], p[1], p[2]};
}

TEST(Canvas, DrawsWhereItIsToldInTheScaleAsked) {
  Canvas canvas = Canvas::pixels(20, 10, 3);
  canvas.rectangle({5, 2}, 4, 3, colour(0x123456));
  const Image image = canvas.image();
  EXPECT_EQ(image.width, 60);
  EXPECT_EQ(image.height, 30);
  EXPECT_EQ(at(image, 16, 7), (std::array{0x12, 0x34, 0x56}));
  EXPECT_EQ(at(image, 26, 14), (std::array{0x12, 0x34, 0x56}));
  EXPECT_EQ(at(image, 28, 7), (std::array{255, 255, 255}));
  EXPECT_EQ(at(image, 16, 16), (std::array{255, 255, 255}));
}

TEST(Canvas, PicturesComeBackUnchanged) {
  Image image(7, 5);
  for (std::size_t k = 0; k < image.rgb.size(); ++k) {
    image.rgb[k] = static_cast<std::uint8_t>(37 * k);
  }
  EXPECT_EQ(Canvas::over(image).image().rgb, image.rgb);
}

TEST(Canvas, PngHasItsSignatureAndSize) {
  const std::string bytes = encode_png(Image(300, 200));
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\x01\x2c\0\0\0\xc8", 8));
}

TEST(Canvas, SvgIsATextOfItsSize) {
  Canvas canvas = Canvas::svg(120, 80);
  canvas.line({{0, 0}, {120, 80}}, colour(0xFF0000), 2);
  canvas.text({10, 10}, "words", {});
  const std::string text = canvas.finish();
  EXPECT_NE(text.find("<svg"), std::string::npos);
  EXPECT_NE(text.find("</svg>"), std::string::npos);
  EXPECT_NE(text.find("120"), std::string::npos);
}

TEST(Canvas, TextGrowsWithItsLettersAndSize) {
  const Canvas canvas = Canvas::pixels(100, 100, 1);
  const double one = canvas.text_width("m", {.size = 10});
  EXPECT_GT(one, 3);
  EXPECT_NEAR(canvas.text_width("mmmm", {.size = 10}), 4 * one, 0.2 * one);
  EXPECT_NEAR(canvas.text_width("m", {.size = 20}), 2 * one, 0.2 * one);
}

TEST(Colour, ScalesOrderByBrightnessAndDivergeAroundGrey) {
  const auto brightness = [](const Colour& c) {
    return 0.2126 * std::pow(c.red, 2.2) + 0.7152 * std::pow(c.green, 2.2) +
           0.0722 * std::pow(c.blue, 2.2);
  };
  for (double t = 0; t < 0.99; t += 0.05) {
    EXPECT_LT(brightness(sequential_colour(t)), brightness(sequential_colour(t + 0.05)));
  }
  EXPECT_GT(diverging_colour(-1).blue, diverging_colour(-1).red);
  EXPECT_GT(diverging_colour(1).red, diverging_colour(1).blue);
  EXPECT_EQ(diverging_colour(0).red, diverging_colour(0).blue);
}

}  // namespace
}  // namespace limber
