// A picture spread over a surface, decoded for the painter.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include "limber/mesh/surface_look.h"

namespace limber {

class Texture {
 public:
  /// PNG and JPEG. Nothing for damaged pictures, for those of other kinds, and beyond 16384 pixels
  /// a side: a surface is shown in its plain colour then.
  [[nodiscard]] static std::shared_ptr<const Texture> decode(const SurfaceImage& image);

  /// Linear light at texture coordinates (v up), between the four nearest pixels; the picture
  /// repeats beyond 0..1.
  [[nodiscard]] Eigen::Vector3f at(float u, float v) const;

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

 private:
  Texture(int width, int height) : width_(width), height_(height) {}
  [[nodiscard]] static std::shared_ptr<Texture> from_png(const std::string& bytes);
  [[nodiscard]] static std::shared_ptr<Texture> from_jpeg(const std::string& bytes);

  int width_;
  int height_;
  std::vector<std::uint8_t> pixels_;  // sRGB, three bytes each, rows from the top
};

}  // namespace limber
