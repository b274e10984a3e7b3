#include "limber/render/labels.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber {

namespace {

constexpr double kSheetHeight = 480;  // points; text keeps its share of the picture
constexpr double kMargin = 18;
const Colour kInk = colour(0x2B2F36);

void draw_legend(Canvas& canvas, const std::vector<Cast::Entry>& legend) {
  if (legend.empty()) return;
  const TextStyle style{.size = 13, .colour = kInk};
  double widest = 0;
  for (const Cast::Entry& entry : legend) {
    widest = std::max(widest, canvas.text_width(entry.label, style));
  }
  // Readable also where a body stands behind it.
  canvas.rectangle({kMargin - 8, kMargin - 9}, widest + 40, 22.0 * legend.size() + 8,
                   colour(0xFFFFFF, 0.72), 7);
  double y = kMargin + 6;
  for (const Cast::Entry& entry : legend) {
    canvas.disc({kMargin + 6, y}, 6, entry.colour);
    canvas.text({kMargin + 20, y + 4.6}, entry.label, style);
    y += 22;
  }
}

void draw_scale(Canvas& canvas, Paint paint, double most) {
  constexpr double kWidth = 150, kHeight = 9;
  constexpr int kSteps = 75;
  const double x = canvas.width() - kMargin - kWidth;
  const double y = kMargin + 16;
  const bool signs = paint == Paint::volume;
  const TextStyle small{.size = 11, .align = Align::centre, .colour = kInk};
  canvas.text({x + kWidth / 2, y - 7}, signs ? "change of volume" : "displacement",
              {.size = 12, .align = Align::centre, .colour = kInk});
  for (int k = 0; k < kSteps; ++k) {
    const double t = (k + 0.5) / kSteps;
    // Half a point of overlap hides the seams.
    canvas.rectangle({x + kWidth * k / kSteps, y}, kWidth / kSteps + 0.5, kHeight,
                     signs ? diverging_colour(2 * t - 1) : sequential_colour(t));
  }
  const auto number = [&](double value) {
    return signs ? fmt::format("{:+.3g} %", 100 * value) : fmt::format("{:.3g} m", value);
  };
  canvas.text({x, y + kHeight + 14}, signs ? number(-most) : "0", small);
  canvas.text({x + kWidth, y + kHeight + 14}, number(most), small);
}

}  // namespace

Image draw_labels(const Image& image, const Labels& labels) {
  // Narrow pictures get smaller text, so that it fits.
  const double scale =
      std::max(0.5, std::min(image.height / kSheetHeight, image.width / (1.2 * kSheetHeight)));
  Canvas canvas = Canvas::over(image, scale);
  draw_legend(canvas, labels.legend);
  if (labels.paint != Paint::plain) draw_scale(canvas, labels.paint, labels.most);
  if (!labels.caption.empty()) {
    canvas.text({kMargin, canvas.height() - kMargin}, labels.caption,
                {.size = 12, .colour = colour(0x5A616B)});
  }
  return canvas.image();
}

}  // namespace limber
