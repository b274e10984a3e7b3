#include "limber/render/labels.h"

#include <fmt/format.h>

#include <algorithm>

namespace limber {

namespace {

constexpr double kSheetHeight = 480;  // points; text keeps its share of the picture
constexpr double kMargin = 18;
const Colour kInk = colour(0x2B2F36);

const TextStyle kEntryStyle{.size = 13, .colour = kInk};
constexpr double kEntryHeight = 22;
constexpr double kScaleWidth = 150;
constexpr double kScaleHeight = 9;

/// Pixels a point. Narrow pictures get smaller text, so that it fits.
double label_scale(int width, int height) {
  return std::max(0.5, std::min(height / kSheetHeight, width / (1.2 * kSheetHeight)));
}

/// Points.
struct Size {
  double width = 0;
  double height = 0;
};

Size legend_size(const Canvas& canvas, const std::vector<Cast::Entry>& legend) {
  double widest = 0;
  for (const Cast::Entry& entry : legend) {
    widest = std::max(widest, canvas.text_width(entry.label, kEntryStyle));
  }
  return {widest + 40, kEntryHeight * static_cast<double>(legend.size()) + 8};
}

void draw_legend(Canvas& canvas, const std::vector<Cast::Entry>& legend) {
  if (legend.empty()) return;
  const Size size = legend_size(canvas, legend);
  // Readable also where a body stands behind it.
  canvas.rectangle({kMargin - 8, kMargin - 9}, size.width, size.height, colour(0xFFFFFF, 0.72), 7);
  double y = kMargin + 6;
  for (const Cast::Entry& entry : legend) {
    canvas.disc({kMargin + 6, y}, 6, entry.colour);
    canvas.text({kMargin + 20, y + 4.6}, entry.label, kEntryStyle);
    y += kEntryHeight;
  }
}

void draw_scale(Canvas& canvas, Paint paint, double most) {
  constexpr int kSteps = 75;
  const double x = canvas.width() - kMargin - kScaleWidth;
  const double y = kMargin + 16;
  const bool signs = paint == Paint::volume;
  canvas.text({x + kScaleWidth / 2, y - 7}, signs ? "change of volume" : "displacement",
              {.size = 12, .align = Align::centre, .colour = kInk});
  for (int k = 0; k < kSteps; ++k) {
    const double t = (k + 0.5) / kSteps;
    // Half a point of overlap hides the seams.
    canvas.rectangle({x + kScaleWidth * k / kSteps, y}, kScaleWidth / kSteps + 0.5, kScaleHeight,
                     signs ? diverging_colour(2 * t - 1) : sequential_colour(t));
  }
  const auto number = [&](double value) {
    return signs ? fmt::format("{:+.3g} %", 100 * value) : fmt::format("{:.3g} m", value);
  };
  // Flush with the bar's ends, since there may be no room beyond.
  canvas.text({x, y + kScaleHeight + 14}, signs ? number(-most) : "0",
              {.size = 11, .align = Align::left, .colour = kInk});
  canvas.text({x + kScaleWidth, y + kScaleHeight + 14}, number(most),
              {.size = 11, .align = Align::right, .colour = kInk});
}

/// The corner that labels take: the legend's upper left, or the scale's upper right.
struct LabelCorner {
  double width = 0;  // shares of half the picture
  double height = 0;
  bool right = false;

  [[nodiscard]] bool holds(const Vec3& seen) const {
    return (right ? seen.x() : -seen.x()) > 1 - width && seen.y() > 1 - height;
  }
};

LabelCorner corner_of(const Labels& labels, int width, int height) {
  Size size;
  if (!labels.legend.empty()) {
    size = legend_size(Canvas::pixels(1, 1, 1), labels.legend);
  } else if (labels.paint != Paint::plain) {
    size = {kScaleWidth + 28,
            kScaleHeight + 50};  // with the numbers, which are centred at its ends
  }
  if (size.width == 0) return {};
  const double scale = 2 * label_scale(width, height);
  return {scale * (size.width + kMargin) / width, scale * (size.height + kMargin) / height,
          labels.legend.empty()};
}

/// Whether what lies between the points appears in the corner.
bool reaches(const Camera& camera, const Positions& points, const LabelCorner& corner) {
  constexpr int kParts = 8;  // of a line from point to point
  for (Eigen::Index a = 0; a < points.rows(); ++a) {
    for (Eigen::Index b = a; b < points.rows(); ++b) {
      for (int part = 0; part < kParts; ++part) {
        const double t = static_cast<double>(part) / kParts;
        const Vec3 point = (1 - t) * points.row(a) + t * points.row(b);
        if (corner.holds(camera.project(point))) return true;
      }
    }
  }
  return false;
}

}  // namespace

Camera frame_clear_of_labels(const Positions& points, const View& view, int width, int height,
                             const Labels& labels) {
  constexpr double kMostTaken = 0.8;  // of half the picture; beyond, bodies would be too small
  const double aspect = static_cast<double>(width) / height;
  const Camera plain = frame_points(points, view, aspect);
  const LabelCorner corner = corner_of(labels, width, height);
  if (view.zoom != 1 || !reaches(plain, points, corner)) return plain;
  Margins beside, below;
  (corner.right ? beside.right : beside.left) = corner.width;
  below.top = corner.height;
  const Camera aside = frame_points(points, view, aspect, beside);
  const Camera lowered = frame_points(points, view, aspect, below);
  if (std::min(corner.width, corner.height) > kMostTaken) return plain;
  if (corner.width > kMostTaken) return lowered;
  if (corner.height > kMostTaken) return aside;
  const Vec3 backwards = plain.frame.col(2);
  return aside.eye.dot(backwards) < lowered.eye.dot(backwards) ? aside : lowered;
}

Image draw_labels(const Image& image, const Labels& labels) {
  Canvas canvas = Canvas::over(image, label_scale(image.width, image.height));
  draw_legend(canvas, labels.legend);
  if (labels.paint != Paint::plain) draw_scale(canvas, labels.paint, labels.most);
  if (!labels.caption.empty()) {
    canvas.text({kMargin, canvas.height() - kMargin}, labels.caption,
                {.size = 12, .colour = colour(0x5A616B)});
  }
  return canvas.image();
}

}  // namespace limber
