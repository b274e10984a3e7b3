#include "limber/mesh/surface_look.h"

namespace limber {

std::shared_ptr<const SurfaceImage> surface_image(std::string_view bytes) {
  constexpr std::string_view kPng = "\x89PNG\r\n\x1A\n";
  constexpr std::string_view kJpeg = "\xFF\xD8\xFF";
  if (bytes.size() > kMostImageBytes) return nullptr;
  const char* const type = bytes.starts_with(kPng)    ? "image/png"
                           : bytes.starts_with(kJpeg) ? "image/jpeg"
                                                      : nullptr;
  if (type == nullptr) return nullptr;
  return std::make_shared<const SurfaceImage>(SurfaceImage{std::string(bytes), type});
}

}  // namespace limber
