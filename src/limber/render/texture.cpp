#include "limber/render/texture.h"

#include <cairo/cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string_view>

// After <cstdio>, which it needs.
#include <jpeglib.h>

#include "limber/mesh/formats/raw_mesh.h"

namespace limber {

namespace {
constexpr int kMostTexturePixels = 16384;  // a side

struct Reader {
  std::string_view rest;
};

cairo_status_t read_bytes(void* closure, unsigned char* to, unsigned int count) {
  Reader& reader = *static_cast<Reader*>(closure);
  if (reader.rest.size() < count) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(to, reader.rest.data(), count);
  reader.rest.remove_prefix(count);
  return CAIRO_STATUS_SUCCESS;
}

/// libjpeg ends the program on damaged pictures unless told to jump.
struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
};

[[noreturn]] void leave(j_common_ptr decoder) {
  std::longjmp(reinterpret_cast<JpegErrors*>(decoder->err)->back, 1);
}

const std::array<float, 256>& linear_of_byte() {
  static const std::array<float, 256> kTable = [] {
    std::array<float, 256> table{};
    for (int i = 0; i < 256; ++i) {
      table[i] = linear_from_srgb(static_cast<float>(i) / 255);
    }
    return table;
  }();
  return kTable;
}
}  // namespace

std::shared_ptr<const Texture> Texture::decode(const SurfaceImage& image) {
  const std::string_view type = image.mime_type;
  if (type == "image/png") return from_png(image.bytes);
  return type == "image/jpeg" ? from_jpeg(image.bytes) : nullptr;
}

std::shared_ptr<Texture> Texture::from_png(const std::string& bytes) {
  Reader reader{bytes};
  cairo_surface_t* const read = cairo_image_surface_create_from_png_stream(read_bytes, &reader);
  const auto release = [](cairo_surface_t* surface) { cairo_surface_destroy(surface); };
  const std::unique_ptr<cairo_surface_t, decltype(release)> held(read, release);
  if (cairo_surface_status(read) != CAIRO_STATUS_SUCCESS) return nullptr;
  const int width = cairo_image_surface_get_width(read);
  const int height = cairo_image_surface_get_height(read);
  const cairo_format_t format = cairo_image_surface_get_format(read);
  const bool opaque = format == CAIRO_FORMAT_RGB24;
  if (width < 1 || height < 1 || width > kMostTexturePixels || height > kMostTexturePixels ||
      (!opaque && format != CAIRO_FORMAT_ARGB32)) {
    return nullptr;
  }
  std::shared_ptr<Texture> texture(new Texture(width, height));
  const int stride = cairo_image_surface_get_stride(read);
  const unsigned char* const data = cairo_image_surface_get_data(read);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, data + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, 4);
      const std::uint32_t alpha = opaque ? 255 : pixel >> 24;
      for (const int shift : {16, 8, 0}) {
        // Cairo multiplies colours by their opacity.
        const std::uint32_t value = (pixel >> shift) & 255;
        texture->pixels_.push_back(static_cast<std::uint8_t>(
            alpha == 0 ? 0 : std::min(255U, (255 * value + alpha / 2) / alpha)));
      }
    }
  }
  return texture;
}

std::shared_ptr<Texture> Texture::from_jpeg(const std::string& bytes) {
  jpeg_decompress_struct decoder{};
  JpegErrors errors{};
  std::shared_ptr<Texture> texture;  // before setjmp: a jump must not pass its construction
  decoder.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave;
  errors.manager.output_message = [](j_common_ptr) {};
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_decompress(&decoder);
    return nullptr;
  }
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(bytes.data()),
               static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&decoder, TRUE);
  decoder.out_color_space = JCS_RGB;
  if (decoder.image_width < 1 || decoder.image_height < 1 ||
      decoder.image_width > kMostTexturePixels || decoder.image_height > kMostTexturePixels ||
      decoder.num_components == 4) {
    jpeg_destroy_decompress(&decoder);
    return nullptr;
  }
  jpeg_start_decompress(&decoder);
  texture.reset(
      new Texture(static_cast<int>(decoder.output_width), static_cast<int>(decoder.output_height)));
  const std::size_t row = std::size_t{3} * decoder.output_width;
  texture->pixels_.resize(row * decoder.output_height);
  while (decoder.output_scanline < decoder.output_height) {
    JSAMPROW line = texture->pixels_.data() + row * decoder.output_scanline;
    jpeg_read_scanlines(&decoder, &line, 1);
  }
  jpeg_finish_decompress(&decoder);
  jpeg_destroy_decompress(&decoder);
  return texture;
}

Eigen::Vector3f Texture::at(float u, float v) const {
  if (!std::isfinite(u) || !std::isfinite(v)) return Eigen::Vector3f::Ones();
  const auto wrapped = [](float x) { return x - std::floor(x); };
  // Pixel centres lie at halves; rows run down.
  const float x = wrapped(u) * static_cast<float>(width_) - 0.5F;
  const float y = wrapped(1 - v) * static_cast<float>(height_) - 0.5F;
  const int left = static_cast<int>(std::floor(x));
  const int top = static_cast<int>(std::floor(y));
  const float across = x - static_cast<float>(left);
  const float down = y - static_cast<float>(top);
  const auto pixel = [&](int column, int row) -> Eigen::Vector3f {
    const int c = (column + width_) % width_;
    const int r = (row + height_) % height_;
    const std::uint8_t* const p = &pixels_[3 * (static_cast<std::size_t>(r) * width_ + c)];
    const auto& linear = linear_of_byte();
    return {linear[p[0]], linear[p[1]], linear[p[2]]};
  };
  return (1 - down) * ((1 - across) * pixel(left, top) + across * pixel(left + 1, top)) +
         down * ((1 - across) * pixel(left, top + 1) + across * pixel(left + 1, top + 1));
}

}  // namespace limber
