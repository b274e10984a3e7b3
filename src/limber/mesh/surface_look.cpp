#include "limber/mesh/surface_look.h"

namespace limber {

namespace {
using namespace std::string_view_literals;

const char* shown_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1A\n"sv)) return "image/png";
  return bytes.starts_with("\xFF\xD8\xFF"sv) ? "image/jpeg" : nullptr;
}

const char* carried_type(std::string_view bytes) {
  if (bytes.starts_with("RIFF"sv) && bytes.substr(8).starts_with("WEBP"sv)) return "image/webp";
  if (bytes.starts_with("\xABKTX 20\xBB\r\n\x1A\n"sv)) return "image/ktx2";
  return shown_type(bytes);
}

std::shared_ptr<const SurfaceImage> image_of(std::string_view bytes, const char* type) {
  if (type == nullptr || bytes.size() > kMostImageBytes) return nullptr;
  return std::make_shared<const SurfaceImage>(SurfaceImage{std::string(bytes), type});
}
}  // namespace

std::shared_ptr<const SurfaceImage> surface_image(std::string_view bytes) {
  return image_of(bytes, shown_type(bytes));
}

std::shared_ptr<const SurfaceImage> carried_image(std::string_view bytes) {
  return image_of(bytes, bytes.size() < 12 ? nullptr : carried_type(bytes));
}

}  // namespace limber
