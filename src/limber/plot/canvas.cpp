#include "limber/plot/canvas.h"

#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>

#include <cmath>
#include <numbers>

#include "limber/core/error.h"

namespace limber {

namespace {

cairo_status_t append(void* text, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void set_colour(cairo_t* context, const Colour& c) {
  cairo_set_source_rgba(context, c.red, c.green, c.blue, c.opacity);
}

void set_font(cairo_t* context, const TextStyle& style) {
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, style.size);
}

double advance(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

}  // namespace

Image::Image(int width_, int height_)
    : width(width_), height(height_), rgb(std::size_t{3} * width_ * height_) {}

struct Canvas::Cairo {
  std::string bytes;  // what an SVG surface has written
  cairo_surface_t* surface = nullptr;
  cairo_t* context = nullptr;
  bool vectors = false;

  Cairo() = default;
  Cairo(const Cairo&) = delete;
  Cairo& operator=(const Cairo&) = delete;
  ~Cairo() {
    if (context != nullptr) cairo_destroy(context);
    if (surface != nullptr) cairo_surface_destroy(surface);
  }
  void start() {
    context = cairo_create(surface);
    if (cairo_status(context) != CAIRO_STATUS_SUCCESS) {
      throw Error(cairo_status_to_string(cairo_status(context)), "drawing", "use a smaller picture",
                  Error::Kind::work_failed);
    }
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT);
  }
};

Canvas::Canvas(std::unique_ptr<Cairo> cairo, double width, double height)
    : cairo_(std::move(cairo)), width_(width), height_(height) {}
Canvas::~Canvas() = default;
Canvas::Canvas(Canvas&&) noexcept = default;
Canvas& Canvas::operator=(Canvas&&) noexcept = default;

Canvas Canvas::svg(double width, double height) {
  auto cairo = std::make_unique<Cairo>();
  cairo->vectors = true;
  cairo->surface = cairo_svg_surface_create_for_stream(append, &cairo->bytes, width, height);
  cairo->start();
  Canvas canvas(std::move(cairo), width, height);
  canvas.rectangle({0, 0}, width, height, colour(0xFFFFFF));
  return canvas;
}

Canvas Canvas::pixels(double width, double height, double scale) {
  auto cairo = std::make_unique<Cairo>();
  cairo->surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                 static_cast<int>(std::lround(height * scale)));
  cairo->start();
  cairo_scale(cairo->context, scale, scale);
  Canvas canvas(std::move(cairo), width, height);
  canvas.rectangle({0, 0}, width, height, colour(0xFFFFFF));
  return canvas;
}

Canvas Canvas::over(const Image& image, double scale) {
  Canvas canvas = pixels(image.width / scale, image.height / scale, scale);
  cairo_surface_t* const surface = canvas.cairo_->surface;
  unsigned char* const data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < image.height; ++y) {
    auto* const row = reinterpret_cast<std::uint32_t*>(data + std::ptrdiff_t{y} * stride);
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* const p = image.pixel(x, y);
      row[x] = (std::uint32_t{p[0]} << 16) | (std::uint32_t{p[1]} << 8) | p[2];
    }
  }
  cairo_surface_mark_dirty(surface);
  return canvas;
}

void Canvas::rectangle(Point corner, double width, double height, const Colour& fill,
                       double round) {
  cairo_t* const c = cairo_->context;
  set_colour(c, fill);
  if (round <= 0) {
    cairo_rectangle(c, corner.x, corner.y, width, height);
  } else {
    constexpr double kQuarter = std::numbers::pi / 2;
    cairo_new_sub_path(c);
    cairo_arc(c, corner.x + width - round, corner.y + round, round, -kQuarter, 0);
    cairo_arc(c, corner.x + width - round, corner.y + height - round, round, 0, kQuarter);
    cairo_arc(c, corner.x + round, corner.y + height - round, round, kQuarter, 2 * kQuarter);
    cairo_arc(c, corner.x + round, corner.y + round, round, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(c);
  }
  cairo_fill(c);
}

void Canvas::disc(Point centre, double radius, const Colour& fill) {
  set_colour(cairo_->context, fill);
  cairo_arc(cairo_->context, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  cairo_fill(cairo_->context);
}

void Canvas::line(const std::vector<Point>& points, const Colour& stroke, double thickness,
                  const std::vector<double>& dashes) {
  if (points.empty()) return;
  cairo_t* const c = cairo_->context;
  set_colour(c, stroke);
  cairo_set_line_width(c, thickness);
  cairo_set_dash(c, dashes.data(), static_cast<int>(dashes.size()), 0);
  cairo_move_to(c, points[0].x, points[0].y);
  for (std::size_t k = 1; k < points.size(); ++k) cairo_line_to(c, points[k].x, points[k].y);
  cairo_stroke(c);
}

void Canvas::text(Point at, const std::string& text, const TextStyle& style) {
  cairo_t* const c = cairo_->context;
  set_font(c, style);
  set_colour(c, style.colour);
  const double back = style.align == Align::left     ? 0
                      : style.align == Align::centre ? advance(c, text) / 2
                                                     : advance(c, text);
  cairo_save(c);
  cairo_translate(c, at.x, at.y);
  if (style.upwards) cairo_rotate(c, -std::numbers::pi / 2);
  cairo_move_to(c, -back, 0);
  cairo_show_text(c, text.c_str());
  cairo_restore(c);
  cairo_new_path(c);
}

double Canvas::text_width(const std::string& text, const TextStyle& style) const {
  set_font(cairo_->context, style);
  return advance(cairo_->context, text);
}

void Canvas::clip(Point corner, double width, double height) {
  cairo_save(cairo_->context);
  cairo_rectangle(cairo_->context, corner.x, corner.y, width, height);
  cairo_clip(cairo_->context);
}

void Canvas::unclip() { cairo_restore(cairo_->context); }

std::string Canvas::finish() {
  std::string bytes;
  if (cairo_->vectors) {
    cairo_surface_finish(cairo_->surface);
    bytes = std::move(cairo_->bytes);
  } else {
    cairo_surface_flush(cairo_->surface);
    cairo_surface_write_to_png_stream(cairo_->surface, append, &bytes);
  }
  if (bytes.empty()) {
    throw Error("the picture could not be encoded", "drawing", "use a smaller picture",
                Error::Kind::work_failed);
  }
  return bytes;
}

Image Canvas::image() const {
  cairo_surface_t* const surface = cairo_->surface;
  cairo_surface_flush(surface);
  Image image(cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface));
  const unsigned char* const data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < image.height; ++y) {
    const auto* const row =
        reinterpret_cast<const std::uint32_t*>(data + std::ptrdiff_t{y} * stride);
    for (int x = 0; x < image.width; ++x) {
      std::uint8_t* const p = image.pixel(x, y);
      p[0] = static_cast<std::uint8_t>(row[x] >> 16);
      p[1] = static_cast<std::uint8_t>(row[x] >> 8);
      p[2] = static_cast<std::uint8_t>(row[x]);
    }
  }
  return image;
}

std::string encode_png(const Image& image) { return Canvas::over(image).finish(); }

}  // namespace limber
